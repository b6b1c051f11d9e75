//! A desk with the three tournaments behind a door of its own, and a client.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::dev::ServerHandle;
use api::app::{App, GatewayDoor};
use api::auth::{self, NewKey, Role};
use api::clock::MachineClock;
use api::rest::{self, Serving};
use domain::{Actor, OrganiserId, TournamentId};
use payments::{StripeGateway, StripeSettings};
use registration::{By, Desk, DeskParts, Gateway, Secret};
use reqwest::{Method, Response};
use rules::Regulation;
use sandbox::Sandbox;
use serde_json::{Value, json};
use store::Store;
use tokio::sync::Notify;

pub const BARCELONA: &str = "ciutat-barcelona-2026";
pub const LLOBREGAT: &str = "ellobregat-2026";
pub const ROJAS: &str = "hermanos-rojas-2019";
pub const WEBHOOK_SECRET: &str = "whsec_door";

/// An answer that was read.
#[derive(Debug)]
pub struct Heard {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Heard {
    pub fn slug(&self) -> &str {
        let name = self.body["type"].as_str().unwrap_or("no type");
        name.strip_prefix("urn:enroc:problem:").unwrap_or(name)
    }

    /// The fields at fault as `field rule`.
    pub fn faults(&self) -> Vec<String> {
        let fields = self.body["fields"].as_array().cloned().unwrap_or_default();
        let both = |f: &Value| {
            format!(
                "{} {}",
                f["field"].as_str().unwrap(),
                f["rule"].as_str().unwrap()
            )
        };
        fields.iter().map(both).collect()
    }

    pub fn text(&self, name: &str) -> String {
        self.body[name]
            .as_str()
            .unwrap_or_else(|| panic!("{name} in {:?}", self.body))
            .to_owned()
    }

