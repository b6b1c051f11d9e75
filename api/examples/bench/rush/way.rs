//! The whole way: an order is registered, its payment opened and paid at the gateway's page, and its entry confirmed.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sandbox::Sandbox;
use serde_json::Value;

use super::{Options, SEATS, Spread};
use crate::home::Home;
use crate::http::{self, Connection};
use crate::load::{self, Client, Round};
use crate::{Result, question};

const KEY: &str = "sk_test_rush";
const WEBHOOK_SECRET: &str = "whsec_rush";
/// How often a payer looks whether the entry is confirmed.
const LOOK: Duration = Duration::from_millis(20);
/// After so long something is lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// One round on a fresh database, with the most memory that the service ever had. The sandbox and the clients share the
/// machine with it.
pub async fn round(program: &Path, options: &Options, clients: u64) -> Result<(Round, u64)> {
    let sandbox = Sandbox::start(sandbox::Settings {
        secret_key: KEY.to_owned(),
        ..sandbox::Settings::default()
    })?;
    let mut home = Home::fresh(program, options.database)?;
    home.set("ENROC_STRIPE_ADDRESS", sandbox.base_url());
    home.set("ENROC_STRIPE_KEY", KEY);
    home.set("ENROC_STRIPE_WEBHOOK_SECRETS", WEBHOOK_SECRET);
    let tournaments = Spread::Hot.tournaments();
    for id in &tournaments {
        home.add_regulation(id, &question::copy(id, SEATS, "24h")?)?;
    }
    let service = home.serve()?;
    let webhook = format!("http://{}/v1/gateways/stripe/main/events", service.rest);
    sandbox.set_webhook(webhook, WEBHOOK_SECRET);
    let next = Arc::new(AtomicU64::new(0));
    let mut payers = Vec::new();
    for _ in 0..clients {
        payers.push(Payer {
            desk: Connection::open(service.rest).await?,
            gateway: Connection::open(server(sandbox.base_url())?.0).await?,
            orders: format!("/v1/tournaments/{}/orders", tournaments[0]),
            next: Arc::clone(&next),
        });
    }
    let length = Duration::from_secs(options.seconds);
    let round = load::round(&service.process, payers, length).await?;
    let most_bytes = service.process.memory("VmHWM")?;
    sandbox.stop().await;
    Ok((round, most_bytes))
}

/// Where a URL's server listens, and the path there.
fn server(url: &str) -> Result<(SocketAddr, String)> {
    let rest = url.strip_prefix("http://").ok_or("not an http URL")?;
    let (server, path) = rest.split_once('/').unwrap_or((rest, ""));
    Ok((server.parse()?, format!("/{path}")))
}

struct Payer {
    desk: Connection,
    gateway: Connection,
    orders: String,
    next: Arc<AtomicU64>,
}

impl Client for Payer {
    async fn ask(&mut self) -> Result {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let key = format!("idempotency-key: way-{number}\r\n");
        let request = http::post(&self.orders, &key, &question::order(number));
        let registered = self.desk.ask(&request).await?.json(201)?;
        let order = format!("/v1/orders/{}", text(&registered, "order"));
        let bearer = http::bearer(text(&registered, "token"));

        let path = format!("{order}/payments");
        let request = http::post(&path, &format!("{key}{bearer}"), r#"{"method":"session"}"#);
        let opened = self.desk.ask(&request).await?.json(201)?;
        let (_, page) = server(text(&opened, "url"))?;
        let card = "card_number=4242424242424242&email=payer%40example.org";
        let paid = self.gateway.ask(&http::form(&page, card)).await?;
        if paid.status != 303 {
            return Err(format!("the gateway's page: status {}", paid.status).into());
        }

        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let seen = self
                .desk
                .ask(&http::get(&order, &bearer))
                .await?
                .json(200)?;
            if text(&seen, "status") == "confirmed" {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        Err(format!("{order} was paid and is not confirmed").into())
    }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
