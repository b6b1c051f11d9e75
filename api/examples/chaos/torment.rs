//! What goes wrong, again and again, as a seed says.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sandbox::{ApiFault, Control, Trouble, Twist, WebhookFault, When};
use store::testing::Database;

use crate::gate::Gate;
use crate::node::Node;
use crate::{Over, Result};

/// The gateway's clock may run ahead of ours by so much and no more, or it refuses pages that close too soon for it.
const AHEAD: u64 = 40;

/// How often each thing went wrong.
pub type Tally = BTreeMap<&'static str, u64>;

/// What is left of the processes.
pub struct Stormed {
    /// They, all of them running.
    pub nodes: Vec<Node>,
    /// What happened to them.
    pub tally: Tally,
    /// What was wrong at once.
    pub wrong: Vec<String>,
}

/// Kills and freezes processes, one at a time, so that the others must go on.
pub async fn processes(seed: u64, mut nodes: Vec<Node>, lasts: Duration) -> Result<Stormed> {
    let until = Instant::now() + lasts;
    let mut random = StdRng::seed_from_u64(seed ^ 0x1111);
    let mut tally = Tally::new();
    while Instant::now() < until {
        nap(&mut random, 300..2_500).await;
        let place = random.random_range(0..nodes.len());
        let node = &mut nodes[place];
        if random.random_range(0..3) == 0 {
            node.signal("STOP")?;
            nap(&mut random, 200..8_000).await;
            node.signal("CONT")?;
            *tally.entry("freezes").or_default() += 1;
        } else {
            node.kill()?;
            nap(&mut random, 0..1_000).await;
            node.revive()?;
            *tally.entry("kills").or_default() += 1;
        }
    }
    Ok(Stormed {
        nodes,
        tally,
        wrong: Vec::new(),
    })
}

/// What stands around the processes.
pub struct Around {
    /// The gateway.
    pub gateway: Control,
    /// Where its webhooks come in.
    pub webhooks: Gate,
    /// The mail server's.
    pub mail: Gate,
    /// The pairing service's.
    pub pairing: Gate,
    /// PostgreSQL and the door to it.
    pub database: Option<(Arc<Database>, Gate)>,
}

impl Around {
    /// Goes on until the storm is over, with pauses of so many milliseconds, and leaves everything open.
    pub async fn torment(&self, seed: u64, pauses: Range<u64>, over: &Over) -> Tally {
        let mut random = StdRng::seed_from_u64(seed ^ 0x2222);
        let mut tally = Tally::new();
        let mut ahead = 0;
        while !over.is() {
            nap(&mut random, pauses.clone()).await;
            let what = match random.random_range(0..100) {
                0..30 => self.gateway_call(&mut random),
                30..60 => self.webhook(&mut random),
                60..66 => away(&self.mail, &mut random, "mail away").await,
                66..72 => away(&self.pairing, &mut random, "pairing away").await,
                72..77 => away(&self.webhooks, &mut random, "webhooks away").await,
                77..82 if ahead < AHEAD => {
                    let by = random.random_range(1..=5);
                    ahead += by;
                    self.gateway.advance(Duration::from_secs(by));
                    "gateway's clock"
                }
                82..84 => {
                    self.gateway.release(None);
                    continue;
                }
                84.. => match &self.database {
                    Some((database, gate)) => server(database, gate, &mut random).await,
                    None => continue,
                },
                _ => continue,
            };
            *tally.entry(what).or_default() += 1;
        }
        if let Some((_, gate)) = &self.database {
            gate.lose_commits(0);
            tally.insert("commit answers lost", gate.lost_commits().into());
        }
        tally
    }

    /// Nothing goes wrong any more; what was kept back is let go.
    pub fn calm(&self) {
        self.gateway.clear_faults();
        self.gateway.release(None);
        for gate in [&self.webhooks, &self.mail, &self.pairing] {
            gate.reopen();
        }
    }

    fn gateway_call(&self, random: &mut StdRng) -> &'static str {
        let operations = [
            "*",
            "checkout.sessions.create",
            "checkout.sessions.expire",
            "payment_intents.create",
            "payment_intents.cancel",
            "refunds.create",
            "*",
        ];
        let (trouble, what) = match random.random_range(0..5) {
            0 => (Trouble::ServerError, "gateway says 500"),
            1 => (Trouble::RateLimited, "gateway says 429"),
            2 => (Trouble::Disconnect, "gateway hangs up"),
            3 => (Trouble::Hang(4_000), "gateway hangs"),
            _ => (Trouble::Slow(1_500), "gateway is slow"),
        };
        self.gateway.fail(ApiFault {
            operation: operations[random.random_range(0..operations.len())].to_owned(),
            trouble,
            when: if random.random() {
                When::BeforeEffect
            } else {
                When::AfterEffect
            },
            times: random.random_range(1..=4),
        });
        what
    }

    fn webhook(&self, random: &mut StdRng) -> &'static str {
        let (twist, what) = match random.random_range(0..9) {
            0 | 1 => (Twist::Duplicate, "webhook twice"),
            2 => (Twist::Reorder, "webhook late"),
            3 => (Twist::Hold, "webhook held"),
            4 => (
                Twist::Delay(random.random_range(500..6_000)),
                "webhook delayed",
            ),
            5 | 6 => (Twist::Drop, "webhook lost"),
            7 => (Twist::WrongSignature, "webhook forged"),
            _ => (Twist::OldTimestamp(900), "webhook stale"),
        };
        self.gateway.twist(WebhookFault {
            kind: "*".to_owned(),
            twist,
            times: random.random_range(1..=5),
        });
        what
    }
}

/// Somebody goes away and comes back.
async fn away(gate: &Gate, random: &mut StdRng, what: &'static str) -> &'static str {
    gate.shut();
    nap(random, 100..3_000).await;
    gate.reopen();
    what
}

/// What happens to PostgreSQL.
async fn server(database: &Arc<Database>, gate: &Gate, random: &mut StdRng) -> &'static str {
    let run = |sql: &'static str| {
        let database = Arc::clone(database);
        // It breaks its own connection too, and it may find the server still starting.
        async move {
            drop(tokio::task::spawn_blocking(move || database.as_superuser(sql).is_ok()).await)
        }
    };
    match random.random_range(0..10) {
        0..5 => {
            gate.lose_commits(random.random_range(1..=3));
            // Counted when they are lost.
            "commits to be lost"
        }
        5 | 6 => {
            gate.cut();
            "database connections cut"
        }
        7 | 8 => {
            run(TERMINATE).await;
            "backends terminated"
        }
        _ => {
            run(CRASH).await;
            "database restarts"
        }
    }
}

/// Ends every session of the desk, whatever it is in the middle of.
const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'enroc'";

/// Kills one backend with SIGKILL: the server ends all others, recovers from its log and starts again.
const CRASH: &str = "DO $$ DECLARE victim integer; BEGIN
    SELECT pid INTO victim FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'enroc' LIMIT 1;
    IF victim IS NOT NULL THEN
        EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'kill -KILL ' || victim);
    END IF;
END $$";

async fn nap(random: &mut StdRng, range: Range<u64>) {
    tokio::time::sleep(Duration::from_millis(random.random_range(range))).await;
}
