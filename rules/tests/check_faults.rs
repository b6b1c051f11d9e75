//! Each fault that `check` knows, alone in a file that is clean without it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::collections::BTreeSet;

use rules::Regulation;
use rules::check::{Finding, Limits, check};
use support::read;
use toml::{Table, Value};

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    maximum_charge: 99_999_999,
    charge_step: 5,
    ..Limits::ANY_SUM
};

/// A code, its row, what its example says, and what makes the clean file have it.
struct Fault {
    code: String,
    row: String,
    example: String,
    edits: Vec<(String, String)>,
}

fn clean() -> String {
    read("rules/tests/fixtures/clean.toml")
}

fn faults() -> Vec<Fault> {
    let table: Table = read("rules/tests/fixtures/faults.toml").parse().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let fault = |fault: &Value| Fault {
        code: text(&fault["code"]),
        row: text(&fault["row"]),
        example: text(&fault["example"]),
        edits: fault["edits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|edit| (text(&edit[0]), text(&edit[1])))
            .collect(),
    };
    table["fault"]
        .as_array()
        .unwrap()
        .iter()
        .map(fault)
        .collect()
}

fn checked(text: &str, limits: &Limits) -> Vec<Finding> {
    let regulation = Regulation::parse("x.toml", text, 1);
    check(
        &regulation.unwrap_or_else(|error| panic!("{error}\n{text}")),
        limits,
    )
}

#[test]
fn a_clean_file_has_no_fault() {
    assert_eq!(checked(&clean(), &LIMITS), []);
    // Its rows are bands of which one applies, and it may say so.
    assert_eq!(
        checked(&clean().replace("\"lowest\"", "\"only\""), &LIMITS),
        []
    );
}

#[test]
fn each_fault_is_found_alone() {
    let mut wrong = Vec::new();
    for fault in faults() {
        let mut text = clean();
        for (from, to) in &fault.edits {
            assert!(text.contains(from.as_str()), "{}: {from}", fault.code);
            text = text.replacen(from, to, 1);
        }
        let findings = checked(&text, &LIMITS);
        let found: Vec<_> = findings
            .iter()
            .map(|finding| {
                let row = finding.row.as_deref().unwrap_or_default();
                let example = finding.example.as_deref().unwrap_or_default();
                (finding.code, row, example)
            })
            .collect();
        let as_told = match found[..] {
            [(code, row, example)] => {
                let told = (code, row, example.is_empty());
                told == (&*fault.code, &*fault.row, fault.example.is_empty())
                    && example.contains(&fault.example)
                    && findings[0].line > 1
            }
            _ => false,
        };
        if !as_told {
            wrong.push(format!("{} of {:?}: {found:?}", fault.code, fault.edits));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_of_the_page_has_its_file() {
    let page = read("docs/regulation-language.md");
    let (_, page) = page.split_once("## What `check` tells").unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split(" |").next());
    let named: BTreeSet<&str> = cells
        .flat_map(|cell| cell.split('`').step_by(2))
        .filter(|code| !code.is_empty())
        .collect();
    let faults = faults();
    let mut tried: BTreeSet<&str> = faults.iter().map(|fault| &*fault.code).collect();
    // Below, where a budget is small.
    tried.insert("not_proved");
    assert_eq!(named, tried);
}

#[test]
fn what_is_not_proved_is_told_with_where_it_stopped() {
    let limits = Limits {
        classes: 3,
        ..LIMITS
    };
    let findings = checked(&clean(), &limits);
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["not_proved", "not_proved"]);
    assert_eq!(findings[0].row.as_deref(), Some("open"));
    assert!(
        findings[0]
            .example
            .as_deref()
            .unwrap()
            .starts_with("section open")
    );
}

#[test]
fn nothing_has_to_be_paid_where_nothing_costs_anything() {
    let text = support::whole("[fees]\n[[fees.row]]\nid = \"free\"\narticle = \"1\"\namount = 0\n");
    assert_eq!(checked(&text.replace("[\"card\"]", "[]"), &LIMITS), []);
}

/// Sums by which tiers cross, but for no sum that an entry costs.
#[test]
fn tiers_that_cross_only_for_sums_that_nobody_pays_are_clean() {
    let tiers = |least: u32| {
        clean().replace(
            "keep      = { percent = 25 }",
            &format!("keep = {{ amount = {least} }}"),
        )
    };
    // The least that somebody pays is 28.00.
    assert_eq!(checked(&tiers(14), &LIMITS), []);
    assert_eq!(checked(&tiers(15), &LIMITS)[0].code, "refund_grows");
}

#[test]
fn who_must_answer_does_not_come_without_an_answer() {
    let text = support::whole(
        "[[question]]\nid = \"pays\"\ntext = \"How?\"\nrequired = true\nchoices = [{ id = \"a\", text = \"A\" }, { id = \"b\", text = \"B\" }]\n\
         [fees]\nchoose = \"only\"\n\
         [[fees.row]]\nid = \"a\"\narticle = \"1\"\nwhen = { answer = { pays = \"a\" } }\namount = 5\n\
         [[fees.row]]\nid = \"b\"\narticle = \"1\"\nwhen = { answer = { pays = \"b\" } }\namount = 6\n",
    );
    assert_eq!(checked(&text, &LIMITS), []);
    let open = checked(&text.replace("required = true\n", ""), &LIMITS);
    assert_eq!(open[0].code, "hole");
}

#[test]
fn every_answer_that_a_sum_is_multiplied_by_is_looked_at() {
    let text = |most: u32| {
        support::whole(&format!(
            "[[question]]\nid = \"stamps\"\ntext = \"How many?\"\nnumber = {{ from = 0, to = {most} }}\n\
             [fees]\n[[fees.row]]\nid = \"fee\"\narticle = \"1\"\namount = 60\n\
             [[adjust]]\nid = \"stamp\"\narticle = \"1\"\namount = \"0.01\"\ntimes = \"stamps\"\n"
        ))
    };
    // With none and with ten of them the gateway can charge it, with one it cannot.
    let found = checked(&text(10), &LIMITS);
    assert_eq!(found[0].code, "total_too_fine");
    assert_eq!(
        found[0].example.as_deref(),
        Some("60.01 EUR of section open, stamps: 1")
    );
    let few = text(10).replace("0.01", "0.05");
    assert_eq!(checked(&few, &LIMITS), []);
    let many = checked(&few.replace("to = 10", "to = 5_000"), &LIMITS);
    let told: Vec<_> = many
        .iter()
        .map(|found| (found.code, found.row.as_deref()))
        .collect();
    assert_eq!(told, [("not_proved", Some("stamp"))]);
}
