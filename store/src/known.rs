//! What a batch has read ahead of its changes, and what they have made of it since: keys that were used, people who are
//! in, orders with all that hangs on them.

use std::collections::{BTreeMap, HashMap};

use domain::{OrderId, TournamentId};

use crate::folder::{self, Folder};
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
    /// The order that it changes.
    pub order: Option<OrderId>,
}

impl Ask {
    /// Of a tournament, and nothing more that could be said before.
    #[must_use]
    pub fn of(tournament: TournamentId) -> Ask {
        Ask {
            tournament,
            key: None,
            identities: Vec::new(),
            order: None,
        }
    }

    /// Of one order of a tournament.
    #[must_use]
    pub fn of_order(tournament: TournamentId, order: OrderId) -> Ask {
        Ask {
            order: Some(order),
            ..Ask::of(tournament)
        }
    }
}

#[derive(Default)]
pub(crate) struct Known {
    keys: HashMap<KeyScope, Option<Used>>,
    people: BTreeMap<String, bool>,
    folders: BTreeMap<OrderId, Folder>,
    /// What changes of the batch made of it, so that it can be taken back.
    steps: Vec<Step>,
}

/// Something that a change made of what is known.
enum Step {
    Key(KeyScope),
    Person(String, Option<bool>),
    Folder(OrderId),
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
        let orders: Vec<OrderId> = asks.iter().filter_map(|a| a.order).collect();
        self.folders = folder::find_all(conn, &orders)?;
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
        self.steps.push(Step::Key(scope.clone()));
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

    /// Whether somebody is in from now on.
    pub fn stands(&mut self, person: &str, live: bool) {
        let was = self.people.insert(person.to_owned(), live);
        self.steps.push(Step::Person(person.to_owned(), was));
    }

    /// An order that was read ahead, as the batch has left it.
    pub fn folder(&self, order: OrderId) -> Option<&Folder> {
        self.folders.get(&order)
    }

    pub fn read_folder(
        &mut self,
        conn: &mut Conn,
        order: OrderId,
    ) -> Result<Option<&Folder>, StoreError> {
        self.folders.extend(folder::find_all(conn, &[order])?);
        Ok(self.folders.get(&order))
    }

    /// Keeps what a change makes of an order, if the batch knows it.
    pub fn put(&mut self, order: OrderId, change: impl FnOnce(&mut Folder)) {
        if let Some(folder) = self.folders.get_mut(&order) {
            change(folder);
            self.steps.push(Step::Folder(order));
        }
    }

    /// What is in the database may be another after statements of a change's own; all that was made is written by then.
    pub fn forget(&mut self) {
        self.people.clear();
        self.folders.clear();
    }

    pub fn mark(&self) -> usize {
        self.steps.len()
    }

    /// Takes back what was made after a mark. An order that was changed is read anew by whoever asks for it.
    pub fn cut(&mut self, mark: usize) {
        for step in self.steps.drain(mark..).rev() {
            match step {
                Step::Key(scope) => drop(self.keys.insert(scope, None)),
                Step::Person(person, Some(live)) => drop(self.people.insert(person, live)),
                Step::Person(person, None) => drop(self.people.remove(&person)),
                Step::Folder(order) => drop(self.folders.remove(&order)),
            }
        }
    }
}
