//! Prices for one person's entries in several sections: how the file says them, what is told of them, and what is left when one leaves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{Entrant, EntryId, EntryRequest, FactName, Instants, LineKind, OrderId, QuoteRequest};
use rules::check::{Limits, check};
use rules::diff::diff;
use rules::table::fee_table;
use rules::{Regulation, Remaining, quote, remaining_price, show};
use support::asking::asked;
use support::people::{checked, instant, player};
use support::{read, whole};

const AT: &str = "2026-06-01T12:00:00";

fn text() -> String {
    read("rules/tests/fixtures/packages.toml")
}

fn parsed(text: &str) -> Regulation {
    Regulation::parse("packages.toml", text, 1).unwrap_or_else(|error| panic!("{error}"))
}

fn festival() -> Regulation {
    parsed(&text())
}

fn faults(text: &str) -> Vec<String> {
    let error = Regulation::parse("packages.toml", text, 1).unwrap_err();
    error.faults.into_iter().map(|f| f.reason).collect()
}

fn entry(section: &str, entrant: Entrant) -> EntryRequest {
    EntryRequest {
        section: Some(section.parse().unwrap()),
        entrant,
    }
}

/// Entries of Ana, whose facts are these and her own word.
fn of_ana(festival: &Regulation, sections: &[&str], facts: &[&str]) -> QuoteRequest {
    let facts = [&["name Ana"], facts].concat();
    let ana = || Entrant::Player(player(&facts, festival));
    let entries = sections.iter().map(|section| entry(section, ana()));
    asked(festival, AT, entries.collect())
}

/// What `check` finds by its code, row and example, where at least half a unit can be charged.
fn found(text: &str) -> Vec<(&'static str, String, String)> {
    let limits = Limits {
        minimum_charge: 50,
        ..Limits::ANY_SUM
    };
    let findings = check(&parsed(text), &limits).into_iter();
    let told = |text: Option<String>| text.unwrap_or_default();
    findings
        .map(|f| (f.code, told(f.row), told(f.example)))
        .collect()
}

/// How the first package of the file reaches its entries.
const QUICK: &str = "sections = [\"rapid\", \"blitz\"]\nsame     = \"person\"\ntogether = 60";

const WRONG: [(&str, &str, &str); 16] = [
    (
        "once_per  = \"section\"",
        "",
        "promotion.same: nobody is in two sections as long as [entry] does not say once_per = \"section\"",
    ),
    (
        QUICK,
        "sections = [\"rapid\"]\nsame = \"person\"\ntogether = 60",
        "promotion.sections: expected at least two sections",
    ),
    (
        QUICK,
        "sections = [\"rapid\", \"rapid\"]\nsame = \"person\"\ntogether = 60",
        "promotion.sections: expected different sections",
    ),
    (
        QUICK,
        "sections = [\"rapid\", \"blitz\"]\nsame = \"person\"",
        "promotion: expected one of together, amount or percent",
    ),
    (
        "together = 60",
        "together = 60\namount = -5",
        "promotion: expected one of together, amount or percent",
    ),
    (
        "together = 60",
        "amount = 5",
        "promotion.amount: a promotion takes off: write it below zero",
    ),
    (
        "together = 60",
        "percent = 0",
        "promotion.percent: a promotion takes off: write it below zero",
    ),
    (
        "together = 60",
        "together = -60",
        "promotion.together: a sum here is not negative",
    ),
    (
        "together = 60",
        "together = 60\nshared_players = 1",
        "promotion.shared_players: only a promotion with same = \"institution\" has it",
    ),
    (
        "together = 60",
        "together = 60\nwhen = { paid = { until = 2026-06-01 } }",
        "promotion.when: a promotion goes neither by the payment nor by others",
    ),
    (
        "together = 60",
        "together = 60\nwhen = { in_order = { from = 2 } }",
        "promotion.when: a promotion goes neither by the payment nor by others",
    ),
    (
        QUICK,
        "sections = [\"rapid\", \"blitz\", \"classic\"]\nsame = \"institution\"\nshared_players = 1\ntogether = 60",
        "promotion.sections: expected two sections",
    ),
    (
        QUICK,
        "sections = [\"rapid\", \"blitz\"]\nsame = \"institution\"\nshared_players = 1\nwhen = { age = { under = 9 } }\ntogether = 60",
        "promotion.when: only a promotion with same = \"person\" has it",
    ),
    (
        "[section.rapid]\n",
        "[section.rapid]\nentrants = \"teams\"\n",
        "promotion.same: a section of teams has no persons",
    ),
    (
        "[[promotion]]\nid       = \"quick\"",
        "[[adjust]]\nid = \"late\"\nwhen = { paid = { from = 2026-07-01 } }\namount = { rapid = 5 }\n[[promotion]]\nid       = \"quick\"",
        "a price that goes by the payment or by others cannot have a [[promotion]]",
    ),
    (
        "[[promotion]]\nid       = \"quick\"",
        "[section.simul]\nname = \"Simul\"\n[[adjust]]\nid = \"club\"\nwhen = { members = { of = \"club\", from = 4 } }\namount = { simul = -5 }\n[[promotion]]\nid       = \"quick\"",
        "promotion.same: it cannot stand in one file with members of a club or a federation",
    ),
];

