//! The same entrant twice, and the same pupil in two teams.

use domain::{Entrant, EntryRequest, QuoteRequest, Standing, fold_name};

use crate::admit::{Found, Path, Seen};
use crate::promote::{Folded, Person};
use crate::terms::IdentityScope;

impl Found<'_> {
    /// The same entrant, and the same pupil, twice.
    pub(crate) fn twice(&mut self, request: &QuoteRequest, seen: &[Seen]) {
        let standing: Vec<Option<Folded>> = request
            .standing
            .iter()
            .map(|entry| Folded::of(&entry.entrant))
            .collect();
        for (place, (entry, own)) in request.entries.iter().zip(seen).enumerate() {
            let path = Path::of(place, &entry.entrant);
            let earlier = &request.entries[..place];
            let again = earlier.iter().any(|other| self.repeats(entry, other))
                || request
                    .standing
                    .iter()
                    .any(|other| self.repeats(entry, &as_request(other)));
            if again {
                self.fixed("already_entered", path.to_string());
            }
            let Some(folded) = &own.folded else { continue };
            let here = earlier
                .iter()
                .zip(seen)
                .map(|(other, seen)| (&other.section, &seen.folded));
            let there = request.standing.iter().zip(&standing);
            let rivals: Vec<&Folded> = here
                .chain(there.map(|(other, folded)| (&other.section, folded)))
                .filter(|(section, _)| **section == entry.section)
                .filter_map(|(_, folded)| folded.as_ref())
                .filter(|other| other.institution == folded.institution)
                .collect();
            self.pupils(path, folded, &rivals);
        }
    }

    fn pupils(&mut self, path: Path, folded: &Folded, rivals: &[&Folded]) {
        for (place, pupil) in folded.pupils.iter().enumerate() {
            let twice = folded.pupils[..place].contains(pupil)
                || rivals.iter().any(|team| team.pupils.contains(pupil));
            if twice && !pupil.is_empty() {
                self.fixed("same_pupil_twice", format!("{path}.roster[{place}].name"));
            }
        }
    }

    fn repeats(&self, entry: &EntryRequest, other: &EntryRequest) -> bool {
        let within_scope = match self.regulation.entry.identity {
            IdentityScope::Tournament => true,
            IdentityScope::Section => entry.section == other.section,
        };
        within_scope && same_entrant(&entry.entrant, &other.entrant)
    }
}

fn as_request(standing: &Standing) -> EntryRequest {
    EntryRequest {
        section: standing.section.clone(),
        entrant: standing.entrant.clone(),
    }
}

/// Players by what tells persons apart, teams by institution and name.
fn same_entrant(one: &Entrant, other: &Entrant) -> bool {
    match (one, other) {
        (Entrant::Team(one), Entrant::Team(other)) => {
            fold_name(&one.name) == fold_name(&other.name)
                && fold_name(&one.institution) == fold_name(&other.institution)
        }
        _ => Person::of(one)
            .zip(Person::of(other))
            .is_some_and(|(one, other)| one.is(&other)),
    }
}
