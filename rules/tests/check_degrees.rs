//! Where `check` says nothing, warns or refuses by degrees: seats, articles, reductions, how money goes back.

mod support;

use rules::Regulation;
use rules::check::{Finding, Limits, Severity, check};
use support::{read, whole};

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    maximum_charge: 99_999_999,
    charge_step: 5,
    ..Limits::ANY_SUM
};

fn clean() -> String {
    read("rules/tests/fixtures/clean.toml")
}

fn checked(text: &str) -> Vec<Finding> {
    let regulation = Regulation::parse("x.toml", text, 1);
    check(
        &regulation.unwrap_or_else(|error| panic!("{error}\n{text}")),
        &LIMITS,
    )
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
        let found = checked(&capacity(tables));
        let codes: Vec<&str> = found.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, vec!["seats_implied"; told], "{tables:?}");
    }
}

#[test]
fn money_goes_back_by_transfer_where_no_card_is_taken_and_nothing_else_is_said() {
    for methods in ["[\"transfer\"]", "[\"slip\"]"] {
        assert_eq!(checked(&clean().replace("[\"card\"]", methods)), []);
    }
}

#[test]
fn an_article_that_is_empty_is_told_once_and_at_its_line() {
    let text = clean().replace(
        "id      = \"early\"\narticle = \"2\"",
        "id      = \"early\"\narticle = \"\" # TODO: where the bases say it",
    );
    let text = text.replace("warn_at = 90", "warn_at = 90\narticle = \" \"");
    let found = checked(&text);
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

/// A base of nothing takes no part, and a rare one that is small is no error.
#[test]
fn a_reduction_is_wrong_only_where_it_is_too_large_for_every_base() {
    let text = |sums: [u32; 3]| {
        let [fee, titled, guest] = sums;
        whole(&format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\narticle = \"1\"\namount = {fee}\n\
             [[fees.row]]\nid = \"titled\"\narticle = \"1\"\nwhen = {{ title = \"any\" }}\namount = {titled}\n\
             [[fees.row]]\nid = \"guest\"\narticle = \"1\"\nwhen = {{ invited = true }}\namount = {guest}\n\
             [[adjust]]\nid = \"early\"\narticle = \"1\"\nwhen = {{ registered = {{ before = 2026-06-01 }} }}\namount = -15\n"
        ))
    };
    let told = |sums| {
        let found = checked(&text(sums));
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

#[test]
fn many_rows_without_an_article_are_told_as_one() {
    let rows = |count: usize| {
        let row = |n| {
            format!(
                "[[fees.row]]\nid = \"r{n}\"\nwhen = {{ rating = {{ from = {n}00 }} }}\namount = {}\n",
                90 - n
            )
        };
        let rows: String = (1..=count).map(row).collect();
        whole(&format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\narticle = \"1\"\namount = 90\n{rows}"
        ))
    };
    let few = checked(&rows(5));
    let few: Vec<_> = few
        .iter()
        .map(|one| (one.code, one.row.as_deref().unwrap()))
        .collect();
    assert_eq!(
        few,
        ["r1", "r2", "r3", "r4", "r5"].map(|row| ("article_missing", row))
    );

    let text = rows(69);
    let many = checked(&text);
    let line = |id: &str| {
        text.lines()
            .position(|line| line == format!("id = \"{id}\""))
            .unwrap()
    };
    let lines = ["r1", "r2", "r3", "r4", "r5"]
        .map(|id| line(id).to_string())
        .join(", ");
    let told = format!("lines {lines} and so on, 69 in all");
    assert_eq!(many.len(), 1);
    assert_eq!(
        (many[0].code, many[0].line, many[0].row.as_deref()),
        ("article_missing", line("r1"), None)
    );
    assert_eq!(many[0].example, Some(told));
}
