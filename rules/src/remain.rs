//! What entries cost when others have left.

use domain::{Currency, Entrant, EntryId, Instants, OrderId, SectionId};

use crate::admit;
use crate::conditions::View;
use crate::price;
use crate::promote::{self, Entered, Folded, Person, Place};
use crate::regulation::Regulation;

/// An entry that remains when others leave, with its frozen facts.
#[derive(Clone, Copy, Debug)]
pub struct Remaining<'a> {
    /// Which one.
    pub entry: EntryId,
    /// The order that it is in.
    pub order: OrderId,
    /// The instants of its form and its payment, which its price goes by.
    pub at: Instants,
    /// The currency of its order.
    pub currency: Currency,
    /// Its section.
    pub section: Option<&'a SectionId>,
    /// Its frozen facts.
    pub entrant: &'a Entrant,
    /// Limited rows that it has; of no other one anything is left for it.
    pub claims: &'a [String],
}

/// What an entry that remains costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemainingPrice {
    /// Which one.
    pub entry: EntryId,
    /// Minor units; `None` where the regulation gives it no price.
    pub total: Option<i64>,
    /// Promotions that it serves.
    pub promotions: Vec<String>,
}

/// What entries cost among themselves, each at the instant of its own form, in the order given (form order): after one
/// leaves, the promotions that no longer hold are gone from it. A row that counts others is read as for one alone: its section has
/// no promotion. What was paid for all, less the sum of this, is the
/// basis of the refund.
#[must_use]
pub fn remaining_price(
    regulation: &Regulation,
    remaining: &[Remaining<'_>],
) -> Vec<RemainingPrice> {
    let views: Vec<View> = remaining
        .iter()
        .map(|entry| view(regulation, entry))
        .collect();
    let teams: Vec<Option<Folded>> = remaining
        .iter()
        .map(|entry| Folded::of(entry.entrant))
        .collect();
    let placed = remaining.iter().zip(&views);
    let placed: Vec<Option<usize>> = placed
        .map(|(entry, view)| place(regulation, entry, view))
        .collect();
    let fees = &regulation.fees;
    let mut prices: Vec<RemainingPrice> = remaining
        .iter()
        .zip(&views)
        .zip(&placed)
        .map(|((entry, view), section)| RemainingPrice {
            entry: entry.entry,
            total: section.and_then(|section| price::amount(fees, section, view)),
            promotions: Vec::new(),
        })
        .collect();
    for currency in regulation.currency_places() {
        let entered = (0..remaining.len()).filter_map(|place| {
            (views[place].currency == currency).then_some(())?;
            Some(Entered {
                section: placed[place]?,
                place: Place::Asked(place),
                order: Some(remaining[place].order),
                team: teams[place].as_ref(),
                person: remaining[place]
                    .section
                    .and_then(|_| Person::of(remaining[place].entrant)),
                view: Some(&views[place]),
                price: prices[place].total?,
                serves: Vec::new(),
            })
        });
        let entered: Vec<Entered<'_>> = entered.collect();
        let place_of = |entry: usize| match entered[entry].place {
            Place::Asked(place) => Some(place),
            Place::Standing(_) => None,
        };
        for reduction in promote::reductions(fees, currency, &entered) {
            for place in reduction.entries.into_iter().filter_map(place_of) {
                let id = fees.promotions[reduction.promotion].id.to_string();
                prices[place].promotions.push(id);
            }
            for (entry, amount) in reduction.amounts {
                if let Some(place) = place_of(entry)
                    && let Some(total) = &mut prices[place].total
                {
                    *total += amount;
                }
            }
        }
    }
    prices
}

fn view(regulation: &Regulation, entry: &Remaining<'_>) -> View {
    let taken = regulation.taken_but(entry.claims);
    View {
        spent: regulation.vocabulary.spent(&taken),
        ..View::of(
            &regulation.vocabulary,
            entry.currency,
            entry.entrant,
            entry.at,
        )
    }
}

fn place(regulation: &Regulation, entry: &Remaining<'_>, view: &View) -> Option<usize> {
    match entry.section {
        Some(id) => regulation.section_position(id),
        None => admit::placement(regulation, entry.entrant, view),
    }
}
