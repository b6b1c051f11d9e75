//! Bad input: each its named problem, field and rule; nothing changes.

use reqwest::Method;
use serde_json::{Value, json};
use store::Store;

use crate::house::{BARCELONA, House, ROJAS, order, player};

/// Status, slug and the fields with their rules, or the journal moved.
async fn refused(
    house: &House,
    request: reqwest::RequestBuilder,
    status: u16,
    slug: &str,
    faults: &[&str],
) {
    let before = house.journal().await;
    let heard = house.send(request).await;
    assert_eq!((heard.status, heard.slug()), (status, slug), "{heard:?}");
    assert_eq!(heard.faults(), faults, "{heard:?}");
    assert_eq!(heard.headers["content-type"], "application/problem+json");
    assert_eq!(heard.body["status"], json!(status));
    assert_eq!(
        heard.headers["x-request-id"].to_str().unwrap(),
        heard.text("request_id")
    );
    assert!(!heard.text("title").is_empty() && !heard.text("detail").is_empty());
    assert_eq!(house.journal().await, before, "{slug} left a trace");
}

fn with(pointer: &str, value: Value) -> Value {
    let mut body = order("Perez, Ana");
    *body.pointer_mut(pointer).unwrap() = value;
    body
}

fn orders(house: &House, tournament: &str, body: &Value) -> reqwest::RequestBuilder {
    house
        .ask(
            Method::POST,
            &format!("/v1/tournaments/{tournament}/orders"),
            "",
        )
        .json(body)
}

fn team(roster: &[(&str, &str)]) -> Value {
    let pupils = roster
        .iter()
        .map(|(name, sex)| json!({"name": name, "sex": sex, "level": "primary"}));
    json!({
        "payer": {"name": "C. Rojas", "email": "payer@example.org", "language": "es", "consents": ["bases"]},
        "slip": {"number": "0001", "date": "2019-02-10", "amount": {"amount": 8000, "currency": "PEN"}},
        "entries": [{"section": "primario", "team": {
            "name": "A", "institution": "I.E. Prueba", "coach": "C. Rojas", "roster": pupils.collect::<Vec<_>>(),
        }}],
    })
}

