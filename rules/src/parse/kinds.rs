//! Facts that only players have, or only teams: a condition about them is of sections where such enter.

use domain::FactName;
use toml::de::DeValue;

use super::prices::Prices;
use super::reader::Item;
use crate::conditions::{Condition, FactSet};
use crate::terms::EntrantKind;
use crate::walk::ground::fixed;

impl Prices<'_> {
    /// A sum for all sections is meant for those whose entrants have the facts that its row reads; one that names a section has to
    /// be.
    pub(super) fn meant<T>(
        &self,
        item: &Item<'_, '_>,
        when: &Condition,
        values: &mut [Option<T>],
    ) -> Option<()> {
        let named = matches!(item.value(), DeValue::Table(_));
        let mut strange = None;
        for (section, value) in values.iter_mut().enumerate() {
            let Some(fact) = self.strange(section, &[when]).filter(|_| value.is_some()) else {
                continue;
            };
            if named {
                return item.refuse(&self.told(fact, section));
            }
            strange = Some((fact, section));
            *value = None;
        }
        match strange {
            Some((fact, section)) if values.iter().all(Option::is_none) => {
                item.refuse(&self.told(fact, section))
            }
            _ => Some(()),
        }
    }

    /// The sections that a condition of entry is for: those that it names, else all whose entrants have the facts.
    pub(super) fn entered(
        &self,
        item: &Item<'_, '_>,
        named: Vec<usize>,
        conditions: &[&Condition],
    ) -> Option<Vec<usize>> {
        let all = 0..self.sections.ids.len();
        let strange = |section: &usize| self.strange(*section, conditions);
        let asked: Vec<usize> = if named.is_empty() {
            all.clone().collect()
        } else {
            named.clone()
        };
        let fits: Vec<usize> = asked
            .iter()
            .copied()
            .filter(|place| strange(place).is_none())
            .collect();
        let wrong = asked
            .iter()
            .find_map(|place| Some((strange(place)?, *place)));
        match wrong {
            None => Some(named),
            Some(_) if named.is_empty() && !fits.is_empty() => Some(fits),
            Some((fact, section)) => item.refuse(&self.told(fact, section)),
        }
    }

    /// A fact that these conditions read and nobody of a section has. What the organiser gives, an invitation or a price, may
    /// be asked of everybody: a team has none.
    fn strange(&self, section: usize, conditions: &[&Condition]) -> Option<FactName> {
        let given = FactSet::of(FactName::Invited).union(FactSet::of(FactName::AgreedPrice));
        let none_has = fixed(self.sections.kinds[section]).without(given);
        let reads = conditions.iter();
        let reads = reads.fold(FactSet::EMPTY, |all, one| all.union(one.reads()));
        reads.both(none_has).names().next()
    }

    fn told(&self, fact: FactName, section: usize) -> String {
        let (of, enters) = match self.sections.kinds[section] {
            EntrantKind::Player => ("teams", "players"),
            EntrantKind::Team => ("players", "teams"),
        };
        let (fact, id) = (fact.as_str(), &self.sections.ids[section]);
        format!(
            "`{fact}` is a fact of {of}, and {enters} enter section {id}: name the sections that are meant"
        )
    }
}
