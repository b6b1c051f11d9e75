//! Promotions over the entries of one person in several sections. Each entry comes in after the other and takes the one promotion
//! that makes it cheapest; a larger one takes in smaller ones that lie within it, and no entry serves two otherwise.

use domain::{Entrant, FactName, Federation, fold_name};
use jiff::civil::Date;

use super::{Entered, Place, Reduction};
use crate::conditions::{Condition, FactSet, Trust, View};
use crate::fees::{Fees, Off, Promotion, Same};
use crate::price;

/// A player as one is told from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Person {
    fide_id: Option<u32>,
    /// Folded.
    name: Option<String>,
    birth: Date,
    federation: Federation,
}

impl Person {
    pub(crate) fn of(entrant: &Entrant) -> Option<Person> {
        match entrant {
            Entrant::Player(player) => Some(Person {
                fide_id: player.fide_id,
                name: player.name.as_deref().map(fold_name),
                birth: player.birth_date,
                federation: player.federation.clone(),
            }),
            Entrant::Team(_) => None,
        }
    }

    /// The FIDE number tells where both give one; else the folded name with birth and federation.
    pub(crate) fn is(&self, other: &Person) -> bool {
        match (self.fide_id, other.fide_id) {
            (Some(own), Some(other)) => own == other,
            _ => {
                self.name.is_some()
                    && self.name == other.name
                    && self.birth == other.birth
                    && self.federation == other.federation
            }
        }
    }
}

impl Off {
    /// What is taken off entries of which the last one costs so much and the others so much.
    pub(crate) fn amount(self, last: i64, others: i64, unit: i64) -> i64 {
        match self {
            Off::Together(sum) => sum.saturating_sub(last.saturating_add(others)).min(0),
            Off::Last(change) => price::delta(change, last, unit).clamp(-last, 0),
        }
    }
}

/// What promotions take off the entries of persons.
pub(super) fn reductions(fees: &Fees, currency: u8, entered: &[Entered<'_>]) -> Vec<Reduction> {
    let of_persons = |promotion: &Promotion| matches!(promotion.same, Same::Person { .. });
    if !fees.promotions.iter().any(of_persons) {
        return Vec::new();
    }
    let mut running = Running {
        fees,
        currency,
        entered,
        prices: entered.iter().map(|entry| entry.price).collect(),
        serves: entered.iter().map(|entry| entry.serves.clone()).collect(),
    };
    let mut made = Vec::new();
    for (later, entry) in entered.iter().enumerate() {
        if let (Place::Asked(_), Some(view)) = (entry.place, entry.view)
            && let Some(best) = running.best(later, view)
        {
            for (place, amount) in &best.amounts {
                running.prices[*place] += amount;
            }
            for place in &best.entries {
                running.serves[*place].push(best.promotion);
            }
            made.push(best);
        }
    }
    made
}

/// Entries, some of which have come in.
struct Running<'e> {
    fees: &'e Fees,
    currency: u8,
    entered: &'e [Entered<'e>],
    prices: Vec<i64>,
    /// Promotions that each entry serves, by their places in the file.
    serves: Vec<Vec<usize>>,
}

impl Running<'_> {
    /// What makes an entry that comes in cheapest; of equals the first of the file.
    fn best(&self, later: usize, view: &View) -> Option<Reduction> {
        let own = &self.entered[later];
        let others = self.entered.iter().enumerate();
        let others = others.filter(|(_, other)| other.place.is_before(own.place));
        let person = own.person.as_ref()?;
        let same = others.filter(|(_, other)| other.person.as_ref().is_some_and(|p| p.is(person)));
        let same: Vec<usize> = same.map(|(place, _)| place).collect();
        let promotions = self.fees.promotions.iter().enumerate();
        let possible = promotions.filter_map(|(number, promotion)| {
            let off = self.for_one(promotion, view)?;
            let mut entries = self.others(promotion, own.section, &same)?;
            let others = entries.iter().map(|other| self.prices[*other]);
            let others = others.fold(0, i64::saturating_add);
            let unit = self.fees.unit.of(self.currency);
            let amount = off.amount(self.prices[later], others, unit);
            entries.push(later);
            Some(Reduction {
                promotion: number,
                amounts: self.spread(&entries, amount),
                entries,
            })
        });
        let helping = possible.filter(|reduction| reduction.total() < 0);
        helping.min_by_key(Reduction::total)
    }

    /// Takes so much off the last entry and, what is more than it costs, off those before it that are of its order.
    fn spread(&self, entries: &[usize], amount: i64) -> Vec<(usize, i64)> {
        let order = entries.last().and_then(|last| self.entered[*last].order);
        let in_order = entries.iter().rev().filter(|place| {
            let entry = &self.entered[**place];
            matches!(entry.place, Place::Asked(_)) && entry.order == order
        });
        let mut left = amount;
        let spread = in_order.map(|place| {
            let taken = left.max(-self.prices[*place]);
            left -= taken;
            (*place, taken)
        });
        spread.filter(|(_, taken)| *taken < 0).collect()
    }

    /// What a promotion takes off somebody with these facts, if it is for them.
    fn for_one(&self, promotion: &Promotion, view: &View) -> Option<Off> {
        match &promotion.same {
            Same::Person { when, trust, off } => {
                let is_for =
                    promotion.is_in(self.currency) && when.holds(view, *trust) == Some(true);
                is_for.then_some(*off)
            }
            Same::Institution { .. } => None,
        }
    }

    /// Of this person one entry in each of the other sections; nothing where one is missing.
    fn others(&self, promotion: &Promotion, own: usize, same: &[usize]) -> Option<Vec<usize>> {
        let sections = &promotion.sections;
        if !sections.contains(&own) {
            return None;
        }
        let others = sections.iter().filter(|section| **section != own);
        let found = others.map(|section| {
            let mut there = same.iter().copied();
            there.find(|place| {
                self.entered[*place].section == *section && self.is_free(*place, sections)
            })
        });
        let mut found = found.collect::<Option<Vec<usize>>>()?;
        found.sort_unstable();
        Some(found)
    }

    /// Whether an entry serves no promotion but such as lie within these sections.
    fn is_free(&self, place: usize, sections: &[usize]) -> bool {
        let mut serves = self.serves[place].iter();
        serves.all(|number| {
            let within = &self.fees.promotions[*number].sections;
            within.iter().all(|section| sections.contains(section))
        })
    }
}

