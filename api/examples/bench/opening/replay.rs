//! The journal played again: who got a seat when, and whether there were ever more than there are.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Result;

/// An entry and where it stands.
struct Entry {
    form: u64,
    status: String,
    /// Where it stood at first.
    first: String,
}

/// What the rows so far come to.
pub struct Replay {
    seats: u64,
    last: u64,
    entries: BTreeMap<String, Entry>,
    /// Form numbers in the order in which their entries came.
    came: Vec<u64>,
    /// Form numbers in the order in which their entries got a seat.
    seated: Vec<u64>,
    held: u64,
    most_held: u64,
    expired: u64,
    gaps: usize,
}

impl Replay {
    /// Before the first row.
    pub fn of(seats: u64) -> Replay {
        Replay {
            seats,
            last: 0,
            entries: BTreeMap::new(),
            came: Vec::new(),
            seated: Vec::new(),
            held: 0,
            most_held: 0,
            expired: 0,
            gaps: 0,
        }
    }

    /// Plays the next row.
    pub fn row(&mut self, row: &Value) -> Result {
        let number = row["number"].as_u64().ok_or("a row without its number")?;
        self.gaps += usize::from(number != self.last + 1);
        self.last = number;
        let event = &row["event"];
        match text(event, "kind") {
            "order_registered" => {
                for entry in event["entries"].as_array().into_iter().flatten() {
                    let form = entry["form_number"].as_u64().ok_or("no form number")?;
                    let status = text(entry, "status");
                    self.came.push(form);
                    self.stands(form, status);
                    let known = Entry {
                        form,
                        status: status.to_owned(),
                        first: status.to_owned(),
                    };
                    self.entries.insert(text(entry, "entry").to_owned(), known);
                }
            }
            "entry_moved" => {
                let (from, to) = (text(event, "from"), text(event, "to"));
                let entry = self.entries.get_mut(text(event, "entry"));
                let entry = entry.filter(|entry| entry.status == from);
                let entry = entry.ok_or_else(|| format!("row {number}: {event}"))?;
                to.clone_into(&mut entry.status);
                let form = entry.form;
                self.held -= u64::from(from == "held");
                self.stands(form, to);
            }
            _ => {}
        }
        Ok(())
    }

    fn stands(&mut self, form: u64, status: &str) {
        match status {
            "held" => {
                self.held += 1;
                self.most_held = self.most_held.max(self.held);
                self.seated.push(form);
            }
            "expired" => self.expired += 1,
            _ => {}
        }
    }

    /// The number of the last row.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Numbers of rows that are not one more than the one before.
    pub fn gaps(&self) -> usize {
        self.gaps
    }

    /// How many holds have run out.
    pub fn expired(&self) -> u64 {
        self.expired
    }

    /// The most seats that were ever held at once.
    pub fn most_held(&self) -> u64 {
        self.most_held
    }

    /// How many seats are held, and how many should be: all of them, or one for each who still wants one.
    pub fn held(&self) -> (u64, u64) {
        let waiting = self.entries.values().filter(|e| e.status == "waitlisted");
        let want = self.held + waiting.count() as u64;
        (self.held, want.min(self.seats))
    }

    /// How many came with a number that is not the next one.
    pub fn out_of_order(&self) -> usize {
        misplaced(&self.came)
    }

    /// How many got a seat before somebody with a smaller number.
    pub fn seated_out_of_order(&self) -> usize {
        misplaced(&self.seated)
    }

    /// How each form number stood at first.
    pub fn first(&self) -> BTreeMap<u64, &str> {
        let entries = self.entries.values();
        entries.map(|e| (e.form, e.first.as_str())).collect()
    }
}

/// How many numbers are not where counting from one would have them.
fn misplaced(numbers: &[u64]) -> usize {
    (1..)
        .zip(numbers)
        .filter(|(n, number)| n != *number)
        .count()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
