//! Local times become instants in the venue's zone as the design says.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use rules::Regulation;
use support::whole;

/// When entry closes, by this deadline, in this zone.
fn closes(zone: &str, deadline: &str) -> String {
    let text = whole("[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n")
        .replace("Europe/Madrid", zone)
        .replace("{ before = 2026-08-01T12:00:00 }", deadline);
    let regulation = Regulation::parse("x.toml", &text, 1);
    let regulation = regulation.unwrap_or_else(|error| panic!("{deadline}: {error}"));
    regulation.closes().unwrap().to_string()
}

#[test]
fn before_leaves_out_what_it_names_and_until_takes_all_of_it_in() {
    for (zone, deadline, instant) in [
        (
            "Europe/Madrid",
            "{ before = 2026-07-21 }",
            "2026-07-20T22:00:00Z",
        ),
        (
            "Europe/Madrid",
            "{ until = 2026-07-21 }",
            "2026-07-21T22:00:00Z",
        ),
        (
            "Europe/Madrid",
            "{ before = 2026-07-21T14:00:00 }",
            "2026-07-21T12:00:00Z",
        ),
        (
            "Europe/Madrid",
            "{ until = 2026-07-21T14:00:00 }",
            "2026-07-21T12:00:01Z",
        ),
        (
            "Europe/Madrid",
            "{ until = 2026-12-31 }",
            "2026-12-31T23:00:00Z",
        ),
        (
            "America/Lima",
            "{ before = 2019-02-15T18:00:00 }",
            "2019-02-15T23:00:00Z",
        ),
    ] {
        assert_eq!(closes(zone, deadline), instant, "{zone} {deadline}");
    }
}

#[test]
fn a_repeated_time_is_the_later_one_and_a_skipped_one_the_first_after_it() {
    for (zone, deadline, instant) in [
        (
            "Europe/Madrid",
            "{ before = 2026-10-25T02:30:00 }",
            "2026-10-25T01:30:00Z",
        ),
        (
            "Europe/Madrid",
            "{ until = 2026-10-25T02:30:00 }",
            "2026-10-25T01:30:01Z",
        ),
        (
            "Europe/Madrid",
            "{ before = 2026-10-25T03:00:00 }",
            "2026-10-25T02:00:00Z",
        ),
        (
            "Europe/Madrid",
            "{ before = 2026-03-29T02:30:00 }",
            "2026-03-29T01:00:00Z",
        ),
        (
            "Europe/Madrid",
            "{ before = 2026-03-29T03:00:00 }",
            "2026-03-29T01:00:00Z",
        ),
        (
            "Australia/Lord_Howe",
            "{ before = 2026-10-04T02:15:00 }",
            "2026-10-03T15:30:00Z",
        ),
    ] {
        assert_eq!(closes(zone, deadline), instant, "{zone} {deadline}");
    }
}

#[test]
fn a_bare_date_begins_with_its_first_instant_also_where_midnight_is_skipped_or_repeated() {
    for (zone, deadline, instant) in [
        (
            "America/Sao_Paulo",
            "{ before = 2018-11-04 }",
            "2018-11-04T03:00:00Z",
        ),
        (
            "America/Sao_Paulo",
            "{ until = 2018-11-03 }",
            "2018-11-04T03:00:00Z",
        ),
        (
            "America/Havana",
            "{ before = 2026-11-01 }",
            "2026-11-01T04:00:00Z",
        ),
        (
            "America/Havana",
            "{ before = 2026-11-01T00:30:00 }",
            "2026-11-01T05:30:00Z",
        ),
    ] {
        assert_eq!(closes(zone, deadline), instant, "{zone} {deadline}");
    }
}
