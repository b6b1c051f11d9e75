//! The linter on the three regulations and on regulations with something wrong; the fee table.

mod support;

use domain::Language;
use rules::check::{Finding, Limits, Severity, check};
use rules::table::fee_table;
use rules::{Regulation, Section};
use support::{TOURNAMENTS, regulation, small};

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    ..Limits::ANY_SUM
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

const WRONG: [(&str, &str, Severity, &str, &str, &str); 16] = [
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
        "amount  = -5",
        "amount  = -100",
        Severity::Error,
        "reduction_too_large",
        "early",
        "entered at 2026-07-20",
    ),
    (
        "amount  = -5",
        "percent = -101",
        Severity::Error,
        "reduction_too_large",
        "early",
        "",
    ),
    (
        "amount  = -5",
        "amount  = 5\nstage   = \"reductions\"",
        Severity::Error,
        "reduction_raises",
        "early",
        "",
    ),
    (
        "amount  = -5",
        "amount  = { A = -5, B = 5 }",
        Severity::Error,
        "reduction_raises",
        "early",
        "",
    ),
    (
        "amount  = -5",
        "percent = -5\nstage   = \"charges\"",
        Severity::Error,
        "charge_reduces",
        "early",
        "",
    ),
    (
        "id       = \"sponsors\"",
        "id       = \"images\"",
        Severity::Error,
        "id_twice",
        "images",
        "",
    ),
    (
        "[[appeal]] ",
        "[[appeal]]\nid = \"appeal\"\nwithin = \"1h\"\n[[appeal]] ",
        Severity::Error,
        "id_twice",
        "appeal",
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
        assert_ne!(found.line, 1, "{to}: {code} has a line of its own");
        let who = found.example.as_deref().unwrap_or("");
        assert!(who.contains(example), "{to}: {who}");
    }
}

#[test]
fn a_finding_stands_at_its_line() {
    let rounds = "rounds = { from = 1, to = 9 }";
    for (from, to, at, code) in [
        (
            rounds,
            "rounds = { from = 1, to = 11 }",
            "rounds = { from = 1, to = 11 }",
            "bye_round_unknown",
        ),
        (
            "most   = 2\n",
            "most   = 2\n[[byes.unpaired]]\nbye_in = 8\nleaves_out = 12\n",
            "[[byes.unpaired]]",
            "bye_round_unknown",
        ),
        (
            "seats   = \"organiser\"",
            "seats   = 5\nwarn_at = 6",
            "[[capacity]]",
            "warned_after_full",
        ),
        (
            "methods = [\"card\"]",
            "methods = []",
            "[payment]",
            "no_way_to_pay",
        ),
        (
            "id       = \"sponsors\"",
            "id       = \"bases\"",
            "[[consent]]                                     # Publicitat: \"empreses",
            "id_twice",
        ),
        (
            "admits  = { rating = { under = 1650 } }",
            "admits  = { title = \"GM\", not = { title = \"any\" } }",
            "[section.C]",
            "nobody_admitted",
        ),
    ] {
        let source = regulation("ciutat-barcelona-2026")
            .source()
            .replacen(from, to, 1);
        let lines: Vec<usize> = altered(from, to)
            .iter()
            .filter(|finding| finding.code == code)
            .map(|finding| finding.line)
            .collect();
        let place = source.lines().position(|line| line.contains(at));
        assert_eq!(lines, [place.unwrap() + 1], "{code} of {to}");
    }
}

#[test]
fn several_reductions_may_come_to_more_than_the_fee() {
    let many = "amount  = -40\n[[adjust]]\nid = \"more\"\narticle = \"1\"\nwhen = { agreed_price = false }\namount = -40";
    let findings = altered("amount  = -5", many);
    assert_eq!(findings, [], "together they take at most what is left");
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
fn the_table_is_written_for_a_page_too() {
    let table = fee_table(&small(
        "[fees]\n[[fees.row]]\nid = \"fee\"\ntext = \"A | <b>\"\namount = \"12.50\"\n[[adjust]]\nid = \"late\"\nwhen = { registered = { from = 2026-07-01 } }\npercent = 10\n",
    ));
    assert_eq!(
        table.to_markdown(Language::En),
        "| EUR | open |\n| --- | ---: |\n| A \\| <b> | 12.50 |\n| Charge (late) | +10 % |\n"
    );
    assert_eq!(
        table.to_html(Language::Ca),
        "<table lang=\"ca\">\n<thead>\n<tr><th scope=\"col\">EUR</th><th scope=\"col\">open</th></tr>\n</thead>\n\
         <tbody>\n<tr><th scope=\"row\">A | &lt;b&gt;</th><td>12.50</td></tr>\n\
         <tr><th scope=\"row\">Recàrrec (late)</th><td>+10 %</td></tr>\n</tbody>\n</table>\n"
    );
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
