//! A payer: registers, pays at the gateway's page, and looks how the order stands.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::http::{self, Connection};
use crate::{Result, question};

/// How often a payer looks how the order stands.
const LOOK: Duration = Duration::from_millis(20);
/// After so long something is lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// One with a connection to each side.
pub struct Payer {
    desk: Connection,
    gateway: Connection,
}

/// What opens an order.
#[derive(Default)]
pub struct Ticket {
    /// Its path.
    pub order: String,
    /// The line of the head that shows its token.
    pub bearer: String,
    /// Where it stood when it was registered.
    pub status: String,
}

impl Ticket {
    /// Of an order that was registered.
    pub fn of(registered: &Value) -> Ticket {
        Ticket {
            order: format!("/v1/orders/{}", text(registered, "order")),
            bearer: http::bearer(text(registered, "token")),
            status: text(registered, "status").to_owned(),
        }
    }
}

impl Payer {
    /// Connects to the desk, and to the gateway at this URL.
    pub async fn open(desk: SocketAddr, gateway: &str) -> Result<Payer> {
        Ok(Payer {
            desk: Connection::open(desk).await?,
            gateway: Connection::open(server(gateway)?.0).await?,
        })
    }

    /// Registers an order of this number for a tournament.
    pub async fn register(&mut self, tournament: &str, number: u64) -> Result<Ticket> {
        let path = format!("/v1/tournaments/{tournament}/orders");
        let body = question::order(number);
        let registered = self.post(&path, &key("order", number), &body).await?;
        Ok(Ticket::of(&registered))
    }

    /// Pays an order of this number by card.
    pub async fn pay(&mut self, ticket: &Ticket, number: u64) -> Result {
        let path = format!("{}/payments", ticket.order);
        let head = format!("{}{}", key("pay", number), ticket.bearer);
        let opened = self.post(&path, &head, r#"{"method":"session"}"#).await?;
        let (_, page) = server(text(&opened, "url"))?;
        let card = "card_number=4242424242424242&email=payer%40example.org";
        let paid = self.gateway.ask(&http::form(&page, card)).await?;
        if paid.status != 303 {
            return Err(format!("the gateway's page: status {}", paid.status).into());
        }
        Ok(())
    }

    /// Looks until the order is confirmed.
    pub async fn until_confirmed(&mut self, ticket: &Ticket) -> Result {
        let confirmed = |seen: &Value| text(seen, "status") == "confirmed";
        self.until(&ticket.order, ticket, confirmed).await
    }

    /// Looks until what was paid for the order has come back.
    pub async fn until_given_back(&mut self, ticket: &Ticket) -> Result {
        let refunds = format!("{}/refunds", ticket.order);
        let back = |seen: &Value| text(&seen["refunds"][0], "status") == "succeeded";
        self.until(&refunds, ticket, back).await
    }

    async fn until(&mut self, path: &str, ticket: &Ticket, right: fn(&Value) -> bool) -> Result {
        let request = http::get(path, &ticket.bearer);
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if right(&self.desk.ask(&request).await?.json(200)?) {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        Err(format!("{path} does not come right").into())
    }

    /// Asks the desk for something that is done then.
    pub async fn post(&mut self, path: &str, head: &str, body: &str) -> Result<Value> {
        let answer = self.desk.ask(&http::post(path, head, body)).await?;
        let status = if answer.status == 200 { 200 } else { 201 };
        answer.json(status)
    }
}

/// The line of the head that makes a repeat of this act harmless.
pub fn key(act: &str, number: u64) -> String {
    format!("idempotency-key: {act}-{number}\r\n")
}

/// Where a URL's server listens, and the path there.
fn server(url: &str) -> Result<(SocketAddr, String)> {
    let rest = url.strip_prefix("http://").ok_or("not an http URL")?;
    let (server, path) = rest.split_once('/').unwrap_or((rest, ""));
    Ok((server.parse()?, format!("/{path}")))
}

/// A text of an answer.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
