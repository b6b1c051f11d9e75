//! What comes back row by row, as a credit, by a proof, and as a deposit.

use api::auth::Role;
use serde_json::{Value, json};
use store::Store;

use crate::house::House;
use crate::money_back;

const EXTRAS: &str = "extras";

/// A house with the tournament on a day of June, and somebody's paid order of two nights.
async fn house(store: Store) -> (House, String, String, Value) {
    let house = House::open(store, 300).await;
    house
        .take_in(
            "../rules/tests/fixtures/extras",
            "2026-06-10T12:00:00+02:00",
            |text| text,
        )
        .await;
    let (order, token, entry) = paid(&house, "Nits, Ada").await;
    (house, order, token, entry)
}

async fn paid(house: &House, name: &str) -> (String, String, Value) {
    let order = json!({
        "payer": {"name": "Paula", "email": "p@example.org", "language": "ca", "consents": []},
        "entries": [{"section": "open", "entrant": {
            "name": name, "sex": "f", "birth_date": "1990-05-17", "federation": "ESP", "answers": {"nights": "2"},
        }}],
    });
    let path = format!("/v1/tournaments/{EXTRAS}/orders");
    let registered = house.post(&path, "", &order).await.good();
    let (id, token) = (registered.text("order"), registered.text("token"));
    let path = format!("/v1/orders/{id}/payments");
    house
        .post(&path, &token, &json!({"method": "intent"}))
        .await
        .good();
    let view = house.app.desk.order(id.parse().unwrap()).await.unwrap();
    money_back::paid(
        house,
        view.payments[0].reference.as_deref().unwrap(),
        15_000,
    )
    .await;
    let view = house
        .get(&format!("/v1/orders/{id}"), &token)
        .await
        .good()
        .body;
    assert_eq!(view["status"], "confirmed");
    (id, token, view["entries"][0]["entry"].clone())
}

store::both! {
    async fn a_tournament_tells_what_may_come_back_and_a_quote_says_how_much(store: Store) {
        let (house, ..) = house(store).await;
        let told = house.get(&format!("/v1/tournaments/{EXTRAS}"), "").await.good().body;
        assert_eq!(told["offers_credit"], true);
        assert_eq!(told["proofs"][0]["tier"], "ill");
        assert_eq!(told["deposits"], json!(["deposit"]));
        let path = format!("/v1/tournaments/{EXTRAS}/refund-quotes");
        let ask = |more: Value| {
            let mut ask = json!({"paid": {"amount": 15_000, "currency": "EUR"}, "approved": true});
            ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            ask
        };
        let rows = json!({"lodging": 8_000, "deposit": 2_000});
        for (more, refund, parts) in [
            (json!({}), 7_500, 0),
            (json!({"rows": rows}), 11_000, 3),
            (json!({"rows": rows, "credit": true}), 13_500, 3),
            (json!({"rows": rows, "proof": "ill"}), 13_500, 3),
        ] {
            let quote = house.post(&path, "", &ask(more.clone())).await.good().body;
            assert_eq!(quote["refund"]["amount"], refund, "{more}");
            assert_eq!(quote["parts"].as_array().map_or(0, Vec::len), parts, "{more}");
        }
        let wrong = house.post(&path, "", &ask(json!({"rows": {"lodging": -1}}))).await;
        assert_eq!(wrong.faults(), ["rows.lodging out_of_range"]);
        let wrong = house.post(&path, "", &ask(json!({"proof": "sick"}))).await;
        assert_eq!(wrong.faults(), ["proof unknown_value"]);
        house.close().await;
    }

    async fn who_leaves_may_have_a_credit_and_bring_a_proof_later(store: Store) {
        let (house, order, token, entry) = house(store).await;
        let path = format!("/v1/orders/{order}/cancellation");
        let money = house.get(&path, &token).await.good().body;
        let credit = house.get(&format!("{path}?credit=true"), &token).await.good().body;
        assert_eq!((&money["refund"]["amount"], &credit["refund"]["amount"]), (&json!(11_000), &json!(13_500)));
        let parts = credit["entries"][0]["refund_quote"]["parts"].as_array().unwrap().clone();
        let methods: Vec<&str> = parts.iter().map(|part| part["method"].as_str().unwrap()).collect();
        assert_eq!(methods, ["credit", "card", "transfer"]);
        house.post(&path, &token, &json!({})).await.good();

        let treasurer = house.key(Role::Treasurer).await;
        let path = format!("/v1/staff/entries/{}/proof", entry.as_str().unwrap());
        let arbiter = house.key(Role::Arbiter).await;
        assert_eq!(house.post(&path, &arbiter, &json!({"tier": "ill"})).await.status, 403);
        assert_eq!(house.post(&path, &treasurer, &json!({})).await.faults(), ["tier required"]);
        assert_eq!(house.post(&path, &treasurer, &json!({"tier": "half"})).await.faults(), ["tier unknown_value"]);
        let proved = house.post(&path, &treasurer, &json!({"tier": "ill", "reason": "seen"})).await.good().body;
        assert_eq!(proved["refund_quote"]["refund"]["amount"], 13_500);
        let view = house.get(&format!("/v1/orders/{order}"), &token).await.good().body;
        assert_eq!((&view["refunded"]["amount"], &view["kept"]["amount"]), (&json!(13_500), &json!(1_500)));
        let again = house.post(&path, &treasurer, &json!({"tier": "ill"})).await;
        assert_eq!((again.status, again.slug()), (409, "nothing-left"));
        house.close().await;
    }

    async fn a_credit_is_spent_and_deposits_come_back(store: Store) {
        let (house, order, token, _) = house(store).await;
        let treasurer = house.key(Role::Treasurer).await;
        let (stays, its_token, entry) = paid(&house, "Queda, Bel").await;
        house.post(&format!("/v1/orders/{order}/cancellation"), &token, &json!({"credit": true})).await.good();
        let waiting = house.get(&format!("/v1/staff/tournaments/{EXTRAS}/back-office"), &treasurer).await.good().body;
        let refunds = waiting["refunds"].as_array().unwrap();
        let credit = refunds.iter().find(|row| row["method"] == "credit").unwrap();
        assert_eq!((&credit["status"], &credit["amount"]["amount"]), (&json!("owed"), &json!(5_000)));
        let path = format!("/v1/staff/refunds/{}/transfer", credit["refund"].as_str().unwrap());
        house.post(&path, &treasurer, &json!({"reference": "open-2027"})).await.good();

        let path = format!("/v1/staff/entries/{}/deposit", entry.as_str().unwrap());
        assert_eq!(house.post(&path, &treasurer, &json!({})).await.slug(), "illegal-move");
        house.set_clock(EXTRAS, "2026-08-05T20:00:00+02:00");
        let back = house.post(&path, &treasurer, &json!({})).await.good().body;
        assert_eq!((&back["refunded"]["amount"], &back["due"]["amount"]), (&json!(2_000), &json!(0)));
        let path = format!("/v1/staff/tournaments/{EXTRAS}/deposits");
        let all = house.post(&path, &treasurer, &json!({"reason": "played"})).await.good().body;
        assert_eq!(all, json!({"deposits": [{"entry": entry, "amount": {"amount": 2_000, "currency": "EUR"}}], "left": []}));
        let view = house.get(&format!("/v1/orders/{stays}"), &its_token).await.good().body;
        assert_eq!(view["refunded"]["amount"], 2_000);
        house.close().await;
    }
}
