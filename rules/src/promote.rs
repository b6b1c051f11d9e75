//! Promotions: prices for several entries together, of two teams of one institution or of one person. The line stands on the later
//! entry; what stands already keeps its price.

mod persons;
mod teams;

use domain::{EntryId, OrderId};

pub(crate) use self::persons::Person;
pub(crate) use self::teams::Folded;
use crate::conditions::{FactSet, View};
use crate::fees::{Fees, Promotion, Same};

/// An entry that promotions may reach.
#[derive(Clone, Debug)]
pub(crate) struct Entered<'a> {
    /// Position of its section.
    pub section: usize,
    pub place: Place,
    /// The order that it is in; none for that of the request.
    pub order: Option<OrderId>,
    pub team: Option<&'a Folded>,
    /// Nobody as long as the organiser has to place the entry.
    pub person: Option<Person>,
    /// Its facts; none where it stands already.
    pub view: Option<&'a View>,
    /// What it costs without what is found here, in minor units.
    pub price: i64,
    /// Promotions that it serves already, by their places in the file.
    pub serves: Vec<usize>,
}

/// Where an entry comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Position in the request.
    Asked(usize),
    /// It stands already.
    Standing(EntryId),
}

impl Place {
    /// Whether an entry of this place is in when one of that place comes.
    fn is_before(self, later: Place) -> bool {
        match (self, later) {
            (Place::Standing(_), _) => true,
            (Place::Asked(own), Place::Asked(later)) => own < later,
            (Place::Asked(_), Place::Standing(_)) => false,
        }
    }
}

/// What a promotion takes off entries that are asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reduction {
    /// Its place in the file.
    pub promotion: usize,
    /// The entries that serve it, the one that comes in last.
    pub entries: Vec<usize>,
    /// Off which of them, and how much: below zero.
    pub amounts: Vec<(usize, i64)>,
}

impl Reduction {
    /// All that it takes off.
    fn total(&self) -> i64 {
        self.amounts.iter().map(|(_, amount)| amount).sum()
    }
}

/// What promotions take off entries that are paid in one currency, in the order in which they are made.
pub(crate) fn reductions(fees: &Fees, currency: u8, entered: &[Entered<'_>]) -> Vec<Reduction> {
    let mut prices: Vec<i64> = entered.iter().map(|entry| entry.price).collect();
    let mut made = Vec::new();
    for (number, promotion) in fees.promotions.iter().enumerate() {
        let Same::Institution { shared, together } = promotion.same else {
            continue;
        };
        if !promotion.is_in(currency) {
            continue;
        }
        for pair in teams::pairs((number, promotion), shared, entered) {
            let (own, other) = (prices[pair.later], prices[pair.other]);
            let cost = own.saturating_add(other);
            let amount = together.saturating_sub(cost).clamp(-own, 0);
            if amount < 0 {
                prices[pair.later] += amount;
                made.push(Reduction {
                    promotion: number,
                    entries: vec![pair.other, pair.later],
                    amounts: vec![(pair.later, amount)],
                });
            }
        }
    }
    made.extend(persons::reductions(fees, currency, entered));
    made
}

/// Facts on the entrant's own word that a promotion stands on.
pub(crate) fn doubted(promotion: &Promotion, view: &View) -> FactSet {
    match &promotion.same {
        Same::Institution { .. } => view.declared().both(promotion.reads()),
        Same::Person { when, trust, .. } => persons::doubted(when, *trust, view),
    }
}
