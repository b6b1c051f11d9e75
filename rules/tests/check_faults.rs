//! Each fault that `check` knows, alone in a file that is clean without it.

mod support;

use std::collections::BTreeSet;

use rules::Regulation;
use rules::check::{Finding, Limits, check};
use support::read;

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    maximum_charge: 99_999_999,
    charge_step: 5,
    ..Limits::ANY_SUM
};

const CLEAN: &str = r#"# What is marked TODO is told, but not here.
language  = 1
id        = "clean"
name      = "Clean"
time_zone = "Europe/Madrid"
currency  = "EUR"
[play]
first  = 2026-08-01
last   = 2026-08-05
begins = 2026-08-01T16:00:00
rounds = 9
[ages]
on = "first day"
[entry]
opens     = { from = 2026-03-01 }
closes    = { before = 2026-08-01T12:00:00, weekday = "saturday" }
pay_by    = { before = 2026-08-01T12:00:00 }
hold      = "24h"
order     = "form"
effective = "paid"
[payment]
methods = ["card"]
[[capacity]]
seats   = 100
warn_at = 90
[section.open]
name = "Open"
[section.one]
name     = "One"
entrants = "teams"
admits   = { players = { from = 4 }, girls = { from = 1 }, levels = ["primary"] }
[section.two]
name     = "Two"
entrants = "teams"
[fees]
choose = "lowest"
[[fees.row]]
id      = "strong"
article = "1"
when    = { rating = { from = 2000 } }
amount  = { open = 40 }
[[fees.row]]
id      = "others"
article = "1"
when    = { rating = { under = 2000 } }
amount  = { open = 50 }
[[fees.row]]
id      = "team"
article = "1"
amount  = { one = 80, two = 80 }
[[stage]]
id = "reductions"
[[stage]]
id      = "people"
combine = "best"
of      = "running"
[[stage]]
id = "charges"
[[adjust]]
id      = "early"
article = "2"
when    = { registered = { before = 2026-06-01 } }
amount  = { open = -5 }
[[adjust]]
id      = "young"
article = "2"
stage   = "people"
when    = { age = { under = 16 } }
percent = { open = -20 }
[[adjust]]
id      = "woman"
article = "2"
stage   = "people"
when    = { sex = "f" }
percent = { open = -10 }
[[promotion]]
id             = "both"
article        = "3"
sections       = ["one", "two"]
same           = "institution"
shared_players = 3
together       = 140
[[refund.tier]]
id        = "most"
requested = { until = 2026-06-01 }
keep      = { percent = 25 }
[[refund.tier]]
id        = "half"
requested = { until = 2026-07-15 }
keep      = { percent = 50 }
[[byes.rule]]
points = "half"
rounds = { from = 1, to = 9 }
[[consent]]
id       = "bases"
required = true
text     = "I accept."
[[consent]]
id       = "images"
required = false
text     = "I consent."
"#;

/// A code, its row, what its example says, and what makes a clean file have it.
struct Fault {
    code: &'static str,
    row: &'static str,
    example: &'static str,
    edits: &'static [(&'static str, &'static str)],
}

const fn fault(
    code: &'static str,
    row: &'static str,
    example: &'static str,
    edits: &'static [(&'static str, &'static str)],
) -> Fault {
    Fault {
        code,
        row,
        example,
        edits,
    }
}

const UNTIL_THE_10TH: (&str, &str) = (
    "closes    = { before = 2026-08-01T12:00:00, weekday = \"saturday\" }",
    "closes = { before = 2026-08-10 }",
);
const UNTIL_THE_2ND: (&str, &str) = (
    "closes    = { before = 2026-08-01T12:00:00, weekday = \"saturday\" }",
    "closes = { before = 2026-08-02 }",
);

