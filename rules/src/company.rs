//! How many there are of a group of entrants, and in an order, and in which place: those asked about with those that stand already.

use std::collections::BTreeMap;

use domain::{Entrant, QuoteRequest, fold_name};

use crate::regulation::Regulation;
use crate::terms::GroupedBy;
use crate::view::Vocabulary;

/// Who stands beside one of the entries asked about, and its place among them.
#[derive(Clone, Copy)]
pub(crate) struct Company {
    /// How many there are of its group; who is of none is alone.
    pub members: u32,
    /// Its place among them, from 1.
    pub place: u32,
    /// How many there are in its order.
    pub in_order: u32,
    /// Its place in it, from 1.
    pub place_in_order: u32,
}

impl Company {
    /// That of each entry of a question, in its order. Those that stand already came before it, but for such as are said to
    /// have come later.
    pub(crate) fn of(regulation: &Regulation, request: &QuoteRequest) -> Vec<Company> {
        let vocabulary = &regulation.vocabulary;
        let others = &request.others;
        let folded = |counts: &BTreeMap<String, u32>| {
            let mut folded: BTreeMap<String, u32> = BTreeMap::new();
            for (group, count) in counts {
                let sum = folded.entry(vocabulary.folded(group)).or_default();
                *sum = sum.saturating_add(*count);
            }
            folded
        };
        let (standing, later) = (folded(&others.by_group), folded(&others.later_by_group));
        let asked = request.entries.iter();
        let asked: Vec<Option<String>> = asked
            .map(|entry| vocabulary.group_of(&entry.entrant))
            .collect();
        let alike = |asked: &[Option<String>], group: &Option<String>| {
            let alike = asked
                .iter()
                .filter(|other| group.is_some() && *other == group);
            u32::try_from(alike.count()).unwrap_or(u32::MAX)
        };
        let of = |counts: &BTreeMap<String, u32>, group: &Option<String>| {
            let count = group.as_ref().and_then(|group| counts.get(group));
            count.copied().unwrap_or(0)
        };
        let before = others.in_order.saturating_sub(others.later_in_order);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let in_order = others.in_order.saturating_add(number(asked.len()));
        let one = |(index, group): (usize, &Option<String>)| {
            let standing = of(&standing, group);
            let before_it = standing.saturating_sub(of(&later, group));
            Company {
                members: standing.saturating_add(alike(&asked, group)).max(1),
                place: before_it
                    .saturating_add(alike(&asked[..index], group))
                    .saturating_add(1),
                in_order,
                place_in_order: before.saturating_add(number(index)).saturating_add(1),
            }
        };
        asked.iter().enumerate().map(one).collect()
    }
}

impl Vocabulary {
    /// The group that an entrant is of, where prices count its members.
    pub(crate) fn group_of(&self, entrant: &Entrant) -> Option<String> {
        let group = match (self.grouped_by?, entrant) {
            (GroupedBy::Club, Entrant::Player(player)) => player.club.as_deref()?,
            (GroupedBy::Federation, Entrant::Player(player)) => player.federation.as_str(),
            (GroupedBy::Institution, Entrant::Team(team)) => &team.institution,
            _ => return None,
        };
        let group = self.folded(group);
        (!group.is_empty()).then_some(group)
    }

    /// A group as it is compared.
    fn folded(&self, group: &str) -> String {
        match self.grouped_by {
            Some(GroupedBy::Federation) => group.to_owned(),
            _ => fold_name(group),
        }
    }
}
