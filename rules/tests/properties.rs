//! Properties over random regulations and entrants.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{
    Entrant, EntryRequest, FactName, Quote, QuoteRequest, RefundAsk, RefundCause, UtcTime,
};
use proptest::prelude::*;
use rules::check::{Limits, check};
use rules::{Regulation, quote, refund};
use support::people::{checked, player};
use support::{small, whole};

const CONDITIONS: [&str; 15] = [
    "rating = { from = 2000 }",
    "rating = { from = 1600, under = 2000 }",
    "rating = { under = 1600 }",
    "unrated = true",
    "age = { under = 18 }",
    "age = { from = 65 }",
    "title = [\"GM\", \"WGM\"]",
    "licence = \"FCE\"",
    "disability = true",
    "sex = \"f\"",
    "any = [{ previous_participant = true }, { age = { under = 12 } }]",
    "not = { federation = \"ESP\" }",
    "answer = { member = true }",
    "answer = { editions = { from = 5 } }",
    "answer = { editions = { from = 1, to = 4 }, pays = [\"cash\", \"card\"] }",
];

const QUESTIONS: &str = r#"
[[question]]
id   = "member"
text = "Member?"
[[question]]
id     = "editions"
text   = "Editions?"
number = { from = 0, to = 60 }
[[question]]
id      = "pays"
text    = "How?"
choices = [{ id = "cash", text = "Cash" }, { id = "card", text = "Card" }, { id = "later", text = "Later" }]
"#;

/// Where an adjustment may end the next one.
const ENDS: &str = "# ends\n";

fn condition() -> impl Strategy<Value = String> {
    let some = prop::sample::subsequence(CONDITIONS.to_vec(), 0..=2);
    some.prop_map(|parts| {
        if parts.is_empty() {
            return String::new();
        }
        let parts: Vec<String> = parts.iter().map(|part| format!("{{ {part} }}")).collect();
        format!("when = {{ all = [{}] }}\n", parts.join(", "))
    })
}

fn row() -> impl Strategy<Value = String> {
    (condition(), 0..10_000u32).prop_map(|(when, cents)| {
        format!("{when}amount = \"{}.{:02}\"\n", cents / 100, cents % 100)
    })
}

fn adjustment() -> impl Strategy<Value = String> {
    let change = prop_oneof![
        (-60..60i32).prop_map(|units| format!("amount = {units}\n")),
        (-120..120i32).prop_map(|percent| format!("percent = {percent}\n")),
    ];
    let ends = prop::sample::select(vec!["", ENDS]);
    (condition(), change, ends).prop_map(|(when, change, ends)| when + &change + ends)
}

fn fragment(rows: &[String], adjustments: &[String]) -> String {
    let round_to = ["", "round_to = 1\n", "round_to = \"0.05\"\n"][rows.len() % 3];
    let mut text = format!("{QUESTIONS}[fees]\n{round_to}");
    for (place, row) in rows.iter().enumerate() {
        text += &format!("[[fees.row]]\nid = \"row{place}\"\n{row}");
    }
    for (place, adjustment) in adjustments.iter().enumerate() {
        // One that is ended ends none itself.
        let ends = match place % 2 == 0 && place + 1 < adjustments.len() {
            true => format!("ends = [\"adjust{}\"]\n", place + 1),
            false => String::new(),
        };
        let adjustment = adjustment.replace(ENDS, &ends);
        text += &format!("[[adjust]]\nid = \"adjust{place}\"\n{adjustment}");
    }
    text
}

fn facts() -> impl Strategy<Value = Vec<String>> {
    let rating = prop_oneof![Just(None), (1400..2600u16).prop_map(Some)];
    let born = 1940..2020i16;
    let flags = prop::sample::subsequence(
        vec![
            "disability",
            "woman",
            "previous",
            "title GM",
            "federation ESP",
            "licences FIDE FCE",
            "answers member=true",
            "answers editions=5",
            "answers editions=3,pays=card",
        ],
        0..=9,
    );
    (rating, born, flags).prop_map(|(rating, born, flags)| {
        let mut facts: Vec<String> = flags.into_iter().map(str::to_owned).collect();
        facts.push(format!("born {born}-08-01"));
        facts.extend(rating.map(|rating| format!("rating {rating}")));
        facts
    })
}

/// Noon of a day before entry closes.
fn at(day: i64) -> UtcTime {
    let noon: UtcTime = "2026-06-01T12:00:00Z".parse().unwrap();
    noon.plus_seconds(day * 86_400)
}

