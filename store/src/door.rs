//! The write door: the one way to a write transaction.
//!
//! Every write is an errand in a bounded lane. A writer takes what waits, as far as it may share a commit, opens the
//! transaction, runs one errand after the other and commits. The writer owns the transaction and the errand owns its
//! answer, which leaves after the commit.
//!
//! What shares a commit: on PostgreSQL the changes of one tournament, since two transactions that lock several
//! tournaments in different orders deadlock, and what changes no tournament, as webhooks that come in and deliveries that
//! are done with do; while a writer has a tournament, the others leave it alone, so that what comes meanwhile waits here,
//! together, and not at the row's lock. On SQLite, which has one writer, anything.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use domain::TournamentId;

use crate::StoreError;
use crate::errand::Errand;

/// How many settlements may wait; beyond them something is broken rather than busy.
const SETTLE_BOUND: usize = 4096;
/// How many errands share a commit at most.
const TOGETHER: usize = 64;

/// Which line an errand waits in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// What a person at a door waits for. Refused at once when its line is full.
    Desk,
    /// Webhooks, cursors, timers: what has happened already and must be written down. Takes turns with the desk, so a
    /// rush never refuses it.
    Settle,
}

/// Which lanes a writer serves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lanes {
    Both,
    SettleOnly,
}

/// What may share a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Changes of one tournament; of what changes none, what is in the lane of settlements.
    Alike,
    /// Everything.
    All,
}

type Line = VecDeque<Box<dyn Errand>>;

/// The two lanes.
pub(crate) struct Queue {
    lines: Mutex<Lines>,
    /// Something came, or a tournament is free again: for writers that serve both lanes.
    news: Condvar,
    /// The same, for those that serve settlements only.
    settlements: Condvar,
    desk_bound: usize,
    sharing: Sharing,
    #[cfg(feature = "controls")]
    pub(crate) race: crate::control::Entered,
}

struct Lines {
    desk: Line,
    settle: Line,
    desk_is_next: bool,
    open: bool,
    /// Tournaments that a writer has now.
    busy: Vec<TournamentId>,
}

impl Queue {
    pub(crate) fn new(desk_bound: usize, sharing: Sharing) -> Self {
        Queue {
            lines: Mutex::new(Lines {
                desk: VecDeque::new(),
                settle: VecDeque::new(),
                desk_is_next: false,
                open: true,
                busy: Vec::new(),
            }),
            news: Condvar::new(),
            settlements: Condvar::new(),
            desk_bound,
            sharing,
            #[cfg(feature = "controls")]
            race: crate::control::Entered::default(),
        }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, lane: Lane, errand: Box<dyn Errand>) -> Result<(), StoreError> {
        let mut lines = self.lines();
        if !lines.open {
            return Err(StoreError::Unreachable("the store is closed".into()));
        }
        let (line, bound) = match lane {
            Lane::Desk => (&mut lines.desk, self.desk_bound),
            Lane::Settle => (&mut lines.settle, SETTLE_BOUND),
        };
        if line.len() >= bound {
            return Err(StoreError::Overloaded);
        }
        line.push_back(errand);
        drop(lines);
        self.news.notify_one();
        if lane == Lane::Settle {
            self.settlements.notify_one();
        }
        Ok(())
    }

    /// The next errands, waiting for some; none once the door is closed and the lines are empty. Whoever takes them gives
    /// their tournament back with [`Queue::release`].
    pub(crate) fn take(&self, lanes: Lanes) -> Option<Vec<Box<dyn Errand>>> {
        let mut lines = self.lines();
        loop {
            let errands = lines.next(lanes, self.sharing);
            if !errands.is_empty() {
                return Some(errands);
            }
            if !lines.open && lines.is_empty(lanes) {
                return None;
            }
            let news = match lanes {
                Lanes::Both => &self.news,
                Lanes::SettleOnly => &self.settlements,
            };
            lines = news.wait(lines).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A tournament that was taken may be taken again.
    pub(crate) fn release(&self, island: Option<&TournamentId>) {
        let Some(island) = island else { return };
        self.lines().busy.retain(|busy| busy != island);
        self.news.notify_one();
        self.settlements.notify_one();
    }

    pub(crate) fn waiting(&self, lane: Lane) -> usize {
        let lines = self.lines();
        match lane {
            Lane::Desk => lines.desk.len(),
            Lane::Settle => lines.settle.len(),
        }
    }

    pub(crate) fn close(&self) {
        self.lines().open = false;
        self.news.notify_all();
        self.settlements.notify_all();
    }
}

impl Lines {
    fn is_empty(&self, lanes: Lanes) -> bool {
        self.settle.is_empty() && (lanes == Lanes::SettleOnly || self.desk.is_empty())
    }

    fn next(&mut self, lanes: Lanes, sharing: Sharing) -> Vec<Box<dyn Errand>> {
        if lanes == Lanes::Both {
            self.desk_is_next = !self.desk_is_next;
        }
        let Some((lane, first)) = self.first(lanes) else {
            return Vec::new();
        };
        let island = first.ask().map(|ask| ask.tournament.clone());
        let mut errands = vec![first];
        match sharing {
            Sharing::All => {
                while errands.len() < TOGETHER {
                    let next = self.settle.pop_front().or_else(|| self.desk.pop_front());
                    match next {
                        Some(errand) => errands.push(errand),
                        None => break,
                    }
                }
            }
            Sharing::Alike => {
                if island.is_some() || lane == Lane::Settle {
                    alike(&mut self.settle, island.as_ref(), &mut errands);
                }
                if island.is_some() && lanes == Lanes::Both {
                    alike(&mut self.desk, island.as_ref(), &mut errands);
                }
                self.busy.extend(island);
            }
        }
        errands
    }

    /// The first errand whose tournament is free, of the lane whose turn it is, else of the other.
    fn first(&mut self, lanes: Lanes) -> Option<(Lane, Box<dyn Errand>)> {
        let turns: &[Lane] = match lanes {
            Lanes::SettleOnly => &[Lane::Settle],
            Lanes::Both if self.desk_is_next => &[Lane::Desk, Lane::Settle],
            Lanes::Both => &[Lane::Settle, Lane::Desk],
        };
        turns
            .iter()
            .find_map(|lane| Some((*lane, self.free(*lane)?)))
    }

    fn free(&mut self, lane: Lane) -> Option<Box<dyn Errand>> {
        let line = match lane {
            Lane::Desk => &mut self.desk,
            Lane::Settle => &mut self.settle,
        };
        let place = line.iter().position(|errand| {
            let island = errand.ask().map(|ask| &ask.tournament);
            island.is_none_or(|island| !self.busy.contains(island))
        })?;
        line.remove(place)
    }
}

/// Moves the errands of a tournament, or those of none, from a line, in their order.
fn alike(line: &mut Line, island: Option<&TournamentId>, errands: &mut Vec<Box<dyn Errand>>) {
    let mut place = 0;
    while place < line.len() && errands.len() < TOGETHER {
        if line[place].ask().map(|ask| &ask.tournament) == island {
            errands.extend(line.remove(place));
        } else {
            place += 1;
        }
    }
}
