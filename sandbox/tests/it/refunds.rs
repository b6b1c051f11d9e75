//! Refunds and disputes.

use std::time::Duration;

use serde_json::Value;

use crate::desk::Desk;

#[tokio::test]
async fn parts_then_the_rest_then_nothing() {
    let desk = Desk::open();
    let intent = desk.paid("pm_card_visa").await;
    let (id, charge) = (
        intent["id"].as_str().unwrap(),
        intent["latest_charge"].as_str().unwrap(),
    );
    let part = desk
        .post(
            "refunds",
            &format!(
                "payment_intent={id}&amount=1500&reason=requested_by_customer&metadata[entry]=e1"
            ),
        )
        .await
        .body;
    assert_eq!(
        (&part["status"], &part["amount"], &part["metadata"]["entry"]),
        (&"succeeded".into(), &1500.into(), &"e1".into())
    );
    for amount in [2501, 4000, 1_000_000] {
        let over = desk
            .post("refunds", &format!("payment_intent={id}&amount={amount}"))
            .await;
        assert_eq!(
            (over.status, over.body["error"]["param"].as_str()),
            (400, Some("amount"))
        );
        assert!(
            over.body["error"]["message"]
                .as_str()
                .unwrap()
                .contains("greater than unrefunded amount")
        );
    }
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}&amount=0"))
            .await
            .error()
            .2,
        "parameter_invalid_integer"
    );
    let rest = desk.post("refunds", &format!("charge={charge}")).await.body;
    assert_eq!(rest["amount"], 2500);
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}"))
            .await
            .error()
            .2,
        "charge_already_refunded"
    );
    let charge = desk
        .get(&format!("charges/{charge}?expand[]=refunds"))
        .await
        .body;
    assert_eq!(
        (&charge["amount_refunded"], &charge["refunded"]),
        (&4000.into(), &true.into())
    );
    assert_eq!(charge["refunds"]["data"].as_array().unwrap().len(), 2);
    assert_eq!(
        desk.event_kinds()[3..],
        [
            "charge.refunded",
            "refund.created",
            "charge.refunded",
            "refund.created"
        ]
    );
}

#[tokio::test]
async fn an_unpaid_intent_has_nothing_to_refund() {
    let desk = Desk::open();
    let id = desk
        .post("payment_intents", "amount=4000&currency=eur")
        .await
        .id();
    assert_eq!(
        desk.post("refunds", &format!("payment_intent={id}"))
            .await
            .error()
            .0,
        400
    );
}

async fn refunded(desk: &Desk, method: &str) -> (String, Value) {
    let intent = desk.paid(method).await;
    let refund = desk
        .post(
            "refunds",
            &format!("payment_intent={}", intent["id"].as_str().unwrap()),
        )
        .await
        .body;
    (intent["latest_charge"].as_str().unwrap().to_owned(), refund)
}

#[tokio::test]
async fn a_pending_refund_reserves_and_then_succeeds() {
    let desk = Desk::open();
    let (charge, refund) = refunded(&desk, "pm_card_pendingRefund").await;
    assert_eq!(
        (&refund["status"], &refund["pending_reason"]),
        (&"pending".into(), &"processing".into())
    );
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}&amount=1"))
            .await
            .error()
            .2,
        "charge_already_refunded"
    );
    desk.control().advance(Duration::from_secs(61));
    let path = format!("refunds/{}", refund["id"].as_str().unwrap());
    assert_eq!(desk.get(&path).await.body["status"], "succeeded");
    assert_eq!(
        desk.event_kinds()[5..],
        ["refund.updated", "charge.refund.updated"]
    );
    let event = &desk.control().objects("events").unwrap()[5];
    assert_eq!(event["data"]["previous_attributes"]["status"], "pending");
}

