//! A regulation that asks a question of its own, from the quote to the staff who find the answer wrong.

use serde_json::{Value, json};

use crate::commands::{bare, with};
use crate::served::{Served, file, run, text};

/// A price for members, and a far day.
fn regulation() -> String {
    let fixture = file("../rules/tests/fixtures/regulations/trc.toml");
    let asking = std::fs::read_to_string(fixture).unwrap();
    asking
        .replace("2024-06-16", "2099-06-14")
        .replace("\"card\"", "\"transfer\"")
}

fn entry(answers: &Value) -> Value {
    let player = json!({ "name": "Puig, Ona", "sex": "f", "birth_date": "1990-01-01", "federation": "ESP", "answers": answers });
    json!({ "section": "open", "entrant": player })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_prices_an_entry_until_staff_find_it_wrong() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let asking = data.path().join("asking.toml").display().to_string();
    std::fs::write(&asking, regulation()).unwrap();
    let settings = with(&settings, &[("ENROC_REGULATIONS", &asking)]);
    let served = Served::start(&settings);
    let asked = served.get("/v1/tournaments/trc", "").await;
    assert_eq!(asked["questions"][0]["question"], "member");
    assert_eq!(asked["questions"][0]["kind"], "yes_no");

    for (answers, total, reasons) in [
        (json!({ "member": true }), 1_000, vec![]),
        (json!({ "member": "true" }), 1_000, vec![]),
        (json!({}), 1_500, vec![]),
        (json!({ "member": "yes" }), 0, vec!["not_an_answer"]),
        (json!({ "shirt": "L" }), 0, vec!["question_unknown"]),
    ] {
        let ask = json!({ "entries": [entry(&answers)] });
        let quote = served.post("/v1/tournaments/trc/quotes", "", &ask).await;
        let found = quote["reasons"].as_array().unwrap().iter();
        let found: Vec<&str> = found
            .map(|reason| reason["code"].as_str().unwrap())
            .collect();
        assert_eq!(
            (&quote["total"]["amount"], found),
            (&json!(total), reasons),
            "{answers}"
        );
    }

    let payer = json!({ "name": "Puig, Ona", "email": "ona@example.org" });
    let order = json!({ "payer": payer, "entries": [entry(&json!({ "member": true }))] });
    let order = served.post("/v1/tournaments/trc/orders", "", &order).await;
    assert_eq!(order["total"]["amount"], 1_000);
    let key = run(
        &settings,
        &["key", "add", "--label", "x", "--role", "admin", "--json"],
    );
    let key: Value = serde_json::from_slice(&key.stdout).unwrap();
    let key = key["key"].as_str().unwrap();
    let number = order["entries"][0]["entry"].as_str().unwrap();
    let path = format!("/v1/staff/entries/{number}/facts/answers");
    let wrong = json!({ "upheld": false, "value": "member=false", "reason": "not in the list" });
    let order = served.post(&path, key, &wrong).await;
    assert_eq!(order["total"]["amount"], 1_500);
    assert_eq!(
        order["entries"][0]["entrant"]["answers"],
        json!({ "member": "false" })
    );
    let order = served.post(&path, key, &json!({ "upheld": true })).await;
    assert_eq!(order["total"]["amount"], 1_000);
    let audit = run(&settings, &["audit"]);
    assert_eq!(audit.status.code(), Some(0), "{}", text(&audit.stdout));
}
