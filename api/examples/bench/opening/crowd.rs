//! Everybody who presses the button, all at once.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::TOURNAMENT;
use crate::http::{self, Connection};
use crate::{Result, question};

/// Who has no answer after so long has none.
const PATIENCE: Duration = Duration::from_secs(180);

/// One who was answered. Instants are counted from when all were let go.
pub struct Answered {
    /// When the connection stood.
    pub connected: Duration,
    /// When the try that was accepted was sent.
    pub sent: Duration,
    /// When its answer was there.
    pub answered: Duration,
    /// How often one was asked to come back later.
    pub refused: u32,
    pub form: u64,
    pub status: String,
}

/// What came of all of them.
pub struct Crowd {
    pub answered: Vec<Answered>,
    /// What the others met instead.
    pub lost: Vec<String>,
}

/// Lets all of them connect and register at the same instant; each comes back as often as it is asked to.
pub async fn press(address: SocketAddr, clients: u64, bar: &ProgressBar) -> Result<Crowd> {
    let (go, waiting) = watch::channel(None);
    let mut pressing = JoinSet::new();
    for number in 0..clients {
        let mut waiting = waiting.clone();
        pressing.spawn(async move {
            let begun = *waiting.wait_for(Option::is_some).await?;
            let pressed = one(address, number, begun.unwrap_or_else(Instant::now));
            let pressed = tokio::time::timeout(PATIENCE, pressed).await;
            pressed.unwrap_or_else(|_| Err("no answer".into()))
        });
    }
    go.send(Some(Instant::now()))?;
    let mut crowd = Crowd {
        answered: Vec::new(),
        lost: Vec::new(),
    };
    while let Some(pressed) = pressing.join_next().await {
        match pressed? {
            Ok(answered) => crowd.answered.push(answered),
            Err(error) => crowd.lost.push(error.to_string()),
        }
        bar.inc(1);
    }
    Ok(crowd)
}

async fn one(address: SocketAddr, number: u64, begun: Instant) -> Result<Answered> {
    let path = format!("/v1/tournaments/{TOURNAMENT}/orders");
    let key = format!("idempotency-key: opening-{number}\r\n");
    let request = http::post(&path, &key, &question::order(number));
    let mut connection = Connection::open(address).await?;
    let connected = begun.elapsed();
    let mut refused = 0;
    loop {
        let sent = begun.elapsed();
        let answer = connection.ask(&request).await?;
        if answer.status == 201 {
            let answered = begun.elapsed();
            let said = answer.json(201)?;
            let entry = &said["entries"][0];
            return Ok(Answered {
                connected,
                sent,
                answered,
                refused,
                form: entry["form_number"].as_u64().unwrap_or_default(),
                status: entry["status"].as_str().unwrap_or_default().to_owned(),
            });
        }
        let seconds = answer.come_back()?;
        refused += 1;
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        // A server does not keep a connection for whoever is silent so long.
        connection = Connection::open(address).await?;
    }
}
