//! What comes back row by row, as a credit, by a proof, and as a deposit, at the gRPC door.

use api::auth::Role;
use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use rules::Regulation;
use sandbox::Sandbox;
use tonic::Code;

use crate::facts::{entry, money, order, player};
use crate::money_back::paid;
use crate::payers::token;
use crate::stand::{Stand, assert_row, signed};

const EXTRAS: &str = "extras";

async fn stand(sandbox: &Sandbox) -> Stand {
    let stand = Stand::with_cards(sandbox).await;
    let text = include_str!("../../../rules/tests/fixtures/extras.toml");
    let regulation = Regulation::parse("extras.toml", text, 1).unwrap();
    at(&stand, "2026-06-10T12:00:00+02:00");
    let taken_in = stand.app.desk.take_in(stand.organiser, regulation);
    taken_in.await.unwrap();
    stand
}

fn at(stand: &Stand, at: &str) {
    let tournament = EXTRAS.parse().unwrap();
    stand.clock.set(&tournament, at.parse().unwrap()).unwrap();
}

/// Somebody's paid order of two nights, its token and its entry.
async fn enter(stand: &Stand, name: &str) -> (String, String, String) {
    let mut who = player(name);
    who.answers = [("nights".to_owned(), "2".to_owned())].into();
    let mut asked = order(EXTRAS, vec![entry("open", who)]);
    asked.consents.clear();
    let registered = stand
        .payers()
        .register(signed(asked, "", ""))
        .await
        .unwrap();
    let token = token(&registered);
    let order = registered.into_inner().order.unwrap();
    let pay = desk::OpenPaymentRequest {
        order: order.id.clone(),
        method: desk::PaymentKind::Intent.into(),
        ..Default::default()
    };
    stand
        .payers()
        .open_payment(signed(pay, &token, ""))
        .await
        .unwrap();
    let view = stand
        .app
        .desk
        .order(order.id.parse().unwrap())
        .await
        .unwrap();
    let reference = view.payments[0].reference.clone().unwrap();
    paid(stand, &reference, 15_000).await;
    (order.id, token, order.entries[0].id.clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_may_come_back_is_told_and_asked() {
    let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
    let stand = stand(&sandbox).await;
    let listed = desk::GetTournamentRequest {
        tournament: EXTRAS.to_owned(),
    };
    let told = stand.payers().get_tournament(listed).await.unwrap();
    let told = told.into_inner().tournament.unwrap();
    assert_eq!((told.offers_credit, &*told.proofs[0].tier), (true, "ill"));
    assert_eq!(told.deposits, ["deposit"]);

    let rows = [("lodging".to_owned(), 8_000), ("deposit".to_owned(), 2_000)];
    let ask = |credit, proof: Option<&str>| engine::QuoteRefundRequest {
        tournament: EXTRAS.to_owned(),
        paid: Some(money(15_000, "EUR")),
        approved: true,
        rows: rows.clone().into(),
        credit,
        proof: proof.map(str::to_owned),
        ..Default::default()
    };
    for (ask, refund) in [
        (ask(false, None), 11_000),
        (ask(true, None), 13_500),
        (ask(false, Some("ill")), 13_500),
    ] {
        let quote = stand.rules().quote_refund(ask).await.unwrap();
        let quote = quote.into_inner().refund_quote.unwrap();
        assert_eq!(quote.refund, Some(money(refund, "EUR")));
        assert_eq!(quote.parts.len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_may_have_a_credit_and_bring_a_proof_later() {
    let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
    let stand = stand(&sandbox).await;
    let (leaves, token, entry) = enter(&stand, "Leaves").await;
    let preview = desk::PreviewCancellationRequest {
        order: leaves.clone(),
        entry: None,
        credit: true,
    };
    let mut payers = stand.payers();
    let preview = payers.preview_cancellation(signed(preview, &token, ""));
    let preview = preview.await.unwrap().into_inner().refund_quote.unwrap();
    assert_eq!(preview.refund, Some(money(13_500, "EUR")));
    assert_eq!(preview.parts[0].method(), engine::RefundMethod::Credit);
    let cancel = desk::CancelOrderRequest {
        order: leaves,
        credit: false,
    };
    stand
        .payers()
        .cancel_order(signed(cancel, &token, ""))
        .await
        .unwrap();
    let treasurer = stand.key(&[Role::Treasurer]).await;
    let prove = |tier: &str| desk::ProveCancellationRequest {
        entry: entry.clone(),
        tier: tier.to_owned(),
        reason: "seen".to_owned(),
    };
    let wrong = stand
        .desk()
        .prove_cancellation(signed(prove("half"), &treasurer, ""))
        .await;
    let row = (
        Code::InvalidArgument,
        "invalid-fields",
        &["tier: unknown_value"][..],
    );
    assert_row("half", &wrong.unwrap_err(), row);
    let mut office = stand.desk();
    let proved = office.prove_cancellation(signed(prove("ill"), &treasurer, ""));
    let proved = proved.await.unwrap().into_inner();
    assert_eq!(
        proved.refund_quote.unwrap().refund,
        Some(money(13_500, "EUR"))
    );
    assert_eq!(proved.order.unwrap().kept, Some(money(1_500, "EUR")));
    let journal = desk::GetJournalRequest {
        tournament: EXTRAS.to_owned(),
        ..Default::default()
    };
    let viewer = stand.key(&[Role::Viewer]).await;
    let rows = stand
        .desk()
        .get_journal(signed(journal, &viewer, ""))
        .await
        .unwrap();
    let said = format!("{:?}", rows.into_inner().rows.last().unwrap());
    assert!(said.contains(&entry), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deposits_come_back_one_by_one_or_all_at_once() {
    let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
    let stand = stand(&sandbox).await;
    let (_, _, first) = enter(&stand, "First").await;
    let (_, _, second) = enter(&stand, "Second").await;
    let treasurer = stand.key(&[Role::Treasurer]).await;
    let one = || desk::GiveDepositBackRequest {
        entry: first.clone(),
        reason: String::new(),
    };
    let early = stand
        .desk()
        .give_deposit_back(signed(one(), &treasurer, ""))
        .await;
    let row = (
        Code::FailedPrecondition,
        "illegal-move",
        &["entry: illegal_move"][..],
    );
    assert_row("before play", &early.unwrap_err(), row);
    at(&stand, "2026-08-05T20:00:00+02:00");
    let back = stand
        .desk()
        .give_deposit_back(signed(one(), &treasurer, ""))
        .await
        .unwrap();
    let order = back.into_inner().order.unwrap();
    assert_eq!(
        (order.refunded, order.due),
        (Some(money(2_000, "EUR")), Some(money(0, "EUR")))
    );
    let all = desk::GiveDepositsBackRequest {
        tournament: EXTRAS.to_owned(),
        reason: "played".to_owned(),
    };
    let all = stand
        .desk()
        .give_deposits_back(signed(all, &treasurer, ""))
        .await
        .unwrap()
        .into_inner();
    let mut entries: Vec<String> = all.deposits.into_iter().map(|back| back.entry).collect();
    entries.sort();
    let mut both = [first, second];
    both.sort();
    assert_eq!((entries, all.left), (both.to_vec(), Vec::new()));
}