/// Facts on the entrant's own word without which a condition would not be known to hold. Where two grounds hide each other,
/// so that neither alone makes a difference, both are told.
pub(super) fn doubted(when: &Condition, trust: Trust, view: &View) -> FactSet {
    let own_word = FactSet::of(FactName::Invited).union(FactSet::of(FactName::AgreedPrice));
    let doubted = view.declared().both(when.reads()).without(own_word);
    let holds_without = |facts: FactSet| {
        let mut view = *view;
        view.known[0] = view.known[0].without(facts);
        when.holds(&view, trust) == Some(true)
    };
    if holds_without(doubted) {
        return FactSet::EMPTY;
    }
    let alone = doubted.names().map(FactSet::of);
    let needed = alone.filter(|fact| !holds_without(*fact));
    let needed = needed.fold(FactSet::EMPTY, FactSet::union);
    if needed.is_empty() { doubted } else { needed }
}

#[cfg(test)]
mod tests {
    use domain::{EntryId, OrderId, Text, UtcTime};
    use proptest::prelude::*;

    use super::*;
    use crate::fees::{Change, Choice};
    use crate::sums::Sums;

    const SECTIONS: usize = 4;

    fn promotion(bits: u8, off: Off) -> Promotion {
        Promotion {
            id: "package".into(),
            article: "".into(),
            text: Text::default(),
            sections: (0..SECTIONS).filter(|s| bits & 1 << s != 0).collect(),
            currency: None,
            same: Same::Person {
                when: Condition::ALWAYS,
                trust: Trust::Declared,
                off,
            },
            line: 1,
        }
    }

    fn fees(promotions: Vec<Promotion>) -> Fees {
        Fees {
            choose: Choice::Lowest,
            unit: Sums::of_each(1),
            rows: Vec::new(),
            stages: Vec::new(),
            promotions,
        }
    }

