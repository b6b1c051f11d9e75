//! What a batch has read ahead of its changes, and what they have added since: keys that were used, people who are in.

use std::collections::{BTreeMap, HashMap};

use domain::TournamentId;

use crate::guard::{Guard, under_lock};
use crate::idempotency::{self, KeyScope, Used};
use crate::{Conn, StoreError, entries};

/// What a change will ask of the database, said before it runs, so that one question serves a whole batch.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The tournament that it changes.
    pub tournament: TournamentId,
    /// Its idempotency key.
    pub key: Option<KeyScope>,
    /// Who must not be in already.
    pub identities: Vec<String>,
    /// Whether all that it writes can wait for the batch's end. If not, it finds everything before it written.
    pub folds: bool,
}

#[derive(Default)]
pub(crate) struct Known {
    keys: HashMap<KeyScope, Option<Used>>,
    people: BTreeMap<String, bool>,
    /// What changes of the batch added, so that it can be taken back.
    added: Vec<Added>,
}

enum Added {
    Key(KeyScope),
    Person(String),
}

impl Known {
    pub fn read_ahead(
        &mut self,
        conn: &mut Conn,
        tournament: &TournamentId,
        asks: &[&Ask],
    ) -> Result<(), StoreError> {
        let scopes: Vec<&KeyScope> = asks.iter().filter_map(|a| a.key.as_ref()).collect();
        if !scopes.is_empty() {
            for scope in &scopes {
                self.keys.insert((*scope).clone(), None);
            }
            let used = under_lock(Guard::Key, idempotency::find_all(conn, &scopes)?);
            for (place, used) in used {
                self.keys.insert(scopes[place].clone(), Some(used));
            }
        }
        let people: Vec<String> = asks.iter().flat_map(|a| &a.identities).cloned().collect();
        self.ask_for(conn, tournament, people)
    }

    fn ask_for(
        &mut self,
        conn: &mut Conn,
        tournament: &TournamentId,
        people: Vec<String>,
    ) -> Result<(), StoreError> {
        if people.is_empty() {
            return Ok(());
        }
        let live = entries::live_identities(conn, tournament, &people)?;
        let live = under_lock(Guard::Person, live);
        self.people
            .extend(people.into_iter().map(|person| (person, false)));
        self.people
            .extend(live.into_iter().map(|person| (person, true)));
        Ok(())
    }

    pub fn used(&mut self, conn: &mut Conn, scope: &KeyScope) -> Result<Option<Used>, StoreError> {
        match self.keys.get(scope) {
            Some(used) => Ok(used.clone()),
            None => idempotency::find(conn, scope),
        }
    }

    pub fn uses(&mut self, scope: &KeyScope, used: &Used) {
        self.keys.insert(scope.clone(), Some(used.clone()));
        self.added.push(Added::Key(scope.clone()));
    }

    pub fn live(
        &mut self,
        conn: &mut Conn,
        tournament: &TournamentId,
        people: &[String],
    ) -> Result<Vec<String>, StoreError> {
        let unknown = people.iter().filter(|p| !self.people.contains_key(*p));
        let unknown = unknown.cloned().collect();
        self.ask_for(conn, tournament, unknown)?;
        let live = people.iter().filter(|p| self.people.get(*p) == Some(&true));
        Ok(live.cloned().collect())
    }

    pub fn enters(&mut self, person: &str) {
        self.people.insert(person.to_owned(), true);
        self.added.push(Added::Person(person.to_owned()));
    }

    /// Who is in may be another after a change that did not fold; all that was added is written by then.
    pub fn forget_people(&mut self) {
        self.people.clear();
    }

    pub fn mark(&self) -> usize {
        self.added.len()
    }

    pub fn cut(&mut self, mark: usize) {
        for added in self.added.drain(mark..) {
            match added {
                Added::Key(scope) => drop(self.keys.insert(scope, None)),
                Added::Person(person) => drop(self.people.insert(person, false)),
            }
        }
    }
}
