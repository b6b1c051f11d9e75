//! What a file may say has an end, so that reading it has one: names that double each other, rows without number, dates
//! that no calendar has. Each is refused with its reason, and nothing is dropped in silence.

mod support;

use std::fmt::Write;

use rules::{Regulation, quote};
use support::asking::{asked, one};
use support::{small, whole};

const FEES: &str = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n";

/// The reasons for which a text is refused.
fn reasons_of(text: &str) -> Vec<String> {
    let Err(error) = Regulation::parse("x.toml", text, 1) else {
        return Vec::new();
    };
    assert!(!error.faults.is_empty(), "refused without a reason");
    error.faults.into_iter().map(|fault| fault.reason).collect()
}

fn reasons(fragment: &str) -> Vec<String> {
    reasons_of(&whole(fragment))
}

/// As many of these as `count`, each with its number for `#`.
fn times(count: usize, one: &str) -> String {
    (0..count)
        .map(|n| one.replace('#', &n.to_string()))
        .collect()
}

#[test]
fn names_that_double_each_other_are_refused_before_they_fill_the_memory() {
    let mut who = "[who]\nx0 = { sex = \"m\" }\n".to_owned();
    for n in 0..60 {
        writeln!(who, "x{} = {{ all = [\"x{n}\", \"x{n}\"] }}", n + 1).unwrap();
    }
    let refused = reasons(&format!("{who}{FEES}when = \"x60\"\n"));
    assert!(refused[0].contains("may say 4000 things"), "{refused:?}");
}

#[test]
fn a_chain_of_names_is_refused_before_it_is_too_deep() {
    let chain = |links: usize| {
        let links = (0..links).map(|n| format!("x{} = {{ not = \"x{n}\" }}\n", n + 1));
        "[who]\nx0 = { sex = \"m\" }\n".to_owned() + &links.collect::<String>() + FEES
    };
    assert_eq!(reasons(&chain(40)), [""; 0]);
    let refused = reasons(&chain(4_000));
    assert!(refused[0].contains("may say 4000 things"), "{refused:?}");
}

#[test]
fn what_there_can_be_too_many_of_is_counted() {
    let section = "[section.s#]\nname = \"S\"\n";
    let row = "[[fees.row]]\nid = \"r#\"\namount = 5\n";
    let early = "[[fees.row]]\nid = \"r#\"\namount = 5\nwhen = { registered = { before = 2026-07-01T10:00:# } }\n";
    let promotion = "[[promotion]]\nid = \"p#\"\nsections = [\"s0\", \"s1\"]\nsame = \"institution\"\nshared_players = 1\ntogether = 5\n";
    let many = |count, of: &str| reasons(&format!("[fees]\n{}", times(count, of)));
    let of_sections = |count| reasons(&(times(count, section) + FEES));
    let promotions = |count| reasons(&(times(2, section) + FEES + &times(count, promotion)));
    let stretches = |count| {
        let early = (10..10 + count).map(|n| early.replace('#', &n.to_string()));
        reasons(&format!("[fees]\n{}", early.collect::<String>()))
    };
    assert_eq!(of_sections(64), [""; 0]);
    assert_eq!(of_sections(65), ["section: a file may have 64 sections"]);
    assert_eq!(many(500, row), [""; 0]);
    assert_eq!(many(501, row), ["fees.row: a file may have 500 of these"]);
    assert_eq!(promotions(500), [""; 0]);
    assert_eq!(promotions(501), ["promotion: a file may have 500 of these"]);
    // So many ends make one stretch more.
    assert_eq!(stretches(49), [""; 0]);
    let ends = |n: u32, of: &str| {
        format!(
            "[[fees.row]]\nid = \"{of}{n}\"\namount = 5\nwhen = {{ {of} = {{ before = 2026-07-0{n} }} }}\n"
        )
    };
    let by_kind = |counts: [u32; 3]| {
        let kinds = ["registered", "paid", "received"].into_iter().zip(counts);
        let rows = kinds.flat_map(|(of, count)| (1..=count).map(move |n| ends(n, of)));
        reasons(&format!("[fees]\n{}", rows.collect::<String>()))
    };
    assert_eq!(by_kind([3, 3, 3]), [""; 0]);
    assert_eq!(by_kind([7, 7, 0]), [""; 0]);
    let refused = by_kind([4, 3, 3]);
    assert!(
        refused[0].starts_with("fees: prices may differ in 64 stretches"),
        "{refused:?}"
    );
}

#[test]
fn a_file_and_a_name_have_a_length() {
    let comment = |bytes: usize| whole(FEES) + "#" + &" ".repeat(bytes);
    assert_eq!(reasons_of(&comment(1_000_000)), [""; 0]);
    assert_eq!(reasons_of(&comment(1 << 20)), ["a file may be 1 MiB long"]);
    let named = |bytes| {
        reasons(&format!(
            "[who]\n{} = {{ sex = \"m\" }}\n{FEES}",
            "x".repeat(bytes)
        ))
    };
    assert_eq!(named(64), [""; 0]);
    assert_eq!(named(65), ["a name in [who] may be 64 bytes long"]);
}

#[test]
fn a_date_past_the_end_of_the_calendar_is_refused_with_a_reason() {
    let end = "no calendar goes so far";
    let row = |condition: &str| reasons(&format!("{FEES}when = {{ {condition} }}\n"));
    for condition in [
        "registered = { until = 9999-12-31 }",
        "registered = { after = 9999-12-31 }",
        "registered = { from = 9999-12-31 }",
        "registered = { before = 9999-12-31 }",
        "registered = { before = 9999-12-31T10:00:00 }",
        "registered = { until = 9999-12-31T10:00:00 }",
        "born = { after = 9999-12-31 }",
        "born = { after = 9999-12-31, to = 2010 }",
    ] {
        let refused = row(condition);
        assert!(
            refused.len() == 1 && refused[0].ends_with(end),
            "{condition}: {refused:?}"
        );
    }
    let whole = whole(FEES).replace("before = 2026-08-01T12:00:00", "until = 9999-12-31");
    assert_eq!(reasons_of(&whole), [format!("entry.closes.until: {end}")]);
    let refused = row("age = { to = 9999, on = 0000-06-01 }");
    assert_eq!(refused, ["fees.row.when.age: nobody was born so long ago"]);
}

/// Many rows that hide each other would be looked at for hours, one section and stretch of time after the other.
#[test]
fn the_search_for_the_dearest_facts_has_one_budget_for_the_whole_file() {
    let early = "[[fees.row]]\nid = \"r#\"\namount = 1#\nwhen = { registered = { before = 2026-07-01T10:00:# }, rating = { under = 1#0 }, club = \"c#\", born = { before = 19# } }\n";
    let rows = (10..50).map(|n| early.replace('#', &n.to_string()));
    let sections = times(64, "[section.s#]\nname = \"S\"\n");
    let regulation = small(&format!("{sections}[fees]\n{}", rows.collect::<String>()));
    let mut request = asked(
        &regulation,
        "2026-06-01T12:00:00",
        vec![one(&regulation, Some("s0"), &["rating 1000"])],
    );
    request.entries[0].entrant.grades_mut().clear();
    assert!(!quote(&regulation, &request).entries.is_empty());
}
