//! The seed cases, asked at the door with a key that has the role rules.

use std::path::Path;

use api::auth::Role;
use serde_json::{Value, json};
use store::Store;

use crate::house::House;

const FACTS: [&str; 14] = [
    "sex",
    "birth_date",
    "federation",
    "title",
    "rating",
    "licences",
    "disability",
    "invited",
    "previous_participant",
    "agreed_price",
    "club",
    "institution",
    "coach",
    "roster",
];

/// A case gives its facts as if checked.
fn checked(entries: &Value) -> Value {
    let mut entries = entries.clone();
    for entry in entries.as_array_mut().unwrap() {
        for who in ["entrant", "team"] {
            if let Some(facts) = entry.get_mut(who) {
                let grades = FACTS
                    .iter()
                    .map(|f| ((*f).to_owned(), json!({"checked": {"by": "case"}})));
                facts["grades"] = Value::Object(grades.collect());
            }
        }
    }
    entries
}

async fn answer(house: &House, key: &str, case: &Value) -> Value {
    let path = format!("/v1/tournaments/{}", case["tournament"].as_str().unwrap());
    let ask = async |what: &str, body: Value| {
        house
            .post(&format!("{path}/{what}"), key, &body)
            .await
            .good()
            .body
    };
    match case["kind"].as_str().unwrap() {
        "fee" => {
            let body = json!({"at": case["at"], "entries": checked(&case["entries"])});
            let quote = ask("quotes", body.clone()).await;
            let check = ask("eligibility-checks", body).await;
            assert_eq!(quote["eligible"], check["eligible"], "{}", case["id"]);
            assert_eq!(quote["reasons"], check["reasons"], "{}", case["id"]);
            if quote["eligible"] == json!(true) {
                json!({"eligible": true, "currency": quote["total"]["currency"], "total": quote["total"]["amount"]})
            } else {
                json!({"eligible": false})
            }
        }
        "refund" => {
            let body = json!({
                "paid": {"amount": case["paid"], "currency": case["currency"]},
                "requested_at": case["requested_at"], "approved": true,
            });
            let quote = ask("refund-quotes", body).await;
            json!({"refund": quote["refund"]["amount"], "kept": quote["kept"]["amount"]})
        }
        "byes" => {
            let body = json!({"section": case["section"], "requests": case["requests"]});
            json!({"allowed": ask("bye-checks", body).await["allowed"]})
        }
        other => panic!("a case of kind {other}"),
    }
}

store::both! {
    async fn every_seed_case_comes_out_at_the_door(store: Store) {
        let house = House::open(store, 300).await;
        let key = house.key(Role::Rules).await;
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/fixtures/seed-cases.jsonl");
        let cases = std::fs::read_to_string(file).unwrap();
        let mut count = 0;
        for line in cases.lines().filter(|l| !l.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).unwrap();
            let found = answer(&house, &key, &case).await;
            for (name, value) in case["expect"].as_object().unwrap() {
                assert_eq!(&found[name], value, "{}: {name}", case["id"]);
            }
            count += 1;
        }
        assert!(count >= 69, "{count} cases");
        house.close().await;
    }
}
