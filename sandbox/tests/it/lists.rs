//! Lists: pages and filters.

use std::time::Duration;

use crate::desk::Desk;

#[tokio::test]
async fn lists_are_walked_page_by_page() {
    let desk = Desk::open();
    for _ in 0..7 {
        desk.paid("pm_card_visa").await;
    }
    let mut seen = Vec::new();
    let mut query = String::from("payment_intents?limit=3");
    loop {
        let page = desk.get(&query).await.body;
        seen.extend(
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["id"].as_str().unwrap().to_owned()),
        );
        if page["has_more"] == false {
            break;
        }
        query = format!(
            "payment_intents?limit=3&starting_after={}",
            seen.last().unwrap()
        );
    }
    let mut made: Vec<String> = desk
        .control()
        .objects("payment_intents")
        .unwrap()
        .iter()
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect();
    made.reverse();
    assert_eq!(seen, made);
}

#[tokio::test]
async fn filters_choose() {
    let desk = Desk::open();
    let intent = desk.paid("pm_card_visa").await;
    let (id, charge) = (
        intent["id"].as_str().unwrap(),
        intent["latest_charge"].as_str().unwrap(),
    );
    desk.control().advance(Duration::from_secs(100));
    let other = desk.paid("pm_card_visa").await;
    desk.post("refunds", &format!("payment_intent={id}&amount=100"))
        .await;
    let created = other["created"].as_i64().unwrap();
    let count = async |query: &str| desk.get(query).await.body["data"].as_array().unwrap().len();
    assert_eq!(count(&format!("charges?payment_intent={id}")).await, 1);
    assert_eq!(count("charges").await, 2);
    assert_eq!(count(&format!("refunds?payment_intent={id}")).await, 1);
    assert_eq!(count(&format!("refunds?charge={charge}")).await, 1);
    assert_eq!(
        count(&format!(
            "refunds?payment_intent={}",
            other["id"].as_str().unwrap()
        ))
        .await,
        0
    );
    assert_eq!(
        count(&format!("payment_intents?created[gte]={created}")).await,
        1
    );
    assert_eq!(
        count(&format!("payment_intents?created[lt]={created}")).await,
        1
    );
    assert_eq!(count("balance_transactions?type=refund").await, 1);
    assert_eq!(count("events?type=refund.created").await, 1);
    assert_eq!(
        count("events?types[]=refund.created&types[]=charge.refunded").await,
        2
    );
    let event = desk.get("events?type=refund.created").await.body["data"][0].clone();
    assert_eq!(
        desk.get(&format!("events/{}", event["id"].as_str().unwrap()))
            .await
            .body,
        event
    );
    desk.control().advance(Duration::from_secs(31 * 24 * 3600));
    assert_eq!(count("events").await, 0);
}
