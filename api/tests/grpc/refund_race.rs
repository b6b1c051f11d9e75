//! Two refunds of one payment, asked for at both doors at once.

use api::auth::Role;
use proto::registration::v1::RefundByStaffRequest;
use sandbox::Sandbox;
use serde_json::{Value, json};

use crate::facts::money;
use crate::money_back::asked;
use crate::parity::Doors;
use crate::stand::{Stand, problem, signed};

/// The payer's own form pays 65 euros, and the desk looks.
async fn paid(doors: &Doors, sandbox: &Sandbox, intent: &str) {
    let base = sandbox.base_url().trim_end_matches('/');
    let confirm = doors
        .client
        .post(format!("{base}/v1/payment_intents/{intent}/confirm"));
    let card = [
        ("payment_method", "pm_card_visa"),
        ("return_url", "https://desk.example/back"),
    ];
    let confirmed = confirm
        .bearer_auth("sk_test_sandbox")
        .form(&card)
        .send()
        .await;
    assert_eq!(confirmed.unwrap().status(), 200);
    let desk = &doors.stand.app.desk;
    let seen = desk.gateway().unwrap().look(intent).await.unwrap();
    desk.observe_payment("stripe:main", seen).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_of_sixty_at_both_doors_are_one() {
    let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
    let doors = Doors::beside(Stand::with_cards(&sandbox).await);
    let treasurer = doors.stand.key(&[Role::Treasurer]).await;
    for round in 0..8 {
        let (order, _, reference) = asked(&doors.stand, &format!("Paid{round}")).await;
        paid(&doors, &sandbox, &reference).await;
        let message = RefundByStaffRequest {
            order: order.clone(),
            amount: Some(money(4_000, "EUR")),
            reason: "goodwill".to_owned(),
            ..Default::default()
        };
        let body = json!({"amount": {"amount": 4_000, "currency": "EUR"}, "reason": "goodwill"});
        let path = format!("{}/v1/staff/orders/{order}/refunds", doors.rest);
        let request = doors.client.post(path).bearer_auth(&treasurer);
        let request = request.header("Idempotency-Key", format!("rest-{round}"));
        let mut desk = doors.stand.desk();
        let (grpc, rest) = tokio::join!(
            desk.refund_by_staff(signed(message, &treasurer, &format!("grpc-{round}"))),
            request.json(&body).send(),
        );
        let rest = rest.unwrap();
        match (grpc, rest.status().as_u16()) {
            (Ok(_), 409) => {
                let said: Value = rest.json().await.unwrap();
                assert_eq!(said["type"], "urn:enroc:problem:nothing-left");
            }
            (Err(status), 200..300) => assert_eq!(problem(&status).0, "nothing-left"),
            other => panic!("{other:?}"),
        }
        doors.stand.app.desk.step_refunds().await.unwrap();
        let view = doors.stand.app.desk.order(order.parse().unwrap()).await;
        let view = view.unwrap();
        assert_eq!((view.refunded, view.refunds.len()), (4_000, 1));
        assert_eq!(
            sandbox.control().objects("refunds").unwrap().len(),
            round + 1
        );
    }
    let audit = doors.stand.app.desk.audit(|_, _| {}).await.unwrap();
    assert_eq!(audit.findings, []);
    sandbox.stop().await;
}
