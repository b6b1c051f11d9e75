//! async-stripe, the client that the gateway uses, reads everything that the sandbox says.

use std::collections::BTreeSet;

use miniserde::json::from_str;
use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_checkout::CheckoutSessionMode;
use stripe_checkout::checkout_session::{
    CreateCheckoutSession, CreateCheckoutSessionLineItems, CreateCheckoutSessionLineItemsPriceData,
    CreateCheckoutSessionPaymentIntentData, ExpireCheckoutSession, ListCheckoutSession,
    ProductData, RetrieveCheckoutSession,
};
use stripe_core::charge::{ListCharge, RetrieveCharge};
use stripe_core::payment_intent::{
    CancelPaymentIntent, ConfirmPaymentIntent, CreatePaymentIntent,
    CreatePaymentIntentAutomaticPaymentMethods,
    CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects, ListPaymentIntent,
    RetrievePaymentIntent, UpdatePaymentIntent,
};
use stripe_core::refund::{CreateRefund, ListRefund, RetrieveRefund};
use stripe_shared::{
    ApiErrorsType, CheckoutSessionPaymentStatus, CheckoutSessionStatus, PaymentIntentStatus,
};
use stripe_types::Currency;

use crate::desk::{Desk, Endpoint, KEY, SECRET};
use crate::story::everything;

fn client(desk: &Desk) -> Client {
    ClientBuilder::new(KEY)
        .url(desk.sandbox.base_url())
        .timeout(std::time::Duration::from_secs(5))
        .build()
        .unwrap()
}

fn create() -> CreatePaymentIntent {
    CreatePaymentIntent::new(4000, Currency::EUR)
        .automatic_payment_methods(CreatePaymentIntentAutomaticPaymentMethods {
            allow_redirects: Some(CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects::Never),
            enabled: true,
        })
        .metadata([("order".to_owned(), "o1".to_owned())])
}

#[tokio::test]
async fn intents_are_read() {
    let desk = Desk::open();
    let client = client(&desk);
    let intent = create().send(&client).await.unwrap();
    assert_eq!(intent.status, PaymentIntentStatus::RequiresPaymentMethod);
    let id = intent.id;
    UpdatePaymentIntent::new(id.clone())
        .description("Entry")
        .send(&client)
        .await
        .unwrap();
    let declined = ConfirmPaymentIntent::new(id.clone()).payment_method("pm_card_chargeDeclined");
    let Err(StripeError::Stripe(error, 402)) = declined.send(&client).await else {
        panic!("not declined")
    };
    assert_eq!(error.type_, ApiErrorsType::CardError);
    assert_eq!(error.decline_code.as_deref(), Some("generic_decline"));
    assert!(error.payment_intent.is_some());
    let paid = ConfirmPaymentIntent::new(id.clone()).payment_method("pm_card_visa");
    let paid = paid.send(&client).await.unwrap();
    assert_eq!(
        (paid.status, paid.amount_received),
        (PaymentIntentStatus::Succeeded, 4000)
    );
    let expanded = RetrievePaymentIntent::new(id).expand(vec!["latest_charge".to_owned()]);
    let charge = expanded.send(&client).await.unwrap().latest_charge.unwrap();
    assert!(charge.as_object().unwrap().paid);
    let charge = RetrieveCharge::new(charge.into_id())
        .send(&client)
        .await
        .unwrap();
    assert_eq!(charge.metadata["order"], "o1");
    let other = create().send(&client).await.unwrap();
    let other = CancelPaymentIntent::new(other.id)
        .send(&client)
        .await
        .unwrap();
    assert_eq!(other.status, PaymentIntentStatus::Canceled);
    assert_eq!(
        ListPaymentIntent::new()
            .send(&client)
            .await
            .unwrap()
            .data
            .len(),
        2
    );
}

#[tokio::test]
async fn refunds_are_read() {
    let desk = Desk::open();
    let client = client(&desk);
    let intent = desk.paid("pm_card_visa").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let refund = CreateRefund::new().payment_intent(&intent).amount(1000);
    let refund = refund.send(&client).await.unwrap();
    assert_eq!(
        RetrieveRefund::new(refund.id)
            .send(&client)
            .await
            .unwrap()
            .amount,
        1000
    );
    let over = CreateRefund::new()
        .payment_intent(&intent)
        .amount(3001)
        .send(&client)
        .await;
    assert!(matches!(over, Err(StripeError::Stripe(_, 400))), "{over:?}");
    let refunds = ListRefund::new()
        .payment_intent(&intent)
        .send(&client)
        .await
        .unwrap();
    let charges = ListCharge::new()
        .payment_intent(&intent)
        .send(&client)
        .await
        .unwrap();
    assert_eq!((refunds.data.len(), charges.data.len()), (1, 1));
}

#[tokio::test]
async fn what_asks_for_action_and_what_is_slow_are_read() {
    let desk = Desk::open();
    let client = client(&desk);
    for (method, status) in [
        (
            "pm_card_threeDSecure2Required",
            PaymentIntentStatus::RequiresAction,
        ),
        ("pm_sandbox_processing", PaymentIntentStatus::Processing),
    ] {
        let intent = create()
            .confirm(true)
            .payment_method(method)
            .return_url("http://localhost/")
            .send(&client)
            .await
            .unwrap();
        assert_eq!(intent.status, status);
        let action = intent.next_action.and_then(|action| action.redirect_to_url);
        assert_eq!(
            action.is_some(),
            status == PaymentIntentStatus::RequiresAction
        );
    }
}

