//! The order page as a browser without JavaScript uses it: links, forms, redirects and one cookie.

use api::auth::Role;
use domain::OrderId;
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use store::Store;

use crate::currencies;
use crate::house::{BARCELONA, House, ROJAS, order};
use crate::staff::team;

/// What a page answered.
struct Page {
    status: u16,
    location: String,
    cookie: String,
    text: String,
}

impl Page {
    #[track_caller]
    fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.text.contains(part), "{part:?} in {}", self.text);
        }
    }

    #[track_caller]
    fn says_not(&self, parts: &[&str]) {
        for part in parts {
            assert!(!self.text.contains(part), "{part:?} in {}", self.text);
        }
    }

    /// The value of a hidden or prefilled field.
    fn field(&self, name: &str) -> String {
        let (_, after) = self.text.split_once(&format!("name=\"{name}\"")).unwrap();
        let (_, value) = after.split_once("value=\"").unwrap();
        value.split('"').next().unwrap().to_owned()
    }
}

/// A browser that keeps the cookie of one order and shows each redirect.
struct Browser<'h> {
    house: &'h House,
    client: reqwest::Client,
    home: String,
    cookie: String,
}

impl<'h> Browser<'h> {
    /// Follows the link of an order's mail.
    async fn open(house: &'h House, order: &str, token: &str) -> Browser<'h> {
        let mut browser = Browser::new(house, order);
        let traded = browser.get(&format!("?token={token}")).await;
        assert_eq!((traded.status, &traded.location), (303, &browser.home));
        for part in [
            "HttpOnly",
            "SameSite=Lax",
            "Secure",
            &format!("Path={}", browser.home),
        ] {
            assert!(traded.cookie.contains(part), "{part} in {}", traded.cookie);
        }
        browser.cookie = traded.cookie.split(';').next().unwrap().to_owned();
        browser
    }

    fn new(house: &'h House, order: &str) -> Browser<'h> {
        let client = reqwest::Client::builder()
            .no_proxy()
            .redirect(Policy::none());
        Browser {
            house,
            client: client.build().unwrap(),
            home: format!("/orders/{order}"),
            cookie: String::new(),
        }
    }

    fn ask(&self, method: Method, rest: &str) -> RequestBuilder {
        let url = format!("{}{}{rest}", self.house.base, self.home);
        let request = self.client.request(method, url);
        match self.cookie.as_str() {
            "" => request,
            cookie => request.header(COOKIE, format!("other=1; {cookie}")),
        }
    }

    async fn get(&self, rest: &str) -> Page {
        read(self.ask(Method::GET, rest)).await
    }

    async fn post(&self, rest: &str, form: &[(&str, &str)]) -> Page {
        read(self.ask(Method::POST, rest).form(form)).await
    }
}

async fn read(request: RequestBuilder) -> Page {
    let answer = request.send().await.unwrap();
    let header = |name| {
        let value = answer
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap());
        value.unwrap_or_default().to_owned()
    };
    Page {
        status: answer.status().as_u16(),
        location: header(LOCATION),
        cookie: header(SET_COOKIE),
        text: answer.text().await.unwrap(),
    }
}

/// An order of Rojas whose slip staff did not find.
async fn refused_slip(house: &House, language: &str) -> (String, String) {
    let mut asked = team();
    asked["payer"]["language"] = json!(language);
    let registered = house
        .post(&format!("/v1/tournaments/{ROJAS}/orders"), "", &asked)
        .await
        .good();
    let key = house.key(Role::Treasurer).await;
    let waiting = house
        .get(&format!("/v1/staff/tournaments/{ROJAS}/back-office"), &key)
        .await
        .good()
        .body;
    let payment = waiting["payments"][0]["payment"].as_str().unwrap();
    let body = json!({"reason": "no such number"});
    house
        .post(
            &format!("/v1/staff/payments/{payment}/refusal"),
            &key,
            &body,
        )
        .await
        .good();
    (registered.text("order"), registered.text("token"))
}

store::both! {
    async fn only_the_link_of_an_order_opens_its_page(store: Store) {
        let house = House::open(store, 300).await;
        let (one, token, _) = house.register("Perez, Ana").await;
        let (other, other_token, _) = house.register("Puig, Pau").await;
        let browser = Browser::open(&house, &one, &token).await;
        let page = browser.get("").await;
        page.says(&["Perez, Ana", "Grup A"]);
        page.says_not(&["<script"]);

        let stranger = Browser::new(&house, &one);
        for rest in ["", "?token=", "?token=x", &format!("?token={other_token}"), "?back=1", "/cancellation"] {
            let page = stranger.get(rest).await;
            assert_eq!((page.status, page.cookie.as_str()), (403, ""), "{rest}");
            page.says_not(&["Perez", "<form"]);
        }
        for rest in ["/payment", "/slip", "/cancellation"] {
            assert_eq!(stranger.post(rest, &[]).await.status, 403, "{rest}");
        }
        let unknown = Browser::new(&house, "ord_0000000000000").get("?token=x").await;
        assert_eq!(unknown.text, stranger.get("").await.text, "nobody learns which orders there are");
        let wrong = Browser { cookie: browser.cookie.clone(), ..Browser::new(&house, &other) };
        assert_eq!(wrong.get("").await.status, 403);
        house.close().await;
    }

    async fn a_payer_pays_by_card_and_comes_back(store: Store) {
        let house = House::open(store, 300).await;
        let (id, token, _) = house.register("Perez, Ana").await;
        let browser = Browser::open(&house, &id, &token).await;
        let page = browser.get("").await;
        page.says(&["Cal pagar 65,00 EUR abans de", "Paga 65,00 EUR amb targeta", "per pagar"]);
        page.says_not(&["justificant"]);
        let due = page.field("due");

        let other = browser.post("/payment", &[("due", "5900")]).await;
        assert_eq!(other.status, 409);
        other.says(&["role=\"alert\"", "Perez, Ana"]);
        let to_gateway = browser.post("/payment", &[("due", &due)]).await;
        assert_eq!(to_gateway.status, 303);
        assert!(to_gateway.location.starts_with(house.sandbox.base_url()), "{}", to_gateway.location);
        browser.get("?back=1").await.says(&["Paga 65,00 EUR amb targeta"]);

        let order: OrderId = id.parse().unwrap();
        let payment = house.app.desk.order(order).await.unwrap().payments.remove(0);
        assert_eq!(payment.return_url, Some(house.app.back_to(order)));
        let reference = payment.reference.unwrap();
        house.sandbox.control().pay(&reference, "4242424242424242").unwrap();
        browser.get("").await.says(&["per pagar"]);
        let back = browser.get("?back=1").await;
        back.says(&["confirmada", "Pagat", "65,00 EUR"]);
        back.says_not(&["Paga 65,00", "Per pagar"]);
        house.close().await;
    }

    async fn a_page_asks_for_the_currency_of_its_order(store: Store) {
        let house = currencies::open(store).await;
        let path = format!("/v1/tournaments/{}/orders", currencies::PRAGUE);
        let registered = house.post(&path, "", &currencies::asked(Some("EUR"), "Perez, Ana")).await.good();
        let (id, token) = (registered.text("order"), registered.text("token"));
        let browser = Browser::open(&house, &id, &token).await;
        let page = browser.get("").await;
        page.says(&["Paga 6,00 EUR amb targeta", "Import pagat (EUR)"]);
        page.says_not(&["CZK"]);
        let due = page.field("due");
        assert_eq!(browser.post("/payment", &[("due", &due)]).await.status, 303);
        let told = [("method", "transfer"), ("number", "T-1"), ("date", "2021-05-31"), ("amount", "6,00"), ("key", "k")];
        assert_eq!(browser.post("/slip", &told).await.status, 303);
        browser.get("").await.says(&["6,00 EUR"]);
        house.close().await;
    }

    async fn expiry_the_page_says_that_the_seat_is_gone(store: Store) {
        let house = House::open(store, 300).await;
        let (id, token, _) = house.register("Perez, Ana").await;
        let browser = Browser::open(&house, &id, &token).await;
        let due = browser.get("").await.field("due");
        assert_eq!(browser.post("/payment", &[("due", &due)]).await.status, 303);
        house.set_clock(BARCELONA, "2026-08-02T12:00:01+02:00");
        assert_eq!(house.app.desk.step_expire().await.unwrap(), 1);
        // The payer comes back from the gateway's page, whatever that says.
        for rest in ["?back=1", ""] {
            let page = browser.get(rest).await;
            page.says(&["caducada"]);
            page.says_not(&["confirmada", "Pagat", "Paga 65,00 EUR amb targeta"]);
        }
        assert_eq!(browser.post("/payment", &[("due", &due)]).await.status, 409);
        let view = house.app.desk.order(id.parse().unwrap()).await.unwrap();
        assert_eq!((view.status, view.paid), (domain::Status::Expired, 0));
        house.register("Perez, Ana").await;
        house.close().await;
    }

    async fn a_slip_is_paid_at_the_bank_and_told_on_the_page(store: Store) {
        let house = House::open(store, 300).await;
        let (id, token) = refused_slip(&house, "es").await;
        let browser = Browser::open(&house, &id, &token).await;
        let page = browser.get("").await;
        let reference = house.app.desk.order(id.parse().unwrap()).await.unwrap().reference;
        page.says(&[
            "no ha encontrado su pago de 80,00 PEN con el número 0001", "Banco de la Nación", "Antes de",
            "<dd>80,00 PEN</dd>", &format!("<dd>{reference}</dd>"), "Nivel Primario",
        ]);
        page.says_not(&["tarjeta"]);

        let (key, amount) = (page.field("key"), page.field("amount"));
        assert_eq!(amount, "80,00");
        let send = |number: &'static str, date: &'static str, amount: &'static str, key: String| {
            let browser = &browser;
            async move {
                let form = [("method", "slip"), ("number", number), ("date", date), ("amount", amount), ("key", &key)];
                browser.post("/slip", &form).await
            }
        };
        for (number, date, amount, status, said) in [
            ("", "", "80,00", 422, "rellenarlo"),
            ("7<b>", "2019-02-30", "80,00", 422, "fecha del calendario"),
            ("7<b>", "2019-02-10", "ochenta", 422, "con cifras"),
            ("7<b>", "2019-02-10", "70.00", 409, "Se ha indicado 70,00 PEN"),
        ] {
            let refused = send(number, date, amount, key.clone()).await;
            assert_eq!(refused.status, status, "{}", refused.text);
            refused.says(&["role=\"alert\"", said, &format!("value=\"{}\"", number.replace('<', "&lt;").replace('>', "&gt;"))]);
        }
        let told = send("0042", "2019-02-10", "80", key.clone()).await;
        assert_eq!((told.status, &told.location), (303, &browser.home));
        assert_eq!(send("0042", "2019-02-10", "80", key).await.status, 303, "sent twice, told once");
        let noted = browser.get("").await;
        noted.says(&["Hemos anotado su pago de 80,00 PEN con el número 0042"]);
        noted.says_not(&["no ha encontrado", "Banco de la Nación", "<form"]);
        house.close().await;
    }

