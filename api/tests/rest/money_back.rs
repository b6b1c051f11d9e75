//! Money that goes back at staff's word: what was set aside, and what a dispute leaves nothing of.

use api::auth::Role;
use domain::Money;
use registration::{Observed, Seen, SeenDispute, SeenState};
use serde_json::json;
use store::Store;

use crate::house::House;

const ACCOUNT: &str = "stripe:main";

/// A player's order, its one payment, and what the gateway calls that.
async fn asked(house: &House, name: &str) -> (String, String, String) {
    let (order, token, _) = house.register(name).await;
    let path = format!("/v1/orders/{order}/payments");
    let opened = house
        .post(&path, &token, &json!({"method": "intent"}))
        .await
        .good();
    let view = house.app.desk.order(order.parse().unwrap()).await.unwrap();
    (
        order,
        opened.text("payment"),
        view.payments[0].reference.clone().unwrap(),
    )
}

/// The gateway tells that so much was paid.
pub async fn paid(house: &House, reference: &str, cents: i64) {
    let seen = Seen {
        reference: reference.to_owned(),
        intent: None,
        payment: None,
        order: None,
        key: None,
        state: SeenState::Succeeded {
            received: Money::new(cents, "EUR".parse().unwrap()),
            charged_at: house.app.desk.clock().wall(),
        },
    };
    let observed = house.app.desk.observe_payment(ACCOUNT, seen).await;
    assert_eq!(observed.unwrap(), Observed::Known);
}

store::both! {
    async fn money_that_was_set_aside_goes_back_to_its_card(store: Store) {
        let house = House::open(store, 300).await;
        let treasurer = house.key(Role::Treasurer).await;
        let (order, payment, reference) = asked(&house, "Perez, Ana").await;
        let path = format!("/v1/staff/payments/{payment}/return");
        let body = json!({"reason": "not the sum"});
        let bare = house.post(&path, &treasurer, &body).await;
        let missing = vec!["Idempotency-Key idempotency_key_missing".to_owned()];
        assert_eq!((bare.status, bare.slug(), bare.faults()), (422, "idempotency-key-missing", missing));
        let early = house.post_once(&path, &treasurer, &body).await;
        assert_eq!((early.status, early.slug(), early.faults()), (409, "illegal-move", vec!["payment illegal_move".to_owned()]));
        paid(&house, &reference, 6_499).await;

        let before = house.journal().await;
        let arbiter = house.key(Role::Arbiter).await;
        for (key, status, slug, fault) in [
            ("", 401, "unauthenticated", "Authorization unauthenticated"),
            ("a-token", 401, "unauthenticated", "Authorization unauthenticated"),
            (arbiter.as_str(), 403, "denied", "Authorization denied"),
        ] {
            let heard = house.post(&path, key, &body).await;
            assert_eq!((heard.status, heard.slug(), heard.faults()), (status, slug, vec![fault.to_owned()]));
        }
        for unknown in ["pay_0000000000001", "7"] {
            let heard = house.post(&format!("/v1/staff/payments/{unknown}/return"), &treasurer, &body).await;
            assert_eq!((heard.status, heard.faults()), (404, vec!["payment unknown_payment".to_owned()]));
        }
        let odd = house.post(&path, &treasurer, &json!({"reason": "x", "amount": 1})).await;
        assert_eq!((odd.status, odd.faults()), (422, vec!["amount unknown_field".to_owned()]));
        assert_eq!(house.journal().await, before);

        let give = async || {
            let request = house.ask(reqwest::Method::POST, &path, &treasurer).header("Idempotency-Key", "give-1");
            house.send(request.json(&body)).await.good().body
        };
        let given = give().await;
        assert_eq!((&given["order"], &given["status"]), (&json!(order), &json!("held")));
        assert_eq!(given["refunds"][0]["amount"], json!({"amount": 6_499, "currency": "EUR"}));
        assert_eq!(give().await["refunds"].as_array().unwrap().len(), 1, "a repeat is the same");
        let again = house.post_once(&path, &treasurer, &body).await;
        assert_eq!((again.status, again.faults()), (409, vec!["payment illegal_move".to_owned()]));
        house.close().await;
    }

    async fn a_disputed_payment_leaves_nothing_to_refund(store: Store) {
        let house = House::open(store, 300).await;
        let treasurer = house.key(Role::Treasurer).await;
        let (order, _, reference) = asked(&house, "Perez, Ana").await;
        paid(&house, &reference, 6_500).await;
        let dispute = SeenDispute {
            reference: "dp_1".to_owned(),
            intent: reference,
            amount: Money::new(6_500, "EUR".parse().unwrap()),
            won: None,
        };
        house.app.desk.observe_dispute(ACCOUNT, dispute).await.unwrap();
        let body = json!({"amount": {"amount": 1_000, "currency": "EUR"}, "reason": "goodwill"});
        let path = format!("/v1/staff/orders/{order}/refunds");
        let bare = house.post(&path, &treasurer, &body).await;
        let missing = vec!["Idempotency-Key idempotency_key_missing".to_owned()];
        assert_eq!((bare.status, bare.slug(), bare.faults()), (422, "idempotency-key-missing", missing));
        let dollars = json!({"amount": {"amount": 100, "currency": "USD"}, "reason": "goodwill"});
        let heard = house.post_once(&path, &treasurer, &dollars).await;
        assert_eq!((heard.status, heard.faults()), (422, vec!["amount.currency other_currency".to_owned()]));
        let heard = house.post_once(&path, &treasurer, &body).await;
        let faults = vec!["amount more_than_left".to_owned(), "amount disputed".to_owned()];
        assert_eq!((heard.status, heard.slug(), heard.faults()), (409, "nothing-left", faults));
        house.close().await;
    }
}