    fn entered(at: usize, (section, who): (usize, usize), price: i64, view: &View) -> Entered<'_> {
        Entered {
            section,
            place: Place::Asked(at),
            order: None,
            team: None,
            person: Some(Person {
                fide_id: None,
                name: Some(who.to_string()),
                birth: Date::constant(2000, 1, 1),
                federation: "ESP".parse().unwrap(),
            }),
            view: Some(view),
            price,
            serves: Vec::new(),
        }
    }

    /// What is taken off each entry, found by trying every set of entries that an entry which comes in may make up.
    fn by_trying(fees: &Fees, entered: &[Entered<'_>]) -> Vec<i64> {
        let mut prices: Vec<i64> = entered.iter().map(|entry| entry.price).collect();
        let mut made: Vec<u32> = Vec::new();
        for later in 0..entered.len() {
            let own = &entered[later];
            let mut best: Option<(i64, u32)> = None;
            for promotion in &fees.promotions {
                for before in 0..1u32 << later {
                    let set = before | 1 << later;
                    let of_set = || (0..=later).filter(|place| set & 1 << place != 0);
                    let mut sections: Vec<usize> = of_set().map(|p| entered[p].section).collect();
                    sections.sort_unstable();
                    let is_whole = sections == promotion.sections
                        && of_set().all(|place| entered[place].person == own.person)
                        && made
                            .iter()
                            .all(|other| other & set == 0 || other & !set == 0);
                    if !is_whole {
                        continue;
                    }
                    let Same::Person { off, .. } = promotion.same else {
                        continue;
                    };
                    let cost: i64 = of_set().map(|place| prices[place]).sum();
                    let wanted = match off {
                        Off::Together(sum) => cost - sum,
                        Off::Last(Change::Amount(amount)) => (-amount).min(prices[later]),
                        Off::Last(Change::Share(_)) => (prices[later] + 1) / 2,
                    };
                    let in_order = of_set().filter(|place| entered[*place].order == own.order);
                    let taken = wanted.min(in_order.map(|place| prices[place]).sum());
                    if taken > best.map_or(0, |(most, _)| most) {
                        best = Some((taken, set));
                    }
                }
            }
            if let Some((mut taken, set)) = best {
                made.push(set);
                for place in (0..=later).rev().filter(|place| set & 1 << place != 0) {
                    if entered[place].order == own.order {
                        let part = taken.min(prices[place]);
                        prices[place] -= part;
                        taken -= part;
                    }
                }
            }
        }
        prices
    }

    fn priced(fees: &Fees, entered: &[Entered<'_>]) -> (Vec<i64>, Vec<Vec<usize>>) {
        let mut prices: Vec<i64> = entered.iter().map(|entry| entry.price).collect();
        let mut serves: Vec<Vec<usize>> = entered.iter().map(|e| e.serves.clone()).collect();
        for reduction in reductions(fees, 0, entered) {
            for (place, amount) in reduction.amounts {
                prices[place] += amount;
            }
            for place in reduction.entries {
                serves[place].push(reduction.promotion);
            }
        }
        (prices, serves)
    }

    fn off() -> impl Strategy<Value = Off> {
        prop_oneof![
            (0..150i64).prop_map(Off::Together),
            (-30..0i64).prop_map(|amount| Off::Last(Change::Amount(amount))),
            Just(Off::Last(Change::Share(-5_000))),
        ]
    }

    /// Two players in some of the sections, in any order.
    fn entries() -> impl Strategy<Value = Vec<(usize, usize)>> {
        let all: Vec<(usize, usize)> = (0..SECTIONS).flat_map(|s| [(s, 0), (s, 1)]).collect();
        prop::sample::subsequence(all, 0..=2 * SECTIONS).prop_shuffle()
    }

    proptest! {
        #[test]
        fn what_is_taken_off_is_what_trying_every_set_finds(
            packages in prop::collection::vec((0..16u8, off()), 0..7),
            entries in entries(),
            prices in prop::collection::vec(0..60i64, 2 * SECTIONS),
            orders in prop::collection::vec(0..3i64, 2 * SECTIONS),
        ) {
            let packages = packages.into_iter().filter(|(bits, _)| bits.count_ones() > 1);
            let fees = fees(packages.map(|(bits, off)| promotion(bits, off)).collect());
            let view = View::nobody(UtcTime::from_micros(0));
            let of = |(at, entry): (usize, &(usize, usize))| Entered {
                order: Some(OrderId(orders[at])),
                ..entered(at, *entry, prices[at], &view)
            };
            let entered: Vec<Entered<'_>> = entries.iter().enumerate().map(of).collect();
            let (found, _) = priced(&fees, &entered);
            prop_assert!(found.iter().all(|price| *price >= 0));
            prop_assert_eq!(found, by_trying(&fees, &entered));
        }

        #[test]
        fn one_order_after_the_other_costs_what_both_cost_as_orders_of_their_own(
            packages in prop::collection::vec((0..16u8, off()), 0..7),
            entries in entries(),
            prices in prop::collection::vec(0..60i64, 2 * SECTIONS),
            first in 0..2 * SECTIONS,
        ) {
            let packages = packages.into_iter().filter(|(bits, _)| bits.count_ones() > 1);
            let fees = fees(packages.map(|(bits, off)| promotion(bits, off)).collect());
            let view = View::nobody(UtcTime::from_micros(0));
            let of = |(at, entry): (usize, &(usize, usize))| Entered {
                order: Some(OrderId(i64::from(at >= first))),
                ..entered(at, *entry, prices[at], &view)
            };
            let entered: Vec<Entered<'_>> = entries.iter().enumerate().map(of).collect();
            let (all, _) = priced(&fees, &entered);
            let first = first.min(entered.len());
            let (there, serves) = priced(&fees, &entered[..first]);
            let stands = |place: usize| Entered {
                place: Place::Standing(EntryId(0)),
                price: there[place],
                serves: serves[place].clone(),
                ..entered[place].clone()
            };
            let asked = entered[first..].iter().map(|entry| Entered { order: None, ..entry.clone() });
            let later: Vec<Entered<'_>> = asked.chain((0..first).map(stands)).collect();
            let (later, _) = priced(&fees, &later);
            prop_assert_eq!(&all[..first], &there[..]);
            prop_assert_eq!(&all[first..], &later[..entered.len() - first]);
        }
    }
}