#[test]
fn a_package_that_is_wrong_is_refused_with_what_would_be_right() {
    for (from, to, reason) in WRONG {
        assert!(text().contains(from), "{from}");
        let faults = faults(&text().replacen(from, to, 1));
        assert_eq!(faults.first().map(String::as_str), Some(reason), "{to}");
    }
    // Other sections may go by the payment.
    let simul = "[section.simul]\nname = \"Simul\"\n[[adjust]]\nid = \"late\"\nwhen = { paid = { from = 2026-07-01 } }\namount = { simul = 5 }\n[[promotion]]\nid       = \"quick\"";
    parsed(&text().replacen("[[promotion]]\nid       = \"quick\"", simul, 1));
}

#[test]
fn check_tells_packages_that_help_nobody_and_sums_that_cannot_be_charged() {
    assert_eq!(found(&text()), []);
    let with = |from: &str, to: &str| found(&text().replacen(from, to, 1));
    let one = |code, row: &str, example: &str| vec![(code, row.to_owned(), example.to_owned())];
    let idle = "at most 70.00 EUR one by one";
    assert_eq!(
        with("together = 60", "together = 70"),
        one("promotion_idle", "quick", idle)
    );
    // Nobody of that age is let in.
    let admits = "[[admits]]\narticle = \"1\"\nneeds = { age = { from = 18 } }\n[fees]";
    let nobody = "at most 0.00 EUR one by one";
    assert_eq!(
        with("[fees]", admits),
        one("promotion_idle", "junior", nobody)
    );
    // Who pays 20 and 15 as a junior has nothing of 40.
    let junior = "[[fees.row]]\nid = \"young\"\narticle = \"2\"\nwhen = { age = { under = 18 } }\namount = { rapid = 20, blitz = 15, classic = 30 }\n[[promotion]]\nid       = \"quick\"";
    let young = text().replacen("[[promotion]]\nid       = \"quick\"", junior, 1);
    let young = young.replacen("percent  = -50", "together = 40", 1);
    assert_eq!(
        found(&young),
        one("promotion_idle", "junior", "at most 35.00 EUR one by one")
    );
    // 40 are paid for the one, or 60 for two of three.
    let small = "0.20 EUR for the later entry";
    assert_eq!(
        with("together = 60", "together = \"40.20\""),
        one("total_too_small", "quick", small)
    );
    assert_eq!(
        with("together = 80", "together = \"60.20\""),
        one("total_too_small", "all", small)
    );
    assert_eq!(
        with("percent  = -50", "percent = -99"),
        one("total_too_small", "junior", "0.30 EUR for the later entry")
    );
    // Less is paid for a package than for any entry alone, and a tier may grow below that.
    let tiers = "keep      = { percent = 0 }\n[[refund.tier]]\nid = \"late\"\narticle = \"4\"\nrequested = { until = 2026-07-20 }\nkeep = { amount = 0 }";
    assert_eq!(with("keep      = { percent = 0 }", tiers), []);
}