store::both! {
    async fn what_the_regulation_does_not_admit_is_refused_by_name(store: Store) {
        let house = House::open(store, 300).await;
        for (pointer, value, fault) in [
            ("/entries/0/section", json!("Z"), "entries[0].section unknown_section"),
            ("/entries/0/entrant/licences", json!([]), "entries[0].entrant.licences licence_missing"),
        ] {
            refused(&house, orders(&house, BARCELONA, &with(pointer, value)), 422, "ineligible", &[fault]).await;
        }
        let mut strong = with("/entries/0/section", json!("B"));
        strong["entries"][0]["entrant"]["rating"] = json!(2100);
        let fault = "entries[0].entrant.rating rating_too_high";
        refused(&house, orders(&house, BARCELONA, &strong), 422, "ineligible", &[fault]).await;

        let short = team(&[("Ana", "f"), ("Beto", "m"), ("Carla", "f")]);
        let fault = "entries[0].team.roster team_size";
        refused(&house, orders(&house, ROJAS, &short), 422, "ineligible", &[fault]).await;
        let boys = team(&[("Alf", "m"), ("Beto", "m"), ("Cid", "m"), ("Dino", "m")]);
        let fault = "entries[0].team.roster team_needs_girl";
        refused(&house, orders(&house, ROJAS, &boys), 422, "ineligible", &[fault]).await;
        house.close().await;
    }

    async fn entry_outside_its_window_is_refused(store: Store) {
        let house = House::open(store, 300).await;
        house.set_clock(ROJAS, "2019-02-15T18:00:00-05:00");
        let four = team(&[("Ana", "f"), ("Beto", "m"), ("Carla", "f"), ("Dino", "m")]);
        let request = orders(&house, ROJAS, &four);
        let heard = house.send(request).await;
        assert_eq!((heard.status, heard.slug()), (422, "ineligible"), "{heard:?}");
        assert!(heard.faults().iter().any(|f| f.ends_with(" entry_closed")), "{heard:?}");

        house.take_in(BARCELONA, "2026-08-01T12:00:00+02:00", |text| {
            text.replace("ciutat-barcelona-2026", "later")
                .replace("closes    =", "opens = { from = 2026-08-02T00:00:00 }\ncloses    =")
        }).await;
        house.seats("later", 10).await;
        let heard = house.send(orders(&house, "later", &order("Perez, Ana"))).await;
        assert_eq!((heard.status, heard.slug()), (422, "ineligible"), "{heard:?}");
        assert!(heard.faults().iter().any(|f| f.ends_with(" not_yet_open")), "{heard:?}");

        house.take_in(BARCELONA, "2026-08-01T12:00:00+02:00", |text| text.replace("ciutat-barcelona-2026", "unset")).await;
        refused(&house, orders(&house, "unset", &order("Perez, Ana")), 409, "not-open", &["tournament not_open"]).await;
        house.close().await;
    }

    async fn what_cannot_be_read_is_refused_with_its_field(store: Store) {
        let house = House::open(store, 300).await;
        let at = |body: &'static str| {
            house.ask(Method::POST, &format!("/v1/tournaments/{BARCELONA}/orders"), "").body(body)
        };
        refused(&house, at("{\"payer\": "), 400, "malformed-body", &["body not_json"]).await;
        refused(&house, at("<order/>"), 400, "malformed-body", &["body not_json"]).await;
        refused(&house, at("{\"payer\": 3}"), 422, "invalid-fields", &["payer wrong_type"]).await;
        let mut odd = order("Perez, Ana");
        odd["entries"][0]["entrant"]["elo"] = json!(2100);
        refused(&house, orders(&house, BARCELONA, &odd), 422, "invalid-fields", &["entries[0].entrant.elo unknown_field"]).await;

        let mut many = order("Perez, Ana");
        many["payer"]["email"] = json!("ana@example.org\r\nBcc: all@example.org");
        many["entries"][0]["entrant"]["birth_date"] = json!("1990-02-30");
        many["entries"][0]["entrant"]["sex"] = json!("x");
        many["expected_total"] = json!({"amount": 6000, "currency": "EURO"});
        let request = orders(&house, BARCELONA, &many);
        let heard = house.send(request).await;
        let mut faults = heard.faults();
        faults.sort();
        assert_eq!(heard.status, 422);
        assert_eq!(faults, [
            "entries[0].entrant.birth_date not_a_date",
            "entries[0].entrant.sex unknown_value",
            "expected_total.currency not_a_currency",
            "payer.email not_an_address",
        ]);
        house.close().await;
    }

    async fn a_body_of_two_mebibytes_is_too_large(store: Store) {
        let house = House::open(store, 300).await;
        let huge = format!("{{\"payer\": \"{}\"}}", "x".repeat(2 << 20));
        let path = format!("/v1/tournaments/{BARCELONA}/orders");
        refused(&house, house.ask(Method::POST, &path, "").body(huge.clone()), 413, "too-large", &["body too_large"]).await;
        refused(&house, house.ask(Method::POST, "/v1/gateways/stripe/main/events", "").body(huge), 413, "too-large", &["body too_large"]).await;
        house.close().await;
    }

    async fn a_tampered_sum_is_refused(store: Store) {
        let house = House::open(store, 300).await;
        for (amount, currency) in [(1, "EUR"), (6500, "USD")] {
            let mut body = order("Perez, Ana");
            body["expected_total"] = json!({"amount": amount, "currency": currency});
            let fault = ["expected_total amount_mismatch"];
            refused(&house, orders(&house, BARCELONA, &body), 409, "amount-mismatch", &fault).await;
        }
        let (order, token, _) = house.register("Perez, Ana").await;
        let body = json!({"method": "session", "expected": {"amount": 1, "currency": "EUR"}});
        let request = house.ask(Method::POST, &format!("/v1/orders/{order}/payments"), &token).json(&body);
        let heard = house.send(request).await;
        assert_eq!((heard.status, heard.slug()), (409, "amount-mismatch"), "{heard:?}");
        house.close().await;
    }

    async fn the_same_player_enters_once(store: Store) {
        let house = House::open(store, 300).await;
        house.register("Perez, Ana").await;
        let again = orders(&house, BARCELONA, &order("Ana Pérez"));
        refused(&house, again, 409, "already-entered", &["entries[0] already_entered"]).await;
        let mut both = order("Soler, Jan");
        both["entries"] = json!([
            {"section": "A", "entrant": player("Soler, Jan")},
            {"section": "A", "entrant": player("Jan Soler")},
        ]);
        let heard = house.send(orders(&house, BARCELONA, &both)).await;
        assert!(heard.faults().iter().any(|f| f.ends_with(" already_entered")), "{heard:?}");
        house.close().await;
    }

    async fn a_name_is_seen_and_told_from_another_by_more_than_its_signs(store: Store) {
        let house = House::open(store, 300).await;
        for (name, rule) in [
            (" ", "required"),
            ("\u{200b}\u{2060}", "required"),
            ("\u{3164}", "required"),
            (".", "not_a_name"),
            ("- '", "not_a_name"),
            (&"x".repeat(301), "too_long"),
            ("Ana\nPerez", "not_one_line"),
            ("Ana \u{202e}zereP", "not_one_line"),
        ] {
            for (pointer, field) in [
                ("/entries/0/entrant/name", "entries[0].entrant.name"),
                ("/payer/name", "payer.name"),
            ] {
                let request = orders(&house, BARCELONA, &with(pointer, json!(name)));
                refused(&house, request, 422, "invalid-fields", &[&format!("{field} {rule}")]).await;
            }
        }
        let mut odd = team(&[("Ana", "f"), ("\u{200b}", "m"), ("Carla", "f"), ("Dino", "m")]);
        odd["entries"][0]["team"]["institution"] = json!("…");
        refused(&house, orders(&house, ROJAS, &odd), 422, "invalid-fields", &["entries[0].team.institution not_a_name"]).await;
        odd["entries"][0]["team"]["institution"] = json!("I.E.\tPrueba");
        refused(&house, orders(&house, ROJAS, &odd), 422, "invalid-fields", &["entries[0].team.institution not_one_line"]).await;
        odd["entries"][0]["team"]["institution"] = json!("I.E. Prueba");
        refused(&house, orders(&house, ROJAS, &odd), 422, "invalid-fields", &["entries[0].team.roster[1].name required"]).await;

        for (first, again) in [
            ("O'Neil, Ryan", "Ryan O’Neil"),
            ("Łukasz Żak", "Lukasz Zak"),
            ("Groß, Jörg", "Gross Jorg"),
            ("Søren Ærø", "Soren Aero"),
            ("Gal·la Puig", "Galla Puig"),
        ] {
            house.register(first).await;
            let request = orders(&house, BARCELONA, &order(again));
            refused(&house, request, 409, "already-entered", &["entries[0] already_entered"]).await;
        }
        house.register("ONeill, Ryan").await;
        house.close().await;
    }

    async fn a_key_used_for_something_else_is_refused(store: Store) {
        let house = House::open(store, 300).await;
        let send = |body: Value| orders(&house, BARCELONA, &body).header("Idempotency-Key", "one-1");
        let first = house.send(send(order("Perez, Ana"))).await.good();
        let repeat = house.send(send(order("Perez, Ana"))).await.good();
        assert_eq!(first.body, repeat.body);
        refused(&house, send(order("Soler, Jan")), 409, "idempotency-key-reused", &["Idempotency-Key another_request"]).await;
        let bad = orders(&house, BARCELONA, &order("Soler, Jan")).header("Idempotency-Key", "x".repeat(256));
        refused(&house, bad, 422, "invalid-fields", &["Idempotency-Key not_a_key"]).await;
        house.close().await;
    }

    async fn another_s_order_stays_shut(store: Store) {
        let house = House::open(store, 300).await;
        let (mine, token, _) = house.register("Perez, Ana").await;
        let (other, _, entry) = house.register("Soler, Jan").await;
        for path in ["", "/cancellation", "/refunds"] {
            let path = format!("/v1/orders/{other}{path}");
            refused(&house, house.ask(Method::GET, &path, &token), 403, "wrong-token", &["Authorization wrong_token"]).await;
            refused(&house, house.ask(Method::GET, &path, ""), 401, "unauthenticated", &["Authorization unauthenticated"]).await;
        }
        for path in ["/cancellation", "/payments", "/slips", "/byes"] {
            let request = house.ask(Method::POST, &format!("/v1/orders/{other}{path}"), &token).json(&json!({}));
            refused(&house, request, 403, "wrong-token", &["Authorization wrong_token"]).await;
        }
        let byes = json!({"entry": entry, "requests": [{"round": 1, "points": "half"}]});
        let request = house.ask(Method::POST, &format!("/v1/orders/{mine}/byes"), &token).json(&byes);
        refused(&house, request, 404, "unknown-entry", &["entry unknown_entry"]).await;
        let request = house.ask(Method::POST, &format!("/v1/orders/{mine}/cancellation"), &token);
        refused(&house, request.json(&json!({"entries": [entry]})), 404, "unknown-entry", &["entries unknown_entry"]).await;
        refused(&house, house.ask(Method::GET, "/v1/orders/ord_0000000000001", &token), 404, "unknown-order", &["order unknown_order"]).await;
        refused(&house, house.ask(Method::GET, "/v1/orders/1", &token), 404, "unknown-order", &["order unknown_order"]).await;
        house.close().await;
    }

    async fn paths_and_methods_that_are_none_are_problems_too(store: Store) {
        let house = House::open(store, 300).await;
        for (path, fault) in [
            ("/v1/nothing", "path unknown_path"),
            ("/nothing", "path unknown_path"),
            ("/v1/tournaments/x/y", "path unknown_path"),
            ("/v1/gateways/stripe/other/events", "account unknown_path"),
        ] {
            refused(&house, house.ask(Method::POST, path, ""), 404, "unknown-path", &[fault]).await;
        }
        for (path, allow) in [
            ("/v1/tournaments".to_owned(), "GET, HEAD"),
            (format!("/v1/tournaments/{BARCELONA}/quotes"), "POST"),
            ("/v1/orders/ord_0000000000001/cancellation".to_owned(), "GET, POST, HEAD"),
        ] {
            let heard = house.send(house.ask(Method::DELETE, &path, "")).await;
            assert_eq!((heard.status, heard.slug()), (405, "unknown-method"), "{heard:?}");
            assert_eq!(heard.faults(), ["method unknown_method"]);
            assert_eq!(heard.headers["allow"], allow);
        }
        refused(&house, orders(&house, "nowhere", &order("Perez, Ana")), 404, "unknown-tournament", &["tournament unknown_tournament"]).await;
        let request = house.ask(Method::GET, "/v1/tournaments/nowhere", "");
        refused(&house, request, 404, "unknown-tournament", &["tournament unknown_tournament"]).await;
        house.close().await;
    }

    async fn problems_speak_the_language_that_was_asked_for(store: Store) {
        let house = House::open(store, 300).await;
        for (header, title) in [
            ("ca", "No hi ha cap torneig amb aquest nom."),
            ("es-ES,es;q=0.9", "No hay ningún torneo con ese nombre."),
            ("fr", "There is no such tournament."),
        ] {
            let request = house.ask(Method::GET, "/v1/tournaments/nowhere", "").header("Accept-Language", header);
            assert_eq!(house.send(request).await.text("title"), title);
        }
        let request = house.ask(Method::GET, "/v1/tournaments/nowhere", "").header("X-Request-Id", "trace-12345");
        assert_eq!(house.send(request).await.text("request_id"), "trace-12345");
        let request = house.ask(Method::GET, "/v1/tournaments/nowhere", "").header("X-Request-Id", "a b<c>d\"e");
        assert_ne!(house.send(request).await.text("request_id"), "a b<c>d\"e");
        house.close().await;
    }
}
