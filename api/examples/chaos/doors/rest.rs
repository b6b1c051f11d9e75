//! The REST door.

use std::net::SocketAddr;

use reqwest::Client;
use serde_json::{Value, json};

use crate::command::{Act, Answer, Asked, Deed, Done, Means, Person, Ticket};

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

    /// An order as it stands; nothing where nobody answers.
    pub async fn see(&self, ticket: &Ticket) -> Option<Value> {
        let address = format!("{}/v1/orders/{}", self.home, ticket.order);
        let request = self.client.get(address).bearer_auth(&ticket.token);
        let answer = request.send().await.ok()?.error_for_status().ok()?;
        answer.json().await.ok()
    }

    fn request<'a>(&'a self, act: &'a Act) -> (String, &'a str, Value) {
        match act {
            Act::Register { tournament, people } => (
                format!("/tournaments/{tournament}/orders"),
                "",
                registration(people),
            ),
            Act::Pay(ticket, means) => (
                format!("/orders/{}/payments", ticket.order),
                &ticket.token,
                json!({ "method": match means { Means::Page => "session", Means::Form => "intent" } }),
            ),
            Act::Slip(ticket, number, cents) => (
                format!("/orders/{}/slips", ticket.order),
                &ticket.token,
                json!({ "method": "slip", "number": number, "amount": euros(*cents) }),
            ),
            Act::Byes(ticket, entry, rounds) => {
                let bye = |round: &u32| json!({ "round": round, "points": "half" });
                let byes: Vec<Value> = rounds.iter().map(bye).collect();
                (
                    format!("/orders/{}/byes", ticket.order),
                    &ticket.token,
                    json!({ "entry": entry, "requests": byes }),
                )
            }
            Act::Cancel(ticket) => (
                format!("/orders/{}/cancellation", ticket.order),
                &ticket.token,
                json!({}),
            ),
            Act::Staff(deed) => {
                let (path, mut body) = of_staff(deed);
                body["reason"] = json!("chaos");
                (format!("/staff{path}"), &self.staff, body)
            }
        }
    }
}

fn of_staff(deed: &Deed) -> (String, Value) {
    match deed {
        Deed::Refund(order, cents) => (
            format!("/orders/{order}/refunds"),
            json!({ "amount": euros(*cents), "method": "card" }),
        ),
        Deed::Confirm(payment, cents) => (
            format!("/payments/{payment}/confirmation"),
            json!({ "received": euros(*cents) }),
        ),
        Deed::Refuse(payment) => (format!("/payments/{payment}/refusal"), json!({})),
        Deed::Approve(entry) => (format!("/entries/{entry}/approval"), json!({})),
        Deed::Reject(entry) => (format!("/entries/{entry}/rejection"), json!({})),
        Deed::Move(entry, section) => (
            format!("/entries/{entry}/section"),
            json!({ "section": section }),
        ),
        Deed::Byes(entry, granted) => (
            format!("/entries/{entry}/byes"),
            json!({ "granted": granted }),
        ),
        Deed::Transferred(refund, reference) => (
            format!("/refunds/{refund}/transfer"),
            json!({ "reference": reference }),
        ),
        Deed::Issue(tournament, uses) => (
            format!("/tournaments/{tournament}/codes"),
            json!({ "label": "chaos", "uses": uses }),
        ),
    }
}

fn euros(cents: i64) -> Value {
    json!({ "amount": cents, "currency": "EUR" })
}

fn registration(people: &[Person]) -> Value {
    let first = people.first().map_or(0, |person| person.number);
    let entries: Vec<Value> = people
        .iter()
        .map(|person| {
            json!({ "section": person.section, "code": person.code, "entrant": {
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
        Act::Pay(..) => (
            Done::Opened(text("payment")?),
            text("url").or(text("client_secret")),
        ),
        Act::Slip(..) => (Done::Reported(text("payment")?), None),
        Act::Cancel(_) => (Done::Cancelled(cents("refund")?, cents("kept")?), None),
        Act::Staff(Deed::Issue(..)) => (Done::Issued(text("code")?), None),
        Act::Byes(..) => (value["allowed"].as_bool()?.then_some(Done::Nothing)?, None),
        Act::Staff(_) => (text("order").map(|_| Done::Nothing)?, None),
    };
    Some(Answer::Done(done, page))
}