    async fn byes_stand_on_the_page_with_the_arbiter_s_word(store: Store) {
        let house = House::open(store, 300).await;
        let asked = json!({
            "payer": {"name": "Nils", "email": "nils@example.org", "language": "en", "consents": ["bases", "images"]},
            "entries": [{"section": "A", "entrant": order("Berg, Nils")["entries"][0]["entrant"].clone()}],
        });
        let path = format!("/v1/tournaments/{}/orders", crate::house::LLOBREGAT);
        let registered = house.post(&path, "", &asked).await.good();
        let (id, token) = (registered.text("order"), registered.text("token"));
        let entry = registered.body["entries"][0]["entry"].as_str().unwrap();
        let arbiter = house.key(Role::Arbiter).await;
        let browser = Browser::open(&house, &id, &token).await;
        let ask = async |round: i64, points: &str| {
            let body = json!({"entry": entry, "requests": [{"round": round, "points": points}]});
            house.post(&format!("/v1/orders/{id}/byes"), &token, &body).await.good();
        };
        let decide = async |granted: bool| {
            let path = format!("/v1/staff/entries/{entry}/byes");
            house.post(&path, &arbiter, &json!({"granted": granted})).await.good();
        };
        browser.get("").await.says_not(&["Byes"]);
        ask(2, "half").await;
        decide(true).await;
        ask(3, "half").await;
        decide(false).await;
        ask(7, "zero").await;
        browser.get("").await.says(&[
            "round 2 (half a point): granted",
            "round 3 (half a point): not granted",
            "round 7 (no points): asked for, the arbiter has to decide",
            "Tournament A",
        ]);
        house.close().await;
    }

