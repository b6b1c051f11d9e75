//! Promotions over two entries. Which entries serve one is a matching that finds the most, not the first; each entry
//! serves a promotion once.

use domain::{Entrant, EntryId, FactName, Team, fold_name};

use crate::conditions::FactSet;
use crate::fees::Promotion;

/// What a promotion reads of a team.
pub(crate) const PROMOTED: FactSet =
    FactSet::of(FactName::Institution).union(FactSet::of(FactName::Roster));

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

/// An entry that a promotion may reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    /// Position of its section.
    pub section: usize,
    pub team: &'a Folded,
    pub place: Place,
}

/// Where an entry comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Position in the request.
    Asked(usize),
    /// It stands already; `served` where it has this promotion.
    Standing { entry: EntryId, served: bool },
}

/// Two entries that newly serve a promotion: the later one of the request, and the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub later: usize,
    pub with: Place,
}

/// The promotions that a request adds to those that stand. Its entries come in one after the other: each new one brings at
/// most one promotion more, and then it is at one end of the chain, so none is missed.
pub(crate) fn pairs(promotion: &Promotion, candidates: &[Candidate<'_>]) -> Vec<Pair> {
    let mut matching = Matching::of(promotion, candidates);
    matching.keep_served(candidates);
    let mut found = Vec::new();
    for (node, candidate) in candidates.iter().enumerate() {
        let Place::Asked(asked) = candidate.place else {
            continue;
        };
        let is_in = |other: usize| match candidates[other].place {
            Place::Asked(other) => other < asked,
            Place::Standing { .. } => true,
        };
        if let Some(end) = matching.augment(node, &is_in) {
            found.push(Pair {
                later: asked,
                with: candidates[end].place,
            });
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
    fn of(promotion: &Promotion, candidates: &[Candidate<'_>]) -> Matching {
        let joined = |a: &Candidate<'_>, b: &Candidate<'_>| {
            let sections = (a.section, b.section);
            let (first, second) = promotion.sections;
            (sections == (first, second) || sections == (second, first))
                && a.team.institution == b.team.institution
                && a.team.shares(b.team) >= promotion.shared
        };
        let neighbours = candidates
            .iter()
            .map(|candidate| {
                let others = candidates.iter().enumerate();
                others
                    .filter(|(_, other)| joined(candidate, other))
                    .map(|(place, _)| place)
                    .collect()
            })
            .collect();
        Matching {
            neighbours,
            partner: vec![None; candidates.len()],
            blocked: vec![false; candidates.len()],
        }
    }

    /// Pairs the entries that serve the promotion already among themselves.
    fn keep_served(&mut self, candidates: &[Candidate<'_>]) {
        let served: Vec<bool> = candidates
            .iter()
            .map(|candidate| matches!(candidate.place, Place::Standing { served: true, .. }))
            .collect();
        for node in 0..candidates.len() {
            if served[node] && self.partner[node].is_none() {
                self.augment(node, &|other| served[other]);
            }
        }
        for (node, served) in served.into_iter().enumerate() {
            self.blocked[node] = served && self.partner[node].is_none();
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
    use domain::Text;
    use proptest::prelude::*;

    use super::*;

    fn promotion() -> Promotion {
        Promotion {
            id: "both".into(),
            article: "".into(),
            text: Text::default(),
            sections: (0, 1),
            shared: 1,
            currency: 0,
            together: 0,
            line: 1,
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
        let candidates: Vec<Candidate<'_>> = order
            .iter()
            .enumerate()
            .map(|(number, at)| Candidate {
                section: teams[*at].0,
                team: &teams[*at].1,
                place: match number {
                    0..4 => Place::Standing {
                        entry: EntryId(i64::try_from(*at).unwrap()),
                        served: [1, 5].contains(at),
                    },
                    _ => Place::Asked(number - 4),
                },
            })
            .collect();
        let found = pairs(&promotion(), &candidates);
        assert_eq!(
            found.iter().map(|pair| pair.later).collect::<Vec<_>>(),
            [0, 1]
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
            let candidates = |served: &[bool]| -> Vec<Candidate<'_>> {
                let place = |number: usize| match served.get(number) {
                    Some(served) => Place::Standing { entry: EntryId(0), served: *served },
                    None => Place::Asked(number),
                };
                let all = teams.iter().enumerate();
                all.map(|(number, (section, team))| Candidate { section: *section, team, place: place(number) }).collect()
            };
            let before = {
                let asked = candidates(&[]);
                pairs(&promotion(), &asked[..standing])
            };
            prop_assert_eq!(before.len(), most(&edges(&teams[..standing]), &mut Vec::new()));
            let mut served = vec![false; standing];
            for pair in &before {
                served[pair.later] = true;
                let Place::Asked(other) = pair.with else { panic!("all were asked") };
                served[other] = true;
            }
            let added = pairs(&promotion(), &candidates(&served));
            prop_assert_eq!(before.len() + added.len(), most(&edges(&teams), &mut Vec::new()));
        }
    }
}
