//! `enroc serve` as a process of its own, with what it needs around it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub const WEBHOOK_SECRET: &str = "whsec_test";
pub const CARD_KEY: &str = "sk_test_program";
const PATIENCE: Duration = Duration::from_secs(30);

/// The program with no settings but these.
pub fn enroc(settings: &[(&str, &str)], arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_enroc"));
    for (variable, _) in std::env::vars().filter(|(name, _)| name.starts_with("ENROC_")) {
        command.env_remove(variable);
    }
    command.envs(settings.iter().copied()).args(arguments);
    command
}

/// Runs a command to its end.
pub fn run(settings: &[(&str, &str)], arguments: &[&str]) -> Output {
    enroc(settings, arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file of the tests, by its path from the crate.
pub fn file(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(path)
        .display()
        .to_string()
}

/// A served desk in a data folder; killed when it is dropped.
pub struct Served {
    child: Child,
    pub rest: String,
}

impl Served {
    /// Starts it and waits until it says where its doors are.
    pub fn start(settings: &[(&str, &str)]) -> Served {
        Served::start_logging(settings, Stdio::inherit())
    }

    /// The same, its log going there.
    pub fn start_logging(settings: &[(&str, &str)], log: Stdio) -> Served {
        let mut child = enroc(settings, &["serve"])
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next().expect("it ends before it says where it is");
        let rest = line.unwrap().strip_prefix("REST ").unwrap().to_owned();
        Served { child, rest }
    }

    /// SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM; its exit code.
    pub fn terminate(mut self) -> Option<i32> {
        self.ask_to_end();
        self.wait()
    }

    /// SIGTERM.
    pub fn ask_to_end(&mut self) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits until it has ended; its exit code.
    pub fn wait(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    pub async fn get(&self, path: &str, bearer: &str) -> Value {
        let request = reqwest::Client::new().get(format!("{}{path}", self.rest));
        signed(request, bearer)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    }

    pub async fn text(&self, path: &str) -> String {
        let answer = reqwest::get(format!("{}{path}", self.rest)).await;
        answer.unwrap().text().await.unwrap()
    }

    pub async fn post(&self, path: &str, bearer: &str, body: &Value) -> Value {
        let request = reqwest::Client::new()
            .post(format!("{}{path}", self.rest))
            .json(body);
        let key = format!("test-{:016x}", rand::random::<u64>());
        let request = signed(request, bearer).header("Idempotency-Key", key);
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let value: Value = answer.json().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {value}");
        value
    }

    /// Asks until the answer is right.
    pub async fn until(&self, path: &str, bearer: &str, right: impl Fn(&Value) -> bool) -> Value {
        let asking = async {
            loop {
                let answer = self.get(path, bearer).await;
                if right(&answer) {
                    return answer;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, asking).await {
            Ok(answer) => answer,
            Err(_) => panic!(
                "{path} does not come right: {}",
                self.get(path, bearer).await
            ),
        }
    }
}

fn signed(request: reqwest::RequestBuilder, bearer: &str) -> reqwest::RequestBuilder {
    if bearer.is_empty() {
        request
    } else {
        request.bearer_auth(bearer)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// An order of one player for the tournament that is always open.
pub fn order(name: &str, email: &str) -> Value {
    json!({
        "payer": { "name": name, "email": email, "language": "ca", "consents": [] },
        "entries": [{ "section": "A", "entrant": {
            "name": name, "sex": "f", "birth_date": "1990-05-01", "federation": "ESP", "rating": 1900, "licences": ["FIDE"],
        } }],
    })
}
