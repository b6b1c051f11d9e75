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

/// The promotions that a request adds to those that stand.
pub(crate) fn pairs(promotion: &Promotion, candidates: &[Candidate<'_>]) -> Vec<Pair> {
    let mut matching = Matching::of(promotion, candidates);
    matching.keep_served(candidates);
    let mut found = Vec::new();
    for (node, candidate) in candidates.iter().enumerate() {
        let Place::Asked(asked) = candidate.place else {
            continue;
        };
        if matching.partner[node].is_some() {
            continue;
        }
        let Some(end) = matching.augment(node, &|_| true) else {
            continue;
        };
        found.push(match candidates[end].place {
            Place::Asked(other) if other > asked => Pair {
                later: other,
                with: Place::Asked(asked),
            },
            with => Pair { later: asked, with },
        });
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