fn asked(regulation: &Regulation, facts: &[String], at: UtcTime, check: bool) -> QuoteRequest {
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let entrant = Entrant::Player(player(&facts, regulation));
    QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: domain::Taken::new(),
        others: domain::Others::default(),
        at,
        entries: vec![EntryRequest {
            section: Some("open".parse().unwrap()),
            entrant: if check { checked(entrant) } else { entrant },
        }],
        standing: Vec::new(),
    }
}

fn consistent(quote: &Quote) {
    for (place, entry) in quote.entries.iter().enumerate() {
        let lines = quote.lines.iter().filter(|line| line.entry == place);
        assert_eq!(lines.map(|line| line.amount).sum::<i64>(), entry.total);
        assert!(entry.total >= 0);
    }
    assert_eq!(
        quote.entries.iter().map(|entry| entry.total).sum::<i64>(),
        quote.total
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_sum_to_a_total_that_is_never_negative_and_recomputes(
        rows in prop::collection::vec(row(), 1..5),
        adjustments in prop::collection::vec(adjustment(), 0..4),
        facts in facts(),
        day in 0..60i64,
    ) {
        let regulation = small(&fragment(&rows, &adjustments));
        let request = asked(&regulation, &facts, at(day), false);
        let first = quote(&regulation, &request);
        consistent(&first);
        let stored = serde_json::to_string(&request).unwrap();
        let again = quote(&small(&fragment(&rows, &adjustments)), &serde_json::from_str(&stored).unwrap());
        prop_assert_eq!(first, again);
    }

    #[test]
    fn the_order_of_rows_does_not_matter_where_the_lowest_counts(
        rows in prop::collection::vec(row(), 1..5),
        adjustments in prop::collection::vec(adjustment(), 0..4),
        facts in facts(),
    ) {
        // Which one an adjustment ends goes by its place.
        let adjustments: Vec<String> = adjustments.iter().map(|row| row.replace(ENDS, "")).collect();
        let reversed = |items: &[String]| items.iter().rev().cloned().collect::<Vec<_>>();
        let one = small(&fragment(&rows, &adjustments));
        let other = small(&fragment(&reversed(&rows), &reversed(&adjustments)));
        let request = asked(&one, &facts, at(0), true);
        prop_assert_eq!(quote(&one, &request).total, quote(&other, &request).total);
    }

    #[test]
    fn earlier_is_never_dearer_where_only_an_early_reduction_differs(
        rows in prop::collection::vec(row(), 1..5),
        off in 1..40u32,
        facts in facts(),
        days in (0..60i64, 0..60i64),
    ) {
        let early = format!("when = {{ registered = {{ before = 2026-07-01 }} }}\namount = -{off}\n");
        let regulation = small(&fragment(&rows, &[early]));
        let total = |day| quote(&regulation, &asked(&regulation, &facts, at(day), true)).total;
        prop_assert!(total(days.0.min(days.1)) <= total(days.0.max(days.1)));
    }

    #[test]
    fn a_price_holds_until_its_quote_says(
        rows in prop::collection::vec(row(), 1..3),
        boundary in 10..50i64,
        day in 0..60i64,
        facts in facts(),
    ) {
        let local = at(boundary).to_string().replace('Z', "");
        let early = format!("when = {{ registered = {{ before = {local} }} }}\namount = -5\n");
        let regulation = small(&fragment(&rows, &[early]));
        let price = |at| quote(&regulation, &asked(&regulation, &facts, at, true));
        let now = price(at(day));
        if now.eligible {
            let until = now.valid_until.unwrap();
            prop_assert!(until > at(day));
            prop_assert_eq!(price(until.plus_seconds(-1)).total, now.total);
        }
    }

    #[test]
    fn a_clean_check_means_that_everybody_admitted_has_a_price(
        rows in prop::collection::vec(row(), 1..5),
        adjustments in prop::collection::vec(adjustment(), 0..3),
        needs in condition(),
        people in prop::collection::vec(facts(), 20),
    ) {
        let needs = needs.replace("when = ", "[[admits]]\nneeds = ");
        let regulation = small(&(fragment(&rows, &adjustments) + &needs));
        let limits = Limits { minimum_charge: 0, ..Limits::ANY_SUM };
        let codes: Vec<&str> = check(&regulation, &limits).iter().map(|found| found.code).collect();
        prop_assert!(!codes.contains(&"not_proved"));
        let priceless = people.iter().any(|facts| {
            let answer = quote(&regulation, &asked(&regulation, facts, at(1), true));
            answer.reasons.iter().any(|reason| reason.code == "no_price")
        });
        prop_assert!(!priceless || codes.contains(&"hole"), "{codes:?}");
    }

    #[test]
    fn a_row_that_check_calls_idle_makes_no_line(
        rows in prop::collection::vec(row(), 1..5),
        adjustments in prop::collection::vec(adjustment(), 0..4),
        choose in prop::sample::select(vec!["lowest", "first"]),
        combine in prop::sample::select(vec!["sum", "best", "last"]),
        people in prop::collection::vec(facts(), 20),
    ) {
        let stages = format!("[[stage]]\nid = \"reductions\"\ncombine = \"{combine}\"\n[[stage]]\nid = \"charges\"\n");
        let fragment = fragment(&rows, &adjustments) + &stages;
        let fragment = fragment.replacen("[fees]\n", &format!("[fees]\nchoose = \"{choose}\"\n"), 1);
        let regulation = small(&fragment);
        let findings = check(&regulation, &Limits::ANY_SUM);
        let idle = findings.iter().filter(|found| ["dead_row", "never_chosen", "never_counts"].contains(&found.code));
        let idle: Vec<&str> = idle.filter_map(|found| found.row.as_deref()).collect();
        for facts in &people {
            let answer = quote(&regulation, &asked(&regulation, facts, at(1), true));
            let told = answer.lines.iter().find(|line| idle.contains(&&*line.rule));
            prop_assert!(told.is_none(), "{told:?} of {findings:?}");
        }
    }

    #[test]
    fn where_nothing_is_to_check_nobody_would_pay_more(
        rows in prop::collection::vec(row(), 1..5),
        adjustments in prop::collection::vec(adjustment(), 0..3),
        facts in facts(),
        others in prop::collection::vec(super_facts(), 30),
    ) {
        let regulation = small(&fragment(&rows, &adjustments));
        let price = |facts: &[String]| quote(&regulation, &asked(&regulation, facts, at(1), false));
        let own = price(&facts);
        if own.eligible && own.entries[0].to_check.is_empty() {
            for mut other in others {
                // What is ordered is a wish: who orders more pays more.
                let answered = |fact: &String| fact.starts_with("answers");
                other.retain(|fact| !answered(fact));
                other.extend(facts.iter().filter(|fact| answered(fact)).cloned());
                let other = price(&other);
                prop_assert!(!other.eligible || other.total <= own.total);
            }
        }
    }

    #[test]
    fn what_comes_back_and_what_is_kept_are_what_was_paid(
        paid in 0..i64::MAX / 4,
        percent in 0..=100u32,
        amount in 0..1_000u32,
        least in 0..1_000u32,
        day in 0..90i64,
        approved: bool,
    ) {
        let regulation = small(&format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 5\n[[refund.tier]]\nid = \"t\"\nrequested = {{ until = 2026-07-01 }}\nkeep = {{ percent = {percent}, amount = {amount}, least = {least} }}\n"
        ));
        for cause in [RefundCause::Player, RefundCause::Organiser, RefundCause::Rejected, RefundCause::NoSeat] {
            let ask = RefundAsk { paid, currency: regulation.currency(), requested_at: at(day), cause, approved, section: None, rows: [].into(), credit: false, proof: None };
            let found = refund(&regulation, &ask);
            prop_assert_eq!(found.refund + found.kept, paid);
            prop_assert!(found.refund >= 0 && found.kept >= 0);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(
        noise in "[a-z=\\[\\]{}\"0-9.\n -]{0,200}",
        cut in 0..3_000usize,
    ) {
        let text = whole("[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n") + &support::read("regulations/ellobregat-2026.toml");
        let cut = text.floor_char_boundary(cut);
        let text = format!("{}{noise}{}", &text[..cut], &text[cut..]);
        if let Err(error) = Regulation::parse("x.toml", &text, 1) {
            prop_assert!(!error.faults.is_empty());
        }
    }
}

/// People of every kind, those without any claim among them more often.
fn super_facts() -> impl Strategy<Value = Vec<String>> {
    let plain = (
        1940..2020i16,
        prop_oneof![Just(None), (1400..2600u16).prop_map(Some)],
    );
    let plain = plain.prop_map(|(born, rating)| {
        let mut facts = vec![format!("born {born}-08-01")];
        facts.extend(rating.map(|rating| format!("rating {rating}")));
        facts
    });
    prop_oneof![plain, facts()]
}

#[test]
fn a_checked_fact_is_never_flagged() {
    let regulation = small(
        "[fees]\n[[fees.row]]\nid = \"a\"\namount = 9\n[[fees.row]]\nid = \"b\"\namount = 5\nwhen = { disability = true }\n",
    );
    let facts = ["disability".to_owned()];
    let declared = quote(&regulation, &asked(&regulation, &facts, at(0), false));
    assert_eq!(declared.entries[0].to_check, [FactName::Disability]);
    let checked = quote(&regulation, &asked(&regulation, &facts, at(0), true));
    assert!(checked.entries[0].to_check.is_empty());
}
