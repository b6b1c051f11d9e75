//! The tour's table: a line for each step as soon as it is done.

use serde_json::json;

use crate::say;

/// One step of the tour.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub door: &'static str,
    pub what: String,
    pub expected: String,
    pub got: String,
    pub right: bool,
}

const DOOR: usize = 5;
const WHAT: usize = 54;
const EXPECTED: usize = 40;

/// Prints the steps.
pub(super) struct Table {
    json: bool,
}

impl Table {
    pub(super) fn new(json: bool) -> Table {
        Table { json }
    }

    pub(super) fn heading(&self, tournament: &str, name: &str) {
        if self.json {
            say!("{}", json!({ "tournament": tournament }));
            return;
        }
        say!("\n{name}\n");
        say!(
            "{:<DOOR$} {:<WHAT$} {:<EXPECTED$} got",
            "door",
            "step",
            "expected"
        );
        say!(
            "{:-<DOOR$} {:-<WHAT$} {:-<EXPECTED$} {:-<EXPECTED$}",
            "",
            "",
            "",
            ""
        );
    }

    pub(super) fn step(&self, step: &Step) {
        if self.json {
            say!(
                "{}",
                json!({
                    "door": step.door, "step": step.what, "expected": step.expected, "got": step.got, "ok": step.right,
                })
            );
            return;
        }
        let verdict = if step.right { "ok" } else { "WRONG" };
        say!(
            "{:<DOOR$} {:<WHAT$} {:<EXPECTED$} {:<EXPECTED$} {verdict}",
            step.door,
            step.what,
            step.expected,
            step.got
        );
    }

    pub(super) fn end(&self, steps: usize, wrong: usize, seconds: u64) {
        if self.json {
            say!(
                "{}",
                json!({ "steps": steps, "wrong": wrong, "seconds": seconds })
            );
        } else if wrong == 0 {
            say!("\n{steps} steps, all right, in {seconds} seconds.");
        } else {
            say!("\n{steps} steps, {wrong} WRONG, in {seconds} seconds.");
        }
    }
}
