//! Killed after the card was charged and before the webhook was acted on: after the restart the order is confirmed once,
//! mailed once, told to the pairing service once, and the books are right.

use std::path::Path;
use std::sync::{Arc, Mutex};

use notifier::listen::{self, Kept};
use proto::pairing::v1::PushRequest;
use sandbox::{ApiFault, Sandbox, Trouble, Twist, WebhookFault, When};
use serde_json::{Value, json};

use crate::served::{CARD_KEY, Served, WEBHOOK_SECRET, file, order, run, text};

pub const TOURNAMENT: &str = "always-open";

/// What stands around the desk and outlives it.
pub struct Around {
    pub data: tempfile::TempDir,
    pub sandbox: Sandbox,
    told: Arc<Mutex<Vec<(PushRequest, Kept)>>>,
    pub settings: Vec<(&'static str, String)>,
}

impl Around {
    pub async fn new() -> Around {
        let data = tempfile::tempdir().unwrap();
        let sandbox = Sandbox::start(sandbox::Settings {
            secret_key: CARD_KEY.to_owned(),
            ..sandbox::Settings::default()
        });
        let sandbox = sandbox.unwrap();
        let told: Arc<Mutex<Vec<(PushRequest, Kept)>>> = Arc::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let pairing = format!("{TOURNAMENT}=http://{}", listener.local_addr().unwrap());
        let keeper = Arc::clone(&told);
        let sink =
            move |message: &PushRequest, kept| keeper.lock().unwrap().push((message.clone(), kept));
        tokio::spawn(listen::serve(listener, sink, std::future::pending()));
        let settings = vec![
            ("ENROC_DATA", data.path().display().to_string()),
            ("ENROC_REGULATIONS", file("tests/program/always-open.toml")),
            ("ENROC_REST_ADDRESS", "127.0.0.1:0".to_owned()),
            ("ENROC_GRPC_ADDRESS", "127.0.0.1:0".to_owned()),
            (
                "ENROC_MAIL_FOLDER",
                data.path().join("mails").display().to_string(),
            ),
            ("ENROC_MAIL_FROM", "desk@example.org".to_owned()),
            ("ENROC_STRIPE_KEY", CARD_KEY.to_owned()),
            ("ENROC_STRIPE_WEBHOOK_SECRETS", WEBHOOK_SECRET.to_owned()),
            ("ENROC_STRIPE_ADDRESS", sandbox.base_url().to_owned()),
            ("ENROC_PAIRING_TARGETS", pairing),
            ("ENROC_LOG_FILTER", "warn".to_owned()),
            ("ENROC_NOTICE_SECONDS", "0".to_owned()),
        ];
        Around {
            data,
            sandbox,
            told,
            settings,
        }
    }

    pub fn settings(&self) -> Vec<(&str, &str)> {
        self.settings
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect()
    }

    pub fn start(&self) -> Served {
        let served = Served::start(&self.settings());
        let webhooks = format!("{}/v1/gateways/stripe/main/events", served.rest);
        self.sandbox.set_webhook(webhooks, WEBHOOK_SECRET);
        served
    }

    pub fn key(&self, role: &str) -> String {
        let made = run(
            &self.settings(),
            &["key", "add", "--label", "test", "--role", role, "--json"],
        );
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        made["key"].as_str().unwrap().to_owned()
    }

    /// An order that is held, with its payment page open; the order and its session at the gateway.
    pub async fn held(&self, served: &Served) -> (Value, String) {
        let path = format!("/v1/tournaments/{TOURNAMENT}/orders");
        let order = served
            .post(&path, "", &order("Puig, Aina", "aina@example.org"))
            .await;
        assert_eq!(order["total"]["amount"], 3_000);
        let pay = format!("/v1/orders/{}/payments", word(&order, "order"));
        let opened = served
            .post(&pay, word(&order, "token"), &json!({ "method": "session" }))
            .await;
        let session = word(&opened, "url").rsplit('/').next().unwrap().to_owned();
        // A mail that is being sent while the desk is killed would be sent again when its lease ends, a minute later.
        self.quiet(served, 1).await;
        (order, session)
    }

