//! The REST door, as any HTTP client sees it.

use async_trait::async_trait;
use domain::{ByePoints, FactName, Money, RefundMethod, UtcTime};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::{
    Answer, Asked, Back, Door, Payer, Quoted, Refused, Seen, SeenEntry, SeenMoney, Ticket, Told,
    fresh_key,
};

pub(in crate::rehearse) struct Rest {
    client: Client,
    home: String,
    staff: String,
    rules: String,
}

impl Rest {
    /// A client of the door at this address with keys for the back office and for the rules.
    pub(in crate::rehearse) fn new(home: &str, staff: String, rules: String) -> Answer<Rest> {
        let client = Client::builder()
            .no_proxy()
            .build()
            .map_err(Refused::transport)?;
        let home = format!("{home}/v1");
        Ok(Rest {
            client,
            home,
            staff,
            rules,
        })
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        bearer: &str,
        body: Option<Value>,
    ) -> Answer<Value> {
        let mut request = self.client.request(method, format!("{}{path}", self.home));
        if !bearer.is_empty() {
            request = request.bearer_auth(bearer);
        }
        if let Some(body) = body {
            request = request.header("Idempotency-Key", fresh_key()).json(&body);
        }
        let answer = request.send().await.map_err(Refused::transport)?;
        let good = answer.status().is_success();
        let value: Value = answer.json().await.map_err(Refused::transport)?;
        if good {
            Ok(value)
        } else {
            Err(refused(&value))
        }
    }

    async fn get(&self, path: &str, bearer: &str) -> Answer<Value> {
        self.call(Method::GET, path, bearer, None).await
    }

    async fn post(&self, path: &str, bearer: &str, body: Value) -> Answer<Value> {
        self.call(Method::POST, path, bearer, Some(body)).await
    }

    /// An act of the back office.
    async fn act(&self, path: &str, body: Value) -> Answer<()> {
        self.post(&format!("/staff{path}"), &self.staff, body)
            .await
            .map(drop)
    }
}

