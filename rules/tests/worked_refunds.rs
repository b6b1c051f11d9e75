//! The worked tables of `docs/refunds.md` come out as they stand there.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{Money, RefundAsk, RefundCause, RefundMethod};
use rules::{Regulation, refund};
use support::markdown::each_row;
use support::people::{instant, minor};

/// What each rule gives back, as the tables write it.
fn by_rule(found: domain::RefundQuote) -> String {
    let parts = found.by_rule().into_iter().map(|part| {
        let rule = part.rule.strip_prefix("cancellation.");
        let back = Money::new(part.refund, "EUR".parse().unwrap()).to_string();
        format!(
            "{} {}",
            rule.unwrap_or(&part.rule),
            back.trim_end_matches(" EUR")
        )
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[test]
fn rows_with_tiers_of_their_own_come_back_as_the_page_says() {
    let header = ["paid", "of it", "requested", "refund", "kept", "by"];
    let rows = each_row("docs/refunds.md", &header, |regulation, row| {
        let of_it = row[1].split("; ").filter_map(|part| part.split_once(' '));
        let ask = RefundAsk {
            section: None,
            rows: of_it.map(|(id, sum)| (id.to_owned(), minor(sum))).collect(),
            ..asked_back(regulation, &row[0], &row[2])
        };
        let found = refund(regulation, &ask);
        let expected = (minor(&row[3]), minor(&row[4]));
        assert_eq!((found.refund, found.kept), expected, "{row:?}");
        assert_eq!(by_rule(found), row[5], "{row:?}");
    });
    assert_eq!(rows, 6);
}

#[test]
fn tiers_of_some_sections_come_out_as_the_page_says() {
    let header = ["section", "paid", "requested", "refund", "kept", "rule"];
    let rows = each_row("docs/refunds.md", &header, |regulation, row| {
        let ask = RefundAsk {
            section: Some(row[0].parse().unwrap()),
            ..asked_back(regulation, &row[1], &row[2])
        };
        let found = refund(regulation, &ask);
        let expected = (minor(&row[3]), minor(&row[4]), row[5].clone());
        assert_eq!((found.refund, found.kept, found.rule), expected, "{row:?}");
    });
    assert_eq!(rows, 4);
}

#[test]
fn credits_and_proofs_come_out_as_the_page_says() {
    let header = [
        "paid",
        "wants",
        "proof",
        "requested",
        "refund",
        "kept",
        "by",
    ];
    let rows = each_row("docs/refunds.md", &header, |regulation, row| {
        let ask = RefundAsk {
            credit: row[1] == "credit",
            proof: Some(row[2].clone()).filter(|proof| !proof.is_empty()),
            ..asked_back(regulation, &row[0], &row[3])
        };
        let found = refund(regulation, &ask);
        let expected = (minor(&row[4]), minor(&row[5]));
        assert_eq!((found.refund, found.kept), expected, "{row:?}");
        let as_credit = found.method == RefundMethod::Credit;
        assert_eq!(as_credit, row[6] == "credit", "{row:?}");
        let rule = found.rule.strip_prefix("cancellation.");
        assert_eq!(rule.unwrap_or(&found.rule), row[6], "{row:?}");
    });
    assert_eq!(rows, 5);
}

fn asked_back(regulation: &Regulation, paid: &str, requested: &str) -> RefundAsk {
    RefundAsk {
        paid: minor(paid),
        currency: regulation.currency(),
        requested_at: instant(regulation, requested),
        cause: RefundCause::Player,
        approved: true,
        section: None,
        rows: [].into(),
        credit: false,
        proof: None,
    }
}

#[test]
fn refunds_in_several_currencies_come_out_as_the_page_says() {
    let header = ["currency", "paid", "requested", "refund", "kept", "rule"];
    let rows = each_row("docs/refunds.md", &header, |regulation, row| {
        let currency = row[0].parse().unwrap();
        let sum = |cell: &String| Money::typed(cell, currency).unwrap().amount;
        let ask = RefundAsk {
            paid: sum(&row[1]),
            currency,
            ..asked_back(regulation, "0.00", &row[2])
        };
        let found = refund(regulation, &ask);
        let expected = (sum(&row[3]), sum(&row[4]), row[5].clone());
        assert_eq!((found.refund, found.kept, found.rule), expected, "{row:?}");
    });
    assert_eq!(rows, 6);
}

fn refunded(
    regulation: &Regulation,
    cause: RefundCause,
    approved: bool,
    cells: [&String; 2],
) -> domain::RefundQuote {
    let ask = RefundAsk {
        cause,
        approved,
        ..asked_back(regulation, cells[0], cells[1])
    };
    let found = refund(regulation, &ask);
    assert_eq!(found.refund + found.kept, ask.paid, "{cells:?}");
    found
}

#[test]
fn refunds_come_out_as_the_page_says() {
    let header = [
        "tournament",
        "cause",
        "approved",
        "paid",
        "requested",
        "refund",
        "kept",
        "method",
        "rule",
    ];
    let rows = each_row("docs/refunds.md", &header, |regulation, row| {
        let cause = serde_json::from_value(row[0].clone().into()).unwrap();
        let found = refunded(regulation, cause, row[1] == "yes", [&row[2], &row[3]]);
        let expected = (minor(&row[4]), minor(&row[5]));
        assert_eq!((found.refund, found.kept), expected, "{row:?}");
        assert_eq!(
            Some(found.method),
            RefundMethod::from_word(&row[6]),
            "{row:?}"
        );
        assert_eq!(found.rule, row[7], "{row:?}");
    });
    assert_eq!(rows, 13);
}

#[test]
fn refunds_of_the_small_regulation_come_out_as_the_page_says() {
    let header = ["paid", "requested", "refund", "kept", "rule"];
    let rows = each_row("docs/refunds.md", &header, |regulation, row| {
        let found = refunded(regulation, RefundCause::Player, true, [&row[0], &row[1]]);
        let expected = (minor(&row[2]), minor(&row[3]));
        assert_eq!((found.refund, found.kept), expected, "{row:?}");
        assert_eq!(found.rule, row[4], "{row:?}");
    });
    assert_eq!(rows, 7);
}
