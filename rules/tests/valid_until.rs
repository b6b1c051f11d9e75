//! Until when a price holds: never until an instant that is over, and never longer than it does.

mod support;

use domain::UtcTime;
use rules::{Regulation, quote};
use support::asking::{asked, one};
use support::people::instant;
use support::small;

/// Early by each of the three instants, with ends of their own.
fn regulation() -> Regulation {
    small(
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 90\n[[adjust]]\nid = \"form\"\nwhen = { registered = { before = 2026-05-01 } }\namount = -1\n[[adjust]]\nid = \"paid\"\nwhen = { paid = { before = 2026-06-01 } }\namount = -2\n[[adjust]]\nid = \"there\"\nwhen = { received = { before = 2026-07-01 } }\namount = -4\n",
    )
}

#[test]
fn what_is_said_of_the_money_waits_for_nobody() {
    let regulation = regulation();
    let local = |day: &str| instant(&regulation, &format!("{day}T00:00:00"));
    let closes = regulation.closes();
    for (at, paid, received, total, until) in [
        ("2026-04-10", None, None, 8_300, Some(local("2026-05-01"))),
        ("2026-05-10", None, None, 8_400, Some(local("2026-06-01"))),
        ("2026-06-10", None, None, 8_600, Some(local("2026-07-01"))),
        ("2026-07-10", None, None, 9_000, closes),
        // The slip is older than the form, by weeks or by more than an end of a row.
        ("2026-05-10", Some("2026-04-20"), None, 8_400, closes),
        ("2026-06-10", Some("2026-05-20"), None, 8_400, closes),
        (
            "2026-07-10",
            Some("2026-05-20"),
            Some("2026-06-20"),
            8_400,
            closes,
        ),
        // It will be paid later.
        (
            "2026-04-10",
            Some("2026-06-20"),
            None,
            8_500,
            Some(local("2026-05-01")),
        ),
        (
            "2026-05-10",
            Some("2026-06-20"),
            Some("2026-07-20"),
            9_000,
            closes,
        ),
        // Only the arrival is said: the payment goes along with the form.
        (
            "2026-05-10",
            None,
            Some("2026-07-20"),
            8_800,
            Some(local("2026-06-01")),
        ),
    ] {
        let mut request = asked(
            &regulation,
            &format!("{at}T00:00:00"),
            vec![one(&regulation, Some("open"), &[])],
        );
        request.paid_at = paid.map(local);
        request.received_at = received.map(local);
        let now = quote(&regulation, &request);
        assert_eq!(
            (now.total, now.valid_until),
            (total, until),
            "{at} {paid:?} {received:?}"
        );
        let last = until.map(|until: UtcTime| until.plus_seconds(-1));
        request.at = last.unwrap_or(request.at);
        assert_eq!(quote(&regulation, &request).total, total);
    }
}
