//! Regulations of other real tournaments, each a file of the language, and what must come out of them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rules::Regulation;
use rules::check::{Limits, Severity, check};
use serde_json::Value;
use support::table::rows;

/// Cases that only a desk can show, with the reading taken; they are in the registration suite.
const OF_THE_DESK: [&str; 3] = [
    // The fourth pays 24, and 6 come back to each of the first three: 6 more in all.
    "ESC13-05",
    // Whose money waits until play begins has it back whole, and the line is in the order of the money.
    "RMO15-01", "RMO15-02",
];

/// Files whose printed text has a hole, which `check` has to find.
const WITH_HOLES: [&str; 2] = ["eac24", "prb19"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn regulations() -> BTreeMap<String, Regulation> {
    let files = std::fs::read_dir(fixtures().join("regulations")).unwrap();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let regulation = Regulation::parse(&name, &text, 1);
        let regulation = regulation.unwrap_or_else(|error| panic!("{error}"));
        (regulation.tournament().to_string(), regulation)
    };
    files.map(|file| read(file.unwrap().path())).collect()
}

fn cases() -> Vec<Value> {
    let text = std::fs::read_to_string(fixtures().join("regulation-cases.jsonl")).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_case_comes_out_right() {
    let regulations = regulations();
    let mut wrong = Vec::new();
    for case in cases() {
        let found = rules::batch::answer(&case.to_string(), |id| regulations.get(id));
        for (field, expected) in case["expect"].as_object().unwrap() {
            if found[field] != *expected {
                wrong.push(format!("{}: expected {expected}: {found}", case["id"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each row of the table is a case that expects what the row does, or one of the desk's.
#[test]
fn no_row_of_the_table_is_forgotten() {
    let cases: BTreeMap<String, Value> = cases()
        .into_iter()
        .map(|case| (case["id"].as_str().unwrap().to_owned(), case))
        .collect();
    let table = std::fs::read_to_string(fixtures().join("regulation-cases.csv")).unwrap();
    let mut known = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for row in rows(&table) {
        let (id, kind, minor) = (&row["id"], row["kind"].as_str(), &row["expected_minor"]);
        let Some(case) = cases.get(id) else {
            let seats = row["reasoning"].contains("strict order");
            if !seats && !OF_THE_DESK.contains(&id.as_str()) {
                missing.insert(id.clone());
            }
            continue;
        };
        known.insert(id.clone());
        let expected = &case["expect"];
        let minor: Option<i64> = minor.parse().ok();
        let as_the_row_says = match kind {
            "fee" | "group_total" => expected["total"].as_i64() == minor,
            "refund" | "credit" => expected["refund"].as_i64() == minor,
            "eligibility" | "config" => {
                expected["eligible"] == false || expected["allowed"] == false
            }
            other => panic!("{id}: {other} is no kind of case here"),
        };
        assert!(
            as_the_row_says,
            "{id}: {expected}, the table says {minor:?}"
        );
    }
    assert_eq!(known.len(), cases.len());
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn the_holes_that_the_texts_have_are_found_and_nothing_else_is_wrong() {
    let limits = Limits {
        minimum_charge: 50,
        ..Limits::ANY_SUM
    };
    for (id, regulation) in regulations() {
        let findings = check(&regulation, &limits);
        let errors = findings.iter().filter(|f| f.severity == Severity::Error);
        let codes: Vec<&str> = errors.map(|finding| finding.code).collect();
        let expected: &[&str] = if WITH_HOLES.contains(&id.as_str()) {
            &["hole"]
        } else {
            &[]
        };
        assert_eq!(codes, expected, "{id}: {findings:#?}");
    }
}
