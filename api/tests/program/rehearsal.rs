//! What a rehearsal shows to be tried by hand is right as it is printed.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::served::{CARD_KEY, Served, WEBHOOK_SECRET, enroc, file, order};

/// A rehearsal that is up; ended when it is dropped.
struct Rehearsal {
    child: Child,
    /// Kept open: it ends when nobody reads.
    _reader: BufReader<ChildStdout>,
    /// What it printed until it was up.
    shown: String,
}

impl Rehearsal {
    /// In a folder where somebody has entered before, it is up without the tour.
    fn up(data: &str) -> Rehearsal {
        let mut child = enroc(&[], &["rehearse", "--data", data])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut shown = String::new();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        while !shown.contains("/journal -H ") {
            assert!(reader.read_line(&mut shown).unwrap() > 0, "{shown}");
        }
        Rehearsal {
            child,
            _reader: reader,
            shown,
        }
    }

    /// The command that begins so, in the words that a shell would make of it.
    fn command(&self, beginning: &str) -> Vec<String> {
        let mut lines = self.shown.lines().map(str::trim);
        let line = lines.find(|line| line.starts_with(beginning));
        let line = line.unwrap_or_else(|| panic!("no {beginning} in {}", self.shown));
        let (mut words, mut quoted) = (Vec::new(), false);
        for part in line.split('\'') {
            if quoted {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
            quoted = !quoted;
        }
        words
    }
}

impl Drop for Rehearsal {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Does what curl would do.
async fn curl(words: &[String]) -> (u16, Value) {
    let after = |flag: &'static str| {
        let flags = words.windows(2).filter(move |pair| pair[0] == flag);
        flags.map(|pair| pair[1].clone())
    };
    let address = words
        .iter()
        .find(|word| word.starts_with("http://"))
        .unwrap();
    let mut request = reqwest::Client::new().post(address);
    for header in after("-H") {
        let (name, value) = header.split_once(": ").unwrap();
        request = request.header(name, value);
    }
    let answer = request
        .body(after("-d").next().unwrap())
        .send()
        .await
        .unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Somebody has entered in this data folder before.
async fn used(data: &str) {
    let regulations = file("tests/program/always-open.toml");
    let served = Served::start(&[
        ("ENROC_DATA", data),
        ("ENROC_REGULATIONS", &regulations),
        ("ENROC_REST_ADDRESS", "127.0.0.1:0"),
        ("ENROC_GRPC_ADDRESS", "127.0.0.1:0"),
        ("ENROC_MAIL_FOLDER", &format!("{data}/mails")),
        ("ENROC_MAIL_FROM", "desk@example.org"),
        ("ENROC_STRIPE_KEY", CARD_KEY),
        ("ENROC_STRIPE_WEBHOOK_SECRETS", WEBHOOK_SECRET),
        ("ENROC_STRIPE_ADDRESS", "http://127.0.0.1:9/"),
        ("ENROC_NOTICE_SECONDS", "0"),
    ]);
    let one = order("Puig, Aina", "aina@example.org");
    served
        .post("/v1/tournaments/always-open/orders", "", &one)
        .await;
    assert_eq!(served.terminate(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_can_be_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().display().to_string();
    used(&data).await;
    let rehearsal = Rehearsal::up(&data);
    let lines = rehearsal.shown.lines();
    let mut keys = lines.filter_map(|line| line.trim().strip_prefix("key of the back office"));
    let key = keys.next().unwrap().trim().to_owned();
    let (status, quote) = curl(&rehearsal.command("curl -s http://127.0.0.1:")).await;
    assert_eq!((status, &quote["eligible"]), (200, &json!(true)), "{quote}");
    // The tour would have opened it.
    let base = rehearsal.command("curl -s http://127.0.0.1:")[2].clone();
    let base = base
        .trim_end_matches("/quotes")
        .replace("/v1/", "/v1/staff/");
    let opened = reqwest::Client::new()
        .post(format!("{base}/capacity"))
        .bearer_auth(key);
    let opened = opened
        .json(&json!({ "capacity": 40 }))
        .send()
        .await
        .unwrap();
    assert_eq!(opened.status(), 200);
    let orders = rehearsal
        .shown
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("curl") && line.contains("/orders "))
        .unwrap()
        .to_owned();
    let entered = rehearsal.command(&orders[..orders.find(" -H").unwrap()]);
    let (status, registered) = curl(&entered).await;
    assert_eq!(
        (status, &registered["status"]),
        (201, &json!("held")),
        "{registered}"
    );
    assert_eq!(registered["total"], quote["total"]);
    let (status, again) = curl(&entered).await;
    assert_eq!(
        (status, &again["order"]),
        (201, &registered["order"]),
        "its key makes it one"
    );

    let grpcurl = rehearsal.command("grpcurl -plaintext ");
    let (address, method) = (&grpcurl[grpcurl.len() - 2], &grpcurl[grpcurl.len() - 1]);
    assert_eq!(method, "enroc.registration.v1.RegistrationService/Register");
    assert!(
        rehearsal
            .shown
            .contains(&format!("gRPC, with reflection         http://{address}"))
    );
    let message = grpcurl.windows(2).find(|pair| pair[0] == "-d").unwrap()[1].clone();
    let message: Value = serde_json::from_str(&message).unwrap();
    assert_eq!(
        message["entries"][0]["entry"]["entrant"]["sex"],
        "SEX_FEMALE"
    );
    assert_eq!(message["payer"]["language"], "LANGUAGE_CA");
}
