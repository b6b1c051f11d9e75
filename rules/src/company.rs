//! How many there are of a group of entrants, and in an order: those asked about with those that stand already.

use std::collections::BTreeMap;

use domain::{Entrant, QuoteRequest, fold_name};

use crate::regulation::Regulation;
use crate::terms::GroupedBy;
use crate::view::Vocabulary;

/// The groups that entries asked about have, with how many there are of each.
pub(crate) struct Company<'r> {
    vocabulary: &'r Vocabulary,
    groups: BTreeMap<String, u32>,
    pub in_order: u32,
}

impl<'r> Company<'r> {
    pub(crate) fn of(regulation: &'r Regulation, request: &QuoteRequest) -> Company<'r> {
        let vocabulary = &regulation.vocabulary;
        let asked = u32::try_from(request.entries.len()).unwrap_or(u32::MAX);
        let mut groups = BTreeMap::new();
        if vocabulary.grouped_by.is_some() {
            let mut add = |group: String, more: u32| {
                let count: &mut u32 = groups.entry(group).or_default();
                *count = count.saturating_add(more);
            };
            for (group, standing) in &request.others.by_group {
                add(vocabulary.folded(group), *standing);
            }
            let asked = request.entries.iter();
            for group in asked.filter_map(|entry| vocabulary.group_of(&entry.entrant)) {
                add(group, 1);
            }
        }
        Company {
            vocabulary,
            groups,
            in_order: request.others.in_order.saturating_add(asked),
        }
    }

    /// How many there are of an entrant's group; who is of none is alone.
    pub(crate) fn members(&self, entrant: &Entrant) -> u32 {
        let group = self.vocabulary.group_of(entrant);
        group
            .and_then(|group| self.groups.get(&group).copied())
            .unwrap_or(1)
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
