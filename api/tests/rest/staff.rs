//! The back office's way.

use api::auth::Role;
use serde_json::{Value, json};
use store::Store;

use crate::house::{BARCELONA, House, ROJAS, order};

pub fn team() -> Value {
    let pupil = |name: &str, sex: &str| json!({"name": name, "sex": sex, "level": "primary"});
    json!({
        "payer": {"name": "C. Rojas", "email": "payer@example.org", "language": "es", "consents": ["bases"]},
        "slip": {"number": "0001", "date": "2019-02-10", "amount": {"amount": 8000, "currency": "PEN"}},
        "entries": [{"section": "primario", "team": {
            "name": "A", "institution": "I.E. Prueba", "coach": "C. Rojas",
            "roster": [pupil("Ana", "f"), pupil("Beto", "m"), pupil("Carla", "f"), pupil("Dino", "m")],
        }}],
    })
}

store::both! {
    async fn a_slip_is_confirmed_refunded_and_transferred(store: Store) {
        let house = House::open(store, 300).await;
        let key = house.key(Role::Treasurer).await;
        let registered = house.post(&format!("/v1/tournaments/{ROJAS}/orders"), "", &team()).await.good();
        let id = registered.text("order");
        let waiting = house.get(&format!("/v1/staff/tournaments/{ROJAS}/back-office"), &key).await.good().body;
        let payment = waiting["payments"][0]["payment"].as_str().unwrap().to_owned();
        assert_eq!(waiting["payments"][0]["slip"]["number"], "0001");

        let path = format!("/v1/staff/payments/{payment}/confirmation");
        let short = house.post(&path, &key, &json!({"received": {"amount": 7000, "currency": "PEN"}})).await;
        assert_eq!((short.status, short.slug()), (409, "amount-mismatch"));
        let body = json!({"received": {"amount": 8000, "currency": "PEN"}, "reason": "seen at the bank"});
        let confirmed = house.post(&path, &key, &body).await.good().body;
        assert_eq!((&confirmed["status"], &confirmed["paid"]["amount"]), (&json!("confirmed"), &json!(8000)));

        let path = format!("/v1/staff/orders/{id}/refunds");
        let much = house.post_once(&path, &key, &json!({"amount": {"amount": 9000, "currency": "PEN"}, "reason": "goodwill"})).await;
        assert_eq!((much.status, much.slug()), (409, "nothing-left"));
        let body = json!({"amount": {"amount": 3000, "currency": "PEN"}, "reason": "goodwill"});
        let refunded = house.post_once(&path, &key, &body).await.good().body;
        assert_eq!(refunded["refunds"][0]["status"], "owed");
        let refund = refunded["refunds"][0]["refund"].as_str().unwrap();
        let path = format!("/v1/staff/refunds/{refund}/transfer");
        assert_eq!(house.post(&path, &key, &json!({})).await.faults(), ["reference required"]);
        let long = json!({"reference": "x".repeat(301)});
        assert_eq!(house.post(&path, &key, &long).await.faults(), ["reference too_long"]);
        let sent = house.post(&path, &key, &json!({"reference": "T-77"})).await.good().body;
        assert_eq!(sent["refunds"][0]["status"], "succeeded");
        let told = house.get(&format!("/v1/orders/{id}/refunds"), &registered.text("token")).await.good().body;
        assert_eq!(told["refunds"][0]["amount"]["amount"], 3000);
        assert_eq!(told["refunds"][0]["reference"], json!(null));

        let journal = house.get(&format!("/v1/staff/tournaments/{ROJAS}/journal?limit=1000"), &key).await.good().body;
        let rows = journal["rows"].as_array().unwrap();
        let row = rows.iter().find(|r| r["reason"] == "seen at the bank").unwrap();
        assert_eq!(row["actor"]["kind"], "staff");
        house.close().await;
    }

    async fn lists_come_in_pages(store: Store) {
        let house = House::open(store, 300).await;
        let key = house.key(Role::Viewer).await;
        let mut made = Vec::new();
        for name in ["Perez, Ana", "Soler, Jan", "Vila, Mar"] {
            made.push(house.register(name).await.0);
        }
        let path = format!("/v1/staff/tournaments/{BARCELONA}/orders");
        let (mut seen, mut after) = (Vec::new(), String::new());
        loop {
            let page = house.get(&format!("{path}?limit=2{after}"), &key).await.good().body;
            seen.extend(page["orders"].as_array().unwrap().iter().map(|o| o["order"].as_str().unwrap().to_owned()));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        assert_eq!(seen, made);
        for (query, fault) in [
            ("limit=0", "limit out_of_range"),
            ("limit=many", "limit out_of_range"),
            ("after=7", "after not_an_id"),
            ("page=2", "page unknown_field"),
        ] {
            let heard = house.get(&format!("{path}?{query}"), &key).await;
            assert_eq!((heard.status, heard.faults()), (422, vec![fault.to_owned()]), "{query}");
        }
        let path = format!("/v1/staff/tournaments/{BARCELONA}/journal");
        for after in ["-5", "x", "99999999999999999999"] {
            let heard = house.get(&format!("{path}?after={after}"), &key).await;
            assert_eq!((heard.status, heard.faults()), (422, vec!["after not_an_id".to_owned()]), "{after}");
        }
        house.close().await;
    }

    async fn a_code_invites_and_its_label_is_not_the_payer_s(store: Store) {
        let house = House::open(store, 300).await;
        let admin = house.key(Role::Admin).await;
        let path = format!("/v1/staff/tournaments/{BARCELONA}/codes");
        assert_eq!(house.post(&path, &admin, &json!({})).await.faults(), ["label required"]);
        assert_eq!(house.post(&path, &admin, &json!({"label": "x".repeat(301)})).await.faults(), ["label too_long"]);
        for (uses, amount, currency, fault) in [
            (0, 2_000, "EUR", "uses out_of_range"),
            (1, -1, "EUR", "agreed_price.amount out_of_range"),
            (1, 2_000, "USD", "agreed_price.currency other_currency"),
            (1, 2_000, "EURO", "agreed_price.currency not_a_currency"),
        ] {
            let body = json!({"label": "gm", "uses": uses, "agreed_price": {"amount": amount, "currency": currency}});
            let heard = house.post(&path, &admin, &body).await;
            assert_eq!((heard.status, heard.faults()), (422, vec![fault.to_owned()]), "{body}");
        }
        let issued = house.post(&path, &admin, &json!({"label": "guest-of-honour", "uses": 1})).await.good();
        let mut body = order("Perez, Ana");
        body["entries"][0]["code"] = issued.body["code"].clone();
        let quotes = format!("/v1/tournaments/{BARCELONA}/quotes");
        let asked = json!({"entries": body["entries"]});
        for _ in 0..2 {
            // Asking uses nothing up.
            let quote = house.post(&quotes, "", &asked).await.good().body;
            let facts = quote["facts"].as_array().unwrap();
            let invited = facts.iter().find(|fact| fact["fact"] == "invited").unwrap();
            assert_eq!((&invited["value"], &invited["grade"]["grade"]), (&json!("true"), &json!("checked")), "{quote}");
        }
        let path = format!("/v1/tournaments/{BARCELONA}/orders");
        let registered = house.post(&path, "", &body).await.good();
        let (id, token) = (registered.text("order"), registered.text("token"));
        let shown = house.get(&format!("/v1/orders/{id}"), &token).await.good().body;
        assert_eq!(shown["entries"][0]["entrant"]["grades"]["invited"], json!({"grade": "checked"}));
        let seen = house.get(&format!("/v1/orders/{id}"), &admin).await.good().body;
        assert_eq!(seen["entries"][0]["entrant"]["grades"]["invited"]["by"], "code:guest-of-honour");

        let mut body = order("Soler, Jan");
        body["entries"][0]["code"] = issued.body["code"].clone();
        let heard = house.post(&path, "", &body).await;
        assert_eq!((heard.status, heard.slug()), (409, "code-used-up"), "{heard:?}");
        assert_eq!(heard.faults(), ["entries[0].code code_used_up"]);
        let asked = json!({"entries": body["entries"]});
        assert_eq!(house.post(&quotes, "", &asked).await.faults(), ["entries[0].code code_used_up"]);
        let checks = format!("/v1/tournaments/{BARCELONA}/eligibility-checks");
        assert_eq!(house.post(&checks, "", &asked).await.faults(), ["entries[0].code code_used_up"]);
        body["entries"][0]["code"] = json!("WRONG");
        assert_eq!(house.post(&path, "", &body).await.faults(), ["entries[0].code unknown_code"]);
        house.close().await;
    }

    async fn an_entry_is_placed_decided_and_refused(store: Store) {
        let house = House::open(store, 300).await;
        let arbiter = house.key(Role::Arbiter).await;
        let mut body = order("Perez, Ana");
        body["entries"][0]["section"] = json!(null);
        let registered = house.post(&format!("/v1/tournaments/{BARCELONA}/orders"), "", &body).await.good();
        assert_eq!(registered.body["status"], "pending_approval", "{registered:?}");
        let entry = registered.body["entries"][0]["entry"].as_str().unwrap().to_owned();
        let at = |act: &str| format!("/v1/staff/entries/{entry}/{act}");
        assert_eq!(house.post(&at("section"), &arbiter, &json!({})).await.faults(), ["section required"]);
        let placed = house.post(&at("section"), &arbiter, &json!({"section": "A"})).await.good().body;
        assert_eq!(placed["entries"][0]["section"], "A");
        let approved = house.post(&at("approval"), &arbiter, &json!({"reason": "welcome"})).await.good().body;
        assert_eq!(approved["status"], "held", "{approved}");
        for (act, body, slug, fault) in [
            ("approval", json!({}), "illegal-move", "entry illegal_move"),
            ("byes", json!({"granted": true}), "illegal-move", "entry illegal_move"),
            ("facts/shoe", json!({"upheld": true}), "unknown-path", "fact unknown_path"),
        ] {
            let heard = house.post(&at(act), &arbiter, &body).await;
            assert_eq!((heard.slug(), heard.faults()), (slug, vec![fault.to_owned()]), "{act}: {heard:?}");
        }
        let rejected = house.post(&at("rejection"), &arbiter, &json!({"reason": "banned"})).await.good().body;
        assert_eq!(rejected["status"], "rejected");
        let missing = house.post("/v1/staff/entries/ent_0000000000001/approval", &arbiter, &json!({})).await;
        assert_eq!((missing.status, missing.slug()), (404, "unknown-entry"));
        assert_eq!(missing.faults(), ["entry unknown_entry"]);
        house.close().await;
    }

    async fn what_ends_an_entry_or_gives_money_back_needs_a_reason(store: Store) {
        let house = House::open(store, 300).await;
        let admin = house.key(Role::Admin).await;
        let registered = house.post(&format!("/v1/tournaments/{ROJAS}/orders"), "", &team()).await.good();
        let (order, entry) = (registered.text("order"), registered.body["entries"][0]["entry"].as_str().unwrap().to_owned());
        let waiting = house.get(&format!("/v1/staff/tournaments/{ROJAS}/back-office"), &admin).await.good().body;
        let payment = waiting["payments"][0]["payment"].as_str().unwrap().to_owned();
        let before = house.journal().await;
        for (reason, rule) in [
            (json!(null), "reason required"),
            (json!(""), "reason required"),
            (json!(" \u{200b}"), "reason required"),
            (json!("x".repeat(301)), "reason too_long"),
        ] {
            for (path, mut body) in [
                (format!("entries/{entry}/rejection"), json!({})),
                (format!("orders/{order}/cancellation"), json!({})),
                (format!("orders/{order}/refunds"), json!({"amount": {"amount": 100, "currency": "PEN"}})),
                (format!("payments/{payment}/refusal"), json!({})),
                (format!("payments/{payment}/return"), json!({})),
            ] {
                body["reason"] = reason.clone();
                let heard = house.post(&format!("/v1/staff/{path}"), &admin, &body).await;
                assert_eq!((heard.status, heard.faults()), (422, vec![rule.to_owned()]), "{path}: {heard:?}");
            }
        }
        let none = json!({"entries": [], "reason": "rain"});
        let heard = house.post(&format!("/v1/staff/orders/{order}/cancellation"), &admin, &none).await;
        assert_eq!((heard.status, heard.faults()), (422, vec!["entries required".to_owned()]));
        assert_eq!(house.journal().await, before);
        let body = json!({"reason": "no team"});
        house.post(&format!("/v1/staff/orders/{order}/cancellation"), &admin, &body).await.good();
        let seen = house.get(&format!("/v1/orders/{order}"), &admin).await.good().body;
        assert_eq!(seen["status"], "cancelled_by_organiser");
        house.close().await;
    }

    async fn the_organiser_sets_seats_and_cancels(store: Store) {
        let house = House::open(store, 1).await;
        let admin = house.key(Role::Admin).await;
        let (first, ..) = house.register("Perez, Ana").await;
        let (second, token, _) = house.register("Soler, Jan").await;
        let waits = house.get(&format!("/v1/orders/{second}"), &token).await.good().body;
        assert_eq!((&waits["status"], &waits["entries"][0]["waiting_position"]), (&json!("waitlisted"), &json!(1)));
        let path = format!("/v1/staff/tournaments/{BARCELONA}/capacity");
        for (seats, fault) in [
            (0, "capacity too_small"),
            (100_001, "capacity too_large"),
            (1_000_000_000_000_i64, "capacity too_large"),
        ] {
            assert_eq!(house.post(&path, &admin, &json!({"capacity": seats})).await.faults(), [fault]);
        }
        let set = house.post(&path, &admin, &json!({"capacity": 2, "reason": "a larger hall"})).await.good().body;
        assert_eq!(set["capacity"][0]["seats"], 2);
        let offered = house.get(&format!("/v1/orders/{second}"), &token).await.good().body;
        assert_eq!(offered["status"], "held");
        let path = format!("/v1/staff/orders/{first}/cancellation");
        house.post(&path, &admin, &json!({"reason": "by request"})).await.good();
        let seen = house.get(&format!("/v1/orders/{first}"), &admin).await.good().body;
        assert_eq!(seen["status"], "cancelled_by_organiser");
        house.close().await;
    }
}