    async fn a_payer_reads_what_comes_back_and_leaves(store: Store) {
        let house = House::open(store, 300).await;
        let (id, token, _) = house.register("Perez, Ana").await;
        let browser = Browser::open(&house, &id, &token).await;
        browser.get("").await.says(&[&format!("{}/cancellation", browser.home)]);
        let ask = browser.get("/cancellation").await;
        ask.says(&["Voleu anul·lar la inscripció?", "No hi ha res a tornar."]);
        let key = ask.field("key");
        for _ in 0..2 {
            let left = browser.post("/cancellation", &[("key", &key)]).await;
            assert_eq!((left.status, &left.location), (303, &browser.home));
        }
        let page = browser.get("").await;
        page.says(&["anul·lada"]);
        page.says_not(&["/cancellation", "/payment"]);
        assert_eq!(browser.get("/cancellation").await.status, 409, "twice is told, not done");
        house.close().await;
    }

    async fn what_the_page_to_try_it_sends_is_answered(store: Store) {
        let house = House::open(store, 300).await;
        let page = read(reqwest::Client::new().get(format!("{}/v1/docs/", house.base))).await;
        page.says(&["name=\"viewport\"", "swagger-ui-bundle.js"]);
        let document = house.get("/v1/openapi.json", "").await.good().body;
        let mut tried = 0;
        for (path, item) in document["paths"].as_object().unwrap() {
            let post = &item["post"];
            let example = &post["requestBody"]["content"]["application/json"]["example"];
            if !path.starts_with("/v1/tournaments/{tournament}/") || post.is_null() {
                continue;
            }
            let named = post["parameters"].as_array().unwrap();
            let named = named.iter().find(|p| p["name"] == "tournament").unwrap();
            assert_eq!(named["example"], BARCELONA);
            assert_ne!(example, &Value::Null, "{path}");
            let path = path.replace("{tournament}", BARCELONA);
            house.post(&path, "", example).await.good();
            tried += 1;
        }
        assert_eq!(tried, 5);
        house.close().await;
    }
}
