//! Promotions over two teams of one institution. Which entries serve one is a matching that finds the most, not the first;
//! each entry serves a promotion once.

use domain::{Entrant, Team, fold_name};

use super::{Entered, Place};
use crate::fees::Promotion;

/// A team as it is compared with others.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    pub institution: String,
    pub pupils: Vec<String>,
}

impl Folded {
    pub(crate) fn of(entrant: &Entrant) -> Option<Folded> {
        match entrant {
            Entrant::Team(team) => Some(Folded::of_team(team)),
            Entrant::Player(_) => None,
        }
    }

    pub(crate) fn of_team(team: &Team) -> Folded {
        let pupils = team.roster.iter().map(|pupil| fold_name(&pupil.name));
        Folded {
            institution: fold_name(&team.institution),
            pupils: pupils.collect(),
        }
    }

    fn shares(&self, other: &Folded) -> usize {
        let named = self.pupils.iter().filter(|pupil| !pupil.is_empty());
        named.filter(|pupil| other.pupils.contains(pupil)).count()
    }
}

/// Two entries that newly serve a promotion, by their places: the later one, which is asked about, and the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub later: usize,
    pub other: usize,
}

/// The pairs that a request adds to those that stand for the promotion at this place of the file. Its entries come in one after
/// the other: each new one brings at most one pair more, and then it is at one end of the chain, so none is missed.
pub(super) fn pairs(
    (number, promotion): (usize, &Promotion),
    shared: usize,
    entered: &[Entered<'_>],
) -> Vec<Pair> {
    let mut matching = Matching::of(&promotion.sections, shared, entered);
    let serves = entered.iter().map(|entry| entry.serves.contains(&number));
    matching.keep_served(&serves.collect::<Vec<bool>>());
    let mut found = Vec::new();
    for (later, entry) in entered.iter().enumerate() {
        let is_in = |other: usize| entered[other].place.is_before(entry.place);
        if matches!(entry.place, Place::Asked(_))
            && let Some(other) = matching.augment(later, &is_in)
        {
            found.push(Pair { later, other });
        }
    }
    found
}

struct Matching {
    neighbours: Vec<Vec<usize>>,
    partner: Vec<Option<usize>>,
    /// Serves the promotion with an entry that is not here: out of reach.
    blocked: Vec<bool>,
}

impl Matching {
    fn of(sections: &[usize], shared: usize, entered: &[Entered<'_>]) -> Matching {
        let joined = |one: &Entered<'_>, other: &Entered<'_>| {
            let (Some(team), Some(other_team)) = (one.team, other.team) else {
                return false;
            };
            one.section != other.section
                && sections.contains(&one.section)
                && sections.contains(&other.section)
                && team.institution == other_team.institution
                && team.shares(other_team) >= shared
        };
        let neighbours = entered.iter().map(|entry| {
            let others = entered.iter().enumerate();
            let others = others.filter(|(_, other)| joined(entry, other));
            others.map(|(place, _)| place).collect()
        });
        Matching {
            neighbours: neighbours.collect(),
            partner: vec![None; entered.len()],
            blocked: vec![false; entered.len()],
        }
    }

    /// Pairs the entries that serve the promotion already among themselves.
    fn keep_served(&mut self, served: &[bool]) {
        for node in 0..served.len() {
            if served[node] && self.partner[node].is_none() {
                self.augment(node, &|other| served[other]);
            }
        }
        for (node, served) in served.iter().enumerate() {
            self.blocked[node] = *served && self.partner[node].is_none();
        }
    }

    /// Finds a chain from an unpaired entry to another unpaired one and pairs along it; the other end, if there is one.
    fn augment(&mut self, node: usize, allowed: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mut seen = self.blocked.clone();
        self.search(node, allowed, &mut seen)
    }

    fn search(
        &mut self,
        node: usize,
        allowed: &dyn Fn(usize) -> bool,
        seen: &mut [bool],
    ) -> Option<usize> {
        for place in 0..self.neighbours[node].len() {
            let other = self.neighbours[node][place];
            if seen[other] || !allowed(other) {
                continue;
            }
            seen[other] = true;
            let end = match self.partner[other] {
                None => Some(other),
                Some(theirs) => self.search(theirs, allowed, seen),
            };
            if end.is_some() {
                self.partner[node] = Some(other);
                self.partner[other] = Some(node);
                return end;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use domain::{EntryId, Text};
    use proptest::prelude::*;

    use super::*;
    use crate::fees::Same;

    fn promotion() -> Promotion {
        Promotion {
            id: "both".into(),
            article: "".into(),
            text: Text::default(),
            sections: vec![0, 1],
            currency: Some(0),
            same: Same::Institution {
                shared: 1,
                together: 0,
            },
            line: 1,
        }
    }

    fn found(entered: &[Entered<'_>]) -> Vec<Pair> {
        pairs((0, &promotion()), 1, entered)
    }

    /// A team that serves the promotion where it stands and does.
    fn entered<'a>(
        (section, team): &'a (usize, Folded),
        place: Place,
        served: bool,
    ) -> Entered<'a> {
        Entered {
            section: *section,
            place,
            order: None,
            team: Some(team),
            person: None,
            view: None,
            price: 0,
            serves: if served { vec![0] } else { Vec::new() },
        }
    }

    /// The most pairs that there can be, found by trying everything.
    fn most(edges: &[(usize, usize)], used: &mut Vec<(usize, usize)>) -> usize {
        let Some((first, rest)) = edges.split_first() else {
            return used.len();
        };
        let without = most(rest, used);
        if used.iter().any(|(a, b)| *a == first.0 || *b == first.1) {
            return without;
        }
        used.push(*first);
        let with = most(rest, used);
        used.pop();
        with.max(without)
    }

    /// Teams of section 0 hold one pupil each; teams of section 1 hold those of the teams they are joined with.
    fn teams(lefts: usize, joined: &[Vec<usize>]) -> Vec<(usize, Folded)> {
        let team = |pupils: Vec<String>| Folded {
            institution: "x".to_owned(),
            pupils,
        };
        let left = (0..lefts).map(|left| (0, team(vec![left.to_string()])));
        let right = joined.iter().map(|lefts| {
            let pupils = lefts.iter().map(ToString::to_string);
            (1, team(pupils.collect()))
        });
        left.chain(right).collect()
    }

    #[test]
    fn two_that_stand_without_a_partner_get_one_each() {
        let teams = teams(4, &[vec![0], vec![0, 1], vec![3, 1]]);
        // Left 1 and right 1 serve it already; right 2 comes before left 0.
        let order = [1, 3, 5, 4, 6, 0, 2];
        let all = order.iter().enumerate().map(|(number, at)| match number {
            0..4 => {
                let place = Place::Standing(EntryId(i64::try_from(*at).unwrap()));
                entered(&teams[*at], place, [1, 5].contains(at))
            }
            _ => entered(&teams[*at], Place::Asked(number), false),
        });
        let later = found(&all.collect::<Vec<_>>());
        assert_eq!(
            later.iter().map(|pair| pair.later).collect::<Vec<_>>(),
            [4, 5]
        );
    }

    proptest! {
        #[test]
        fn as_many_pairs_are_found_as_there_can_be(
            lefts in 1..5usize,
            joined in prop::collection::vec(prop::collection::vec(0..5usize, 0..4), 0..5),
            order in prop::collection::vec(any::<u32>(), 10),
            standing in 0..10usize,
        ) {
            let joined: Vec<Vec<usize>> = joined
                .into_iter()
                .map(|names| names.into_iter().filter(|left| *left < lefts).collect())
                .collect();
            let mut teams = teams(lefts, &joined);
            let mut keys = order.iter().cycle();
            teams.sort_by_cached_key(|_| *keys.next().unwrap());
            let edges = |among: &[(usize, Folded)]| -> Vec<(usize, usize)> {
                let all = || among.iter().enumerate();
                all()
                    .flat_map(|(a, one)| all().map(move |(b, other)| (a, one, b, other)))
                    .filter(|(_, one, _, other)| one.0 == 0 && other.0 == 1 && one.1.shares(&other.1) > 0)
                    .map(|(a, _, b, _)| (a, b))
                    .collect()
            };
            // The first ones stand already, paired as they came.
            let standing = standing.min(teams.len());
            let all = |served: &[bool]| -> Vec<Entered<'_>> {
                let all = teams.iter().enumerate();
                all.map(|(number, team)| match served.get(number) {
                    Some(served) => entered(team, Place::Standing(EntryId(0)), *served),
                    None => entered(team, Place::Asked(number), false),
                })
                .collect()
            };
            let before = found(&all(&[])[..standing]);
            prop_assert_eq!(before.len(), most(&edges(&teams[..standing]), &mut Vec::new()));
            let mut served = vec![false; standing];
            for pair in &before {
                served[pair.later] = true;
                served[pair.other] = true;
            }
            let added = found(&all(&served));
            prop_assert_eq!(before.len() + added.len(), most(&edges(&teams), &mut Vec::new()));
        }
    }
}
