//! A tournament inside a write transaction: opened under its lock, changed by one change after the other, closed before the
//! commit.

use domain::TournamentId;

use crate::Conn;
use crate::change::{Change, Stamp};
use crate::error::StoreError;
use crate::guard::{Guard, under_lock};
use crate::journal::NewRow;
use crate::known::{Ask, Known};
use crate::rows::Rows;
use crate::tournaments::{self, Tournament};

/// A tournament inside a write transaction: its locked row, what was read ahead for the batch, and what is not yet written.
pub struct Island {
    tournament: Tournament,
    /// As it was read; written back only where it differs.
    stands: Tournament,
    rows: Rows,
    known: Known,
    /// The first journal row of the transaction: whoever finds it knows that the transaction committed.
    proof: Option<NewRow>,
    /// Whether the change that runs has had statements of its own carried out.
    touched: bool,
}

/// Where an island stood before a change.
pub(crate) struct Before {
    tournament: Tournament,
    rows: usize,
    known: usize,
    proof: bool,
}

impl Island {
    /// Around a tournament's row, which is locked where the island is written to.
    #[must_use]
    pub fn around(tournament: Tournament) -> Island {
        Island {
            stands: tournament.clone(),
            tournament,
            rows: Rows::default(),
            known: Known::default(),
            proof: None,
            touched: false,
        }
    }

    /// Locks a tournament and reads ahead what these changes will ask; `None` where there is no such.
    pub(crate) fn open(
        conn: &mut Conn,
        id: &TournamentId,
        asks: &[&Ask],
    ) -> Result<Option<Island>, StoreError> {
        let Some(mut tournament) = tournaments::lock(conn, id)? else {
            return Ok(None);
        };
        tournament.counts = under_lock(Guard::Seat, tournament.counts);
        tournament.last_form = under_lock(Guard::FormNumber, tournament.last_form);
        tournament.last_journal = under_lock(Guard::JournalNumber, tournament.last_journal);
        let mut island = Island::around(tournament);
        island.known.read_ahead(conn, id, asks)?;
        Ok(Some(island))
    }

    /// A change of it.
    pub fn change<'a>(&'a mut self, conn: &'a mut Conn, stamp: &'a Stamp) -> Change<'a> {
        let Island {
            tournament,
            rows,
            known,
            proof,
            touched,
            ..
        } = self;
        Change {
            conn,
            tournament,
            stamp,
            rows,
            known,
            proof,
            touched,
        }
    }

    /// Before a change.
    pub(crate) fn begin(&mut self) -> Before {
        self.touched = false;
        Before {
            tournament: self.tournament.clone(),
            rows: self.rows.len(),
            known: self.known.mark(),
            proof: self.proof.is_some(),
        }
    }

    /// Undoes a change that was refused, if nothing of it has reached the database; whether it could.
    pub(crate) fn undo(&mut self, before: Before) -> bool {
        if self.touched {
            return false;
        }
        self.tournament = before.tournament;
        self.rows.cut(before.rows);
        self.known.cut(before.known);
        if !before.proof {
            self.proof = None;
        }
        true
    }

    /// The first journal row that was made.
    pub(crate) fn proof(&self) -> Option<&NewRow> {
        self.proof.as_ref()
    }

    /// Writes everything; the last act on it.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn close(mut self, conn: &mut Conn) -> Result<(), StoreError> {
        self.rows.write(conn)?;
        if self.tournament == self.stands {
            return Ok(());
        }
        tournaments::save(conn, &self.tournament)
    }
}
