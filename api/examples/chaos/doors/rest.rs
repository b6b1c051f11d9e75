//! The REST door.

use std::net::SocketAddr;

use reqwest::Client;
use serde_json::{Value, json};

use crate::command::{Act, Answer, Asked, Done, Person};

/// One process's.
pub struct Rest {
    client: Client,
    home: String,
    staff: String,
}

impl Rest {
    pub fn new(client: Client, address: SocketAddr, staff: &str) -> Rest {
        Rest {
            client,
            home: format!("http://{address}"),
            staff: staff.to_owned(),
        }
    }

    pub async fn ask(&self, asked: &Asked) -> Answer {
        let (path, bearer, body) = self.request(&asked.act);
        let mut request = self.client.post(format!("{}/v1{path}", self.home));
        if !bearer.is_empty() {
            request = request.bearer_auth(bearer);
        }
        let request = request.header("Idempotency-Key", &asked.key).json(&body);
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return Answer::Again(error.to_string()),
        };
        let good = answer.status().is_success();
        let value: Value = match answer.json().await {
            Ok(value) => value,
            Err(error) => return Answer::Again(error.to_string()),
        };
        if good {
            return done(&asked.act, &value).unwrap_or_else(|| {
                Answer::Broken(format!("an answer that says nothing: {value}"))
            });
        }
        let name = value["type"].as_str().unwrap_or_default();
        Answer::problem(name.strip_prefix("urn:enroc:problem:").unwrap_or(name))
    }

    fn request<'a>(&'a self, act: &'a Act) -> (String, &'a str, Value) {
        match act {
            Act::Register { tournament, people } => (
                format!("/tournaments/{tournament}/orders"),
                "",
                registration(people),
            ),
            Act::Pay(ticket) => (
                format!("/orders/{}/payments", ticket.order),
                &ticket.token,
                json!({ "method": "session" }),
            ),
            Act::Cancel(ticket) => (
                format!("/orders/{}/cancellation", ticket.order),
                &ticket.token,
                json!({}),
            ),
            Act::Refund(ticket, cents) => (
                format!("/staff/orders/{}/refunds", ticket.order),
                &self.staff,
                json!({ "amount": { "amount": cents, "currency": "EUR" }, "method": "card", "reason": "chaos" }),
            ),
        }
    }
}

fn registration(people: &[Person]) -> Value {
    let first = people.first().map_or(0, |person| person.number);
    let entries: Vec<Value> = people
        .iter()
        .map(|person| {
            json!({ "section": person.section, "entrant": {
                "name": format!("Puig, Aina {}", person.number), "fide_id": person.number, "sex": "f",
                "birth_date": "1990-05-01", "federation": "ESP", "rating": 1900, "licences": ["FIDE"],
            } })
        })
        .collect();
    json!({
        "payer": {
            "name": "Puig, Marta", "email": format!("payer{first}@example.org"), "language": "ca", "consents": [],
        },
        "entries": entries,
    })
}

fn done(act: &Act, value: &Value) -> Option<Answer> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let cents = |name: &str| value[name]["amount"].as_i64();
    let (done, page) = match act {
        Act::Register { .. } => {
            let entries = value["entries"].as_array()?.iter().map(|entry| {
                let id = entry["entry"].as_str()?.to_owned();
                Some((id, entry["form_number"].as_i64()?))
            });
            let done = Done::Registered {
                order: text("order")?,
                token: text("token")?,
                entries: entries.collect::<Option<_>>()?,
            };
            (done, None)
        }
        Act::Pay(_) => (Done::Opened(text("payment")?), text("url")),
        Act::Cancel(_) => (Done::Cancelled(cents("refund")?, cents("kept")?), None),
        Act::Refund(..) => (Done::Refunded(text("order")?), None),
    };
    Some(Answer::Done(done, page))
}
