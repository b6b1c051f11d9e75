//! The organiser places an entry that has no section, or moves one: its price follows, the difference is owed or comes
//! back.

use domain::{EntryId, Event, Money, Problem, Quote, SectionId, Slug, TournamentId};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use store::change::Change;
use store::{Lane, entries};

use crate::approve::of_entry;
use crate::around::Around;
use crate::claims;
use crate::desk::{By, Desk, Judged};
use crate::dossier::{Dossier, Terms};
use crate::offer;
use crate::price::{NewPrice, change_price};
use crate::seats::Seats;
use crate::standing::identity_now;

/// What a move between sections came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Placed {
    /// The entry.
    pub entry: EntryId,
    /// Its section now.
    pub section: SectionId,
    /// Its price now.
    pub price: Money,
    /// What the move asks for, or gives back where negative.
    pub difference: Money,
}

impl Desk {
    /// Places or moves an entry. The new section must admit the entrant and have a seat; the price is that of the order's
    /// own version at the instant of its form.
    ///
    /// # Errors
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`], [`Slug::Ineligible`], [`Slug::AlreadyEntered`] where the entrant is in that
    /// section by another entry, [`Slug::Raced`] where it is full.
    pub async fn place(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        to: SectionId,
    ) -> Result<Placed, Problem> {
        let (order, terms) = self.terms_of_entry(tournament, entry).await?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "place", tournament, &entry.to_string(), &to);
        let (its_terms, wanted, desk) = (terms.clone(), to.clone(), self.clone());
        let judged = self.judge(tournament, &stamp, once.as_ref(), move |change| {
            let moved = judge_move(change, &desk, &its_terms, entry, &wanted)?;
            Ok(moved.quote.total != moved.dossier.entries[moved.index].price)
        });
        if let Judged::New(true) = judged.await? {
            self.close_open_payments(order).await?;
        }
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let terms = terms.now(change, &desk)?;
            let Move {
                mut dossier,
                index,
                identity,
                quote,
            } = judge_move(change, &desk, &terms, entry, &to)?;
            let row = dossier.entries[index].clone();
            dossier.entries[index].identity = identity;
            dossier.entries[index].section = Some(to.clone());
            let new = NewPrice {
                index,
                to: quote.total,
                lines: &quote.lines,
                rule: "section",
            };
            claims::keep(change, entry, &quote)?;
            let difference = change_price(change, &desk, &terms.present, &mut dossier, &new)?;
            change.recount(row.section.clone(), Some(to.clone()), row.status);
            let price = dossier.entries[index].price;
            let moved = Event::SectionChanged {
                entry,
                from: row.section,
                to: to.clone(),
                price,
                difference,
            };
            dossier.record(change, &moved, &[])?;
            dossier.save(change)?;
            offer::offer_seats(change, &terms.present)?;
            let currency = dossier.order.currency;
            Ok(Placed {
                entry,
                section: to.clone(),
                price: Money::new(price, currency),
                difference: Money::new(difference, currency),
            })
        });
        outcome.await
    }
}

/// A move that may be made.
struct Move {
    dossier: Dossier,
    index: usize,
    /// Who the entrant is there.
    identity: Option<String>,
    /// What it costs there.
    quote: Quote,
}

/// Whether an entry may move to a section, and what it costs there.
fn judge_move(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    entry: EntryId,
    to: &SectionId,
) -> Result<Move, Problem> {
    let (dossier, index) = of_entry(change, entry)?;
    let row = &dossier.entries[index];
    if !row.status.is_live() || row.section.as_ref() == Some(to) {
        return Err(Problem::new(Slug::IllegalMove));
    }
    if !terms.present.organiser_rights().place {
        return Err(no_right("section"));
    }
    if terms.present.section(to).is_none() {
        return Err(section_is_gone());
    }
    change_seat(change, &terms.present, row, to)?;
    let entrant =
        entries::entrant(change.conn()?, entry)?.ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
    let whose = (row, Some(to));
    let identity = identity_now(change, (desk, &terms.present), whose, &entrant)?;
    let priced = terms.pricing([to]);
    let around = Around::of(change, desk, priced, (&dossier, index), &entrant)?;
    let quote = around.price(priced, Some(to.clone()), &entrant);
    if !quote.eligible {
        // Only one entry is asked about.
        let mut reasons = quote.reasons;
        for reason in &mut reasons {
            reason.field = reason.field.replacen("entries[0].", "", 1);
        }
        return Err(Problem::ineligible(&reasons));
    }
    Ok(Move {
        dossier,
        index,
        identity,
        quote,
    })
}

/// The regulation gives the organiser no such right.
pub(crate) fn no_right(field: &str) -> Problem {
    let text = domain::Text::new(
        "Les bases no donen aquest dret a l'organització.",
        "Las bases no dan ese derecho a la organización.",
        "The regulations give the organiser no such right.",
    );
    Problem::new(Slug::IllegalMove).field(field, "no_such_right", text)
}

/// The entry's own version may still have it; nobody plays in it any more.
fn section_is_gone() -> Problem {
    let text = domain::Text::new(
        "Les bases no tenen cap grup amb aquest nom.",
        "Las bases no tienen ningún grupo con ese nombre.",
        "The regulations have no section of this name.",
    );
    Problem::new(Slug::Ineligible).field("section", "unknown_section", text)
}

/// Gives the old seat back and takes one in the new section.
fn change_seat(
    change: &mut Change<'_>,
    regulation: &Regulation,
    row: &entries::Entry,
    to: &SectionId,
) -> Result<(), Problem> {
    let mut seats = Seats::new(
        regulation,
        change.tournament.capacity,
        &change.tournament.counts,
    )
    .map_err(|_| Problem::new(Slug::NotOpen))?;
    if !row
        .status
        .takes_seat(regulation.order() == rules::Ordering::ByPayment)
    {
        return Ok(());
    }
    seats.give_back(&row.section);
    if seats.take(&[Some(to.clone())]) {
        return Ok(());
    }
    let text = domain::Text::new(
        "El grup és ple.",
        "El grupo está lleno.",
        "The section is full.",
    );
    Err(Problem::new(Slug::Raced).field("section", "section_full", text))
}
