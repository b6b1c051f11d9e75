//! The tournaments that are to be served, as far as settings must agree with them.

use std::collections::BTreeSet;

use domain::TournamentId;
use rules::Regulation;

use super::DeskSettings;
use super::reader::Reader;
use crate::regulations;

/// What the regulation files and the database come to.
pub(super) struct Served {
    /// The files' regulations.
    pub files: Vec<Regulation>,
    /// Every tournament that will be served; `None` where that cannot be known.
    known: Option<BTreeSet<TournamentId>>,
}

impl Served {
    /// Reads the files, each of whose faults is a fault of the settings, and asks the database only where somebody is to be
    /// told of a tournament that no file brings.
    pub(super) async fn read(reader: &mut Reader, desk: &DeskSettings) -> Served {
        let files = match regulations::load(&desk.regulations) {
            Ok(files) => files,
            Err(faults) => {
                for fault in faults {
                    reader.fault("regulations", fault);
                }
                return Served {
                    files: Vec::new(),
                    known: None,
                };
            }
        };
        let mut known: BTreeSet<TournamentId> = files
            .iter()
            .map(|regulation| regulation.tournament().clone())
            .collect();
        let targets = reader.list("pairing.targets");
        let named = targets.iter().filter_map(|item| item.split_once('='));
        let mut named = named.filter_map(|(name, _)| name.trim().parse().ok());
        if named.all(|name| known.contains(&name)) {
            return Served {
                files,
                known: Some(known),
            };
        }
        let known = published(desk).await.map(|published| {
            known.extend(published);
            known
        });
        Served { files, known }
    }

    /// Whether it is known that no such tournament will be served.
    pub(super) fn lacks(&self, tournament: &TournamentId) -> bool {
        let known = self.known.as_ref();
        known.is_some_and(|known| !known.contains(tournament))
    }

    /// One that takes cards.
    pub(super) fn takes_cards(&self) -> Option<&TournamentId> {
        let mut takes = self.files.iter().filter(|r| r.payment_methods().card);
        takes.next().map(Regulation::tournament)
    }
}

/// What the database has published; nothing where there is none yet, and `None` where it does not answer: then the start
/// fails at that.
async fn published(desk: &DeskSettings) -> Option<Vec<TournamentId>> {
    if !desk.has_database() {
        return Some(Vec::new());
    }
    let settings = store::Settings {
        readers: 1,
        ..desk.database.clone()
    };
    let opened = tokio::task::spawn_blocking(move || store::Store::open(&settings)).await;
    let store = opened.ok()?.ok()?;
    let rows = store.read(store::tournaments::all).await;
    drop(tokio::task::spawn_blocking(move || store.close()).await);
    Some(rows.ok()?.into_iter().map(|row| row.id).collect())
}
