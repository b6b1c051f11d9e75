//! A card sandbox for a service that is measured.

use sandbox::Sandbox;

use crate::Result;
use crate::home::Home;
use crate::process::Service;

const KEY: &str = "sk_test_bench";
const WEBHOOK_SECRET: &str = "whsec_bench";

/// Starts one, in whose books there is nothing.
pub fn open() -> Result<Sandbox> {
    Ok(Sandbox::start(sandbox::Settings {
        secret_key: KEY.to_owned(),
        ..sandbox::Settings::default()
    })?)
}

/// Has the service of a home take cards there.
pub fn stands_in(sandbox: &Sandbox, home: &mut Home) {
    home.set("ENROC_STRIPE_ADDRESS", sandbox.base_url());
    home.set("ENROC_STRIPE_KEY", KEY);
    home.set("ENROC_STRIPE_WEBHOOK_SECRETS", WEBHOOK_SECRET);
}

/// Has it send its webhooks there.
pub fn tells(sandbox: &Sandbox, service: &Service) {
    let webhook = format!("http://{}/v1/gateways/stripe/main/events", service.rest);
    sandbox.set_webhook(webhook, WEBHOOK_SECRET);
}
