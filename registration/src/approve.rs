//! Staff look at an entry: they approve it, or find a fact right or wrong. A refusal is a cancellation; see `cancel`.

use domain::{
    Actor, Cause, EntryId, EntryRequest, Event, FactName, Grade, Problem, QuoteRequest, Slug,
    Status, Text, TournamentId,
};
use store::change::Change;
use store::{Lane, entries};

use crate::desk::{By, Desk};
use crate::dossier::{Dossier, hold_until, on_seat};
use crate::place::reprice;

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
        let regulation = self.regulation(tournament)?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "approve", tournament, &entry.to_string(), &());
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (mut dossier, index) = of_entry(change, entry)?;
            let row = &mut dossier.entries[index];
            if !row.status.is_live() || row.approved || row.section.is_none() {
                return Err(Problem::new(Slug::IllegalMove));
            }
            row.approved = true;
            entries::save(change.conn, row, row.status)?;
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

    /// Staff looked at a declared fact: they uphold it, or the entry is priced again with the value they found (with none,
    /// as if the fact were not there) and the difference is owed.
    ///
    /// # Errors
    /// [`Slug::InvalidFields`] for a value that the fact cannot have,
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`] where the entry is not live or the fact waits for no check.
    pub async fn check_fact(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        fact: FactName,
        upheld: bool,
        value: Option<String>,
    ) -> Result<(), Problem> {
        let found = self
            .store()
            .read(move |c| Ok::<_, Problem>(entries::find(c, entry)?))
            .await?;
        let row = found
            .filter(|e| e.tournament == *tournament)
            .ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
        let terms = self.terms(tournament, row.order).await?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(
            by,
            "check_fact",
            tournament,
            &entry.to_string(),
            &(fact, upheld, &value),
        );
        let who = match &by.actor {
            Actor::Staff(who) => who.clone(),
            _ => "operator".to_owned(),
        };
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (mut dossier, index) = of_entry(change, entry)?;
            let row = &mut dossier.entries[index];
            if !row.status.is_live() || !row.to_check.contains(&fact) {
                return Err(Problem::new(Slug::IllegalMove));
            }
            row.to_check.retain(|f| *f != fact);
            let status = row.status;
            entries::save(change.conn, row, status)?;
            let mut entrant = entries::entrant(change.conn, entry)?
                .ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
            if !upheld {
                entrant
                    .correct(fact, value.as_deref())
                    .map_err(wrong_value)?;
            }
            entrant
                .grades_mut()
                .insert(fact, Grade::Checked { by: who.clone() });
            entries::correct_entrant(change.conn, entry, &entrant)?;
            dossier.record(
                change,
                &Event::FactChecked {
                    entry,
                    fact,
                    upheld,
                },
                &[],
            )?;
            if !upheld {
                let request = QuoteRequest {
                    at: dossier.order.priced_at,
                    entries: vec![EntryRequest {
                        section: dossier.entries[index].section.clone(),
                        entrant,
                    }],
                    standing: Vec::new(),
                };
                reprice(
                    change,
                    &desk,
                    &terms.frozen,
                    &mut dossier,
                    index,
                    &request,
                    "fact_not_upheld",
                )?;
                dossier.save(change)?;
            }
            Ok(())
        });
        outcome.await
    }
}

fn wrong_value(error: domain::IdError) -> Problem {
    let text = Text::new(
        format!("«{}» no és un valor possible.", error.text),
        format!("«{}» no es un valor posible.", error.text),
        format!("“{}” is not a possible value.", error.text),
    );
    Problem::new(Slug::InvalidFields).field("value", "not_a_value", text)
}

/// The order of an entry, open inside a change, and the entry's place in it.
pub(crate) fn of_entry(
    change: &mut Change<'_>,
    entry: EntryId,
) -> Result<(Dossier, usize), Problem> {
    let row = entries::find(change.conn, entry)?.filter(|e| e.tournament == change.tournament.id);
    let row = row.ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
    let dossier = Dossier::load(change, row.order)?;
    let index = dossier.entries.iter().position(|e| e.id == entry);
    Ok((
        dossier,
        index.ok_or_else(|| Problem::new(Slug::UnknownEntry))?,
    ))
}
