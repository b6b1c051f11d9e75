//! The gateway as those see it who pay there, and who dispute what they paid.

use rand::Rng;
use rand::rngs::StdRng;
use sandbox::Control;

use crate::Result;

/// Cards by number, for the page, and by name, for a payer's own form; each as often as it stands here.
const CARDS: &[(&str, &str)] = &[
    ("4242424242424242", "pm_card_visa"),
    ("4242424242424242", "pm_card_visa"),
    ("4242424242424242", "pm_card_visa"),
    ("4242424242424242", "pm_card_visa"),
    ("4242424242424242", "pm_card_visa"),
    ("4242424242424242", "pm_card_visa"),
    ("4242424242424242", "pm_card_visa"),
    ("4000000000000002", "pm_card_chargeDeclined"),
    ("4000000000003220", "pm_card_threeDSecure2Required"),
    ("4000000000005126", "pm_card_refundFail"),
    ("4000000000007726", "pm_card_pendingRefund"),
    ("4000000000000259", "pm_card_createDispute"),
    ("4999990000000015", "pm_sandbox_processing"),
    ("4999990000000023", "pm_sandbox_processingFails"),
];

/// The way there.
#[derive(Clone)]
pub struct Shop {
    control: Control,
    client: reqwest::Client,
    home: String,
    key: String,
}

impl Shop {
    /// The gateway at an address, with the key by which a payer's own form is confirmed.
    pub fn at(control: Control, home: &str, key: &str) -> Result<Shop> {
        Ok(Shop {
            control,
            client: reqwest::Client::builder().no_proxy().build()?,
            home: home.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Pays on a page, or by the secret of a form of one's own, with a card that is drawn. Whoever comes too late is
    /// refused, as is a bad card.
    pub async fn pay(&self, place: &str, random: &mut StdRng) {
        let (number, name) = CARDS[random.random_range(0..CARDS.len())];
        let intent = match place.split_once("_secret_") {
            Some((intent, _)) => {
                self.confirm(intent, name).await;
                Some(intent.to_owned())
            }
            None => {
                let session = place.rsplit('/').next().unwrap_or_default();
                drop(self.control.pay(session, number));
                let page = self.control.object(session).unwrap_or_default();
                page["payment_intent"].as_str().map(str::to_owned)
            }
        };
        if let Some(intent) = intent {
            // Only one that asks for it.
            drop(
                self.control
                    .authenticate(&intent, random.random_range(0..4) > 0),
            );
        }
    }

    async fn confirm(&self, intent: &str, card: &str) {
        let address = format!("{}v1/payment_intents/{intent}/confirm", self.home);
        let body = format!("payment_method={card}&return_url=http://desk.example.org/");
        let request = self
            .client
            .post(address)
            .bearer_auth(&self.key)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(body);
        drop(request.send().await);
    }

    /// A charge is disputed, once at most, or a dispute is decided.
    pub fn quarrel(&self, random: &mut StdRng) -> Result {
        let any = |list: Vec<serde_json::Value>, random: &mut StdRng| {
            let place = (!list.is_empty()).then(|| random.random_range(0..list.len()));
            place.map(|place| list[place].clone())
        };
        if random.random() {
            let mut charges = self.control.objects("charges")?;
            charges.retain(|charge| charge["disputed"] == false);
            let late = charges.split_off(charges.len().saturating_sub(20));
            if let Some(charge) = any(late, random) {
                let id = charge["id"].as_str().unwrap_or_default();
                drop(self.control.dispute(id, "fraudulent"));
            }
        } else {
            let disputes = self.control.objects("disputes")?;
            if let Some(dispute) = any(disputes, random) {
                let id = dispute["id"].as_str().unwrap_or_default();
                drop(self.control.close_dispute(id, random.random()));
            }
        }
        Ok(())
    }
}
