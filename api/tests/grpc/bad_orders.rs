//! Bad orders: each gets its code, its name and its fields, and changes nothing.

use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::bad_entrants;
use crate::facts::{entry, money, order, player, team, team_entry};
use crate::stand::{BARCELONA, ROJAS, Row, Stand, assert_fields_of, row_of, signed};

fn slip(amount: engine::Money) -> desk::Slip {
    desk::Slip {
        number: "0012345".to_owned(),
        date: "2019-02-09".to_owned(),
        amount: Some(amount),
    }
}

pub fn with(
    tournament: &str,
    entries: Vec<engine::EntryRequest>,
    change: impl FnOnce(&mut desk::RegisterRequest),
) -> desk::RegisterRequest {
    let mut order = order(tournament, entries);
    change(&mut order);
    order
}

pub fn one(section: &str, change: impl FnOnce(&mut engine::Player)) -> desk::RegisterRequest {
    let mut someone = player("Some One");
    change(&mut someone);
    order(BARCELONA, vec![entry(section, someone)])
}

pub fn school(change: impl FnOnce(&mut engine::Team)) -> desk::RegisterRequest {
    let mut some = team("A", "School One");
    change(&mut some);
    with(ROJAS, vec![team_entry("primario", some)], |order| {
        order.slip = Some(slip(money(6_000, "PEN")));
    })
}

/// Orders that are refused for what they say beside their entrants, each with its refusal.
#[expect(clippy::too_many_lines, reason = "a table")]
fn orders() -> Vec<(&'static str, desk::RegisterRequest, Row<'static>)> {
    const BAD: Code = Code::InvalidArgument;
    vec![
        (
            "unknown tournament",
            order("no-such", vec![]),
            (
                Code::NotFound,
                "unknown-tournament",
                &["tournament: unknown_tournament"],
            ),
        ),
        (
            "a tournament that cannot be",
            order("../x", vec![]),
            (
                Code::NotFound,
                "unknown-tournament",
                &["tournament: unknown_tournament"],
            ),
        ),
        (
            "a slip's number that breaks",
            with(
                ROJAS,
                vec![team_entry("primario", team("B", "School Two"))],
                |o| {
                    o.slip = Some(desk::Slip {
                        number: "00\n1".into(),
                        ..slip(money(8_000, "PEN"))
                    })
                },
            ),
            (BAD, "invalid-fields", &["slip.number: not_one_line"]),
        ),
        (
            "another slip's sum",
            with(
                ROJAS,
                vec![team_entry("primario", team("B", "School Two"))],
                |o| o.slip = Some(slip(money(1, "PEN"))),
            ),
            (
                Code::Aborted,
                "amount-mismatch",
                &["slip.amount: amount_mismatch"],
            ),
        ),
        (
            "no slip",
            order(ROJAS, vec![team_entry("primario", team("B", "School Two"))]),
            (BAD, "invalid-fields", &["slip.number: slip_missing"]),
        ),
        (
            "another sum",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.expected_total = Some(money(100, "EUR"))
            }),
            (
                Code::Aborted,
                "amount-mismatch",
                &["expected_total: amount_mismatch"],
            ),
        ),
        (
            "another currency",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.expected_total = Some(money(6_500, "PEN"))
            }),
            (
                Code::Aborted,
                "amount-mismatch",
                &["expected_total: amount_mismatch"],
            ),
        ),
        (
            "no currency",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.expected_total = Some(money(6_500, "euros"))
            }),
            (
                BAD,
                "invalid-fields",
                &["expected_total.currency: not_a_currency"],
            ),
        ),
        (
            "no consent",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.consents = vec!["images".into()]
            }),
            (BAD, "invalid-fields", &["consents: consent_missing"]),
        ),
        (
            "nobody pays",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.payer = None
            }),
            (
                BAD,
                "invalid-fields",
                &["payer.name: required", "payer.email: required"],
            ),
        ),
        (
            "no address",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.payer = Some(desk::Payer {
                    email: "a b@c".into(),
                    ..crate::facts::payer()
                })
            }),
            (BAD, "invalid-fields", &["payer.email: not_an_address"]),
        ),
        (
            "a code that nobody gave out",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.entries[0].code = Some("ABCD".into())
            }),
            (BAD, "invalid-fields", &["entries[0].code: unknown_code"]),
        ),
    ]
}

#[tokio::test]
async fn every_bad_order_has_its_name_and_changes_nothing() {
    let stand = Stand::new().await;
    let rows = stand.journal_rows().await;
    let mut wrong = Vec::new();
    for (place, (name, order, row)) in orders()
        .into_iter()
        .chain(bad_entrants::orders())
        .enumerate()
    {
        let key = format!("bad-{place}");
        let (code, slug, fields) = row;
        let expected = format!("{code:?} {slug} {fields:?}");
        let found = match stand.payers().register(signed(order, "", &key)).await {
            Ok(_) => "taken".to_owned(),
            Err(status) => {
                assert_fields_of("enroc.registration.v1.RegisterRequest", &status);
                row_of(&status)
            }
        };
        if found != expected {
            wrong.push(format!("{name}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(stand.journal_rows().await, rows);
}
