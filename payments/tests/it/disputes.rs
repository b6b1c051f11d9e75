//! Disputes: running, won, lost.

use registration::Gateway;

use crate::till::{Till, VISA, back, code, eur};

#[tokio::test]
async fn a_dispute_runs_and_is_won_or_lost() {
    let till = Till::open();
    for won in [true, false] {
        let intent = till.paid(if won { "k1" } else { "k2" }, VISA).await;
        let charges = till.control().objects("charges").unwrap();
        let charge = charges
            .iter()
            .find(|charge| charge["payment_intent"] == intent.as_str())
            .unwrap();
        till.control()
            .dispute(charge["id"].as_str().unwrap(), "fraudulent")
            .unwrap();
        let disputes = till.control().objects("disputes").unwrap();
        let opened = disputes
            .iter()
            .find(|dispute| dispute["payment_intent"] == intent.as_str())
            .unwrap();
        let opened = opened["id"].as_str().unwrap();
        let seen = till.gateway.look_dispute(opened).await.unwrap();
        assert_eq!(
            (seen.intent.as_str(), seen.amount, seen.won),
            (intent.as_str(), eur(6_000), None)
        );
        till.control().close_dispute(opened, won).unwrap();
        assert_eq!(
            till.gateway.look_dispute(opened).await.unwrap().won,
            Some(won)
        );
    }
}

#[tokio::test]
async fn disputed_money_is_not_refunded_as_well() {
    let till = Till::open();
    let intent = till.paid("k1", "4000000000000259").await;
    assert_eq!(
        code(
            &till
                .gateway
                .refund(&back(&intent, 2_500, 1))
                .await
                .unwrap_err()
        ),
        "charge_disputed"
    );
}
