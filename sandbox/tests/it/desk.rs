//! A caller with a key, and an endpoint that takes webhooks.

use std::sync::{Arc, Mutex};

use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use reqwest::{Method, Response, StatusCode};
use sandbox::{Control, Sandbox, Settings};
use serde_json::Value;

pub const KEY: &str = "sk_test_sandbox";
pub const SECRET: &str = "whsec_test";

pub struct Desk {
    pub sandbox: Sandbox,
    pub client: reqwest::Client,
}

pub struct Reply {
    pub status: u16,
    pub body: Value,
    pub replayed: bool,
}

impl Reply {
    pub fn error(&self) -> (u16, &str, &str) {
        let error = &self.body["error"];
        (
            self.status,
            error["type"].as_str().unwrap_or(""),
            error["code"].as_str().unwrap_or(""),
        )
    }

    pub fn id(&self) -> String {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body["id"].as_str().unwrap().to_owned()
    }
}

impl Desk {
    pub fn open() -> Self {
        let sandbox = Sandbox::start(Settings::default()).unwrap();
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self { sandbox, client }
    }

    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, "", None).await.unwrap()
    }

    pub async fn post(&self, path: &str, form: &str) -> Reply {
        self.send(Method::POST, path, form, None).await.unwrap()
    }

    pub async fn post_with_key(&self, path: &str, form: &str, key: &str) -> Reply {
        self.send(Method::POST, path, form, Some(key))
            .await
            .unwrap()
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        form: &str,
        key: Option<&str>,
    ) -> reqwest::Result<Reply> {
        let mut request = self
            .client
            .request(method, format!("{}v1/{path}", self.sandbox.base_url()))
            .bearer_auth(KEY)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let response = request.send().await?;
        let status = response.status().as_u16();
        let replayed = response.headers().contains_key("idempotent-replayed");
        Ok(Reply {
            status,
            body: response.json().await?,
            replayed,
        })
    }

    pub async fn page(&self, url: &str) -> Response {
        self.client.get(url).send().await.unwrap()
    }

    pub async fn submit(&self, url: &str, form: &str) -> Response {
        let request = self
            .client
            .post(url)
            .header("content-type", "application/x-www-form-urlencoded");
        request.body(form.to_owned()).send().await.unwrap()
    }

    /// A succeeded payment of 40.00 EUR by this card; its intent.
    pub async fn paid(&self, method: &str) -> Value {
        let form = format!(
            "amount=4000&currency=eur&payment_method={method}&confirm=true&payment_method_types[]=card"
        );
        let reply = self.post("payment_intents", &form).await;
        assert_eq!(reply.body["status"], "succeeded", "{}", reply.body);
        reply.body
    }

    pub fn event_kinds(&self) -> Vec<String> {
        let events = self.control().objects("events").unwrap();
        events
            .iter()
            .map(|event| event["type"].as_str().unwrap().to_owned())
            .collect()
    }
}

pub fn location(response: &Response) -> String {
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    response.headers()["location"].to_str().unwrap().to_owned()
}

/// One webhook as it came in.
#[derive(Clone, Debug)]
pub struct Received {
    pub signature: String,
    pub body: String,
}

impl Received {
    pub fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

#[derive(Default)]
struct Inbox {
    received: Vec<Received>,
    /// Statuses to answer with, one a webhook; then 200.
    answers: Vec<u16>,
}

/// An endpoint of its own process thread, as a merchant's would be.
#[derive(Clone)]
pub struct Endpoint {
    inbox: Arc<Mutex<Inbox>>,
    pub url: String,
}

impl Endpoint {
    pub fn open(answers: &[u16]) -> Self {
        let inbox = Arc::new(Mutex::new(Inbox {
            answers: answers.to_vec(),
            ..Inbox::default()
        }));
        let data = Data::from(Arc::clone(&inbox));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(data.clone())
                .default_service(web::to(take))
        })
        .workers(1)
        .disable_signals()
        .bind("127.0.0.1:0")
        .unwrap();
        let url = format!("http://{}/events", server.addrs()[0]);
        tokio::spawn(server.run());
        Self { inbox, url }
    }

    pub fn received(&self) -> Vec<Received> {
        self.inbox.lock().unwrap().received.clone()
    }

    /// Waits until so many have come.
    pub async fn wait_for(&self, count: usize) {
        while self.received().len() < count {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    pub fn kinds(&self) -> Vec<String> {
        self.received()
            .iter()
            .map(|received| received.event()["type"].as_str().unwrap_or("").to_owned())
            .collect()
    }
}

async fn take(request: HttpRequest, body: Bytes, inbox: Data<Mutex<Inbox>>) -> HttpResponse {
    let mut inbox = inbox.lock().unwrap();
    let signature = request
        .headers()
        .get("stripe-signature")
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    inbox.received.push(Received {
        signature,
        body: String::from_utf8(body.to_vec()).unwrap(),
    });
    let status = if inbox.answers.is_empty() {
        200
    } else {
        inbox.answers.remove(0)
    };
    HttpResponse::build(actix_web::http::StatusCode::from_u16(status).unwrap()).finish()
}
