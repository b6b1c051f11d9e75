//! Bad input: each gets its code, its name and its fields, and changes nothing.

use api::auth::Role;
use domain::Actor;
use prost_types::Timestamp;
use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use registration::By;
use tonic::{Code, Status};

use crate::facts::{checked, entry, money, order, player, team, team_entry};
use crate::stand::{BARCELONA, ELLOBREGAT, ROJAS, Stand, problem, signed};

/// A refusal as a row says it: the code, the slug, and the fields with their rules.
type Row<'a> = (Code, &'a str, &'a [&'a str]);

fn row_of(status: &Status) -> String {
    let (slug, fields) = problem(status);
    format!("{:?} {slug} {fields:?}", status.code())
}

fn assert_row(name: &str, status: &Status, (code, slug, fields): Row<'_>) {
    assert_eq!(
        row_of(status),
        format!("{code:?} {slug} {fields:?}"),
        "{name}: {}",
        status.message()
    );
}

fn slip(amount: engine::Money) -> desk::Slip {
    desk::Slip {
        number: "0012345".to_owned(),
        date: "2019-02-09".to_owned(),
        amount: Some(amount),
    }
}

fn with(
    tournament: &str,
    entries: Vec<engine::EntryRequest>,
    change: impl FnOnce(&mut desk::RegisterRequest),
) -> desk::RegisterRequest {
    let mut order = order(tournament, entries);
    change(&mut order);
    order
}

fn one(section: &str, change: impl FnOnce(&mut engine::Player)) -> desk::RegisterRequest {
    let mut someone = player("Some One");
    change(&mut someone);
    order(BARCELONA, vec![entry(section, someone)])
}

fn school(change: impl FnOnce(&mut engine::Team)) -> desk::RegisterRequest {
    let mut some = team("A", "School One");
    change(&mut some);
    with(ROJAS, vec![team_entry("primario", some)], |order| {
        order.slip = Some(slip(money(6_000, "PEN")));
    })
}

/// Orders that are refused, each with its refusal.
#[expect(clippy::too_many_lines, reason = "a table")]
fn orders() -> Vec<(&'static str, desk::RegisterRequest, Row<'static>)> {
    const BAD: Code = Code::InvalidArgument;
    vec![
        (
            "unknown tournament",
            order("no-such", vec![]),
            (Code::NotFound, "unknown-tournament", &[]),
        ),
        (
            "a tournament that cannot be",
            order("../x", vec![]),
            (Code::NotFound, "unknown-tournament", &[]),
        ),
        (
            "unknown section",
            one("Z", |_| {}),
            (BAD, "ineligible", &["entries[0].section: unknown_section"]),
        ),
        (
            "a section that cannot be",
            one("a b", |_| {}),
            (BAD, "invalid-fields", &["entries[0].section: not_an_id"]),
        ),
        (
            "wrong rating",
            one("B", |p| p.rating = Some(1_950)),
            (
                BAD,
                "ineligible",
                &["entries[0].entrant.rating: rating_too_high"],
            ),
        ),
        (
            "missing licence",
            one("A", |p| p.licences.clear()),
            (
                BAD,
                "ineligible",
                &["entries[0].entrant.licences: licence_missing"],
            ),
        ),
        (
            "no such day",
            one("A", |p| p.birth_date = "2011-02-29".into()),
            (
                BAD,
                "invalid-fields",
                &["entries[0].entrant.birth_date: not_a_date"],
            ),
        ),
        (
            "several at once",
            one("A", |p| {
                p.birth_date = "29/2/2012".into();
                p.sex = 0;
                p.federation = "Spain".into();
                p.title = 99;
                p.rating = Some(70_000);
                p.licences = vec!["FIDE".into(), "f".into()];
            }),
            (
                BAD,
                "invalid-fields",
                &[
                    "entries[0].entrant.sex: required",
                    "entries[0].entrant.birth_date: not_a_date",
                    "entries[0].entrant.federation: not_a_code",
                    "entries[0].entrant.title: unknown_value",
                    "entries[0].entrant.rating: out_of_range",
                    "entries[0].entrant.licences[1]: not_a_code",
                ],
            ),
        ),
        (
            "nobody",
            with(BARCELONA, vec![engine::EntryRequest::default()], |_| {}),
            (BAD, "invalid-fields", &["entries[0].entrant: required"]),
        ),
        (
            "the same player twice",
            order(
                BARCELONA,
                vec![
                    entry("A", player("Two Times")),
                    entry("A", player("Times Two")),
                ],
            ),
            (BAD, "ineligible", &["entries[1].entrant: already_entered"]),
        ),
        (
            "short of a player",
            school(|t| drop(t.roster.pop())),
            (BAD, "ineligible", &["entries[0].team.roster: team_size"]),
        ),
        (
            "short of a girl",
            school(|t| t.roster[1].sex = engine::Sex::Male.into()),
            (
                BAD,
                "ineligible",
                &["entries[0].team.roster: team_needs_girl"],
            ),
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
            (BAD, "invalid-fields", &["payer.consents: consent_missing"]),
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
        (
            "a question that nobody asked",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.entries[0].answers = vec![desk::Answer {
                    question: "shirt".into(),
                    value: "XL".into(),
                }]
            }),
            (
                BAD,
                "invalid-fields",
                &["entries[0].answers.shirt: unknown_question"],
            ),
        ),
        (
            "a payer's own word for the desk's",
            one("A", |p| p.grades = checked()),
            (
                Code::PermissionDenied,
                "denied",
                &["entries[0].entrant.grades: needs_rules_role"],
            ),
        ),
        (
            "no fees, no entry",
            order(ELLOBREGAT, vec![entry("B", player("Some One"))]),
            (
                BAD,
                "ineligible",
                &["entries[0].section: section_has_no_fees"],
            ),
        ),
    ]
}

