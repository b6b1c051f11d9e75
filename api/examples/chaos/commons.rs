//! What clients know of each other: so that two of them act on one order, and race for the last use of one code.

use std::sync::{Mutex, PoisonError};

use rand::Rng;
use rand::rngs::StdRng;

use crate::command::Ticket;

/// What anybody may take up.
#[derive(Default)]
pub struct Commons {
    tickets: Mutex<Vec<Ticket>>,
    codes: Mutex<Vec<(&'static str, String)>>,
}

impl Commons {
    /// Lays an order open.
    pub fn show(&self, ticket: Ticket) {
        self.tickets
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(ticket);
    }

    /// Gives out a code of a tournament.
    pub fn give(&self, tournament: &'static str, code: String) {
        self.codes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((tournament, code));
    }

    /// One of the last orders.
    pub fn ticket(&self, random: &mut StdRng) -> Option<Ticket> {
        let tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        let place = late(tickets.len(), random)?;
        Some(tickets[place].clone())
    }

    /// One of the last codes.
    pub fn code(&self, random: &mut StdRng) -> Option<(&'static str, String)> {
        let codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let place = late(codes.len(), random)?;
        Some(codes[place].clone())
    }
}

/// One of the last few places.
fn late(length: usize, random: &mut StdRng) -> Option<usize> {
    (length > 0).then(|| random.random_range(length.saturating_sub(12)..length))
}
