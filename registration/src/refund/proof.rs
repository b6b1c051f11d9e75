//! A proof that comes after a cancellation, such as a doctor's certificate: the tier that asks for it is read anew at the instant
//! of the cancellation, and what it gives more comes back.

use domain::{
    Cause, EntryId, Event, Problem, RefundAsk, RefundCause, Slug, Status, Text, TournamentId,
    UtcTime,
};
use rules::Regulation;
use store::change::{Account, Change, transfer};
use store::{Lane, journal, lines};

use super::{Reserve, reserve};
use crate::approve::of_entry;
use crate::cancel::EntryRefund;
use crate::desk::{By, Desk};
use crate::dossier::Dossier;

impl Desk {
    /// Staff have seen the proof that a tier of the refund clause asks for. Answers what comes back in all for the entry by it.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`], [`Slug::InvalidFields`] for a tier that asks for no proof, [`Slug::IllegalMove`] where the payer has
    /// not cancelled the entry, [`Slug::NothingLeft`] where the proof gives no more than has come back already.
    pub async fn prove(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        tier: String,
    ) -> Result<EntryRefund, Problem> {
        let (_, terms) = self.terms_of_entry(tournament, entry).await?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "prove", tournament, &entry.to_string(), &tier);
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let terms = terms.now(change, &desk)?;
            asks_for(&[&terms.frozen, &terms.present], &tier)?;
            let (mut dossier, index) = of_entry(change, entry)?;
            if dossier.entries[index].status != Status::CancelledByPlayer {
                return Err(Problem::new(Slug::IllegalMove));
            }
            let ended = Ended::of(change, &dossier, entry)?;
            let ask = RefundAsk {
                paid: ended.back + ended.kept,
                currency: dossier.order.currency,
                requested_at: ended.at,
                cause: RefundCause::Player,
                approved: dossier.entries[index].approved,
                section: dossier.entries[index].section.clone(),
                rows: lines::by_row(&dossier.order, &dossier.entries, index),
                credit: false,
                proof: Some(tier.clone()),
            };
            let quote = rules::better_refund(&terms.frozen, &terms.present, &ask);
            let more = (quote.refund - ended.back).min(dossier.order.kept);
            if more <= 0 {
                return Err(gives_no_more());
            }
            dossier.order.kept -= more;
            let again = transfer(
                Account::EntryFees,
                Account::Administration,
                more,
                ask.currency,
            );
            let kept = Event::FeesKept {
                amount: -more,
                cause: RefundCause::Player,
                rule: quote.rule.clone(),
                entry: Some(entry),
            };
            dossier.record(change, &kept, &again)?;
            let what = Reserve {
                amount: more,
                kept: 0,
                method: quote.method,
                cause: RefundCause::Player,
                rule: quote.rule.clone(),
                from: Account::EntryFees,
                payment: None,
                entry: Some(entry),
            };
            reserve(change, &desk, &mut dossier, &what)?;
            dossier.save(change)?;
            Ok(EntryRefund {
                entry,
                paid: ask.paid,
                quote,
            })
        });
        outcome.await
    }
}

/// When an entry was cancelled, and what came of what was paid for it, minor units.
struct Ended {
    at: UtcTime,
    back: i64,
    kept: i64,
}

impl Ended {
    fn of(change: &mut Change<'_>, dossier: &Dossier, entry: EntryId) -> Result<Ended, Problem> {
        let rows = journal::of_order(change.conn()?, dossier.order.id)?;
        let cancelled = rows.iter().rfind(|row| {
            let Event::EntryMoved {
                entry: moved,
                cause,
                ..
            } = &row.event
            else {
                return false;
            };
            *moved == entry && *cause == Cause::CancelByPlayer
        });
        let at = cancelled.ok_or_else(|| Problem::new(Slug::IllegalMove))?.at;
        // Rows of before they named an entry are those of the only one.
        let alone = dossier.entries.len() == 1;
        let own = |named: Option<EntryId>| named.map_or(alone, |named| named == entry);
        let (mut back, mut kept) = (0, 0);
        for row in &rows {
            match &row.event {
                Event::RefundReserved {
                    amount,
                    kept: left,
                    cause: RefundCause::Player,
                    entry,
                    ..
                } if own(*entry) => {
                    back += amount;
                    kept += left;
                }
                Event::FeesKept {
                    amount,
                    cause: RefundCause::Player,
                    entry,
                    ..
                } if own(*entry) => kept += amount,
                _ => {}
            }
        }
        Ok(Ended { at, back, kept })
    }
}

/// The tiers that ask for a proof, where this is none of them.
fn asks_for(versions: &[&Regulation], tier: &str) -> Result<(), Problem> {
    let proofs = versions.iter().flat_map(|version| version.proofs());
    let mut known: Vec<&str> = proofs.map(|(id, _)| id).collect();
    known.dedup();
    if known.contains(&tier) {
        return Ok(());
    }
    let known = known.join(", ");
    let text = match known.is_empty() {
        true => Text::new(
            "Les bases no demanen cap prova per tornar diners.",
            "Las bases no piden ninguna prueba para devolver dinero.",
            "The regulations ask for no proof to give money back.",
        ),
        false => Text::new(
            format!("Les bases en demanen per a: {known}."),
            format!("Las bases la piden para: {known}."),
            format!("The regulations ask for one for: {known}."),
        ),
    };
    Err(Problem::new(Slug::InvalidFields).field("tier", "unknown_value", text))
}

fn gives_no_more() -> Problem {
    let text = Text::new(
        "Amb aquesta prova no torna més del que ja ha tornat.",
        "Con esta prueba no se devuelve más de lo que ya se ha devuelto.",
        "The proof gives back no more than has come back already.",
    );
    Problem::new(Slug::NothingLeft).field("tier", "nothing_more", text)
}
