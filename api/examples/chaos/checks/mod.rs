//! What must be true whatever happened, and what must come true once it is quiet.

mod commands;
mod limits;
mod money;
mod seats;
mod word;

use std::collections::BTreeMap;

use domain::{OrderId, Recorded, TournamentId};
use registration::{Desk, OrderView};
use serde_json::Value;
use store::{StoreError, deliveries, journal, ledger};

use crate::client::Diary;
use crate::command::{Asked, Done};
use crate::pairing::Word;
use crate::smtp::Mail;
use crate::world::World;
use crate::{Result, TOURNAMENTS};

const PAGE: i64 = 500;

/// One tournament as its database has it.
pub struct Island {
    /// Which.
    pub id: TournamentId,
    /// All that happened, in order.
    pub journal: Vec<Recorded>,
    /// All orders, in the order they came.
    pub orders: Vec<OrderView>,
    /// How far the mailer and the pairing service's messenger have read.
    pub cursors: [i64; 2],
}

/// What is there: in the database, at the gateway, with the mail server and the pairing service, and in the clients'
/// diaries.
pub struct Evidence {
    /// The tournaments.
    pub islands: Vec<Island>,
    /// What each account of the ledger stands at, minor units.
    pub balances: BTreeMap<String, i128>,
    /// Charges at the gateway.
    pub charges: Vec<Value>,
    /// Refunds at the gateway.
    pub refunds: Vec<Value>,
    /// Disputes at the gateway.
    pub disputes: Vec<Value>,
    /// The intents of the gateway's pages: intent, then page.
    pub pages: BTreeMap<String, String>,
    /// Mails by Message-ID.
    pub mails: BTreeMap<String, Vec<Mail>>,
    /// The newest word about each entry.
    pub words: BTreeMap<String, Word>,
    /// What the desk said that it has done.
    pub accepted: Vec<(Asked, Done)>,
}

impl Evidence {
    /// Reads it all.
    pub async fn gather(world: &World, desk: &Desk, diaries: &[Diary]) -> Result<Evidence> {
        let gateway = &world.around.gateway;
        let mut evidence = Evidence {
            islands: Vec::new(),
            balances: BTreeMap::new(),
            charges: gateway.objects("charges")?,
            refunds: gateway.objects("refunds")?,
            disputes: gateway.objects("disputes")?,
            pages: BTreeMap::new(),
            mails: world.letterbox.mails(),
            words: world.board.words(),
            accepted: Vec::new(),
        };
        for session in gateway.objects("checkout_sessions")? {
            if let (Some(intent), Some(id)) =
                (session["payment_intent"].as_str(), session["id"].as_str())
            {
                evidence.pages.insert(intent.to_owned(), id.to_owned());
            }
        }
        for diary in diaries {
            evidence.accepted.extend(diary.accepted.iter().cloned());
        }
        for (name, _) in TOURNAMENTS {
            let id: TournamentId = name.parse()?;
            evidence.read_island(desk, id).await?;
        }
        Ok(evidence)
    }

    async fn read_island(&mut self, desk: &Desk, id: TournamentId) -> Result {
        let of = id.clone();
        // At one instant: what is read one after the other would not fit together while timers go on.
        let read = desk.store().read(move |c| {
            let mut rows: Vec<Recorded> = Vec::new();
            loop {
                let after = rows.last().map_or(0, |row| row.number);
                let page = journal::after(c, &of, after, PAGE)?;
                if page.is_empty() {
                    break;
                }
                rows.extend(page);
            }
            let cursors = [
                deliveries::cursor(c, &of, notifier::MAIL)?,
                deliveries::cursor(c, &of, notifier::PAIRING)?,
            ];
            let last = rows.last().map_or(0, |row| row.number);
            Ok::<_, StoreError>((rows, cursors, ledger::after(c, &of, 0, last)?))
        });
        let (journal, cursors, lines) = read.await?;
        let mut orders: Vec<OrderView> = Vec::new();
        loop {
            let after: Option<OrderId> = orders.last().map(|order| order.order);
            let page = desk.orders(&id, after, PAGE).await?;
            if page.is_empty() {
                break;
            }
            orders.extend(page);
        }
        for ((account, _), sum) in ledger::balances(&lines) {
            *self.balances.entry(account).or_default() += sum;
        }
        self.islands.push(Island {
            id,
            journal,
            orders,
            cursors,
        });
        Ok(())
    }

    /// All orders.
    pub fn orders(&self) -> impl Iterator<Item = &OrderView> {
        self.islands.iter().flat_map(|island| &island.orders)
    }
}

/// What is wrong though it may never be so, not even for a moment.
pub fn always(evidence: &Evidence) -> Vec<String> {
    let mut wrong = Vec::new();
    for island in &evidence.islands {
        seats::replay(island, &mut wrong);
        limits::codes(evidence, island, &mut wrong);
        limits::byes(island, &mut wrong);
    }
    commands::once(evidence, &mut wrong);
    word::repeats(evidence, &mut wrong);
    money::bounds(evidence, &mut wrong);
    wrong
}

/// What is wrong once everybody has done what is to be done.
pub fn lasting(evidence: &Evidence) -> Vec<String> {
    let mut wrong = Vec::new();
    for island in &evidence.islands {
        seats::given(island, &mut wrong);
        word::told(evidence, island, &mut wrong);
    }
    money::charges(evidence, &mut wrong);
    money::refunds(evidence, &mut wrong);
    money::disputes(evidence, &mut wrong);
    money::books(evidence, &mut wrong);
    wrong
}
