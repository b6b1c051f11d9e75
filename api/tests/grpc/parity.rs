//! Both doors give the same answers: one desk, the same questions and orders at each, the same sums, slugs and fields.

use std::time::Duration;

use api::rest::{self, Serving};
use proto::rules::v1::entry_request::Who;
use serde_json::{Value, json};

use crate::facts::{of_case, order};
use crate::stand::{BARCELONA, ROJAS, Stand, problem, signed};

/// The REST door beside a stand, on the same desk.
pub struct Doors {
    pub stand: Stand,
    pub rest: String,
    pub client: reqwest::Client,
}

impl Doors {
    async fn open() -> Doors {
        Doors::beside(Stand::new().await)
    }

    pub fn beside(stand: Stand) -> Doors {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let rest = format!("http://{}", listener.local_addr().unwrap());
        let serving = Serving {
            workers: 1,
            drain: Duration::from_secs(1),
        };
        let server = rest::server(listener, stand.app.clone(), serving).unwrap();
        tokio::spawn(server);
        Doors {
            stand,
            rest,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
        }
    }

    /// The REST door's answer: the slug and fields of a problem, or what was found.
    async fn post(&self, path: &str, body: &Value) -> Result<Value, (String, Vec<String>)> {
        let request = self.client.post(format!("{}{path}", self.rest)).json(body);
        let answer = request.send().await.unwrap();
        let good = answer.status().is_success();
        let body: Value = answer.json().await.unwrap();
        if good {
            return Ok(body);
        }
        let name = body["type"].as_str().unwrap();
        let slug = name.strip_prefix("urn:enroc:problem:").unwrap().to_owned();
        let fields = body["fields"].as_array().map(|fields| {
            let named = |f: &Value| {
                format!(
                    "{}: {}",
                    f["field"].as_str().unwrap(),
                    f["rule"].as_str().unwrap()
                )
            };
            fields.iter().map(named).collect()
        });
        Err((slug, fields.unwrap_or_default()))
    }
}

fn person(name: &str, change: Value) -> Value {
    let mut person = json!({
        "name": name, "sex": "m", "birth_date": "1990-05-01", "federation": "FRA",
        "rating": 2100, "licences": ["FIDE"],
    });
    for (field, value) in change.as_object().unwrap() {
        person[field] = value.clone();
    }
    person
}

/// Tournaments and entries to be asked about and ordered at both doors.
fn orders() -> Vec<(&'static str, Value)> {
    let one = |name: &str, section: &str, change: Value| json!([{ "section": section, "entrant": person(name, change) }]);
    vec![
        (BARCELONA, one("Plain", "A", json!({}))),
        (
            BARCELONA,
            one("Young", "A", json!({ "birth_date": "2012-03-04" })),
        ),
        (BARCELONA, one("Strong", "B", json!({}))),
        (BARCELONA, one("Unlicensed", "A", json!({ "licences": [] }))),
        (BARCELONA, one("Nowhere", "Z", json!({}))),
        (
            BARCELONA,
            one("Never born", "A", json!({ "birth_date": "1990-02-30" })),
        ),
        (
            BARCELONA,
            one(
                "Wrong",
                "A",
                json!({ "federation": "spain", "sex": "" , "rating": 0 }),
            ),
        ),
        (BARCELONA, one("", "A", json!({}))),
        (ROJAS, one("No team", "primario", json!({}))),
        ("no-such", one("Lost", "A", json!({}))),
    ]
}

