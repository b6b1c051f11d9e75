//! A desk where everything has happened once.

use std::time::Duration;

use crate::desk::Desk;

/// Makes every kind of event happen.
pub async fn everything(desk: &Desk) {
    for method in [
        "pm_card_refundFail",
        "pm_card_pendingRefund",
        "pm_card_createDispute",
    ] {
        let intent = desk.paid(method).await;
        let form = format!(
            "payment_intent={}&amount=100",
            intent["id"].as_str().unwrap()
        );
        desk.post("refunds", &form).await;
    }
    let dispute = desk.control().objects("disputes").unwrap()[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    desk.control().close_dispute(&dispute, true).unwrap();
    let form = "amount=4000&currency=eur&payment_method_types[]=card&confirm=true&payment_method=";
    for method in [
        "pm_card_chargeDeclined",
        "pm_card_threeDSecure2Required",
        "pm_sandbox_processingFails",
    ] {
        desk.post("payment_intents", &format!("{form}{method}"))
            .await;
    }
    let session = "mode=payment&success_url=http://x/&customer_email=a@b.org&metadata[a]=b&line_items[0][quantity]=1\
        &line_items[0][price_data][currency]=eur&line_items[0][price_data][product_data][name]=A\
        &line_items[0][price_data][unit_amount]=4000";
    for number in ["4999990000000015", "4999990000000023"] {
        let id = desk.post("checkout/sessions", session).await.id();
        desk.control().pay(&id, number).unwrap();
    }
    let id = desk.post("checkout/sessions", session).await.id();
    assert!(desk.control().pay(&id, "4000000000000002").is_err());
    desk.control().advance(Duration::from_secs(25 * 3600));
}
