//! The file that a few answers come to: it can be read, checks without errors, and asks what was answered.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{BasisPoints, Entrant, EntryRequest, QuoteRequest, RefundAsk, RefundCause, Title};
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use rules::check::{Finding, Limits, Severity, check};
use rules::{Cancel, Draft, DraftSection, Early, Juniors, Less, Regulation, quote, refund};
use support::people::{checked, instant, player};

const FIRST: Date = Date::constant(2027, 7, 3);

fn draft() -> Draft {
    let section = DraftSection {
        id: "A".parse().unwrap(),
        under: None,
        fee: 6_000,
    };
    let zone = TimeZone::get("Europe/Madrid").unwrap();
    let euro = "EUR".parse().unwrap();
    Draft::new("open-2027".parse().unwrap(), section, (zone, euro), FIRST)
}

fn read(draft: &Draft) -> Regulation {
    let text = draft.write();
    Regulation::parse("draft.toml", &text, 1).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What `check` tells but for what is marked as left to write, the articles first of all: nobody was asked for it.
fn findings(regulation: &Regulation, minimum_charge: i64) -> Vec<Finding> {
    let limits = Limits {
        minimum_charge,
        ..Limits::ANY_SUM
    };
    let mut findings = check(regulation, &limits);
    findings.retain(|finding| !["article_missing", "to_be_written"].contains(&finding.code));
    findings
}

/// What an entry costs, or nothing where it is not taken.
fn fee(regulation: &Regulation, section: &str, facts: &[&str], at: &str) -> Option<i64> {
    let request = QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: domain::Taken::new(),
        others: domain::Others::default(),
        at: instant(regulation, at),
        entries: vec![EntryRequest {
            section: Some(section.parse().unwrap()),
            entrant: checked(Entrant::Player(player(facts, regulation))),
        }],
        standing: Vec::new(),
    };
    let quote = quote(regulation, &request);
    quote.eligible.then_some(quote.total)
}

