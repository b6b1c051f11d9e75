//! The state table in the docs is the table in the code. `UPDATE_DOCS=1` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use domain::{Cause, Status};

#[test]
fn the_table_in_the_docs_is_the_one_in_the_code() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/states.md");
    let table = table();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, &table).expect("docs/states.md can be written");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        written, table,
        "run `UPDATE_DOCS=1 cargo test -p domain` and read the change"
    );
}

fn table() -> String {
    let mut page = String::from(
        "# The states of an entry\n\n\
         Printed by a test from `domain/src/status.rs`; see there what each state and cause means. A row is where the entry\n\
         stands, a column why it moves, a cell where it goes. An empty cell is a move that is refused with `illegal-move`.\n\
         Every stored move is guarded by the state that was read: what another changed meanwhile is refused, not overwritten.\n\
         Where a regulation says `when_full = \"wait\"`, it is with their money that entries go from held to waitlisted; those that still\n\
         wait when play begins are ended in the organiser's name, and all of it goes back.\n\n",
    );
    let _ = write!(page, "| state | takes a seat |");
    for cause in Cause::ALL {
        let _ = write!(page, " {cause} |");
    }
    page.push_str("\n|---|---|");
    page.push_str(&"---|".repeat(Cause::ALL.len()));
    page.push('\n');
    for status in Status::ALL {
        let seat = match (status.takes_seat(false), status.takes_seat(true)) {
            (true, true) => "yes",
            (true, false) => "yes, but where the regulation orders by payment",
            _ => "no",
        };
        let _ = write!(page, "| **{status}** | {seat} |");
        for cause in Cause::ALL {
            let cell = status
                .after(cause)
                .map(|to| to.to_string())
                .unwrap_or_default();
            let _ = write!(page, " {cell} |");
        }
        page.push('\n');
    }
    page
}

/// The moves of the design's picture, and no other.
#[test]
fn the_moves_are_those_of_the_design() {
    let mut moves: Vec<(&str, &str)> = Vec::new();
    for from in Status::ALL {
        for to in Cause::ALL
            .into_iter()
            .filter_map(|cause| from.after(cause).ok())
        {
            moves.push((from.as_str(), to.as_str()));
        }
    }
    moves.sort_unstable();
    moves.dedup();
    let live = ["waitlisted", "held", "pending_approval", "confirmed"];
    let ends = ["cancelled_by_player", "cancelled_by_organiser", "rejected"];
    let mut expected: Vec<(&str, &str)> = live
        .iter()
        .flat_map(|l| ends.iter().map(|e| (*l, *e)))
        .collect();
    expected.extend([
        ("new", "held"),
        ("new", "waitlisted"),
        ("new", "pending_approval"),
        ("new", "confirmed"),
        ("waitlisted", "held"),
        ("waitlisted", "pending_approval"),
        ("waitlisted", "confirmed"),
        ("held", "confirmed"),
        ("held", "pending_approval"),
        ("held", "expired"),
        ("held", "waitlisted"),
        ("pending_approval", "confirmed"),
        ("pending_approval", "held"),
        ("expired", "confirmed"),
        ("expired", "pending_approval"),
        ("confirmed", "withdrawn"),
    ]);
    expected.sort_unstable();
    assert_eq!(moves, expected);
}