    #[track_caller]
    pub fn good(self) -> Heard {
        assert!((200..300).contains(&self.status), "{self:?}");
        self
    }
}

pub struct House {
    pub app: App,
    pub base: String,
    pub organiser: OrganiserId,
    pub sandbox: Sandbox,
    clock: Arc<MachineClock>,
    client: reqwest::Client,
    server: ServerHandle,
}

impl House {
    /// A desk whose clocks stand inside the window of each tournament, Barcelona opened with these seats.
    pub async fn open(store: Store, seats: i64) -> House {
        let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
        let mut settings = StripeSettings::new(
            "main",
            "sk_test_sandbox".into(),
            vec![WEBHOOK_SECRET.into()],
        );
        settings.base_url = sandbox.base_url().to_owned();
        let gateway: Arc<dyn Gateway> = Arc::new(StripeGateway::new(&settings).unwrap());
        let clock = Arc::new(MachineClock::default());
        let desk = Desk::new(DeskParts {
            store,
            clock: clock.clone(),
            secret: Secret::new([7; 32]),
            gateway: Some(gateway),
        });
        let organiser = desk.organiser("fce", "Federació").await.unwrap();
        let app = App {
            desk,
            gateway: Some(Arc::new(GatewayDoor {
                account: "main".to_owned(),
                secrets: vec![WEBHOOK_SECRET.to_owned()],
                arrived: Arc::new(Notify::new()),
            })),
            public_url: "https://desk.example.org".into(),
            started: Instant::now(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let serving = Serving {
            workers: 1,
            drain: Duration::from_secs(1),
        };
        let server = rest::server(listener, app.clone(), serving).unwrap();
        let handle = server.handle();
        tokio::spawn(server);
        let house = House {
            app,
            base,
            organiser,
            sandbox,
            clock,
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            server: handle,
        };
        house
            .take_in(BARCELONA, "2026-08-01T12:00:00+02:00", |text| text)
            .await;
        house
            .take_in(LLOBREGAT, "2026-10-01T12:00:00+02:00", |text| text)
            .await;
        house
            .take_in(ROJAS, "2019-02-10T12:00:00-05:00", |text| text)
            .await;
        house.seats(BARCELONA, seats).await;
        house
    }

    /// Serves one of the regulations, changed, with its desk clock set.
    pub async fn take_in(&self, file: &str, at: &str, change: impl FnOnce(String) -> String) {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../regulations/{file}.toml"));
        let text = change(std::fs::read_to_string(path).unwrap());
        let regulation = Regulation::parse(file, &text, 1).unwrap();
        self.clock
            .set(regulation.tournament(), at.parse().unwrap())
            .unwrap();
        self.app
            .desk
            .take_in(self.organiser, regulation)
            .await
            .unwrap();
    }

    pub async fn seats(&self, tournament: &str, seats: i64) {
        let id: TournamentId = tournament.parse().unwrap();
        let by = By::actor(Actor::Operator);
        self.app
            .desk
            .open_tournament(&by, &id, seats)
            .await
            .unwrap();
    }

    pub fn set_clock(&self, tournament: &str, at: &str) {
        self.clock
            .set(&tournament.parse().unwrap(), at.parse().unwrap())
            .unwrap();
    }

    pub async fn key(&self, role: Role) -> String {
        let new = NewKey {
            organiser: self.organiser,
            label: role.to_string(),
            roles: BTreeSet::from([role]),
            expires_at: None,
        };
        auth::make_key(&self.app.desk, new).await.unwrap().1
    }

    pub fn ask(&self, method: Method, path: &str, bearer: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        if bearer.is_empty() {
            request
        } else {
            request.bearer_auth(bearer)
        }
    }

    pub async fn send(&self, request: reqwest::RequestBuilder) -> Heard {
        heard(request.send().await.unwrap()).await
    }

    pub async fn get(&self, path: &str, bearer: &str) -> Heard {
        self.send(self.ask(Method::GET, path, bearer)).await
    }

    pub async fn post(&self, path: &str, bearer: &str, body: &Value) -> Heard {
        self.send(self.ask(Method::POST, path, bearer).json(body))
            .await
    }

    /// The same under a key of its own.
    pub async fn post_once(&self, path: &str, bearer: &str, body: &Value) -> Heard {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let key = format!("once-{}", MADE.fetch_add(1, Ordering::Relaxed));
        let request = self.ask(Method::POST, path, bearer).json(body);
        self.send(request.header("Idempotency-Key", key)).await
    }

    /// How many rows the journals have together.
    pub async fn journal(&self) -> usize {
        let mut rows = 0;
        for regulation in self.app.desk.tournaments() {
            let id = regulation.tournament().clone();
            rows += self.app.desk.journal(&id, 0, 10_000).await.unwrap().len();
        }
        rows
    }

    /// Registers one player in section A of Barcelona and answers order, token and entry.
    pub async fn register(&self, name: &str) -> (String, String, String) {
        let path = format!("/v1/tournaments/{BARCELONA}/orders");
        let heard = self.post(&path, "", &order(name)).await.good();
        let entry = heard.body["entries"][0]["entry"]
            .as_str()
            .unwrap()
            .to_owned();
        (heard.text("order"), heard.text("token"), entry)
    }

    pub async fn close(self) {
        self.server.stop(false).await;
        self.sandbox.stop().await;
    }
}

async fn heard(response: Response) -> Heard {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.unwrap();
    Heard {
        status,
        headers,
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    }
}

/// A player whom Barcelona admits to section A for 60 euros.
pub fn player(name: &str) -> Value {
    json!({
        "name": name, "sex": "m", "birth_date": "1990-05-01", "federation": "FRA", "title": null, "rating": 2100,
        "licences": ["FIDE"],
    })
}

pub fn order(name: &str) -> Value {
    json!({
        "payer": {"name": name, "email": "payer@example.org", "language": "ca", "consents": ["bases", "images"]},
        "entries": [{"section": "A", "entrant": player(name)}],
    })
}