/// The same entries as messages, with names, and declared.
fn messages(entries: &Value) -> Vec<proto::rules::v1::EntryRequest> {
    let made = entries.as_array().unwrap().iter().map(|entry| {
        let mut message = of_case(entry);
        if let Some(Who::Entrant(player)) = &mut message.who {
            player.name = entry["entrant"]["name"].as_str().map(str::to_owned);
            player.grades.clear();
        }
        message
    });
    made.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_question_has_the_same_answer_at_both_doors() {
    let doors = Doors::open().await;
    for (tournament, entries) in orders() {
        let message = proto::rules::v1::QuoteRequest {
            paid_at: None,
            received_at: None,
            currency: None,
            taken: std::collections::HashMap::new(),
            others: None,
            tournament: tournament.to_owned(),
            entries: messages(&entries),
            ..Default::default()
        };
        let path = format!("/v1/tournaments/{tournament}/quotes");
        let rest = doors.post(&path, &json!({ "entries": entries })).await;
        match (doors.stand.rules().quote(message).await, rest) {
            (Ok(answer), Ok(rest)) => {
                let quote = answer.into_inner().quote.unwrap();
                let codes: Vec<&str> = quote.reasons.iter().map(|r| r.code.as_str()).collect();
                let reasons = rest["reasons"].as_array().unwrap();
                let named: Vec<&str> = reasons
                    .iter()
                    .map(|r| r["code"].as_str().unwrap())
                    .collect();
                assert_eq!(codes, named, "{entries}");
                assert_eq!(rest["eligible"], quote.eligible, "{entries}");
                assert_eq!(
                    rest["total"]["amount"],
                    quote.total.unwrap().amount,
                    "{entries}"
                );
            }
            (Err(status), Err(rest)) => assert_eq!(problem(&status), rest, "{entries}"),
            (grpc, rest) => panic!("{entries}: {grpc:?} and {rest:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_order_has_the_same_outcome_at_both_doors() {
    let doors = Doors::open().await;
    for (place, (tournament, entries)) in orders().into_iter().enumerate() {
        let mut message = order(tournament, messages(&entries));
        message.expected_total = None;
        let payer = json!({
            "name": "Payer One", "email": "payer@example.org", "consents": message.consents,
        });
        let key = format!("both-{place}");
        let grpc = doors
            .stand
            .payers()
            .register(signed(message, "", &key))
            .await;
        let path = format!("/v1/tournaments/{tournament}/orders");
        let body = json!({ "payer": payer, "entries": entries });
        let rest = doors.post(&path, &body).await;
        match (grpc, rest) {
            (Ok(_), Err((slug, _))) => {
                assert_eq!(
                    slug, "already-entered",
                    "the same player stands already: {entries}"
                );
            }
            (Err(status), Err(rest)) => {
                let (slug, fields) = problem(&status);
                let as_sent = |field: &String| field.replace("].entry.", "].");
                let fields = fields.iter().map(as_sent).collect();
                assert_eq!((slug, fields), rest, "{entries}");
            }
            (grpc, rest) => panic!("{entries}: {grpc:?} and {rest:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_used_at_one_door_is_used_at_the_other() {
    let doors = Doors::open().await;
    let entries = json!([{ "section": "A", "entrant": person("Once", json!({})) }]);
    let message = order(BARCELONA, messages(&entries));
    let payer = json!({
        "name": "Payer One", "email": "payer@example.org", "consents": message.consents,
    });
    let first = doors
        .stand
        .payers()
        .register(signed(message, "", "shared"))
        .await
        .unwrap();
    let first = first.into_inner().order.unwrap();
    let path = format!("{}/v1/tournaments/{BARCELONA}/orders", doors.rest);
    let send = async |body: &Value| {
        let request = doors.client.post(&path).header("Idempotency-Key", "shared");
        let answer = request.json(body).send().await.unwrap();
        answer.json::<Value>().await.unwrap()
    };
    let again = send(&json!({ "payer": payer, "entries": entries })).await;
    assert_eq!(again["order"], first.id, "{again}");
    assert_eq!(
        again["total"]["amount"],
        first.total.unwrap().amount,
        "{again}"
    );
    let other = json!([{ "section": "A", "entrant": person("Other", json!({})) }]);
    let refused = send(&json!({ "payer": payer, "entries": other })).await;
    assert_eq!(refused["type"], "urn:enroc:problem:idempotency-key-reused");
}
