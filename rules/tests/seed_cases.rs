//! Every seed case comes out as expected: from our own copy, and from the file where it lies if it is there.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::path::Path;

use rules::Regulation;
use serde_json::{Value, json};
use support::{TOURNAMENTS, project, regulation};

fn run(file: &Path) -> usize {
    let regulations: Vec<Regulation> = TOURNAMENTS.iter().map(|id| regulation(id)).collect();
    let find = |id: &str| {
        regulations
            .iter()
            .find(|regulation| regulation.tournament().as_str() == id)
    };
    let text = std::fs::read_to_string(file).unwrap();
    let cases: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let mut wrong = Vec::new();
    for line in &cases {
        let case: Value = serde_json::from_str(line).unwrap();
        let found = rules::batch::answer(line, find);
        assert_eq!(found["id"], case["id"]);
        for (field, expected) in case["expect"].as_object().unwrap() {
            if found[field] != *expected {
                wrong.push(format!(
                    "{}: {field} is {}, expected {expected}",
                    case["id"], found[field]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    cases.len()
}

#[test]
fn our_copy_of_the_seed_cases_comes_out_right() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/seed-cases.jsonl");
    assert_eq!(run(&file), 69);
}

#[test]
fn the_seed_cases_where_they_lie_come_out_right() {
    let file = project("../shared/cases/seed-cases.jsonl");
    if file.exists() {
        assert!(run(&file) >= 69);
    }
}

#[test]
fn a_line_that_cannot_be_answered_says_why() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let find = |id: &str| (id == "ciutat-barcelona-2026").then_some(&barcelona);
    for (line, id, reason) in [
        ("{", Value::Null, "not JSON"),
        (r#"{"id": "x"}"#, "x".into(), "tournament is missing"),
        (
            r#"{"id": "x", "tournament": "y", "kind": "fee"}"#,
            "x".into(),
            "unknown tournament y",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "z"}"#,
            "x".into(),
            "unknown variant",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "byes", "section": "A", "requests": [], "player": 1}"#,
            "x".into(),
            "unknown field player",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "byes", "section": "A", "requests": [], "paid": 1}"#,
            "x".into(),
            "unknown field paid",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "fee", "at": "2026-08-01T12:00:00+02:00", "entries": [{"section": "A", "code": "GM"}]}"#,
            "x".into(),
            "unknown field code",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "fee", "at": "2026-08-01T12:00:00+02:00", "others": {"bygroup": {}}, "entries": []}"#,
            "x".into(),
            "unknown field bygroup",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "fee", "at": "2026-08-01T12:00:00+02:00", "taken": {"titeld": 3}, "entries": []}"#,
            "x".into(),
            "taken: there is no row titeld that is limited",
        ),
        (
            r#"{"id": "x", "tournament": "ciutat-barcelona-2026", "kind": "fee", "at": "2026-08-01T12:00:00+02:00", "entries": [{"section": "A", "entrant": {"sex": "m", "birth_date": "1990-02-30", "federation": "FRA"}}]}"#,
            "x".into(),
            "",
        ),
    ] {
        let found = rules::batch::answer(line, find);
        assert_eq!(found["id"], id, "{line}");
        let error = found["error"].as_str().unwrap();
        assert!(error.contains(reason), "{line}: {error}");
    }
}

#[test]
fn a_refusal_carries_its_reasons() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let find = |id: &str| (id == "ciutat-barcelona-2026").then_some(&barcelona);
    let fee = r#"{"id": 1, "tournament": "ciutat-barcelona-2026", "kind": "fee", "at": "2026-08-01T12:00:00+02:00", "entries": [{"section": "Z", "entrant": {"sex": "m", "birth_date": "1990-05-01", "federation": "FRA"}}]}"#;
    let found = rules::batch::answer(fee, find);
    assert_eq!(found["eligible"], false);
    assert_eq!(
        found["reasons"],
        json!([{ "code": "unknown_section", "field": "entries[0].section" }])
    );
    let byes = r#"{"id": 2, "tournament": "ciutat-barcelona-2026", "kind": "byes", "section": "A", "requests": [{"round": 99, "points": "half"}]}"#;
    let found = rules::batch::answer(byes, find);
    assert_eq!(found["allowed"], false);
    assert_eq!(
        found["reasons"],
        json!([{ "code": "bye_round_unknown", "field": "requests[0].round" }])
    );
}
