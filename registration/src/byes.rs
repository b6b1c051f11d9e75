//! Byes: asked for by the player within what the regulation allows, decided by the arbiter.

use domain::{ByeAnswer, ByeRequest, EntryId, Event, Problem, Slug, Status, TournamentId};
use store::{Lane, byes};

use crate::approve::of_entry;
use crate::desk::{By, Desk};

impl Desk {
    /// Asks byes for an entry; those it asked for before count with them.
    ///
    /// # Errors
    /// [`Slug::Ineligible`] with the rules' reasons, [`Slug::UnknownEntry`], [`Slug::IllegalMove`].
    pub async fn request_byes(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        asked: Vec<ByeRequest>,
    ) -> Result<ByeAnswer, Problem> {
        let desk = self.clone();
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "request_byes", tournament, &entry.to_string(), &asked);
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (dossier, index) = of_entry(change, entry)?;
            let row = &dossier.entries[index];
            if !matches!(
                row.status,
                Status::Held | Status::PendingApproval | Status::Confirmed
            ) {
                return Err(Problem::new(Slug::IllegalMove));
            }
            let section = row
                .section
                .clone()
                .ok_or_else(|| Problem::new(Slug::IllegalMove))?;
            let known = byes::of_entry(change.conn()?, entry)?;
            let mut all: Vec<ByeRequest> = known
                .iter()
                .filter(|b| b.status != "refused")
                .map(|b| b.request)
                .collect();
            all.extend(&asked);
            let regulation = desk.present(change)?;
            let answer = rules::byes(&regulation, &section, &all);
            if !answer.allowed {
                return Err(Problem::ineligible(&answer.reasons));
            }
            let (tournament, at) = (change.tournament.id.clone(), change.stamp.at);
            for bye in &asked {
                byes::insert(change.conn()?, &tournament, entry, *bye, at)?;
            }
            dossier.record(
                change,
                &Event::ByesRequested {
                    entry,
                    byes: asked.clone(),
                },
                &[],
            )?;
            Ok(answer)
        });
        outcome.await
    }

    /// The arbiter grants or refuses every bye that an entry asked for.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`] where none waits.
    pub async fn decide_byes(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        granted: bool,
    ) -> Result<(), Problem> {
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "decide_byes", tournament, &entry.to_string(), &granted);
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (dossier, _) = of_entry(change, entry)?;
            if byes::decide(change.conn()?, entry, granted)? == 0 {
                return Err(Problem::new(Slug::IllegalMove));
            }
            dossier.record(change, &Event::ByesDecided { entry, granted }, &[])?;
            Ok(())
        });
        outcome.await
    }
}
