//! What there is only so much of besides seats: uses of a code, byes of an entry. The journal is played again.

use std::collections::{BTreeMap, BTreeSet};

use domain::{ByeRequest, EntryId, Event, Status};

use super::{Evidence, Island};
use crate::command::{Act, Deed, Done};

/// So many half-point byes may be asked for, in the rounds of `regulation.toml`.
const BYES: usize = 2;

/// No code is used by more entries at once than it is for.
pub fn codes(evidence: &Evidence, island: &Island, wrong: &mut Vec<String>) {
    let mut uses: BTreeMap<&str, i32> = BTreeMap::new();
    let mut bearers: BTreeMap<&str, &str> = BTreeMap::new();
    for (asked, done) in &evidence.accepted {
        match (&asked.act, done) {
            (Act::Staff(Deed::Issue(_, number)), Done::Issued(code)) => {
                uses.insert(code, *number);
            }
            (Act::Register { people, .. }, Done::Registered { entries, .. }) => {
                for (person, (entry, _)) in people.iter().zip(entries) {
                    if let Some(code) = &person.code {
                        bearers.insert(entry, code);
                    }
                }
            }
            _ => {}
        }
    }
    let mut used: BTreeMap<&str, BTreeSet<EntryId>> = BTreeMap::new();
    let bearer = |entry: &EntryId| bearers.get(entry.to_string().as_str()).copied();
    for row in &island.journal {
        match &row.event {
            Event::OrderRegistered { entries, .. } => {
                for entry in entries {
                    let Some(code) = bearer(&entry.entry) else {
                        continue;
                    };
                    let by = used.entry(code).or_default();
                    by.insert(entry.entry);
                    let most = uses.get(code).copied().unwrap_or(0);
                    if by.len() > usize::try_from(most).unwrap_or(0) {
                        wrong.push(format!(
                            "{}: {} entries use a code for {most} at row {}",
                            island.id,
                            by.len(),
                            row.number
                        ));
                    }
                }
            }
            // Who leaves gives it back; a hold that ran out may still be paid for.
            Event::EntryMoved { entry, to, .. } if !to.is_live() && *to != Status::Expired => {
                if let Some(code) = bearer(entry) {
                    used.entry(code).or_default().remove(entry);
                }
            }
            _ => {}
        }
    }
}

/// Nobody has more byes, or two for one round, unless they were refused.
pub fn byes(island: &Island, wrong: &mut Vec<String>) {
    let mut asked: BTreeMap<EntryId, (Vec<ByeRequest>, Vec<ByeRequest>)> = BTreeMap::new();
    for row in &island.journal {
        match &row.event {
            Event::ByesRequested { entry, byes } => {
                let (granted, open) = asked.entry(*entry).or_default();
                open.extend(byes);
                let all: Vec<u32> = granted.iter().chain(&*open).map(|bye| bye.round).collect();
                let rounds: BTreeSet<u32> = all.iter().copied().collect();
                if all.len() > BYES || rounds.len() < all.len() {
                    wrong.push(format!(
                        "{}: {entry} has byes in the rounds {all:?} at row {}",
                        island.id, row.number
                    ));
                }
            }
            Event::ByesDecided {
                entry,
                granted: yes,
            } => {
                let (granted, open) = asked.entry(*entry).or_default();
                let decided = std::mem::take(open);
                if *yes {
                    granted.extend(decided);
                }
            }
            _ => {}
        }
    }
}