#[tokio::test]
async fn every_bad_order_has_its_name_and_changes_nothing() {
    let stand = Stand::new().await;
    let rows = stand.journal_rows().await;
    let mut wrong = Vec::new();
    for (place, (name, order, row)) in orders().into_iter().enumerate() {
        let key = format!("bad-{place}");
        let (code, slug, fields) = row;
        let expected = format!("{code:?} {slug} {fields:?}");
        let found = match stand.payers().register(signed(order, "", &key)).await {
            Ok(_) => "taken".to_owned(),
            Err(status) => row_of(&status),
        };
        if found != expected {
            wrong.push(format!("{name}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn entry_is_taken_between_opening_and_closing_only() {
    let stand = Stand::closed().await;
    let order = || order(BARCELONA, vec![entry("A", player("Some One"))]);
    let rows = stand.journal_rows().await;
    let early = stand.payers().register(signed(order(), "", "early")).await;
    assert_row(
        "not open",
        &early.unwrap_err(),
        (Code::FailedPrecondition, "not-open", &[]),
    );
    assert_eq!(stand.journal_rows().await, rows);
    let id = BARCELONA.parse().unwrap();
    let by = By::actor(Actor::Operator);
    let desk = &stand.app.desk;
    desk.open_tournament(&by, &id, 40).await.unwrap();
    let rows = stand.journal_rows().await;
    let closing = "2026-08-20T14:00:00+02:00".parse().unwrap();
    stand.clock.set(&id, closing).unwrap();
    let late = stand.payers().register(signed(order(), "", "late")).await;
    let row: Row<'_> = (Code::InvalidArgument, "ineligible", &["at: entry_closed"]);
    assert_row("closed", &late.unwrap_err(), row);
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn a_question_may_choose_its_instant_and_facts_with_a_rules_key_only() {
    let stand = Stand::new().await;
    let question = |at: Option<i64>, grades| engine::QuoteRequest {
        tournament: BARCELONA.to_owned(),
        at: at.map(|seconds| Timestamp { seconds, nanos: 0 }),
        entries: vec![entry(
            "A",
            engine::Player {
                grades,
                ..player("Some One")
            },
        )],
        standing: Vec::new(),
    };
    let ask = async |message, bearer: &str| stand.rules().quote(signed(message, bearer, "")).await;
    let denied = Code::PermissionDenied;
    let viewer = stand.key(&[Role::Viewer]).await;
    for bearer in ["", viewer.as_str()] {
        let status = ask(question(Some(0), Vec::new()), bearer)
            .await
            .unwrap_err();
        assert_row("at", &status, (denied, "denied", &["at: needs_rules_role"]));
        let status = ask(question(None, checked()), bearer).await.unwrap_err();
        let row: Row<'_> = (
            denied,
            "denied",
            &["entries[0].entrant.grades: needs_rules_role"],
        );
        assert_row("grades", &status, row);
    }
    let rules = stand.key(&[Role::Rules]).await;
    assert!(
        ask(question(Some(1_785_578_400), checked()), &rules)
            .await
            .is_ok()
    );
    let status = ask(question(Some(i64::MAX), Vec::new()), &rules)
        .await
        .unwrap_err();
    let row: Row<'_> = (
        Code::InvalidArgument,
        "invalid-fields",
        &["at: not_an_instant"],
    );
    assert_row("no instant", &status, row);
    for wrong in ["enr_0000000000000_00", "enr_", "enr_x"] {
        let status = ask(question(None, Vec::new()), wrong).await.unwrap_err();
        assert_row(
            wrong,
            &status,
            (Code::Unauthenticated, "unauthenticated", &[]),
        );
    }
}

#[tokio::test]
async fn an_ineligible_question_is_answered_with_its_reasons() {
    let stand = Stand::new().await;
    let message = engine::QuoteRequest {
        tournament: BARCELONA.to_owned(),
        entries: vec![entry("Z", player("Some One"))],
        ..engine::QuoteRequest::default()
    };
    let answer = stand.rules().quote(message).await.unwrap().into_inner();
    let quote = answer.quote.unwrap();
    assert!(!quote.eligible);
    assert_eq!(quote.reasons[0].code, "unknown_section");
    assert_eq!(quote.reasons[0].field, "entries[0].section");
}

#[tokio::test]
async fn a_refund_is_asked_in_the_tournaments_currency() {
    let stand = Stand::new().await;
    for (paid, fields) in [
        (None, "paid: required"),
        (Some(money(6_000, "PEN")), "paid.currency: other_currency"),
        (Some(money(-1, "EUR")), "paid.amount: out_of_range"),
        (Some(money(1, "EURO")), "paid.currency: not_a_currency"),
    ] {
        let message = engine::QuoteRefundRequest {
            tournament: ELLOBREGAT.to_owned(),
            paid,
            ..engine::QuoteRefundRequest::default()
        };
        let status = stand.rules().quote_refund(message).await.unwrap_err();
        assert_row(
            fields,
            &status,
            (Code::InvalidArgument, "invalid-fields", &[fields]),
        );
    }
}
