//! A confirmed entrant leaves after play has begun: the seat stays taken, the pairing service is told, nothing comes back
//! by rule.

use domain::{Cause, EntryId, Problem, Slug, Status, TournamentId};
use store::Lane;

use crate::approve::of_entry;
use crate::desk::{By, Desk};

impl Desk {
    /// Staff withdraw a confirmed entry once the first round has begun. Before that it is cancelled instead, which frees
    /// its seat.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`] before play begins or where the entry is not confirmed.
    pub async fn withdraw(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
    ) -> Result<Status, Problem> {
        let desk = self.clone();
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "withdraw", tournament, &entry.to_string(), &());
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            if change.stamp.at < desk.present(change)?.begins() {
                return Err(Problem::new(Slug::IllegalMove));
            }
            let (mut dossier, index) = of_entry(change, entry)?;
            dossier.move_entry(change, index, Cause::Withdraw)?;
            Ok(dossier.entries[index].status)
        });
        outcome.await
    }
}