#[test]
fn more_combinations_than_are_looked_at_are_not_proved() {
    let mut text = whole("[fees]\n[[fees.row]]\nid = \"fee\"\narticle = \"1\"\namount = 10\n");
    let names: Vec<String> = (0..40).map(|n| format!("s{n}")).collect();
    let sections = names
        .iter()
        .map(|n| format!("[section.{n}]\nname = \"S\"\n"));
    text = text.replace(
        "[section.open]\nname = \"Open\"\n",
        &sections.collect::<String>(),
    );
    text = text.replace("[entry]\n", "[entry]\nonce_per = \"section\"\n");
    text += &format!(
        "[[promotion]]\nid = \"pass\"\nsections = {names:?}\nsame = \"person\"\ntogether = 100\n"
    );
    let told = found(&text);
    assert_eq!(told, [("not_proved", "pass".to_owned(), String::new())]);
    let last = text.replace("together = 100", "amount = -1");
    assert_eq!(found(&last), []);
}

#[test]
fn the_table_and_the_words_show_packages() {
    let text = text().replacen("together = 80", "amount = -5", 1);
    let festival = parsed(&text);
    let table = fee_table(&festival);
    let cells = |rule: &str| -> Vec<String> {
        let row = table.rows.iter().find(|row| row.rule == rule).unwrap();
        row.cells
            .iter()
            .map(|cell| cell.clone().unwrap_or_default())
            .collect()
    };
    assert_eq!(cells("quick"), ["", "= 60.00", "= 60.00"]);
    assert_eq!(cells("junior"), ["", "-50 %", "-50 %"]);
    assert_eq!(cells("all"), ["-5.00", "-5.00", "-5.00"]);
    let shown = show(&festival);
    for line in [
        "  quick: 60.00 EUR for one player in rapid and blitz",
        "  junior: -50 % for the last of one player in rapid and blitz, for: age 17 or less (born 2008-08-02 or later)",
        "  all: -5.00 EUR for the last of one player in classic and rapid and blitz",
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line:?} in\n{shown}"
        );
    }
}

#[test]
fn a_package_that_changes_is_told_where_two_files_are_compared() {
    let changed = |after: &str| -> Vec<(String, Option<String>, Option<String>)> {
        let found = diff(&festival(), &parsed(after), &Limits::ANY_SUM).unwrap();
        assert_eq!(found.differences, []);
        let promotions = found.promotions.into_iter();
        promotions
            .map(|row| (row.id, row.before, row.after))
            .collect()
    };
    assert_eq!(changed(&text()), []);
    let quick = "60.00 EUR for one player in rapid and blitz".to_owned();
    let cheaper = quick.replace("60.00", "50.00");
    let after = text().replacen("together = 60", "together = 50", 1);
    assert_eq!(
        changed(&after),
        [("quick".to_owned(), Some(quick.clone()), Some(cheaper))]
    );
    let after = text().replacen("id       = \"quick\"", "id = \"fast\"", 1);
    let gone = ("quick".to_owned(), Some(quick.clone()), None);
    assert_eq!(
        changed(&after),
        [gone, ("fast".to_owned(), None, Some(quick))]
    );
    let after = text().replacen("under = 18", "under = 20", 1);
    assert_eq!(changed(&after)[0].0, "junior");
}

