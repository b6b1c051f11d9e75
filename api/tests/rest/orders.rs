//! A payer's way: look, order, pay, ask for byes, leave.

use reqwest::Method;
use serde_json::json;
use store::Store;

use crate::house::{BARCELONA, House, LLOBREGAT, ROJAS, order};

store::both! {
    async fn tournaments_are_shown_as_their_regulations_have_them(store: Store) {
        let house = House::open(store, 1).await;
        let list = house.get("/v1/tournaments", "").await.good();
        let ids: Vec<&str> = list.body["tournaments"].as_array().unwrap().iter().map(|t| t["tournament"].as_str().unwrap()).collect();
        assert_eq!(ids, [BARCELONA, LLOBREGAT, ROJAS]);

        let barcelona = house.get(&format!("/v1/tournaments/{BARCELONA}"), "").await.good().body;
        assert_eq!(barcelona["time_zone"], "Europe/Madrid");
        assert_eq!(barcelona["open"], true);
        assert_eq!(barcelona["capacity"][0]["seats"], 1);
        assert_eq!(barcelona["closes"], "2026-08-20T12:00:00Z");
        assert_eq!(barcelona["payment_methods"]["methods"][0], "session");
        let consents = barcelona["consents"].as_array().unwrap();
        assert!(consents.iter().any(|c| c["consent"] == "sponsors" && c["required"] == false));
        let rojas = house.get(&format!("/v1/tournaments/{ROJAS}"), "").await.good().body;
        assert_eq!(rojas["payment_methods"]["slip_with_entry"], true);
        assert_eq!(rojas["appeals"][0]["deposit"], json!({"amount": 5000, "currency": "PEN"}));

        house.register("Perez, Ana").await;
        let barcelona = house.get(&format!("/v1/tournaments/{BARCELONA}"), "").await.good().body;
        assert_eq!(barcelona["sections"][0]["free"], 0, "{barcelona}");
        house.close().await;
    }

    async fn an_order_is_answered_with_its_token_and_opens_with_it(store: Store) {
        let house = House::open(store, 300).await;
        let mut body = order("Perez, Ana");
        body["expected_total"] = json!({"amount": 6500, "currency": "EUR"});
        let heard = house.post(&format!("/v1/tournaments/{BARCELONA}/orders"), "", &body).await.good();
        assert_eq!((heard.status, heard.body["status"].as_str()), (201, Some("held")));
        assert_eq!(heard.body["total"], json!({"amount": 6500, "currency": "EUR"}));
        let (id, token) = (heard.text("order"), heard.text("token"));
        assert_eq!(heard.headers["location"].to_str().unwrap(), format!("https://desk.example.org/v1/orders/{id}"));
        assert_eq!(heard.headers["cache-control"], "no-store");

        let shown = house.get(&format!("/v1/orders/{id}"), &token).await.good().body;
        assert_eq!(shown["reference"], heard.body["reference"]);
        assert_eq!(shown["due"], json!({"amount": 6500, "currency": "EUR"}));
        assert_eq!(shown["payer"]["email"], "payer@example.org");
        assert_eq!(shown["entries"][0]["entrant"]["name"], "Perez, Ana");
        assert_eq!(shown["lines"][0]["amount"]["amount"], 6500);
        assert!(!shown.to_string().contains(&token));
        house.close().await;
    }

    async fn a_payment_is_opened_at_the_gateway(store: Store) {
        let house = House::open(store, 300).await;
        let (order, token, _) = house.register("Perez, Ana").await;
        let path = format!("/v1/orders/{order}/payments");
        let body = json!({"method": "session", "expected": {"amount": 6500, "currency": "EUR"}});
        let session = house.post(&path, &token, &body).await.good();
        assert!(session.text("url").starts_with(house.sandbox.base_url()), "{session:?}");
        let intent = house.post(&path, &token, &json!({"method": "intent"})).await.good();
        assert!(intent.text("client_secret").contains("_secret_"), "{intent:?}");
        let slip = house.post(&path, &token, &json!({"method": "slip"})).await;
        assert_eq!(slip.slug(), "method-not-offered");
        let words = house.post(&path, &token, &json!({"method": "cash", "return_url": "javascript:x"})).await;
        assert_eq!(words.faults(), ["method unknown_value", "return_url unknown_value"]);

        let shown = house.get(&format!("/v1/orders/{order}"), &token).await.good().body;
        assert_eq!(shown["payments"][0]["status"], "cancelled");
        assert_eq!(shown["payments"][0]["url"], json!(null));
        assert_eq!(shown["payments"][1]["status"], "open");
        assert_eq!(shown["payments"][1]["client_secret"], intent.body["client_secret"]);
        assert_eq!(shown["payments"][1]["reference"], json!(null));
        let viewer = house.key(api::auth::Role::Viewer).await;
        let seen = house.get(&format!("/v1/orders/{order}"), &viewer).await.good().body;
        assert_eq!(seen["payments"][1]["client_secret"], json!(null));
        assert!(seen["payments"][1]["reference"].as_str().unwrap().starts_with("pi_"));
        house.close().await;
    }

    async fn a_cancellation_is_previewed_and_made(store: Store) {
        let house = House::open(store, 300).await;
        let (order, token, entry) = house.register("Perez, Ana").await;
        let path = format!("/v1/orders/{order}/cancellation");
        let before = house.journal().await;
        let preview = house.get(&format!("{path}?entries={entry}"), &token).await.good();
        assert_eq!(preview.body["refund"], json!({"amount": 0, "currency": "EUR"}));
        assert_eq!(house.journal().await, before);
        let odd = house.get(&format!("{path}?entry={entry}"), &token).await;
        assert_eq!(odd.faults(), ["entry unknown_field"]);
        // An empty list is not every entry.
        let none = house.get(&format!("{path}?entries="), &token).await;
        assert_eq!((none.status, none.faults()), (422, vec!["entries required".to_owned()]));
        let none = house.post(&path, &token, &json!({"entries": []})).await;
        assert_eq!((none.status, none.faults()), (422, vec!["entries required".to_owned()]));
        assert_eq!(house.journal().await, before);
        let made = house.send(house.ask(Method::POST, &path, &token)).await.good();
        assert_eq!(made.body["entries"][0]["entry"], entry);
        let shown = house.get(&format!("/v1/orders/{order}"), &token).await.good().body;
        assert_eq!(shown["status"], "cancelled_by_player");
        assert_eq!(house.get(&format!("/v1/orders/{order}/refunds"), &token).await.good().body, json!({"refunds": []}));
        let again = house.send(house.ask(Method::POST, &path, &token)).await;
        assert_eq!((again.status, again.slug()), (409, "illegal-move"));
        assert_eq!(again.faults(), ["order illegal_move"]);
        let again = house.post(&path, &token, &json!({"entries": [entry]})).await;
        assert_eq!((again.slug(), again.faults()), ("illegal-move", vec!["entries illegal_move".to_owned()]));
        let byes = json!({"entry": entry, "requests": [{"round": 1, "points": "half"}]});
        let byes = house.post(&format!("/v1/orders/{order}/byes"), &token, &byes).await;
        assert_eq!((byes.slug(), byes.faults()), ("illegal-move", vec!["entry illegal_move".to_owned()]));
        house.close().await;
    }

    async fn the_door_describes_itself(store: Store) {
        let house = House::open(store, 300).await;
        let document = house.get("/v1/openapi.json", "").await.good().body;
        assert_eq!(document["openapi"], "3.1.0");
        let page = house.ask(Method::GET, "/v1/docs/", "").send().await.unwrap();
        assert_eq!(page.status().as_u16(), 200);
        assert!(page.text().await.unwrap().contains("swagger-ui"));
        for (path, methods) in document["paths"].as_object().unwrap() {
            for method in methods.as_object().unwrap().keys() {
                let filled = path.replace(['{', '}'], "x");
                let method: Method = method.to_uppercase().parse().unwrap();
                let heard = house.send(house.ask(method, &filled, "")).await;
                assert!(heard.status != 405 && (heard.slug() != "unknown-path" || path.contains("gateways")), "{path}: {heard:?}");
            }
        }
        house.close().await;
    }
}
