//! Bad questions: who may choose an instant or a grade, and in which currency a refund is asked.

use api::auth::Role;
use prost_types::Timestamp;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::facts::{checked, entry, money, player};
use crate::stand::{BARCELONA, ELLOBREGAT, Row, Stand, assert_fields_of, assert_row, signed};

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
        ..Default::default()
    };
    let ask = async |message, bearer: &str| stand.rules().quote(signed(message, bearer, "")).await;
    let viewer = stand.key(&[Role::Viewer]).await;
    let (nobody, denied) = (Code::Unauthenticated, Code::PermissionDenied);
    for (bearer, code, slug) in [
        ("", nobody, "unauthenticated"),
        ("a-payer-s-token", nobody, "unauthenticated"),
        (viewer.as_str(), denied, "denied"),
    ] {
        let status = ask(question(Some(0), Vec::new()), bearer)
            .await
            .unwrap_err();
        assert_row("at", &status, (code, slug, &["at: needs_rules_role"]));
        let status = ask(question(None, checked()), bearer).await.unwrap_err();
        let fields = ["entries[0].entrant.grades: needs_rules_role"];
        assert_row("grades", &status, (code, slug, &fields));
        let byes = engine::CheckByesRequest {
            tournament: BARCELONA.to_owned(),
            at: Some(Timestamp::default()),
            section: Some("A".to_owned()),
            byes: vec![engine::ByeRequest {
                round: 1,
                points: engine::ByePoints::Half.into(),
            }],
        };
        let status = stand.rules().check_byes(signed(byes, bearer, "")).await;
        let row: Row<'_> = (code, slug, &["at: needs_rules_role"]);
        assert_row("byes", &status.unwrap_err(), row);
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
            (
                Code::Unauthenticated,
                "unauthenticated",
                &["authorization: unauthenticated"],
            ),
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

#[tokio::test]
async fn fields_are_named_as_the_message_has_them() {
    let stand = Stand::new().await;
    let rules = stand.key(&[Role::Rules]).await;
    let ask = |byes| engine::CheckByesRequest {
        tournament: BARCELONA.to_owned(),
        at: None,
        section: Some("A".to_owned()),
        byes,
    };
    let bye = |round| engine::ByeRequest {
        round,
        points: engine::ByePoints::Half.into(),
    };
    let bad: Code = Code::InvalidArgument;
    let none = stand.rules().check_byes(ask(Vec::new())).await.unwrap_err();
    assert_row("none", &none, (bad, "invalid-fields", &["byes: required"]));
    let odd = vec![engine::ByeRequest::default()];
    let odd = stand.rules().check_byes(ask(odd)).await.unwrap_err();
    let row: Row<'_> = (bad, "invalid-fields", &["byes[0].points: required"]);
    assert_row("no points", &odd, row);
    assert_fields_of("enroc.rules.v1.CheckByesRequest", &odd);
    let late = stand.rules().check_byes(ask(vec![bye(1), bye(99)])).await;
    let reasons = late.unwrap().into_inner().answer.unwrap().reasons;
    let fields: Vec<&str> = reasons.iter().map(|r| r.field.as_str()).collect();
    assert!(fields.contains(&"byes[1].round"), "{fields:?}");

    let message = engine::QuoteRequest {
        tournament: BARCELONA.to_owned(),
        entries: vec![entry("A", player("Some One"))],
        standing: vec![engine::Standing {
            entrant: Some(engine::Entrant {
                who: Some(engine::entrant::Who::Entrant(engine::Player {
                    rating: Some(9_999),
                    ..player("Other")
                })),
            }),
            ..engine::Standing::default()
        }],
        ..Default::default()
    };
    let status = stand.rules().quote(signed(message, &rules, "")).await;
    let status = status.unwrap_err();
    let row: Row<'_> = (
        bad,
        "invalid-fields",
        &[
            "standing[0].entry: required",
            "standing[0].entrant.entrant.rating: out_of_range",
            "standing[0].price: required",
        ],
    );
    assert_row("standing", &status, row);
    assert_fields_of("enroc.rules.v1.QuoteRequest", &status);
}