    /// Everything happened once: in the journal, in the mail folder, at the pairing service; and the audit is clean.
    async fn once(&self, served: Served, order: &Value) {
        let path = format!("/v1/orders/{}", word(order, "order"));
        let confirmed = |seen: &Value| seen["entries"][0]["status"] == "confirmed";
        let seen = served.until(&path, word(order, "token"), confirmed).await;
        assert_eq!(
            (&seen["paid"]["amount"], &seen["due"]["amount"]),
            (&json!(3_000), &json!(0))
        );
        // The mails of the registration and the confirmation, and the word to the pairing service.
        self.quiet(&served, 3).await;

        let path = format!("/v1/staff/tournaments/{TOURNAMENT}/journal");
        let journal = served.get(&path, &self.key("viewer")).await.to_string();
        assert_eq!(journal.matches("payment_succeeded").count(), 1, "{journal}");
        assert_eq!(mails(self.data.path(), ".confirmed@"), 1);
        let told = self.told.lock().unwrap().clone();
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(served.terminate(), Some(0));
        let audit = run(&self.settings(), &["audit"]);
        assert!(audit.status.success(), "{}", text(&audit.stdout));
    }

    /// Waits until every webhook, mail and message is done with, and there are so many messages.
    pub async fn quiet(&self, served: &Served, messages: usize) {
        self.sandbox.control().settled().await;
        let done = [
            "enroc_gateway_events{state=\"open\"} 0",
            "enroc_deliveries{state=\"open\"} 0",
        ];
        let mut metrics = String::new();
        for _ in 0..1_500 {
            metrics = served.text("/metrics").await;
            let told = self.told.lock().unwrap().len() + mails(self.data.path(), "Message-ID:");
            if done.iter().all(|line| metrics.contains(line)) && told >= messages {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("something still waits: {metrics}");
    }
}

pub fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// Mails in the folder whose head has this.
fn mails(data: &Path, what: &str) -> usize {
    let Ok(files) = std::fs::read_dir(data.join("mails")) else {
        return 0;
    };
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts.filter(|text| text.contains(what)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_webhook_came() {
    let around = Around::new().await;
    let served = around.start();
    let (order, session) = around.held(&served).await;
    let control = around.sandbox.control();
    control.twist(WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::Hold,
        times: 50,
    });
    control.pay(&session, "4242424242424242").unwrap();
    served.kill();

    control.clear_faults();
    let served = around.start();
    assert!(control.release(None) > 0, "nothing was held");
    around.once(served, &order).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_webhook_was_taken_and_before_it_was_acted_on() {
    let around = Around::new().await;
    let served = around.start();
    let (order, session) = around.held(&served).await;
    let control = around.sandbox.control();
    for operation in ["checkout.sessions.*", "payment_intents.*"] {
        let (operation, trouble, when) = (
            operation.to_owned(),
            Trouble::Hang(600_000),
            When::BeforeEffect,
        );
        control.fail(ApiFault {
            operation,
            trouble,
            when,
            times: 1_000,
        });
    }
    control.pay(&session, "4242424242424242").unwrap();
    control.settled().await;
    assert!(!control.sent().is_empty(), "no webhook was sent");
    served.kill();

    control.clear_faults();
    let served = around.start();
    around.once(served, &order).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_and_the_webhook_never_comes() {
    let around = Around::new().await;
    let served = around.start();
    let (order, session) = around.held(&served).await;
    let control = around.sandbox.control();
    control.twist(WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::Drop,
        times: 50,
    });
    control.pay(&session, "4242424242424242").unwrap();
    served.kill();

    let mut around = around;
    around
        .settings
        .push(("ENROC_STRIPE_PATIENCE_SECONDS", "1".to_owned()));
    let served = around.start();
    around.once(served, &order).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_webhook_told_is_written_by_the_operators_command() {
    let around = Around::new().await;
    let served = around.start();
    let (order, session) = around.held(&served).await;
    let control = around.sandbox.control();
    control.twist(WebhookFault {
        kind: "*".to_owned(),
        twist: Twist::Drop,
        times: 50,
    });
    control.pay(&session, "4242424242424242").unwrap();
    served.kill();

    let reconcile = || {
        let told = run(&around.settings(), &["reconcile", "--json"]);
        assert!(told.status.success(), "{}", text(&told.stderr));
        serde_json::from_slice::<Value>(&told.stdout).unwrap()
    };
    let walked = reconcile();
    assert_eq!(
        (&walked["objects"], &walked["findings"]),
        (&json!(1), &json!([]))
    );
    assert!(walked["repaired"].as_i64() > Some(0), "{walked}");
    assert_eq!(reconcile()["repaired"], 0);
    around.once(around.start(), &order).await;
}
