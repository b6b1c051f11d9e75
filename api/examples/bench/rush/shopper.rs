//! One that orders, over and over.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::http::{self, Connection};
use crate::load::Client;
use crate::{Result, question};

/// Numbers the orders, and counts what came of them.
pub struct Counter {
    tournaments: Vec<String>,
    next: AtomicU64,
    accepted: AtomicU64,
    refused: AtomicU64,
}

impl Counter {
    /// Of orders that go to these in turn.
    pub fn of(tournaments: &[String]) -> Counter {
        Counter {
            tournaments: tournaments.to_vec(),
            next: AtomicU64::new(0),
            accepted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    /// How many were accepted.
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// How often one was asked to come back later.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

/// A client with a connection of its own.
pub struct Shopper {
    address: SocketAddr,
    connection: Connection,
    counter: Arc<Counter>,
}

impl Shopper {
    /// Connects.
    pub async fn open(address: SocketAddr, counter: Arc<Counter>) -> Result<Shopper> {
        Ok(Shopper {
            address,
            connection: Connection::open(address).await?,
            counter,
        })
    }
}

impl Client for Shopper {
    /// Registers the next order; where the service is too busy, comes back when it says.
    async fn ask(&mut self) -> Result {
        let number = self.counter.next.fetch_add(1, Ordering::Relaxed);
        let turn = usize::try_from(number)? % self.counter.tournaments.len();
        let path = format!("/v1/tournaments/{}/orders", self.counter.tournaments[turn]);
        let key = format!("idempotency-key: rush-{number}\r\n");
        let request = http::post(&path, &key, &question::order(number));
        loop {
            let answer = self.connection.ask(&request).await?;
            if answer.status == 201 {
                self.counter.accepted.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            let seconds = answer.come_back()?;
            self.counter.refused.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            // A server does not keep a connection for whoever is silent so long.
            self.connection = Connection::open(self.address).await?;
        }
    }
}
