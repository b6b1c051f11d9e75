//! The whole way: an order is registered, its payment opened and paid at the gateway's page, and its entry confirmed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Options, SEATS, Spread};
use crate::home::Home;
use crate::load::{self, Client, Round};
use crate::payer::Payer;
use crate::{Result, question, till};

/// One round on a fresh database, with the most memory that the service ever had. The sandbox and the clients share the
/// machine with it.
pub async fn round(program: &Path, options: &Options, clients: u64) -> Result<(Round, u64)> {
    let mut home = Home::fresh(program, options.database)?;
    let sandbox = till::open()?;
    till::stands_in(&sandbox, &mut home);
    let tournaments = Spread::Hot.tournaments();
    for id in &tournaments {
        home.add_regulation(id, &question::copy(id, SEATS, "24h")?)?;
    }
    let service = home.serve()?;
    till::tells(&sandbox, &service);
    let next = Arc::new(AtomicU64::new(0));
    let mut walkers = Vec::new();
    for _ in 0..clients {
        walkers.push(Walker {
            payer: Payer::open(service.rest, sandbox.base_url()).await?,
            tournament: tournaments[0].clone(),
            next: Arc::clone(&next),
        });
    }
    let length = Duration::from_secs(options.seconds);
    let round = load::round(&service.process, walkers, length).await?;
    let most_bytes = service.process.memory("VmHWM")?;
    sandbox.stop().await;
    Ok((round, most_bytes))
}

/// One that goes the whole way, over and over.
struct Walker {
    payer: Payer,
    tournament: String,
    next: Arc<AtomicU64>,
}

impl Client for Walker {
    async fn ask(&mut self) -> Result {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let ticket = self.payer.register(&self.tournament, number).await?;
        self.payer.pay(&ticket, number).await?;
        self.payer.until_confirmed(&ticket).await
    }
}
