//! What messages call a field where JSON bodies say otherwise. Both doors are read by the same code, which names fields as
//! bodies do (`payer.consents`); a caller here hears the field of the message that was sent (`consents`).

use domain::Problem;

/// How a path begins in a body, and in a message; `[]` stands for a place in a list.
type Row = (&'static str, &'static str);

/// In every message.
const ANY: &[Row] = &[
    ("payer.consents", "consents"),
    ("received", "amount"),
    ("requests", "byes"),
    ("slip.method", "method"),
    ("standing[].entrant", "standing[].entrant.entrant"),
    ("standing[].team", "standing[].entrant.team"),
    ("value", "corrected"),
];

/// In an order, whose entries come each with a code beside.
const ORDER: &[Row] = &[
    ("entries[].entrant", "entries[].entry.entrant"),
    ("entries[].section", "entries[].entry.section"),
    ("entries[].team", "entries[].entry.team"),
];

/// In a question, whose codes stand beside its entries.
const QUESTION: &[Row] = &[("entries[].code", "codes[]")];

/// Objects of a body that are lists in a message, where no key names an item.
const LISTS: [&str; 2] = [".answers", ".grades"];

/// The same problem with fields as any message names them.
pub fn of_any(problem: Problem) -> Problem {
    renamed(problem, ANY)
}

/// The same problem with fields as an order names them.
pub fn of_order(problem: Problem) -> Problem {
    renamed(problem, ORDER)
}

/// The same problem with fields as a question names them.
pub fn of_question(problem: Problem) -> Problem {
    renamed(problem, QUESTION)
}

/// What any message calls a field.
pub fn field(path: &str) -> String {
    in_message(path, ANY)
}

fn renamed(mut problem: Problem, table: &[Row]) -> Problem {
    for fault in &mut problem.fields {
        fault.field = in_message(&fault.field, table);
    }
    problem
}

fn in_message(path: &str, table: &[Row]) -> String {
    let list = LISTS
        .iter()
        .find_map(|list| Some(path.find(list)? + list.len()));
    let path = list.and_then(|end| path.get(..end)).unwrap_or(path);
    let other = table.iter().find_map(|(body, message)| {
        let (place, rest) = after(path, body)?;
        Some(message.replacen("[]", place, 1) + rest)
    });
    other.unwrap_or_else(|| path.to_owned())
}

/// The place in the list and what follows, where a path begins so.
fn after<'p>(path: &'p str, start: &str) -> Option<(&'p str, &'p str)> {
    let (list, tail) = start.split_once("[]").unwrap_or((start, ""));
    let path = path.strip_prefix(list)?;
    let (place, rest) = if start.contains("[]") {
        path.split_at(path.find(']')? + 1)
    } else {
        ("", path)
    };
    let rest = rest.strip_prefix(tail)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some((place, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_the_name_of_its_message() {
        for (body, message) in [
            ("payer.consents", "consents"),
            ("payer.consents_of", "payer.consents_of"),
            ("payer.name", "payer.name"),
            ("received.currency", "amount.currency"),
            ("requests[2].round", "byes[2].round"),
            ("standing[1].team.name", "standing[1].entrant.team.name"),
            ("standing[1].entry", "standing[1].entry"),
            ("entries[0].entrant.grades.sex", "entries[0].entrant.grades"),
        ] {
            assert_eq!(field(body), message);
        }
        for (body, message) in [
            (
                "entries[10].team.roster[3].name",
                "entries[10].entry.team.roster[3].name",
            ),
            ("entries[0].section", "entries[0].entry.section"),
            ("entries[0].code", "entries[0].code"),
            (
                "entries[0].entrant.answers.shirt",
                "entries[0].entry.entrant.answers",
            ),
            ("entries[0]", "entries[0]"),
            ("entries", "entries"),
        ] {
            assert_eq!(in_message(body, ORDER), message);
        }
        assert_eq!(in_message("entries[3].code", QUESTION), "codes[3]");
    }
}
