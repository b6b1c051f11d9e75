//! The payer's browser at the gateway's page: types a card, follows where it is sent.

use reqwest::header::LOCATION;
use reqwest::{Client, Response, StatusCode};

/// A card that is charged at once.
pub(super) const GOOD_CARD: &str = "4242 4242 4242 4242";
/// A card that is declined.
pub(super) const DECLINED_CARD: &str = "4000 0000 0000 0002";
/// A card whose bank asks for its holder first (3-D Secure).
pub(super) const ASKING_CARD: &str = "4000 0025 0000 3155";

/// What came of typing a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Paid,
    Declined,
}

/// A browser that follows no redirect by itself.
pub(super) struct Browser(Client);

impl Browser {
    pub(super) fn new() -> Result<Browser, reqwest::Error> {
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        Ok(Browser(client.build()?))
    }

    /// Types a card into the page of a session; says yes where the card's bank asks.
    pub(super) async fn type_card(&self, page: &str, card: &str) -> Result<Typed, String> {
        let sent = self
            .0
            .post(page)
            .form(&[("card_number", card), ("email", "payer@example.org")])
            .send()
            .await;
        let answer = sent.map_err(|error| error.to_string())?;
        if answer.status() == StatusCode::PAYMENT_REQUIRED {
            return Ok(Typed::Declined);
        }
        let next = location(&answer)?;
        if !same_server(&next, page) {
            return Ok(Typed::Paid);
        }
        let sent = self
            .0
            .post(&next)
            .form(&[("decision", "authenticate")])
            .send()
            .await;
        location(&sent.map_err(|error| error.to_string())?).map(|_| Typed::Paid)
    }
}

fn location(answer: &Response) -> Result<String, String> {
    let target = answer
        .headers()
        .get(LOCATION)
        .and_then(|value| value.to_str().ok());
    let target = target.filter(|_| answer.status().is_redirection());
    target
        .map(str::to_owned)
        .ok_or_else(|| format!("the page answers {}", answer.status()))
}

fn same_server(one: &str, other: &str) -> bool {
    let server = |url: &str| url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    server(one) == server(other)
}
