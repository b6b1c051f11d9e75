//! Every seed case comes out right through this door, asked with a key of the role rules.

use api::auth::Role;
use prost_types::Timestamp;
use proto::rules::v1 as engine;
use serde_json::{Value, json};

use crate::facts::{money, of_case};
use crate::stand::{Stand, signed};

const CASES: &str = include_str!("../../../rules/tests/fixtures/seed-cases.jsonl");

fn instant(value: &Value) -> Option<Timestamp> {
    let at: domain::UtcTime = value.as_str().unwrap().parse().unwrap();
    Some(Timestamp {
        seconds: at.as_seconds(),
        nanos: 0,
    })
}

async fn fee(stand: &Stand, key: &str, case: &Value) -> Value {
    let message = engine::QuoteRequest {
        tournament: case["tournament"].as_str().unwrap().to_owned(),
        at: instant(&case["at"]),
        entries: case["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(of_case)
            .collect(),
        ..Default::default()
    };
    let asked = engine::CheckEligibilityRequest {
        tournament: message.tournament.clone(),
        at: message.at,
        entries: message.entries.clone(),
        ..Default::default()
    };
    let quote = stand.rules().quote(signed(message, key, "")).await.unwrap();
    let quote = quote.into_inner().quote.unwrap();
    let checked = stand
        .rules()
        .check_eligibility(signed(asked, key, ""))
        .await;
    assert_eq!(checked.unwrap().into_inner().eligible, quote.eligible);
    if !quote.eligible {
        assert!(!quote.reasons.is_empty());
        return json!({ "eligible": false });
    }
    let total = quote.total.unwrap();
    let lines: i64 = quote
        .lines
        .iter()
        .map(|l| l.amount.as_ref().unwrap().amount)
        .sum();
    assert_eq!(lines, total.amount, "the lines are the total");
    json!({ "eligible": true, "currency": total.currency, "total": total.amount })
}

async fn refund(stand: &Stand, key: &str, case: &Value) -> Value {
    let message = engine::QuoteRefundRequest {
        tournament: case["tournament"].as_str().unwrap().to_owned(),
        paid: Some(money(
            case["paid"].as_i64().unwrap(),
            case["currency"].as_str().unwrap(),
        )),
        requested_at: instant(&case["requested_at"]),
        cause: 0,
        approved: true,
        ..Default::default()
    };
    let quote = stand
        .rules()
        .quote_refund(signed(message, key, ""))
        .await
        .unwrap();
    let quote = quote.into_inner().refund_quote.unwrap();
    json!({ "refund": quote.refund.unwrap().amount, "kept": quote.kept.unwrap().amount })
}

async fn byes(stand: &Stand, key: &str, case: &Value) -> Value {
    let bye = |bye: &Value| engine::ByeRequest {
        round: bye["round"].as_u64().unwrap().try_into().unwrap(),
        points: match bye["points"].as_str().unwrap() {
            "half" => engine::ByePoints::Half,
            _ => engine::ByePoints::Zero,
        }
        .into(),
    };
    let message = engine::CheckByesRequest {
        tournament: case["tournament"].as_str().unwrap().to_owned(),
        section: case["section"].as_str().map(str::to_owned),
        byes: case["requests"]
            .as_array()
            .unwrap()
            .iter()
            .map(bye)
            .collect(),
        at: None,
    };
    let answer = stand
        .rules()
        .check_byes(signed(message, key, ""))
        .await
        .unwrap();
    json!({ "allowed": answer.into_inner().answer.unwrap().allowed })
}

#[tokio::test]
async fn every_seed_case_comes_out_right() {
    let stand = Stand::closed().await;
    let key = stand.key(&[Role::Rules]).await;
    let mut count = 0;
    for line in CASES.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap();
        let found = match case["kind"].as_str().unwrap() {
            "fee" => fee(&stand, &key, &case).await,
            "refund" => refund(&stand, &key, &case).await,
            "byes" => byes(&stand, &key, &case).await,
            other => panic!("{other}"),
        };
        for (field, expected) in case["expect"].as_object().unwrap() {
            assert_eq!(found[field], *expected, "{}: {field}", case["id"]);
        }
        count += 1;
    }
    assert_eq!(count, 69);
    stand.stop().await;
}