#[tokio::test]
async fn a_late_failure_gives_the_money_back_to_the_account() {
    let desk = Desk::open();
    let (charge, refund) = refunded(&desk, "pm_card_refundFail").await;
    assert_eq!(refund["status"], "succeeded");
    desk.control().advance(Duration::from_secs(61));
    let failed = desk
        .get(&format!("refunds/{}", refund["id"].as_str().unwrap()))
        .await
        .body;
    assert_eq!(
        (&failed["status"], &failed["failure_reason"]),
        (&"failed".into(), &"expired_or_canceled_card".into())
    );
    assert_eq!(
        desk.get(&format!("charges/{charge}")).await.body["amount_refunded"],
        0
    );
    assert_eq!(
        desk.event_kinds()[5..],
        ["refund.failed", "refund.updated", "charge.refund.updated"]
    );
    let moved: Vec<Value> = desk.control().objects("balance_transactions").unwrap();
    let sums: Vec<i64> = moved
        .iter()
        .map(|row| row["amount"].as_i64().unwrap())
        .collect();
    assert_eq!(sums, [4000, -4000, 4000]);
    // The charge can be refunded again.
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}"))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn any_refund_can_be_made_to_fail() {
    let desk = Desk::open();
    let (_, refund) = refunded(&desk, "pm_card_visa").await;
    let id = refund["id"].as_str().unwrap();
    assert!(desk.control().settle_refund(id).is_err());
    assert_eq!(
        desk.control()
            .fail_refund(id, "lost_or_stolen_card")
            .unwrap()["failure_reason"],
        "lost_or_stolen_card"
    );
    assert!(
        desk.control()
            .fail_refund(id, "lost_or_stolen_card")
            .is_err()
    );
    assert_eq!(
        desk.post(&format!("refunds/{id}/cancel"), "").await.status,
        400
    );
}

#[tokio::test]
async fn a_disputed_charge_is_not_refunded() {
    let desk = Desk::open();
    let intent = desk.paid("pm_card_createDispute").await;
    let charge = intent["latest_charge"].as_str().unwrap();
    assert_eq!(
        desk.event_kinds()[3..],
        ["charge.dispute.created", "charge.dispute.funds_withdrawn"]
    );
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}"))
            .await
            .error()
            .2,
        "charge_disputed"
    );
    let disputes = desk.get(&format!("disputes?charge={charge}")).await.body;
    let dispute = &disputes["data"][0];
    assert_eq!(
        (&dispute["status"], &dispute["amount"]),
        (&"needs_response".into(), &4000.into())
    );
    let path = format!("disputes/{}/close", dispute["id"].as_str().unwrap());
    assert_eq!(desk.post(&path, "").await.body["status"], "lost");
    assert_eq!(desk.post(&path, "").await.status, 400);
    assert_eq!(desk.event_kinds().last().unwrap(), "charge.dispute.closed");
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}"))
            .await
            .error()
            .2,
        "charge_disputed"
    );
}

#[tokio::test]
async fn a_won_dispute_gives_the_charge_back() {
    let desk = Desk::open();
    let intent = desk.paid("pm_card_visa").await;
    let charge = intent["latest_charge"].as_str().unwrap();
    assert_eq!(
        desk.control().dispute(charge, "duplicate").unwrap()["disputed"],
        true
    );
    assert!(desk.control().dispute(charge, "duplicate").is_err());
    let dispute = desk.control().objects("disputes").unwrap()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        desk.control().close_dispute(&dispute, true).unwrap()["status"],
        "won"
    );
    assert_eq!(
        desk.event_kinds()[5..],
        ["charge.dispute.funds_reinstated", "charge.dispute.closed"]
    );
    assert_eq!(
        desk.post("refunds", &format!("charge={charge}"))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn of_many_at_once_no_more_goes_back_than_came_in() {
    let desk = Desk::open();
    let intent = desk.paid("pm_card_visa").await;
    let form = format!(
        "payment_intent={}&amount=1500",
        intent["id"].as_str().unwrap()
    );
    let calls = (0..20).map(|_| desk.post("refunds", &form));
    let replies = futures_util::future::join_all(calls).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 200).count(),
        2
    );
}
