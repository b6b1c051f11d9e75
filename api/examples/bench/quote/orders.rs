//! The memory that the program keeps after many orders, on SQLite.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::Options;
use super::report::Memory;
use crate::home::{Engine, Home};
use crate::http::{self, Connection};
use crate::{Result, question};

/// How long the program is left alone before its memory is read.
const REST: Duration = Duration::from_secs(1);

/// Registers the orders over REST, and looks.
pub async fn measure(program: &Path, options: &Options) -> Result<Memory> {
    let home = Home::fresh(program, Engine::Sqlite)?;
    home.add_regulation("asked", &question::regulation_text()?)?;
    let service = home.serve()?;
    let capacity = options.orders.to_string();
    home.run(&[
        "tournament",
        "open",
        question::TOURNAMENT,
        "--capacity",
        &capacity,
    ])?;
    let fresh = service.process.memory("VmRSS")?;
    let (begun, next) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let mut payers = JoinSet::new();
    for _ in 0..options.clients {
        payers.spawn(register(service.rest, Arc::clone(&next), options.orders));
    }
    while let Some(done) = payers.join_next().await {
        done??;
    }
    let seconds = begun.elapsed().as_secs_f64();
    tokio::time::sleep(REST).await;
    Ok(Memory {
        orders: options.orders,
        seconds,
        fresh_bytes: fresh,
        resident_bytes: service.process.memory("VmRSS")?,
        most_bytes: service.process.memory("VmHWM")?,
    })
}

/// Registers the next order, and the next, until there is none left.
async fn register(address: SocketAddr, next: Arc<AtomicU64>, orders: u64) -> Result {
    let path = format!("/v1/tournaments/{}/orders", question::TOURNAMENT);
    let mut connection = Connection::open(address).await?;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= orders {
            return Ok(());
        }
        let key = format!("idempotency-key: bench-{number}\r\n");
        let request = http::post(&path, &key, &question::order(number));
        let answer = connection.ask(&request).await?;
        if answer.status != 201 {
            let said = String::from_utf8_lossy(answer.body);
            return Err(format!("order {number}: status {}: {said}", answer.status).into());
        }
    }
}