fn refused(problem: &Value) -> Refused {
    let name = text(problem, "type");
    let fields = problem["fields"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    Refused {
        slug: name
            .strip_prefix("urn:enroc:problem:")
            .unwrap_or(&name)
            .to_owned(),
        why: fields
            .iter()
            .map(|f| format!("{}: {}", text(f, "field"), text(f, "rule")))
            .collect(),
    }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn money(value: &Value) -> Answer<Money> {
    serde_json::from_value(value.clone())
        .map_err(|error| Refused::transport(format!("no sum of money: {error}")))
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> Answer<T>) -> Answer<Vec<T>> {
    value
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .map(read)
        .collect()
}

fn seen(order: &Value) -> Answer<Seen> {
    let row = |value: &Value, id: &str| {
        Ok(SeenMoney {
            id: text(value, id),
            method: text(value, "method"),
            status: text(value, "status"),
            amount: money(&value["amount"])?,
        })
    };
    Ok(Seen {
        total: money(&order["total"])?,
        due: money(&order["due"])?,
        kept: money(&order["kept"])?,
        entries: list(&order["entries"], |entry| {
            Ok(SeenEntry {
                id: text(entry, "entry"),
                status: text(entry, "status"),
                to_check: texts(&entry["to_check"]),
            })
        })?,
        payments: list(&order["payments"], |value| row(value, "payment"))?,
        refunds: list(&order["refunds"], |value| row(value, "refund"))?,
    })
}

fn entry(asked: &Asked) -> Value {
    let mut entry = serde_json::to_value(&asked.who).unwrap_or_default();
    entry["section"] = json!(asked.section);
    if let Some(code) = &asked.code {
        entry["code"] = json!(code);
    }
    entry
}

fn slip(told: Told) -> Value {
    json!({ "number": told.number, "date": told.date, "amount": told.amount })
}

fn back(value: &Value) -> Answer<Back> {
    Ok(Back {
        refund: money(&value["refund"])?,
        kept: money(&value["kept"])?,
    })
}

#[async_trait]
impl Door for Rest {
    fn name(&self) -> &'static str {
        "REST"
    }

    async fn quote(
        &self,
        tournament: &str,
        at: Option<UtcTime>,
        entries: &[Asked],
    ) -> Answer<Quoted> {
        let bearer = if at.is_some() {
            self.rules.as_str()
        } else {
            ""
        };
        let body = json!({ "at": at, "entries": entries.iter().map(entry).collect::<Vec<_>>() });
        let quote = self
            .post(&format!("/tournaments/{tournament}/quotes"), bearer, body)
            .await?;
        let eligible = quote["eligible"] == json!(true);
        Ok(Quoted {
            total: eligible.then(|| money(&quote["total"])).transpose()?,
            reasons: list(&quote["reasons"], |reason| Ok(text(reason, "code")))?,
        })
    }

    async fn register(
        &self,
        tournament: &str,
        payer: Payer,
        entries: &[Asked],
        told: Option<Told>,
    ) -> Answer<Ticket> {
        let body = json!({
            "payer": {
                "name": payer.name, "email": payer.email, "language": payer.language, "consents": payer.consents,
            },
            "entries": entries.iter().map(entry).collect::<Vec<_>>(),
            "slip": told.map(slip),
        });
        let answer = self
            .post(&format!("/tournaments/{tournament}/orders"), "", body)
            .await?;
        Ok(Ticket {
            order: text(&answer, "order"),
            token: text(&answer, "token"),
        })
    }

    async fn order(&self, ticket: &Ticket) -> Answer<Seen> {
        seen(
            &self
                .get(&format!("/orders/{}", ticket.order), &ticket.token)
                .await?,
        )
    }

    async fn pay(&self, ticket: &Ticket) -> Answer<String> {
        let path = format!("/orders/{}/payments", ticket.order);
        let opened = self
            .post(&path, &ticket.token, json!({ "method": "session" }))
            .await?;
        Ok(text(&opened, "url"))
    }

    async fn preview(&self, ticket: &Ticket) -> Answer<Back> {
        back(
            &self
                .get(
                    &format!("/orders/{}/cancellation", ticket.order),
                    &ticket.token,
                )
                .await?,
        )
    }

    async fn cancel(&self, ticket: &Ticket) -> Answer<Back> {
        let path = format!("/orders/{}/cancellation", ticket.order);
        back(&self.post(&path, &ticket.token, json!({})).await?)
    }

    async fn ask_byes(
        &self,
        ticket: &Ticket,
        entry: &str,
        byes: &[(u32, ByePoints)],
    ) -> Answer<()> {
        let byes: Vec<Value> = byes
            .iter()
            .map(|(round, points)| json!({ "round": round, "points": points }))
            .collect();
        let body = json!({ "entry": entry, "requests": byes });
        self.post(
            &format!("/orders/{}/byes", ticket.order),
            &ticket.token,
            body,
        )
        .await
        .map(drop)
    }

    async fn open(&self, tournament: &str, capacity: i64) -> Answer<()> {
        let body = json!({ "capacity": capacity, "reason": "rehearsal" });
        self.act(&format!("/tournaments/{tournament}/capacity"), body)
            .await
    }

    async fn issue_code(&self, tournament: &str, label: &str, uses: i32) -> Answer<String> {
        let path = format!("/staff/tournaments/{tournament}/codes");
        let answer = self
            .post(&path, &self.staff, json!({ "label": label, "uses": uses }))
            .await?;
        Ok(text(&answer, "code"))
    }

    async fn approve(&self, entry: &str) -> Answer<()> {
        self.act(&format!("/entries/{entry}/approval"), json!({}))
            .await
    }

    async fn reject(&self, entry: &str, reason: &str) -> Answer<()> {
        self.act(
            &format!("/entries/{entry}/rejection"),
            json!({ "reason": reason }),
        )
        .await
    }

    async fn cancel_by_organiser(&self, order: &str, entry: &str, reason: &str) -> Answer<()> {
        let body = json!({ "entries": [entry], "reason": reason });
        self.act(&format!("/orders/{order}/cancellation"), body)
            .await
    }

    async fn place(&self, entry: &str, section: &str) -> Answer<()> {
        let body = json!({ "section": section, "reason": "rehearsal" });
        self.act(&format!("/entries/{entry}/section"), body).await
    }

    async fn uphold(&self, entry: &str, fact: FactName) -> Answer<()> {
        let body = json!({ "upheld": true, "reason": "document seen" });
        self.act(&format!("/entries/{entry}/facts/{}", fact.as_str()), body)
            .await
    }

    async fn grant_byes(&self, entry: &str) -> Answer<()> {
        self.act(
            &format!("/entries/{entry}/byes"),
            json!({ "granted": true }),
        )
        .await
    }

    async fn confirm_slip(&self, payment: &str, received: Money) -> Answer<()> {
        let body = json!({ "received": received, "reason": "on the account" });
        self.act(&format!("/payments/{payment}/confirmation"), body)
            .await
    }

    async fn refund(
        &self,
        order: &str,
        amount: Money,
        method: RefundMethod,
        reason: &str,
    ) -> Answer<()> {
        let body = json!({ "amount": amount, "method": method, "reason": reason });
        self.act(&format!("/orders/{order}/refunds"), body).await
    }

    async fn refund_sent(&self, refund: &str, reference: &str) -> Answer<()> {
        self.act(
            &format!("/refunds/{refund}/transfer"),
            json!({ "reference": reference }),
        )
        .await
    }
}
