//! Slips that the payer tells of at their own address: a fault is named as it was sent there.

use api::auth::Role;
use serde_json::json;
use store::Store;

use crate::house::{House, ROJAS};
use crate::staff::team;

store::both! {
    async fn a_slip_s_fields_are_named_as_they_were_sent(store: Store) {
        let house = House::open(store, 300).await;
        let treasurer = house.key(Role::Treasurer).await;
        let path = format!("/v1/tournaments/{ROJAS}/orders");
        let first = house.post(&path, "", &team()).await.good();
        let mut other = team();
        other["slip"]["number"] = json!("B-0002");
        other["entries"][0]["team"]["institution"] = json!("I.E. Otra");
        house.post(&path, "", &other).await.good();
        let (order, token) = (first.text("order"), first.text("token"));
        let payment = house.app.desk.order(order.parse().unwrap()).await.unwrap().payments[0].id;
        let refusal = format!("/v1/staff/payments/{payment}/refusal");
        house.post(&refusal, &treasurer, &json!({"reason": "no such money"})).await.good();

        let path = format!("/v1/orders/{order}/slips");
        for (number, date, cents, status, slug, fault) in [
            ("", "2019-02-10", 8_000, 422, "invalid-fields", "number required"),
            ("00\n03", "2019-02-10", 8_000, 422, "invalid-fields", "number not_one_line"),
            ("0003", "tomorrow", 8_000, 422, "invalid-fields", "date not_a_date"),
            ("0003", "2030-01-01", 8_000, 422, "invalid-fields", "date in_the_future"),
            ("0003", "2019-02-10", 7_000, 409, "amount-mismatch", "amount amount_mismatch"),
            ("B-0002", "2019-02-10", 8_000, 409, "slip-used", "number slip_used"),
            (" b-0002 ", "2019-02-10", 8_000, 409, "slip-used", "number slip_used"),
        ] {
            let body = json!({"number": number, "date": date, "amount": {"amount": cents, "currency": "PEN"}});
            let heard = house.post(&path, &token, &body).await;
            assert_eq!((heard.status, heard.slug(), heard.faults()), (status, slug, vec![fault.to_owned()]));
        }
        let body = json!({"number": "0003", "date": "2019-02-10", "amount": {"amount": 8_000, "currency": "PEN"}});
        house.post(&path, &token, &body).await.good();
        house.close().await;
    }
}
