//! Closing, and what may have come first.

use registration::{Gateway, GatewayError, SeenState};

use crate::till::{SLOW, Till, VISA};

#[tokio::test]
async fn what_is_open_closes_and_stays_closed() {
    let till = Till::open();
    for reference in [
        till.session("k1").await.reference,
        till.intent("k2").await.reference,
    ] {
        assert_eq!(
            till.gateway.close(&reference).await.unwrap().state,
            SeenState::Closed
        );
        assert_eq!(
            till.gateway.close(&reference).await.unwrap().state,
            SeenState::Closed,
            "closing again"
        );
        assert_eq!(
            till.gateway.look(&reference).await.unwrap().state,
            SeenState::Closed
        );
        till.control().pay(&reference, VISA).unwrap_err();
    }
}

#[tokio::test]
async fn a_payment_that_came_first_wins() {
    let till = Till::open();
    let page = till.session("k1").await.reference;
    till.control().pay(&page, VISA).unwrap();
    assert!(matches!(
        till.gateway.close(&page).await.unwrap().state,
        SeenState::Succeeded { .. }
    ));

    let intent = till.intent("k2").await.reference;
    till.confirm(&intent, "pm_card_visa").await.unwrap();
    assert!(matches!(
        till.gateway.close(&intent).await.unwrap().state,
        SeenState::Succeeded { .. }
    ));
}

#[tokio::test]
async fn money_on_its_way_is_told() {
    let till = Till::open();
    let page = till.session("k1").await.reference;
    till.control().pay(&page, SLOW[0]).unwrap();
    assert_eq!(
        till.gateway.close(&page).await.unwrap().state,
        SeenState::Processing
    );

    let intent = till.intent("k2").await.reference;
    till.confirm(&intent, "pm_sandbox_processing")
        .await
        .unwrap();
    assert_eq!(
        till.gateway.close(&intent).await.unwrap().state,
        SeenState::Processing
    );
}

#[tokio::test]
async fn three_d_secure_half_way_through_is_cut_off() {
    let till = Till::open();
    let page = till.session("k1").await.reference;
    till.control().pay(&page, "4000000000003220").unwrap();
    let intent = till.gateway.look(&page).await.unwrap().intent.unwrap();
    assert_eq!(
        till.gateway.close(&page).await.unwrap().state,
        SeenState::Closed
    );
    till.control().authenticate(&intent, true).unwrap_err();
}

#[tokio::test]
async fn what_stripe_will_not_close_is_no_answer() {
    let till = Till::open();
    let page = till.session("k1").await.reference;
    till.control().pay(&page, "4000000000003220").unwrap();
    let intent = till.gateway.look(&page).await.unwrap().intent.unwrap();
    let answer = till.gateway.close(&intent).await;
    assert!(
        matches!(answer, Err(GatewayError::NoAnswer(_))),
        "a page's intent closes with its page: {answer:?}"
    );
    assert!(matches!(
        till.gateway.close("cs_test_nothing").await,
        Err(GatewayError::Unknown)
    ));
}

#[tokio::test]
async fn a_page_that_ran_out_is_closed() {
    let till = Till::open();
    let page = till.session("k1").await.reference;
    till.control()
        .advance(std::time::Duration::from_secs(46 * 60));
    assert_eq!(
        till.gateway.look(&page).await.unwrap().state,
        SeenState::Closed
    );
    assert_eq!(
        till.gateway.close(&page).await.unwrap().state,
        SeenState::Closed
    );
}
