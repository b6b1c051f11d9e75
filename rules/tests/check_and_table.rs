//! The linter on the three regulations and on regulations with something wrong; the fee table.

mod support;

use domain::Language;
use rules::check::{Finding, Limits, Severity, check};
use rules::table::fee_table;
use rules::{Regulation, Section};
use support::{TOURNAMENTS, regulation};

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    classes: Limits::CLASSES,
};

#[test]
fn the_three_regulations_are_clean() {
    for id in TOURNAMENTS {
        assert_eq!(check(&regulation(id), &LIMITS), vec![], "{id}");
    }
}

/// Barcelona with one thing replaced.
fn altered(from: &str, to: &str) -> Vec<Finding> {
    let barcelona = regulation("ciutat-barcelona-2026");
    assert!(
        barcelona.source().contains(from),
        "{from} is not in the file"
    );
    let text = barcelona.source().replacen(from, to, 1);
    let altered = Regulation::parse("altered.toml", &text, 1);
    check(&altered.unwrap_or_else(|error| panic!("{error}")), &LIMITS)
}

const WRONG: [(&str, &str, Severity, &str, &str, &str); 9] = [
    (
        "id      = \"general\"\n",
        "id      = \"general\"\nwhen    = { rating = { from = 1500 } }\n",
        Severity::Error,
        "hole",
        "A",
        "unrated",
    ),
    (
        "amount  = { A = 0 }",
        "amount  = { C = 0 }",
        Severity::Error,
        "dead_row",
        "guest",
        "",
    ),
    (
        "before = 2026-07-21 }, agreed_price = false",
        "from = 2026-08-20T14:00:00 }, agreed_price = false",
        Severity::Error,
        "dead_row",
        "early",
        "",
    ),
    (
        "amount  = { A = 60, B = 50, C = 50 }",
        "amount  = { A = 66, B = 56, C = 56 }",
        Severity::Warning,
        "never_chosen",
        "fce",
        "",
    ),
    (
        "amount  = { A = 0 }",
        "amount  = { A = \"0.30\" }",
        Severity::Error,
        "total_too_small",
        "guest",
        "rating 2401",
    ),
    (
        "weekday = \"thursday\"",
        "weekday = \"friday\"",
        Severity::Error,
        "wrong_weekday",
        "",
        "",
    ),
    (
        "closes    = { before = 2026-08-20T14:00:00, weekday = \"thursday\" }",
        "closes    = { until = 2026-10-25T02:30:00 }",
        Severity::Warning,
        "repeated_time",
        "",
        "",
    ),
    (
        "rounds = { from = 1, to = 9 }",
        "rounds = { from = 1, to = 11 }",
        Severity::Error,
        "bye_round_unknown",
        "",
        "",
    ),
    (
        "admits  = { rating = { under = 1650 } }",
        "admits  = { rating = { under = 1650 }, title = \"GM\", not = { title = \"any\" } }",
        Severity::Error,
        "nobody_admitted",
        "C",
        "",
    ),
];

#[test]
fn what_is_wrong_is_found_with_somebody_it_happens_to() {
    for (from, to, severity, code, row, example) in WRONG {
        let findings = altered(from, to);
        let found = findings
            .iter()
            .find(|finding| finding.code == code && finding.row.as_deref().unwrap_or("") == row);
        let found = found.unwrap_or_else(|| panic!("{to}: no {code} in {findings:#?}"));
        assert_eq!(found.severity, severity, "{to}");
        let who = found.example.as_deref().unwrap_or("");
        assert!(who.contains(example), "{to}: {who}");
    }
}

#[test]
fn a_walk_without_budget_says_that_nothing_is_proved() {
    let limits = Limits {
        classes: 3,
        ..LIMITS
    };
    let findings = check(&regulation("ciutat-barcelona-2026"), &limits);
    let codes: Vec<_> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["not_proved"; 3]);
}

#[test]
fn later_tiers_that_give_more_are_told() {
    let llobregat = regulation("ellobregat-2026");
    let text = llobregat.source().replace(
        "method    = \"transfer\"",
        "method    = \"transfer\"\n[[refund.tier]]\nid = \"late\"\nrequested = { until = 2026-10-01 }\nkeep = { percent = 20 }",
    );
    let findings = check(&Regulation::parse("x.toml", &text, 1).unwrap(), &LIMITS);
    assert_eq!(findings[0].code, "refund_grows");
    assert_eq!(findings[0].row.as_deref(), Some("late"));
}

#[test]
fn the_table_shows_the_poster() {
    let table = fee_table(&regulation("ciutat-barcelona-2026")).to_text(Language::En);
    let expected = "\
EUR                                                     A      B      C
Entry                                               65.00  55.00  55.00
Entry with a licence of the FCE                     60.00  50.00  50.00
Reduced entry: under 16, 65 or over, or disability  55.00  45.00  45.00
Rated above 2400 and invited: free                   0.00      –      –
Price agreed with the organiser                         *      *      *
Reduction for entry before 21 July                  -5.00  -5.00  -5.00
";
    assert_eq!(table, expected);
}

#[test]
fn a_section_without_fees_is_no_column() {
    let llobregat = regulation("ellobregat-2026");
    let table = fee_table(&llobregat);
    assert_eq!(table.sections.len(), 1);
    let with_fees: Vec<&Section> = llobregat
        .sections()
        .filter(|section| section.has_fees)
        .collect();
    assert_eq!(with_fees.len(), 1);
}