#[test]
fn a_fact_that_a_package_stands_on_is_to_be_checked() {
    let festival = festival();
    let junior = of_ana(&festival, &["rapid", "blitz"], &["born 2010-01-01"]);
    let answer = quote(&festival, &junior);
    assert_eq!(answer.total, 5_500);
    assert_eq!(answer.entries[0].to_check, []);
    assert_eq!(answer.entries[1].to_check, [FactName::BirthDate]);
    let adult = quote(&festival, &of_ana(&festival, &["rapid", "blitz"], &[]));
    assert_eq!(adult.total, 6_000);
    assert!(adult.entries.iter().all(|entry| entry.to_check.is_empty()));
    // On other grounds, and on better knowledge.
    let listed = text().replacen("percent  = -50", "percent = -50\naccepts = \"checked\"", 1);
    assert_eq!(quote(&parsed(&listed), &junior).total, 6_000);
    let mut known = junior.clone();
    for entry in &mut known.entries {
        entry.entrant = checked(entry.entrant.clone());
    }
    let answer = quote(&parsed(&listed), &known);
    assert_eq!((answer.total, answer.entries[1].to_check.len()), (5_500, 0));
    let either = "when     = { any = [{ age = { under = 18 } }, { disability = true }, { agreed_price = true }] }";
    let either = text().replacen("when     = { age = { under = 18 } }", either, 1);
    let doubted = |facts: &[&str]| {
        let festival = parsed(&either);
        let answer = quote(&festival, &of_ana(&festival, &["rapid", "blitz"], facts));
        answer.entries[1].to_check.clone()
    };
    assert_eq!(doubted(&["born 2010-01-01"]), [FactName::BirthDate]);
    assert_eq!(doubted(&["disability"]), [FactName::Disability]);
    assert_eq!(
        doubted(&["born 2010-01-01", "disability"]),
        [FactName::BirthDate, FactName::Disability]
    );
    // A package that costs nothing on somebody's word waits for approval.
    let free = parsed(&text().replacen("percent  = -50", "percent = -100", 1));
    let answer = quote(
        &free,
        &of_ana(&free, &["rapid", "blitz"], &["born 2010-01-01"]),
    );
    assert_eq!(
        (answer.entries[1].total, answer.entries[1].needs_approval),
        (0, true)
    );
}

#[test]
fn an_entry_that_is_to_be_placed_is_in_no_package() {
    let festival = festival();
    let mut both = of_ana(&festival, &["rapid", "blitz"], &[]);
    both.entries[0].section = None;
    // It costs the lowest fee.
    assert_eq!(quote(&festival, &both).total, 6_000);
    both.entries.swap(0, 1);
    let answer = quote(&festival, &both);
    let promoted = answer.lines.iter();
    let mut promoted = promoted.filter(|line| line.kind == LineKind::Promotion);
    assert_eq!((answer.total, promoted.next()), (6_000, None));
}

#[test]
fn a_price_holds_until_the_window_of_a_package_ends() {
    let window = "together = 60\nwhen = { registered = { until = 2026-06-30 } }";
    let festival = parsed(&text().replacen("together = 60", window, 1));
    let answer = quote(&festival, &of_ana(&festival, &["rapid", "blitz"], &[]));
    assert_eq!(
        answer.valid_until,
        Some(instant(&festival, "2026-07-01T00:00:00"))
    );
    assert_eq!(answer.total, 6_000);
}

#[test]
fn what_others_cost_when_one_leaves_goes_by_their_forms_and_orders() {
    let festival = festival();
    let sections = ["classic", "rapid", "blitz"].map(|id| id.parse().unwrap());
    let ana = Entrant::Player(player(&["name Ana"], &festival));
    let prices = |of: &[(usize, i64)]| -> Vec<i64> {
        let remaining = of.iter().map(|(section, order)| Remaining {
            entry: EntryId(i64::try_from(*section).unwrap()),
            order: OrderId(*order),
            at: Instants::of(instant(&festival, AT), None, None),
            currency: festival.currency(),
            section: Some(&sections[*section]),
            entrant: &ana,
            claims: &[],
        });
        let prices = remaining_price(&festival, &remaining.collect::<Vec<_>>());
        prices
            .into_iter()
            .map(|price| price.total.unwrap())
            .collect()
    };
    assert_eq!(prices(&[(1, 1), (2, 2), (0, 3)]), [4_000, 2_000, 2_000]);
    assert_eq!(prices(&[(2, 2), (0, 3)]), [3_000, 6_000]);
    assert_eq!(prices(&[(1, 1), (0, 3)]), [4_000, 6_000]);
    assert_eq!(prices(&[(1, 1), (2, 2)]), [4_000, 2_000]);
    // 100 stand already in two orders; in one order with the third they come to 80.
    assert_eq!(prices(&[(0, 1), (1, 1), (2, 2)]), [6_000, 4_000, 0]);
    assert_eq!(prices(&[(0, 1), (1, 1), (2, 1)]), [6_000, 2_000, 0]);
    assert_eq!(prices(&[(0, 1), (1, 2), (2, 2)]), [6_000, 2_000, 0]);
}