const FAULTS: [Fault; 46] = [
    fault(
        "hole",
        "open",
        "rating 1900",
        &[("under = 2000", "under = 1900")],
    ),
    fault(
        "hole",
        "open",
        "unrated (declared)",
        &[(
            "when    = { rating = { under = 2000 } }",
            "when    = { rating = { under = 2000 } }\naccepts = \"listed\"",
        )],
    ),
    fault(
        "hole",
        "two",
        "10 pupils",
        &[(
            "amount  = { one = 80, two = 80 }",
            "amount = { one = 80 }\n[[fees.row]]\nid = \"small\"\narticle = \"1\"\nwhen = { players = { under = 10 } }\namount = { two = 80 }",
        )],
    ),
    fault(
        "rows_overlap",
        "others",
        "strong and others: section open, rating 2000",
        &[("\"lowest\"", "\"only\""), ("under = 2000", "to = 2000")],
    ),
    fault(
        "dead_row",
        "young",
        "",
        &[(
            "when    = { age = { under = 16 } }",
            "when = { age = { under = 16 }, born = { to = 2000 } }",
        )],
    ),
    fault(
        "dead_row",
        "woman",
        "",
        &[("percent = { open = -10 }", "percent = { one = -10 }")],
    ),
    fault(
        "dead_row",
        "half",
        "",
        &[("until = 2026-07-15", "until = 2026-05-15")],
    ),
    fault(
        "dead_row",
        "most",
        "",
        &[(
            "requested = { until = 2026-06-01 }",
            "requested = { until = 2026-02-01 }",
        )],
    ),
    fault(
        "nobody_admitted",
        "one",
        "",
        &[(
            "girls = { from = 1 }",
            "girls = { from = 1 }, not = { players = { from = 4 } }",
        )],
    ),
    fault(
        "total_too_small",
        "strong",
        "0.40 EUR of section open, born 2010-08-02, rating 2000",
        &[("open = 40", "open = \"5.50\"")],
    ),
    fault(
        "total_too_small",
        "both",
        "0.20 EUR for the later",
        &[("together       = 140", "together = \"80.20\"")],
    ),
    fault(
        "total_too_large",
        "others",
        "1000000.00 EUR of section open",
        &[("open = 50", "open = 1_000_000")],
    ),
    fault(
        "total_too_fine",
        "strong",
        "28.01 EUR of section open",
        &[("open = 40", "open = \"40.01\"")],
    ),
    fault(
        "reduction_too_large",
        "early",
        "rating 2000",
        &[("open = -5", "open = -45")],
    ),
    fault(
        "reduction_raises",
        "early",
        "",
        &[(
            "amount  = { open = -5 }",
            "stage = \"reductions\"\namount = { open = 5 }",
        )],
    ),
    fault(
        "charge_reduces",
        "early",
        "",
        &[(
            "amount  = { open = -5 }",
            "stage = \"charges\"\namount = { open = -5 }",
        )],
    ),
    fault("id_twice", "bases", "", &[("\"images\"", "\"bases\"")]),
    fault("no_way_to_pay", "", "", &[("[\"card\"]", "[]")]),
    fault(
        "opens_after_closes",
        "",
        "",
        &[
            ("from = 2026-03-01", "from = 2026-08-01T12:00:00"),
            ("registered = { before = 2026-06-01 }", "disability = true"),
            ("until = 2026-06-01", "until = 2026-08-02"),
            ("until = 2026-07-15", "until = 2026-08-03"),
            ("pay_by    = { before = 2026-08-01T12:00:00 }", ""),
        ],
    ),
    fault(
        "closes_after_play",
        "",
        "",
        &[
            UNTIL_THE_10TH,
            ("pay_by    = { before = 2026-08-01T12:00:00 }", ""),
        ],
    ),
    fault(
        "pay_by_before_opens",
        "",
        "",
        &[(
            "pay_by    = { before = 2026-08-01T12:00:00 }",
            "pay_by = { before = 2026-03-01 }",
        )],
    ),
    fault(
        "warned_after_full",
        "",
        "",
        &[("warn_at = 90", "warn_at = 101")],
    ),
    fault("wrong_weekday", "", "", &[("saturday", "sunday")]),
    fault("bye_round_unknown", "", "", &[("to = 9", "to = 10")]),
    fault(
        "never_chosen",
        "strong",
        "section open, rating 2000",
        &[
            ("open = 40", "open = 60"),
            ("when    = { rating = { under = 2000 } }\n", ""),
        ],
    ),
    fault(
        "never_chosen",
        "others",
        "section open, unrated",
        &[
            ("\"lowest\"", "\"first\""),
            ("when    = { rating = { from = 2000 } }\n", ""),
        ],
    ),
    fault(
        "never_counts",
        "woman",
        "section open, sex female",
        &[("when    = { age = { under = 16 } }\n", "")],
    ),
    fault(
        "never_counts",
        "young",
        "born",
        &[
            ("open = 40", "open = 0"),
            ("open = 50", "open = 0"),
            ("amount  = { open = -5 }", "amount = { one = 5 }"),
            ("percent = { open = -10 }", "percent = { one = -10 }"),
            ("when    = { sex = \"f\" }", ""),
        ],
    ),
    fault(
        "promotion_idle",
        "both",
        "at most 160.00 EUR",
        &[("together       = 140", "together = 160")],
    ),
    fault(
        "promotion_idle",
        "both",
        "at most 130.00 EUR",
        &[
            (
                "amount  = { open = -5 }",
                "amount  = { open = -5, one = -30 }",
            ),
            (
                "registered = { before = 2026-06-01 }",
                "registered = { before = 2026-08-01T12:00:00 }",
            ),
        ],
    ),
    fault(
        "section_without_fees",
        "blitz",
        "",
        &[("[fees]", "[section.blitz]\nname = \"Blitz\"\n[fees]")],
    ),
    fault(
        "closes_after_start",
        "",
        "",
        &[
            UNTIL_THE_2ND,
            ("pay_by    = { before = 2026-08-01T12:00:00 }", ""),
        ],
    ),
    fault(
        "pay_by_before_closes",
        "",
        "",
        &[(
            "pay_by    = { before = 2026-08-01T12:00:00 }",
            "pay_by = { before = 2026-07-01 }",
        )],
    ),
    fault(
        "pay_by_after_play",
        "",
        "",
        &[(
            "pay_by    = { before = 2026-08-01T12:00:00 }",
            "pay_by = { before = 2026-08-10 }",
        )],
    ),
    fault(
        "window_beyond_entry",
        "early",
        "",
        &[("before = 2026-06-01", "before = 2026-09-01")],
    ),
    fault(
        "window_beyond_entry",
        "early",
        "",
        &[(
            "registered = { before = 2026-06-01 }",
            "registered = { from = 2026-01-01, before = 2026-06-01 }",
        )],
    ),
    fault(
        "window_beyond_entry",
        "early",
        "",
        &[(
            "registered = { before = 2026-06-01 }",
            "paid = { before = 2026-08-02 }",
        )],
    ),
    fault(
        "refund_grows",
        "half",
        "of 80.00 EUR paid, 40.00 EUR until 2026-06-01T23:59:59, 60.00 EUR after it",
        &[
            ("keep      = { percent = 50 }", "keep = { percent = 25 }"),
            ("keep      = { percent = 25 }", "keep = { percent = 50 }"),
        ],
    ),
    fault(
        "refund_after_play",
        "half",
        "",
        &[("until = 2026-07-15", "until = 2026-08-06")],
    ),
    fault(
        "ages_far_from_play",
        "",
        "",
        &[("\"first day\"", "2024-07-01")],
    ),
    fault(
        "skipped_time",
        "",
        "",
        &[("from = 2026-03-01", "from = 2026-03-29T02:30:00")],
    ),
    fault(
        "repeated_time",
        "",
        "",
        &[("from = 2026-03-01", "from = 2025-10-26T02:30:00")],
    ),
    fault(
        "article_missing",
        "early",
        "",
        &[(
            "id      = \"early\"\narticle = \"2\"",
            "id      = \"early\"",
        )],
    ),
    fault(
        "to_be_written",
        "",
        "",
        &[("\"I accept.\"", "\"I accept. (TODO: what)\"")],
    ),
    fault(
        "text_empty",
        "",
        "",
        &[(
            "\"I accept.\"",
            "{ ca = \"Accepto.\", es = \"\", en = \"I accept.\" }",
        )],
    ),
    fault(
        "window_beyond_entry",
        "early",
        "",
        &[(
            "registered = { before = 2026-06-01 }",
            "received = { before = 2026-08-10 }",
        )],
    ),
];

fn checked(text: &str, limits: &Limits) -> Vec<Finding> {
    let regulation = Regulation::parse("x.toml", text, 1);
    check(
        &regulation.unwrap_or_else(|error| panic!("{error}\n{text}")),
        limits,
    )
}

#[test]
fn a_clean_file_has_no_fault() {
    assert_eq!(checked(CLEAN, &LIMITS), []);
    // Its rows are bands of which one applies, and it may say so.
    assert_eq!(
        checked(&CLEAN.replace("\"lowest\"", "\"only\""), &LIMITS),
        []
    );
}

#[test]
fn each_fault_is_found_alone() {
    let mut wrong = Vec::new();
    for fault in &FAULTS {
        let mut text = CLEAN.to_owned();
        for (from, to) in fault.edits {
            assert!(text.contains(from), "{}: {from}", fault.code);
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
                told == (fault.code, fault.row, fault.example.is_empty())
                    && example.contains(fault.example)
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
    let mut tried: BTreeSet<&str> = FAULTS.iter().map(|fault| fault.code).collect();
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
    let findings = checked(CLEAN, &limits);
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
fn an_article_that_is_empty_is_told_once_and_at_its_line() {
    let text = CLEAN.replace(
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
        CLEAN.replace(
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
