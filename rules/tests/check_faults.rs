//! Each fault that `check` knows, alone in a file that is clean without it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::collections::BTreeSet;

use rules::Regulation;
use rules::check::{Finding, Limits, Severity, check};
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

/// A section may be in several figures of seats: each holds, and only one that another one keeps from ever being reached is told.
#[test]
fn seats_that_several_figures_limit_are_told_only_where_one_never_counts() {
    let capacity = |tables: &[(&str, &str, &str)]| {
        let tables = tables.iter().map(|(sections, seats, warn_at)| {
            let of = |key: &str, value: &str| match value {
                "" => String::new(),
                value => format!("{key} = {value}\n"),
            };
            let (sections, warn_at) = (of("sections", sections), of("warn_at", warn_at));
            format!("[[capacity]]\n{sections}seats = {seats}\n{warn_at}")
        });
        let tables: String = tables.collect();
        clean().replace("[[capacity]]\nseats   = 100\nwarn_at = 90\n", &tables)
    };
    let (open, both) = ("[\"open\"]", "[\"open\", \"one\"]");
    for (tables, told) in [
        (
            &[("", "100", ""), (open, "60", ""), (both, "80", "")][..],
            0,
        ),
        (&[(open, "60", ""), (both, "60", "")], 1),
        (&[(open, "60", "55"), (both, "60", "")], 0),
        (&[(open, "60", ""), (open, "60", "")], 1),
        (&[(open, "70", ""), (open, "60", "")], 1),
        (&[("", "100", ""), (open, "\"organiser\"", "")], 0),
        (&[("", "\"organiser\"", ""), (open, "\"organiser\"", "")], 1),
    ] {
        let found = checked(&capacity(tables), &LIMITS);
        let codes: Vec<&str> = found.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, vec!["seats_implied"; told], "{tables:?}");
    }
}

#[test]
fn money_goes_back_by_transfer_where_no_card_is_taken_and_nothing_else_is_said() {
    for methods in ["[\"transfer\"]", "[\"slip\"]"] {
        assert_eq!(
            checked(&clean().replace("[\"card\"]", methods), &LIMITS),
            []
        );
    }
}

#[test]
fn an_article_that_is_empty_is_told_once_and_at_its_line() {
    let text = clean().replace(
        "id      = \"early\"\narticle = \"2\"",
        "id      = \"early\"\narticle = \"\" # TODO: where the bases say it",
    );
    let text = text.replace("warn_at = 90", "warn_at = 90\narticle = \" \"");
    let found = checked(&text, &LIMITS);
    let line = |part: &str| text[..text.find(part).unwrap()].matches('\n').count() + 1;
    let found: Vec<(&str, usize, Option<&str>)> = found
        .iter()
        .map(|finding| (finding.code, finding.line, finding.row.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            ("article_missing", line("article = \" \""), None),
            (
                "article_missing",
                line("article = \"\" # TODO"),
                Some("early")
            ),
        ]
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

/// A base of nothing takes no part, and a rare one that is small is no error.
#[test]
fn a_reduction_is_wrong_only_where_it_is_too_large_for_every_base() {
    let text = |sums: [u32; 3]| {
        let [fee, titled, guest] = sums;
        support::whole(&format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\narticle = \"1\"\namount = {fee}\n\
             [[fees.row]]\nid = \"titled\"\narticle = \"1\"\nwhen = {{ title = \"any\" }}\namount = {titled}\n\
             [[fees.row]]\nid = \"guest\"\narticle = \"1\"\nwhen = {{ invited = true }}\namount = {guest}\n\
             [[adjust]]\nid = \"early\"\narticle = \"1\"\nwhen = {{ registered = {{ before = 2026-06-01 }} }}\namount = -15\n"
        ))
    };
    let told = |sums| {
        let found = checked(&text(sums), &LIMITS);
        let found = found.into_iter();
        let told = found.map(|one| (one.severity, one.code, one.example.unwrap_or_default()));
        told.collect::<Vec<_>>()
    };
    assert_eq!(told([50, 20, 0]), []);
    let some = told([50, 10, 0]);
    assert_eq!((some[0].0, some[0].1), (Severity::Warning, "reduction_cut"));
    assert!(
        some[0]
            .2
            .starts_with("15.00 EUR off 10.00 EUR of titled: section open, title")
    );
    let all = told([12, 10, 0]);
    assert_eq!(
        (all[0].0, all[0].1),
        (Severity::Error, "reduction_too_large")
    );
    assert_eq!((some.len(), all.len()), (1, 1));
}