#[tokio::test]
async fn sessions_are_read() {
    let desk = Desk::open();
    let client = client(&desk);
    let item = CreateCheckoutSessionLineItems {
        price_data: Some(CreateCheckoutSessionLineItemsPriceData {
            unit_amount: Some(4000),
            product_data: Some(ProductData::new("Section A")),
            ..CreateCheckoutSessionLineItemsPriceData::new(Currency::EUR)
        }),
        quantity: Some(1),
        ..CreateCheckoutSessionLineItems::new()
    };
    let metadata = Some([("order".to_owned(), "o1".to_owned())].into());
    let request = CreateCheckoutSession::new()
        .mode(CheckoutSessionMode::Payment)
        .line_items(vec![item])
        .success_url("http://localhost/ok?s={CHECKOUT_SESSION_ID}")
        .metadata([("order".to_owned(), "o1".to_owned())])
        .payment_intent_data(CreateCheckoutSessionPaymentIntentData {
            metadata,
            ..CreateCheckoutSessionPaymentIntentData::new()
        })
        .expires_at(desk.control().now() + 3600);
    let session = request.send(&client).await.unwrap();
    assert_eq!(
        (session.status, session.payment_intent.is_none()),
        (Some(CheckoutSessionStatus::Open), true)
    );
    desk.control().pay(&session.id, "4242424242424242").unwrap();
    let retrieve = RetrieveCheckoutSession::new(session.id.clone())
        .expand(["payment_intent".to_owned(), "line_items".to_owned()]);
    let session = retrieve.send(&client).await.unwrap();
    assert_eq!(session.payment_status, CheckoutSessionPaymentStatus::Paid);
    assert_eq!(
        session
            .payment_intent
            .unwrap()
            .as_object()
            .unwrap()
            .metadata["order"],
        "o1"
    );
    assert_eq!(session.line_items.unwrap().data[0].amount_total, 4000);
    let expired = ExpireCheckoutSession::new(session.id).send(&client).await;
    assert!(
        matches!(expired, Err(StripeError::Stripe(_, 400))),
        "{expired:?}"
    );
    let other = request.send(&client).await.unwrap();
    let other = ExpireCheckoutSession::new(other.id)
        .send(&client)
        .await
        .unwrap();
    assert_eq!(other.status, Some(CheckoutSessionStatus::Expired));
    assert_eq!(
        ListCheckoutSession::new()
            .send(&client)
            .await
            .unwrap()
            .data
            .len(),
        2
    );
}

#[tokio::test]
async fn a_key_of_ours_is_carried_out_once() {
    let desk = Desk::open();
    let client = client(&desk);
    let key = IdempotencyKey::new("order-1-attempt-1").unwrap();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let request = create()
            .customize()
            .request_strategy(RequestStrategy::Idempotent(key.clone()));
        ids.push(request.send(&client).await.unwrap().id);
    }
    assert_eq!(ids[0], ids[1]);
}

const KINDS: &str = "charge.dispute.closed charge.dispute.created charge.dispute.funds_reinstated \
    charge.dispute.funds_withdrawn charge.failed charge.refund.updated charge.refunded charge.succeeded \
    checkout.session.async_payment_failed checkout.session.async_payment_succeeded checkout.session.completed \
    checkout.session.expired payment_intent.canceled payment_intent.created payment_intent.payment_failed \
    payment_intent.processing payment_intent.requires_action payment_intent.succeeded refund.created refund.failed \
    refund.updated";

/// Whether async-stripe reads the object as what the event's kind says.
fn reads(kind: &str, object: &str) -> bool {
    match kind.split('.').collect::<Vec<_>>()[..] {
        ["charge", "dispute", _] => from_str::<stripe_shared::Dispute>(object).is_ok(),
        ["charge", "refund", _] | ["refund", _] => {
            from_str::<stripe_shared::Refund>(object).is_ok()
        }
        ["charge", _] => from_str::<stripe_shared::Charge>(object).is_ok(),
        ["payment_intent", _] => from_str::<stripe_shared::PaymentIntent>(object).is_ok(),
        ["checkout", "session", _] => from_str::<stripe_shared::CheckoutSession>(object).is_ok(),
        _ => false,
    }
}

#[tokio::test]
async fn every_event_and_its_object_are_read() {
    let endpoint = Endpoint::open(&[]);
    let desk = Desk::open();
    desk.sandbox.set_webhook(&endpoint.url, SECRET);
    everything(&desk).await;
    desk.control().settled().await;
    let mut kinds = BTreeSet::new();
    for received in endpoint.received() {
        let event: stripe_shared::Event = from_str(&received.body).unwrap();
        let object = miniserde::json::to_string(&event.data.object);
        let kind = event.type_.as_str().to_owned();
        assert!(reads(&kind, &object), "{kind}: {object}");
        kinds.insert(kind);
    }
    let kinds: Vec<String> = kinds.into_iter().collect();
    assert_eq!(kinds, KINDS.split_whitespace().collect::<Vec<_>>());
}

#[tokio::test]
async fn the_lesser_objects_are_read() {
    let desk = Desk::open();
    everything(&desk).await;
    for transaction in desk.control().objects("balance_transactions").unwrap() {
        let read = from_str::<stripe_shared::BalanceTransaction>(&transaction.to_string());
        assert!(read.is_ok(), "{transaction}");
    }
    for method in desk.control().objects("payment_methods").unwrap() {
        assert!(
            from_str::<stripe_shared::PaymentMethod>(&method.to_string()).is_ok(),
            "{method}"
        );
    }
}
