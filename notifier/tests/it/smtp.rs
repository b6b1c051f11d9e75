//! The mail server of the tests, in Python.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;

/// A running server; it ends with this.
pub struct Smtp {
    pub port: u16,
    input: ChildStdin,
    output: mpsc::UnboundedReceiver<String>,
    _process: Child,
}

impl Smtp {
    /// Starts one; none, with a notice, where `ENROC_PYTHON` is not set and `CI` is not true.
    pub async fn start() -> Option<Smtp> {
        let Ok(python) = std::env::var("ENROC_PYTHON") else {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "ENROC_PYTHON must name an interpreter with aiosmtpd where CI is true"
            );
            eprintln!("ENROC_PYTHON is not set: this test is not run");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/smtp.py");
        let mut process = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the interpreter that ENROC_PYTHON names");
        let input = process.stdin.take().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (told, mut output) = mpsc::unbounded_channel();
        // Read at all times, so that the server never waits for the test.
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                if told.send(line).is_err() {
                    break;
                }
            }
        });
        let first = output.recv().await;
        let port = first.expect("aiosmtpd is installed").parse().unwrap();
        Some(Smtp {
            port,
            input,
            output,
            _process: process,
        })
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// The next message that it takes.
    pub async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(30), self.output.recv());
        let line = line.await.expect("a message within half a minute");
        serde_json::from_str(&line.expect("the server goes on")).unwrap()
    }

    /// Lets `later@` in; everything taken before must have been read.
    pub async fn open(&mut self) {
        self.input.write_all(b"open\n").await.unwrap();
        assert_eq!(
            self.next().await,
            serde_json::json!({}),
            "a message that was not expected"
        );
    }
}
