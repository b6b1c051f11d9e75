//! What payers do, step by step: keys, tokens, cancellation; the tournaments that they find.

use api::auth::Role;
use domain::Actor;
use proto::registration::v1 as api_v1;
use proto::rules::v1 as engine;
use registration::By;
use tonic::{Code, Response, Status};

use crate::facts::{entry, order, player};
use crate::stand::{BARCELONA, ELLOBREGAT, ROJAS, Row, Stand, assert_row, problem, signed};

pub fn token<T>(response: &Response<T>) -> String {
    let token = response.metadata().get("order-token").unwrap();
    token.to_str().unwrap().to_owned()
}

#[track_caller]
pub fn refused<T: std::fmt::Debug>(answer: Result<Response<T>, Status>, row: Row<'_>) {
    assert_row("refused", &answer.unwrap_err(), row);
}

pub async fn registered(stand: &Stand, name: &str) -> (api_v1::Order, String) {
    let message = order(BARCELONA, vec![entry("A", player(name))]);
    let response = stand
        .payers()
        .register(signed(message, "", name))
        .await
        .unwrap();
    let token = token(&response);
    (response.into_inner().order.unwrap(), token)
}

#[tokio::test]
async fn a_key_is_good_for_one_request() {
    let stand = Stand::new().await;
    let message = || order(BARCELONA, vec![entry("A", player("Once"))]);
    let first = stand
        .payers()
        .register(signed(message(), "", "key-1"))
        .await
        .unwrap();
    let rows = stand.journal_rows().await;
    let again = stand
        .payers()
        .register(signed(message(), "", "key-1"))
        .await
        .unwrap();
    assert_eq!(token(&first), token(&again));
    assert_eq!(first.into_inner(), again.into_inner());

    let other = order(BARCELONA, vec![entry("A", player("Other"))]);
    let answer = stand.payers().register(signed(other, "", "key-1")).await;
    refused(
        answer,
        (
            Code::Aborted,
            "idempotency-key-reused",
            &["idempotency-key: another_request"],
        ),
    );
    let twice = stand
        .payers()
        .register(signed(message(), "", "key-2"))
        .await;
    refused(
        twice,
        (
            Code::Aborted,
            "already-entered",
            &["entries[0]: already_entered"],
        ),
    );
    let long = "k".repeat(256);
    let answer = stand.payers().register(signed(message(), "", &long)).await;
    let status = answer.unwrap_err();
    assert_eq!(problem(&status).1, ["idempotency-key: not_a_key"]);
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn an_order_opens_for_its_own_token_and_for_staff() {
    let stand = Stand::new().await;
    let (mine, token) = registered(&stand, "Mine").await;
    let (theirs, _) = registered(&stand, "Theirs").await;
    let get = async |order: &str, bearer: &str| {
        let message = api_v1::GetOrderRequest {
            order: order.to_owned(),
        };
        stand.payers().get_order(signed(message, bearer, "")).await
    };
    assert_eq!(
        get(&mine.id, &token)
            .await
            .unwrap()
            .into_inner()
            .order
            .unwrap(),
        mine
    );
    let wrong: Row<'_> = (
        Code::PermissionDenied,
        "wrong-token",
        &["authorization: wrong_token"],
    );
    refused(get(&theirs.id, &token).await, wrong);
    let nobody: Row<'_> = (
        Code::Unauthenticated,
        "unauthenticated",
        &["authorization: unauthenticated"],
    );
    refused(get(&mine.id, "").await, nobody);
    let unknown: Row<'_> = (Code::NotFound, "unknown-order", &["order: unknown_order"]);
    refused(get("ord_0000000000001", &token).await, unknown);
    refused(get("17", &token).await, unknown);
    let viewer = stand.key(&[Role::Viewer]).await;
    assert!(get(&mine.id, &viewer).await.is_ok());
    let pairing = stand.key(&[Role::Pairing]).await;
    refused(
        get(&mine.id, &pairing).await,
        (Code::PermissionDenied, "denied", &["authorization: denied"]),
    );

    let rows = stand.journal_rows().await;
    let message = api_v1::RequestByesRequest {
        order: mine.id,
        entry: theirs.entries[0].id.clone(),
        byes: vec![engine::ByeRequest {
            round: 1,
            points: engine::ByePoints::Half.into(),
        }],
    };
    let answer = stand
        .payers()
        .request_byes(signed(message, &token, "byes"))
        .await;
    refused(
        answer,
        (Code::NotFound, "unknown-entry", &["entry: unknown_entry"]),
    );
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn an_unpaid_order_is_cancelled_by_its_payer() {
    let stand = Stand::new().await;
    let (order, token) = registered(&stand, "Leaver").await;
    let pay = api_v1::OpenPaymentRequest {
        order: order.id.clone(),
        ..Default::default()
    };
    let answer = stand
        .payers()
        .open_payment(signed(pay.clone(), &token, "pay"))
        .await;
    assert_eq!(problem(&answer.unwrap_err()).1, ["method: required"]);
    let pay = api_v1::OpenPaymentRequest {
        method: api_v1::PaymentKind::Session.into(),
        ..pay
    };
    let answer = stand
        .payers()
        .open_payment(signed(pay, &token, "pay"))
        .await;
    // No gateway is set up here.
    let row: Row<'_> = (
        Code::InvalidArgument,
        "method-not-offered",
        &["method: method_not_offered"],
    );
    refused(answer, row);
    let message = api_v1::CancelOrderRequest {
        order: order.id.clone(),
        credit: false,
    };
    let ended = stand
        .payers()
        .cancel_order(signed(message.clone(), &token, "c"))
        .await;
    let ended = ended.unwrap().into_inner();
    assert_eq!(ended.refund_quote, None, "nothing was paid");
    let status = ended.order.unwrap().entries[0].status();
    assert_eq!(status, api_v1::Status::CancelledByPlayer);
    let again = stand
        .payers()
        .cancel_order(signed(message, &token, "d"))
        .await;
    refused(
        again,
        (
            Code::FailedPrecondition,
            "illegal-move",
            &["order: illegal_move"],
        ),
    );
}

#[tokio::test]
async fn tournaments_are_listed_by_pages() {
    let stand = Stand::new().await;
    let mut found = Vec::new();
    let mut token = String::new();
    loop {
        let message = api_v1::ListTournamentsRequest {
            page_size: 2,
            page_token: token,
        };
        let page = stand
            .payers()
            .list_tournaments(message)
            .await
            .unwrap()
            .into_inner();
        found.extend(page.tournaments);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let ids: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, [BARCELONA, ELLOBREGAT, ROJAS]);
    assert!(found[0].open);
    assert_eq!(found[0].capacity[0].seats, Some(40));
    assert_eq!(
        (found[2].currency.as_str(), found[2].slip_with_entry),
        ("PEN", true)
    );
    registered(&stand, "Seated").await;
    let message = api_v1::GetTournamentRequest {
        tournament: BARCELONA.to_owned(),
    };
    let one = stand
        .payers()
        .get_tournament(message)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(one.tournament.unwrap().capacity[0].taken, 1);
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
        (
            Code::FailedPrecondition,
            "not-open",
            &["tournament: not_open"],
        ),
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
    let row: Row<'_> = (
        Code::InvalidArgument,
        "ineligible",
        &["tournament: entry_closed"],
    );
    assert_row("closed", &late.unwrap_err(), row);
    assert_eq!(stand.journal_rows().await, rows);
}
