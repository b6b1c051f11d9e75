//! Staff approve an entry. A refusal is a cancellation; see `cancel`.

use domain::{Cause, EntryId, Event, OrderId, Problem, Slug, Status, TournamentId};
use store::change::Change;
use store::{Lane, entries};

use crate::desk::{By, Desk};
use crate::dossier::{Dossier, Terms, hold_until, on_seat};

impl Desk {
    /// The arbiter or organiser approves an entry. Once every entry of its order is, the order goes on: to payment, or to
    /// confirmed.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`] where the entry is not live, is approved already, or has no section.
    pub async fn approve(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
    ) -> Result<Status, Problem> {
        let desk = self.clone();
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "approve", tournament, &entry.to_string(), &());
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let regulation = desk.present(change)?;
            let (mut dossier, index) = of_entry(change, entry)?;
            let row = &mut dossier.entries[index];
            if !row.status.is_live() || row.approved || row.section.is_none() {
                return Err(Problem::new(Slug::IllegalMove));
            }
            row.approved = true;
            change.save_entry(row, row.status)?;
            let mut until = None;
            if dossier.approved() && dossier.entries[index].status == Status::PendingApproval {
                let cause = on_seat(regulation.approval(), false, true, dossier.due());
                dossier.move_all(change, &[Status::PendingApproval], cause)?;
                if cause == Cause::Hold {
                    until = Some(hold_until(&regulation, change.stamp.at));
                    dossier.order.hold_until = until;
                }
                dossier.save(change)?;
            }
            let approved = Event::EntryApproved {
                entry,
                hold_until: until,
            };
            dossier.record(change, &approved, &[])?;
            Ok(dossier.entries[index].status)
        });
        outcome.await
    }
}

impl Desk {
    /// The order of an entry, and the versions that it has to do with.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`].
    pub(crate) async fn terms_of_entry(
        &self,
        tournament: &TournamentId,
        entry: EntryId,
    ) -> Result<(OrderId, Terms), Problem> {
        let found = self
            .store()
            .read(move |c| Ok::<_, Problem>(entries::find(c, entry)?))
            .await?;
        let row = found
            .filter(|e| e.tournament == *tournament)
            .ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
        Ok((row.order, self.terms(tournament, row.order).await?))
    }
}

/// The order of an entry, open inside a change, and the entry's place in it.
pub(crate) fn of_entry(
    change: &mut Change<'_>,
    entry: EntryId,
) -> Result<(Dossier, usize), Problem> {
    let row =
        entries::find(change.conn()?, entry)?.filter(|e| e.tournament == change.tournament.id);
    let row = row.ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
    let dossier = Dossier::load(change, row.order)?;
    let index = dossier.entries.iter().position(|e| e.id == entry);
    Ok((
        dossier,
        index.ok_or_else(|| Problem::new(Slug::UnknownEntry))?,
    ))
}
