//! Errands under one commit.

use domain::TournamentId;

use crate::errand::{Errand, Wish};
use crate::island::Island;
use crate::journal::NewRow;
use crate::known::Ask;
use crate::{Conn, StoreError};

/// How a transaction ended.
pub(crate) enum End {
    /// Committed, and what was refused left nothing.
    AsWished,
    /// A lone errand wished nothing written.
    Refused,
    /// One of several wished its statements undone: each has to run by itself.
    Apart,
    /// Nothing was written, or nobody knows.
    Failed(StoreError),
}

/// The tournaments that are open in a transaction.
#[derive(Default)]
pub(crate) struct Batch {
    islands: Vec<(TournamentId, Option<Island>)>,
    proof: Option<NewRow>,
}

impl Batch {
    /// Runs the errands in order and writes what they made.
    pub fn run(&mut self, conn: &mut Conn, errands: &mut [Box<dyn Errand>]) -> End {
        let alone = errands.len() == 1;
        for place in 0..errands.len() {
            let (errand, later) = match errands[place..].split_first_mut() {
                Some((errand, later)) => (errand.as_mut(), &*later),
                None => break,
            };
            match self.run_one(conn, errand, later, alone) {
                Ok(true) => {}
                Ok(false) if alone => return End::Refused,
                Ok(false) => return End::Apart,
                Err(error) => return End::Failed(error),
            }
        }
        match self.close(conn) {
            Ok(()) => End::AsWished,
            Err(error) => End::Failed(error),
        }
    }

    /// The first journal row that was written.
    pub fn proof(&self) -> Option<&NewRow> {
        self.proof.as_ref()
    }

    /// Whether the transaction may go on.
    fn run_one(
        &mut self,
        conn: &mut Conn,
        errand: &mut dyn Errand,
        later: &[Box<dyn Errand>],
        alone: bool,
    ) -> Result<bool, StoreError> {
        let Some(ask) = errand.ask() else {
            // A closure of its own may read and write what it likes.
            self.close(conn)?;
            return Ok(errand.run(conn, None) == Wish::Commit);
        };
        let place = self.open(conn, ask, later)?;
        let island = &mut self.islands[place].1;
        let Some(island) = island else {
            return Ok(errand.run(conn, None) == Wish::Commit);
        };
        let before = island.begin();
        let wish = errand.run(conn, Some(island));
        Ok(wish == Wish::Commit || !alone && island.undo(before))
    }

    /// The place of the island that is asked for, opened for this errand and the later ones of its tournament.
    fn open(
        &mut self,
        conn: &mut Conn,
        ask: &Ask,
        later: &[Box<dyn Errand>],
    ) -> Result<usize, StoreError> {
        let id = &ask.tournament;
        if let Some(place) = self.islands.iter().position(|(open, _)| open == id) {
            return Ok(place);
        }
        let later = later.iter().filter_map(|errand| errand.ask());
        let asks: Vec<&Ask> = std::iter::once(ask)
            .chain(later.filter(|ask| ask.tournament == *id))
            .collect();
        let island = Island::open(conn, id, &asks)?;
        self.islands.push((id.clone(), island));
        Ok(self.islands.len() - 1)
    }

    fn close(&mut self, conn: &mut Conn) -> Result<(), StoreError> {
        for island in self.islands.drain(..).filter_map(|(_, island)| island) {
            self.proof = self.proof.take().or_else(|| island.proof().cloned());
            island.close(conn)?;
        }
        Ok(())
    }
}