#[test]
fn a_draft_of_defaults_leaves_the_articles_open_and_nothing_else() {
    let text = draft().write();
    let regulation = read(&draft());
    assert_eq!(findings(&regulation, 50), []);
    assert_eq!(regulation.name().en, "Open 2027".into());
    assert!(text.contains("article = \"\""), "{text}");
    assert!(text.contains("# TODO: where the bases say it"), "{text}");
    for line in text.lines() {
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn who_enters_pays_what_was_answered() {
    let mut draft = draft();
    draft.sections.push(DraftSection {
        id: "B".parse().unwrap(),
        under: Some(1_800),
        fee: 4_550,
    });
    draft.early = Some(Early {
        until: Date::constant(2027, 5, 31),
        less: 500,
    });
    draft.juniors = Some(Juniors {
        under: 16,
        less: Less::Share(BasisPoints(5_000)),
    });
    draft.free = vec![Title::Gm, Title::Wgm];
    let regulation = read(&draft);
    assert_eq!(findings(&regulation, 50), []);
    let (soon, late) = ("2027-05-31T23:59:59", "2027-06-01T00:00:00");
    let (child, grown) = ("born 2011-07-04", "born 2011-07-03");
    for (section, facts, at, sum) in [
        ("A", vec![], late, Some(6_000)),
        ("A", vec![], soon, Some(5_500)),
        ("A", vec![child], late, Some(3_000)),
        ("A", vec![child], soon, Some(2_500)),
        ("A", vec![grown], late, Some(6_000)),
        ("A", vec!["title GM"], soon, Some(0)),
        ("A", vec!["title IM"], late, Some(6_000)),
        ("B", vec!["rating 1799"], late, Some(4_550)),
        ("B", vec![child], late, Some(2_275)),
        ("B", vec!["rating 1800"], late, None),
        ("A", vec![], "2027-07-02T23:59:59", Some(6_000)),
        ("A", vec![], "2027-07-03T00:00:00", None),
    ] {
        assert_eq!(
            fee(&regulation, section, &facts, at),
            sum,
            "{section} {facts:?} {at}"
        );
    }
}

#[test]
fn entry_on_the_first_day_ends_with_round_one() {
    let mut draft = draft();
    draft.closes = draft.first;
    let regulation = read(&draft);
    assert_eq!(findings(&regulation, 50), []);
    assert!(fee(&regulation, "A", &[], "2027-07-03T16:29:59").is_some());
    assert!(fee(&regulation, "A", &[], "2027-07-03T16:30:00").is_none());
}

#[test]
fn what_comes_back_is_what_was_answered() {
    let mut draft = draft();
    draft.cancel = Some(Cancel {
        until: Date::constant(2027, 6, 11),
        keep: BasisPoints(2_550),
    });
    let text = draft.write();
    assert!(
        text.contains("fins a l'11 de juny: es reté el 25,5 %"),
        "{text}"
    );
    let regulation = read(&draft);
    for (at, back) in [("2027-06-11T23:59:59", 4_470), ("2027-06-12T00:00:00", 0)] {
        let ask = RefundAsk {
            paid: 6_000,
            currency: regulation.currency(),
            requested_at: instant(&regulation, at),
            cause: RefundCause::Player,
            approved: true,
            section: None,
            rows: [].into(),
            credit: false,
            proof: None,
        };
        assert_eq!(refund(&regulation, &ask).refund, back, "{at}");
    }
}

#[test]
fn what_a_gateway_cannot_charge_is_found_by_check() {
    let mut draft = draft();
    draft.juniors = Some(Juniors {
        under: 12,
        less: Less::Sum(5_980),
    });
    let codes: Vec<&str> = findings(&read(&draft), 50).iter().map(|f| f.code).collect();
    assert_eq!(codes, ["total_too_small"]);
}

#[test]
fn a_name_may_have_quotes_and_accents() {
    for name in [
        "Club \"Hermanos Rojas\"",
        "L'Obert d'Òdena",
        "C:\\chess",
        "a # b",
    ] {
        let named = Draft {
            name: name.to_owned(),
            ..draft()
        };
        assert_eq!(&*read(&named).name().ca, name);
    }
}

/// Every answer given and not given, with every other.
#[test]
fn every_combination_of_answers_checks_without_a_finding() {
    let given = |bits: u32, bit: u32| bits & (1 << bit) != 0;
    for bits in 0..1 << 8 {
        let mut all = draft();
        if given(bits, 0) {
            all.sections.push(DraftSection {
                id: "B".parse().unwrap(),
                under: Some(1_800),
                fee: 4_550,
            });
        }
        let until = Date::constant(2027, 5, 31);
        all.early = given(bits, 1).then_some(Early { until, less: 500 });
        let less = if given(bits, 2) {
            Less::Sum(1_000)
        } else {
            Less::Share(BasisPoints(2_500))
        };
        all.juniors = given(bits, 3).then_some(Juniors { under: 18, less });
        all.free = if given(bits, 4) {
            vec![Title::Gm]
        } else {
            Vec::new()
        };
        all.seats = given(bits, 5).then_some(120);
        (all.card, all.transfer) = (!given(bits, 6), given(bits, 6));
        let keep = BasisPoints(5_000);
        all.cancel = given(bits, 7).then_some(Cancel { until, keep });
        assert_eq!(findings(&read(&all), 50), [], "{}", all.write());
    }
}

const TITLES: [Title; 3] = [Title::Gm, Title::Im, Title::Wfm];

prop_compose! {
    fn sections()(
        fees in prop::collection::vec(prop_oneof![Just(0), 1_000..20_000i64], 1..4),
        limits in prop::collection::vec(prop::option::of(1..3_000u16), 4),
    ) -> Vec<DraftSection> {
        let all = ["A", "B", "open_2", "1"].into_iter().zip(fees).zip(limits);
        let all = all.map(|((id, fee), under)| DraftSection { id: id.parse().unwrap(), under, fee });
        all.collect()
    }
}

prop_compose! {
    /// Days before the first one: the last of entry, of the reduction, and to cancel.
    fn days()(
        early in prop::option::of((10..200i32, 1..1_000i64)),
        closes in 0..10i32,
        cancel in prop::option::of((0..200i32, 0..=10_000u32)),
    ) -> (Date, Option<Early>, Option<Cancel>) {
        let ahead = |days: i32| FIRST.saturating_sub(days.days());
        let early = early.map(|(days, less)| Early { until: ahead(days), less });
        let cancel = cancel.map(|(days, keep)| Cancel { until: ahead(days), keep: BasisPoints(keep) });
        (ahead(closes), early, cancel)
    }
}

prop_compose! {
    fn drafts()(
        sections in sections(),
        (closes, early, cancel) in days(),
        juniors in prop::option::of((1..99u8, prop_oneof![
            (1..1_000i64).prop_map(Less::Sum),
            (1..=10_000u32).prop_map(|share| Less::Share(BasisPoints(share))),
        ])),
        free in prop::sample::subsequence(TITLES.to_vec(), 0..=3),
        seats in prop::option::of(1..500u32),
        (card, transfer) in prop::sample::select(vec![(true, false), (false, true), (true, true)]),
        currency in prop::sample::select(vec!["EUR", "JPY", "TND"]),
        zone in prop::sample::select(vec!["Europe/Madrid", "America/Lima", "UTC"]),
    ) -> Draft {
        let juniors = juniors.map(|(under, less)| Juniors { under, less });
        let zone = TimeZone::get(zone).unwrap();
        let currency = currency.parse().unwrap();
        Draft { sections, closes, early, cancel, juniors, free, seats, card, transfer, currency, zone, ..draft() }
    }
}

/// What the answers say that somebody pays.
fn answered(draft: &Draft, fee: i64, early: bool, young: bool) -> i64 {
    let early = draft.early.filter(|_| early).map_or(0, |early| early.less);
    let young = match draft.juniors.filter(|_| young).map(|juniors| juniors.less) {
        None => 0,
        Some(Less::Sum(sum)) => sum,
        Some(Less::Share(share)) => share.of_half_up(fee, 1),
    };
    (fee - early - young).max(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_draft_is_read_and_has_no_errors(draft in drafts()) {
        let regulation = read(&draft);
        let found = findings(&regulation, 1);
        let errors: Vec<_> = found.iter().filter(|f| f.severity == Severity::Error).collect();
        prop_assert!(errors.is_empty(), "{errors:?}\n{}", draft.write());
        prop_assert_eq!(regulation.sections().count(), draft.sections.len());
    }

    #[test]
    fn every_draft_asks_what_was_answered(draft in drafts(), titled in any::<bool>(), early in any::<bool>()) {
        let regulation = read(&draft);
        let day = if early { draft.early.map_or(draft.closes, |early| early.until) } else { draft.closes };
        let early = draft.early.is_some_and(|early| day <= early.until);
        let at = format!("{day}T00:00:00");
        for section in &draft.sections {
            let mut facts = vec!["born 1920-01-01"];
            let mut wanted = answered(&draft, section.fee, early, false);
            prop_assert_eq!(fee(&regulation, section.id.as_str(), &facts, &at), Some(wanted));
            facts[0] = "born 2026-07-04";
            if titled {
                facts.push("title GM");
            }
            wanted = match titled && draft.free.contains(&Title::Gm) {
                true => 0,
                false => answered(&draft, section.fee, early, true),
            };
            prop_assert_eq!(fee(&regulation, section.id.as_str(), &facts, &at), Some(wanted));
        }
    }
}
