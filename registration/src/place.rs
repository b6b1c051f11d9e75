//! The organiser places an entry that has no section, or moves one: its price follows, the difference is owed or comes
//! back.

use domain::{
    EntryId, EntryRequest, Event, Money, Problem, QuoteRequest, RefundCause, RefundMethod,
    SectionId, Slug, TournamentId,
};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use store::change::{Account, Change};
use store::{Lane, entries};

use crate::approve::of_entry;
use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::offer;
use crate::refund::{self, Reserve};
use crate::seats::Seats;
use crate::settle::go_on;
use crate::standing::identity;

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
    /// [`Slug::UnknownEntry`], [`Slug::IllegalMove`], [`Slug::Ineligible`], [`Slug::Raced`] where the section is full.
    pub async fn place(
        &self,
        by: &By,
        tournament: &TournamentId,
        entry: EntryId,
        to: SectionId,
    ) -> Result<Placed, Problem> {
        let found = self
            .store()
            .read(move |c| Ok::<_, Problem>(entries::find(c, entry)?))
            .await?;
        let row = found
            .filter(|e| e.tournament == *tournament)
            .ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
        let terms = self.terms(tournament, row.order).await?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "place", tournament, &entry.to_string(), &to);
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (mut dossier, index) = of_entry(change, entry)?;
            let row = dossier.entries[index].clone();
            if !row.status.is_live() || row.section.as_ref() == Some(&to) {
                return Err(Problem::new(Slug::IllegalMove));
            }
            if !terms.present.organiser_rights().place {
                return Err(no_right("section"));
            }
            change_seat(change, &terms.present, &row, &to)?;
            let entrant = entries::entrant(change.conn, entry)?
                .ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
            dossier.entries[index].identity = identity(&desk, &terms.present, Some(&to), &entrant);
            dossier.entries[index].section = Some(to.clone());
            let asked = EntryRequest {
                section: Some(to.clone()),
                entrant,
            };
            let request = QuoteRequest {
                at: dossier.order.priced_at,
                entries: vec![asked],
                standing: Vec::new(),
            };
            let quote = rules::quote(&terms.frozen, &request);
            if !quote.eligible {
                return Err(Problem::ineligible(&quote.reasons));
            }
            let difference =
                change_price(change, &desk, &mut dossier, index, quote.total, "section")?;
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

/// The regulation gives the organiser no such right.
pub(crate) fn no_right(field: &str) -> Problem {
    let text = domain::Text::new(
        "Les bases no donen aquest dret a l'organització.",
        "Las bases no dan ese derecho a la organización.",
        "The regulations give the organiser no such right.",
    );
    Problem::new(Slug::IllegalMove).field(field, "no_such_right", text)
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

/// Changes the price of one entry of an order: what it costs more is owed, what it costs less comes back where it was
/// paid. An order that owes nothing any more goes on. Says the difference.
pub(crate) fn change_price(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
    index: usize,
    to: i64,
    rule: &str,
) -> Result<i64, Problem> {
    let row = &mut dossier.entries[index];
    let (entry, from) = (row.id, row.price);
    row.price = to;
    change.save_entry(row, row.status)?;
    let difference = to - from;
    dossier.order.total = (dossier.order.total + difference).max(0);
    if difference != 0 {
        let changed = Event::PriceChanged {
            entry,
            from,
            to,
            rule: rule.to_owned(),
        };
        dossier.record(change, &changed, &[])?;
    }
    let surplus = -dossier.due();
    if difference < 0 && surplus > 0 {
        let what = Reserve {
            amount: surplus.min(-difference),
            kept: 0,
            method: RefundMethod::Card,
            cause: RefundCause::Price,
            rule: rule.to_owned(),
            from: Account::EntryFees,
            payment: None,
        };
        refund::reserve(change, desk, dossier, &what)?;
    }
    go_on(change, dossier)?;
    Ok(difference)
}
