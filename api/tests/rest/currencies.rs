//! A tournament with two currencies side by side at the REST door.

use reqwest::Method;
use serde_json::{Value, json};
use store::Store;

use crate::house::{BARCELONA, House, order};

/// 140 crowns or 5.50 euros, and 10 or 0.50 for the rating.
pub const PRAGUE: &str = "prg21";

/// Serves Prague, with something that is kept and a deposit.
pub async fn open(store: Store) -> House {
    let house = House::open(store, 9).await;
    let file = "../rules/tests/fixtures/regulations/prg21";
    let more = "\n[[refund.tier]]\nid = \"handling\"\nrequested = { before = 2021-06-12 }\nkeep = { amount = { CZK = 50, EUR = 2 } }\n[[appeal]]\nid = \"appeal\"\nwithin = \"1h\"\ndeposit = { CZK = 500, EUR = 20 }\n";
    let change = |text: String| text + more;
    house
        .take_in(file, "2021-06-01T12:00:00+02:00", change)
        .await;
    house
}

fn eur(amount: i64) -> Value {
    json!({ "amount": amount, "currency": "EUR" })
}

fn czk(amount: i64) -> Value {
    json!({ "amount": amount, "currency": "CZK" })
}

/// An order of one player, in this currency.
pub fn asked(currency: Option<&str>, name: &str) -> Value {
    let mut body = order(name);
    body["payer"]["consents"] = json!([]);
    body["entries"][0]["section"] = json!("open");
    body["currency"] = json!(currency);
    body
}

fn question(currency: Option<&str>) -> Value {
    json!({ "currency": currency, "entries": asked(currency, "Perez, Ana")["entries"] })
}

store::both! {
    async fn a_quote_is_in_the_currency_asked_for(store: Store) {
        let house = open(store).await;
        let shown = house.get(&format!("/v1/tournaments/{PRAGUE}"), "").await.good().body;
        assert_eq!((&shown["currency"], &shown["currencies"]), (&json!("CZK"), &json!(["CZK", "EUR"])));
        let appeal = &shown["appeals"][0];
        assert_eq!((&appeal["deposit"], &appeal["deposits"]), (&czk(50_000), &json!([czk(50_000), eur(2_000)])));
        let path = format!("/v1/tournaments/{PRAGUE}/quotes");
        for (currency, total) in [(None, czk(15_000)), (Some("CZK"), czk(15_000)), (Some("EUR"), eur(600))] {
            let quote = house.post(&path, "", &question(currency)).await.good().body;
            assert_eq!((&quote["eligible"], &quote["total"]), (&json!(true), &total), "{currency:?}");
            assert!(quote["lines"].as_array().unwrap().iter().all(|line| line["amount"]["currency"] == total["currency"]));
        }
        let dollars = house.post(&path, "", &question(Some("USD"))).await.good().body;
        let reason = &dollars["reasons"][0];
        assert_eq!((&dollars["eligible"], &reason["code"], &reason["field"]), (&json!(false), &json!("currency_not_taken"), &json!("currency")));
        let no_currency = house.post(&path, "", &question(Some("euro"))).await;
        assert_eq!((no_currency.status, no_currency.faults()), (422, vec!["currency not_a_currency".to_owned()]));
        let one = json!({ "currency": "PEN", "entries": order("Perez, Ana")["entries"] });
        let barcelona = house.post(&format!("/v1/tournaments/{BARCELONA}/eligibility-checks"), "", &one).await.good().body;
        assert_eq!(barcelona["reasons"][0]["code"], "currency_not_taken");
        house.close().await;
    }

    async fn what_comes_back_is_asked_in_any_of_its_currencies(store: Store) {
        let house = open(store).await;
        let path = format!("/v1/tournaments/{PRAGUE}/refund-quotes");
        for (paid, refund, kept) in [(eur(600), eur(400), eur(200)), (czk(15_000), czk(10_000), czk(5_000))] {
            let told = house.post(&path, "", &json!({ "paid": paid, "approved": true })).await.good().body;
            assert_eq!((&told["refund"], &told["kept"]), (&refund, &kept));
        }
        let pounds = json!({ "paid": { "amount": 600, "currency": "GBP" } });
        assert_eq!(house.post(&path, "", &pounds).await.faults(), ["paid.currency other_currency"]);
        house.close().await;
    }

    async fn an_order_is_registered_paid_and_left_in_euros(store: Store) {
        let house = open(store).await;
        let path = format!("/v1/tournaments/{PRAGUE}/orders");
        let mut body = asked(Some("EUR"), "Perez, Ana");
        body["expected_total"] = czk(15_000);
        let wrong = house.post(&path, "", &body).await;
        assert_eq!(wrong.faults(), ["expected_total amount_mismatch"]);
        body["expected_total"] = eur(600);
        let heard = house.post(&path, "", &body).await.good();
        assert_eq!(heard.body["total"], eur(600));
        let (id, token) = (heard.text("order"), heard.text("token"));
        let session = json!({ "method": "session", "expected": eur(600) });
        house.post(&format!("/v1/orders/{id}/payments"), &token, &session).await.good();
        let view = house.app.desk.order(id.parse().unwrap()).await.unwrap();
        let page = view.payments[0].reference.clone().unwrap();
        house.sandbox.control().pay(&page, "4242424242424242").unwrap();
        let payment = format!("/v1/orders/{id}/cancellation");
        let left = house.send(house.ask(Method::POST, &payment, &token)).await.good();
        assert_eq!((&left.body["refund"], &left.body["kept"]), (&eur(400), &eur(200)));
        let dollars = house.post(&path, "", &asked(Some("USD"), "Puig, Pau")).await;
        assert_eq!((dollars.status, dollars.faults()), (422, vec!["currency currency_not_taken".to_owned()]));
        house.close().await;
    }
}
