//! What is ordered is no fact to check; what is claimed is.

mod support;

use domain::{Entrant, EntryRequest, FactName};
use rules::quote;
use support::asking::asked;
use support::people::player;
use support::small;

const FEES: &str = "[[question]]\nid = \"meal\"\ntext = \"A meal?\"\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 0\n";
/// Who answers yes pays it.
const ORDER: &str = "[[adjust]]\nid = \"x\"\nwhen = { answer = { meal = true } }\namount = 12\n";
/// Who answers yes is spared it.
const CLAIM: &str =
    "[[adjust]]\nid = \"x\"\nwhen = { not = { answer = { meal = true } } }\namount = 12\n";

#[test]
fn who_orders_nothing_claims_nothing() {
    for (more, answer, flagged) in [
        (ORDER, None, false),
        (ORDER, Some("false"), false),
        (ORDER, Some("true"), false),
        (CLAIM, Some("true"), true),
        (CLAIM, None, false),
    ] {
        let regulation = small(&format!("{FEES}{more}"));
        let mut who = player(&[], &regulation);
        who.grades.clear();
        if let Some(answer) = answer {
            who.answers.0.insert("meal".to_owned(), answer.to_owned());
        }
        let entry = EntryRequest {
            section: Some("open".parse().unwrap()),
            entrant: Entrant::Player(who),
        };
        let request = asked(&regulation, "2026-05-01T12:00:00", vec![entry]);
        let found = quote(&regulation, &request);
        let entry = &found.entries[0];
        let told = (
            entry.to_check.contains(&FactName::Answers),
            entry.needs_approval,
        );
        assert_eq!(told, (flagged, flagged), "{answer:?} {more}");
    }
}
