//! Regulations at the door: looked at, previewed, published, described.

use api::auth::Role;
use serde_json::{Value, json};
use store::Store;

use crate::house::{BARCELONA, House};

const PATH: &str = "/v1/staff/tournaments/ciutat-barcelona-2026/regulations";
const PREVIEWS: &str = "/v1/staff/tournaments/ciutat-barcelona-2026/regulation-previews";
const PUBLIC: &str = "/v1/tournaments/ciutat-barcelona-2026/regulations";

fn text() -> String {
    let file = format!(
        "{}/../regulations/{BARCELONA}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(file).unwrap()
}

fn edited(from: &str, to: &str) -> String {
    assert!(text().contains(from), "{from}");
    text().replace(from, to)
}

fn dearer() -> String {
    edited("A = 65, B = 55, C = 55", "A = 70, B = 60, C = 60")
}

fn asked(source: &str, replaces: i32) -> Value {
    json!({"source": source, "replaces": replaces, "reason": "printed wrong"})
}

store::both! {
    async fn a_version_is_previewed_published_and_described(store: Store) {
        let house = House::open(store, 300).await;
        let key = house.key(Role::Admin).await;
        house.register("Abans, Anna").await;
        let rows = house.journal().await;
        let told = house.post(PREVIEWS, &key, &json!({"source": dearer()})).await.good().body;
        assert_eq!((&told["replaces"], &told["same"], &told["publishable"]), (&json!(1), &json!(false), &json!(true)));
        let change = &told["prices"]["changes"][0];
        assert!(change["before"]["total"]["amount"] != change["after"]["total"]["amount"], "{change}");
        let touched = &told["touched"];
        assert_eq!((&touched["entries"], &touched["dearer"]["sum"]), (&json!(1), &json!({"amount": 500, "currency": "EUR"})));
        assert_eq!(touched["dearer"]["examples"][0]["form_number"], 1);
        assert!(!told.to_string().contains("Abans"), "a preview names nobody");
        assert_eq!(house.journal().await, rows, "a preview changes nothing");

        let published = house.post(PATH, &key, &asked(&dearer(), 1)).await.good();
        assert_eq!((published.status, &published.body["version"], &published.body["new"]), (201, &json!(2), &json!(true)));
        let again = house.post(PATH, &key, &asked(&dearer(), 1)).await.good();
        assert_eq!((again.status, &again.body["version"], &again.body["new"]), (200, &json!(2), &json!(false)));
        let quote = json!({"entries": [{"section": "A", "entrant": crate::house::player("Després, Berta")}]});
        let quote = house.post(&format!("/v1/tournaments/{BARCELONA}/quotes"), "", &quote).await.good().body;
        assert_eq!((&quote["total"]["amount"], &quote["regulation"]["version"]), (&json!(7000), &json!(2)));

        let one = house.get(&format!("{PUBLIC}/1"), "").await.good().body;
        assert_eq!((one["source"].as_str(), &one["actor"]), (Some(&*text()), &Value::Null));
        let two = house.get(&format!("{PUBLIC}/2"), "").await.good().body;
        assert_eq!(two["hash"], published.body["hash"]);
        for version in ["3", "0", "-1", "x", "99999999999"] {
            let heard = house.get(&format!("{PUBLIC}/{version}"), "").await;
            assert_eq!((heard.status, heard.slug()), (404, "unknown-version"), "{version}");
        }
        let all = house.get(&format!("{PUBLIC}?limit=1"), "").await.good().body;
        assert_eq!((all["versions"].as_array().unwrap().len(), &all["next"]), (1, &json!("1")));
        assert_eq!((&all["versions"][0]["source"], &all["versions"][0]["reason"]), (&Value::Null, &Value::Null));
        let viewer = house.key(Role::Viewer).await;
        let all = house.get(PATH, &viewer).await.good().body;
        let second = &all["versions"][1];
        assert_eq!((&second["actor"]["kind"], &second["reason"]), (&json!("staff"), &json!("printed wrong")));
        assert_eq!(all["versions"][0]["actor"]["kind"], "operator");
        assert_eq!(house.get(PATH, "").await.status, 401);
        house.close().await;
    }

    async fn what_may_not_be_published_is_refused_with_its_place(store: Store) {
        let house = House::open(store, 300).await;
        let key = house.key(Role::Admin).await;
        house.register("Perez, Ana").await;
        let rows = house.journal().await;
        let wrong = edited("rounds = 10", "rounds = \"ten\"");
        let line = text().lines().position(|line| line == "rounds = 10").unwrap() + 1;
        let hole = edited("methods = [\"card\"]", "methods = []");
        let money = edited("currency  = \"EUR\"", "currency  = \"PEN\"");
        for (body, status, slug, faults) in [
            (json!({}), 422, "invalid-fields", &["source required", "replaces required", "reason required"][..]),
            (json!({"source": " ", "replaces": 0, "reason": "x"}), 422, "invalid-fields", &["source required", "replaces out_of_range"]),
            (json!({"source": text(), "replaces": 1, "why": "x"}), 422, "invalid-fields", &["why unknown_field"]),
            (asked(&wrong, 1), 422, "invalid-fields", &["source unreadable"]),
            (asked(&hole, 1), 422, "invalid-fields", &["source no_way_to_pay"]),
            (asked(&edited(BARCELONA, "another-2026"), 1), 422, "invalid-fields", &["source another_tournament"]),
            (asked(&dearer(), 7), 409, "changed-meanwhile", &["replaces replaced_meanwhile"]),
            (asked(&money, 1), 409, "illegal-move", &["source currency_in_use"]),
        ] {
            let heard = house.post(PATH, &key, &body).await;
            assert_eq!((heard.status, heard.slug(), heard.faults()), (status, slug, faults.iter().map(ToString::to_string).collect()));
        }
        let heard = house.post(PATH, &key, &asked(&wrong, 1)).await;
        let told = heard.body["fields"][0]["detail"].as_str().unwrap().to_owned();
        assert!(told.starts_with(&format!("Line {line}: ")), "{told}");
        let told = house.post(PREVIEWS, &key, &json!({"source": money})).await.good().body;
        assert_eq!((&told["publishable"], &told["obstacles"][0]["at"]), (&json!(false), &json!("currency")));
        assert_eq!(told["prices"], Value::Null);
        let heard = house.post(PREVIEWS, &key, &json!({"source": wrong})).await;
        assert_eq!((heard.status, heard.faults()), (422, vec!["source unreadable".to_owned()]));
        assert_eq!(house.journal().await, rows);
        house.close().await;
    }

    async fn a_text_is_looked_at_for_a_key_with_the_role_rules(store: Store) {
        let house = House::open(store, 300).await;
        let path = "/v1/regulation-checks";
        let body = json!({"source": text()});
        assert_eq!(house.post(path, "", &body).await.status, 401);
        assert_eq!(house.post(path, &house.key(Role::Viewer).await, &body).await.status, 403);
        let key = house.key(Role::Rules).await;
        let good = house.post(path, &key, &body).await.good().body;
        assert_eq!((&good["good"], &good["tournament"]), (&json!(true), &json!(BARCELONA)));
        let hole = edited("methods = [\"card\"]", "methods = []");
        let bad = house.post(path, &key, &json!({"source": hole})).await.good().body;
        let finding = &bad["findings"][0];
        assert_eq!((&bad["good"], &finding["severity"], &finding["code"]), (&json!(false), &json!("error"), &json!("no_way_to_pay")));
        assert!(finding["message"]["ca"].is_string() && finding["line"].as_u64().unwrap() > 1);
        let none = house.post(path, &key, &json!({"source": "language = 1\nlanguage = 2"})).await.good().body;
        assert_eq!((&none["tournament"], &none["findings"][0]["code"]), (&Value::Null, &json!("unreadable")));
        assert_eq!(house.post(path, &key, &json!({})).await.faults(), ["source required"]);
        let large = json!({"source": "#".repeat(2 << 20)});
        assert_eq!(house.post(path, &key, &large).await.slug(), "too-large");
        house.close().await;
    }
}
