//! What entries cost when others have left.

use domain::{Currency, Entrant, EntryId, Instants, SectionId};

use crate::admit;
use crate::conditions::View;
use crate::price;
use crate::promote::{self, Candidate, Folded, Place};
use crate::regulation::Regulation;

/// An entry that remains when others leave, with its frozen facts.
#[derive(Clone, Copy, Debug)]
pub struct Remaining<'a> {
    /// Which one.
    pub entry: EntryId,
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
    let placed: Vec<Option<usize>> = remaining
        .iter()
        .map(|entry| place(regulation, entry))
        .collect();
    let folded: Vec<Option<Folded>> = remaining
        .iter()
        .map(|entry| Folded::of(entry.entrant))
        .collect();
    let mut prices: Vec<RemainingPrice> = remaining
        .iter()
        .zip(&placed)
        .map(|(entry, section)| RemainingPrice {
            entry: entry.entry,
            total: section.and_then(|section| {
                price::amount(&regulation.fees, section, &view(regulation, entry))
            }),
            promotions: Vec::new(),
        })
        .collect();
    let words = &regulation.vocabulary;
    for promotion in &regulation.fees.promotions {
        let candidates = placed.iter().zip(&folded).enumerate();
        let candidates = candidates
            .filter(|(place, _)| words.place_of(remaining[*place].currency) == promotion.currency);
        let candidates: Vec<Candidate<'_>> = candidates
            .filter_map(|(place, (section, team))| {
                Some(Candidate {
                    section: (*section)?,
                    team: team.as_ref()?,
                    place: Place::Asked(place),
                })
            })
            .collect();
        for pair in promote::pairs(promotion, &candidates) {
            let Place::Asked(earlier) = pair.with else {
                continue;
            };
            let (Some(own), Some(other)) = (prices[pair.later].total, prices[earlier].total) else {
                continue;
            };
            let together = own.saturating_add(other);
            let amount = promotion.together.saturating_sub(together).clamp(-own, 0);
            if amount == 0 {
                continue;
            }
            prices[pair.later].total = Some(own + amount);
            for place in [pair.later, earlier] {
                prices[place].promotions.push(promotion.id.to_string());
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

fn place(regulation: &Regulation, entry: &Remaining<'_>) -> Option<usize> {
    match entry.section {
        Some(id) => regulation.section_position(id),
        None => admit::placement(regulation, entry.entrant, &view(regulation, entry)),
    }
}
