//! A gateway on a sandbox of its own, and asks that differ in what a test is about.

use std::time::Duration;

use domain::{Money, OrderId, OrderReference, PaymentId, PaymentKind, RefundId, UtcTime};
use payments::{StripeGateway, StripeSettings};
use registration::{Gateway, GatewayError, Opened, PaymentAsk, RefundCall};
use sandbox::{Control, Sandbox, Settings};
use stripe_core::payment_intent::ConfirmPaymentIntent;

pub const VISA: &str = "4242424242424242";
/// Asynchronous; succeeds, fails.
pub const SLOW: [&str; 2] = ["4999990000000015", "4999990000000023"];

pub struct Till {
    pub sandbox: Sandbox,
    pub gateway: StripeGateway,
    /// The payer's own program.
    pub payer: stripe::Client,
}

impl Till {
    pub fn open() -> Till {
        Till::with(Settings::default(), |_| {})
    }

    pub fn with(sandbox: Settings, change: impl FnOnce(&mut StripeSettings)) -> Till {
        let key = sandbox.secret_key.clone();
        let sandbox = Sandbox::start(sandbox).unwrap();
        let mut settings =
            StripeSettings::new("main", key.as_str().into(), vec!["whsec_test".into()]);
        settings.base_url = sandbox.base_url().to_owned();
        change(&mut settings);
        let gateway = StripeGateway::new(&settings).unwrap();
        let payer = stripe::ClientBuilder::new(key)
            .url(sandbox.base_url())
            .build()
            .unwrap();
        Till {
            sandbox,
            gateway,
            payer,
        }
    }

    /// One that soon gives up on an answer.
    pub fn impatient() -> Till {
        Till::with(Settings::default(), |settings| {
            settings.timeout = Duration::from_millis(300);
            settings.deadline = Duration::from_secs(20);
        })
    }

    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    /// The sandbox's clock.
    pub fn now(&self) -> UtcTime {
        UtcTime::from_micros(self.control().now() * 1_000_000)
    }

    pub fn ask(&self, method: PaymentKind, key: &str) -> PaymentAsk {
        PaymentAsk {
            payment: PaymentId(77),
            order: OrderId(55),
            reference: OrderReference::from_random(9),
            tournament: "ciutat-barcelona-2026".parse().unwrap(),
            method,
            amount: eur(6_000),
            description: "Ciutat de Barcelona 2026".to_owned(),
            email: Some("payer@example.org".to_owned()),
            language: domain::Language::Ca,
            return_url: "https://desk.example.org/back".to_owned(),
            expires_at: self.now().plus_seconds(45 * 60),
            since: self.now(),
            key: key.to_owned(),
        }
    }

    pub async fn session(&self, key: &str) -> Opened {
        self.gateway
            .open(&self.ask(PaymentKind::Session, key))
            .await
            .unwrap()
    }

    pub async fn intent(&self, key: &str) -> Opened {
        self.gateway
            .open(&self.ask(PaymentKind::Intent, key))
            .await
            .unwrap()
    }

    /// The payer's own form confirms an intent.
    pub async fn confirm(&self, intent: &str, card: &str) -> Result<(), stripe::StripeError> {
        ConfirmPaymentIntent::new(intent)
            .payment_method(card)
            .send(&self.payer)
            .await
            .map(drop)
    }

    /// A page paid with this card; its intent.
    pub async fn paid(&self, key: &str, card: &str) -> String {
        let opened = self.session(key).await;
        self.control().pay(&opened.reference, card).unwrap();
        self.gateway
            .look(&opened.reference)
            .await
            .unwrap()
            .intent
            .unwrap()
    }

    pub fn count(&self, kind: &str) -> usize {
        self.control().objects(kind).unwrap().len()
    }
}

pub fn eur(amount: i64) -> Money {
    Money::new(amount, "EUR".parse().unwrap())
}

/// The call for this refund of ours.
pub fn back(intent: &str, amount: i64, refund: i64) -> RefundCall {
    RefundCall {
        refund: RefundId(refund),
        order: OrderId(55),
        intent: intent.to_owned(),
        amount: eur(amount),
        key: format!("r{refund}"),
    }
}

pub fn code(error: &GatewayError) -> &str {
    match error {
        GatewayError::Refused { code, .. } => code,
        other => panic!("not refused: {other}"),
    }
}
