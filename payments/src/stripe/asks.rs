//! What Stripe is asked for.

use std::collections::HashMap;

use domain::{Currency, Language};
use registration::{PaymentAsk, RefundCall};
use stripe_checkout::checkout_session::{
    CreateCheckoutSession, CreateCheckoutSessionLineItems, CreateCheckoutSessionLineItemsPriceData,
    CreateCheckoutSessionPaymentIntentData, ProductData,
};
use stripe_core::payment_intent::{
    CreatePaymentIntent, CreatePaymentIntentAutomaticPaymentMethods,
    CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects,
};
use stripe_core::refund::CreateRefund;
use stripe_shared::{CheckoutSessionLocale, CheckoutSessionMode};

use super::scales::{ScaleError, to_stripe};
use super::seen::tag;

/// A hosted page.
pub(super) fn session(ask: &PaymentAsk) -> Result<CreateCheckoutSession, ScaleError> {
    let price = CreateCheckoutSessionLineItemsPriceData {
        product_data: Some(ProductData::new(&ask.description)),
        unit_amount: Some(to_stripe(ask.amount)?),
        ..CreateCheckoutSessionLineItemsPriceData::new(currency(ask.amount.currency))
    };
    let line = CreateCheckoutSessionLineItems {
        price_data: Some(price),
        quantity: Some(1),
        ..CreateCheckoutSessionLineItems::new()
    };
    let intent = CreateCheckoutSessionPaymentIntentData {
        description: Some(ask.description.clone()),
        metadata: Some(metadata(ask)),
        ..CreateCheckoutSessionPaymentIntentData::new()
    };
    let mut request = CreateCheckoutSession::new()
        .mode(CheckoutSessionMode::Payment)
        .line_items(vec![line])
        .payment_intent_data(intent)
        .metadata(metadata(ask))
        .client_reference_id(ask.reference.as_str())
        .locale(locale(ask.language))
        .expires_at(ask.expires_at.as_seconds())
        .success_url(&ask.return_url)
        .cancel_url(&ask.return_url);
    if let Some(email) = &ask.email {
        request = request.customer_email(email);
    }
    Ok(request)
}

/// An intent for a form of the payer's own. Methods that send the payer elsewhere are left to the hosted page: they need
/// an address to come back to at every confirmation, and some take longer than a seat is kept. 3-D Secure works.
pub(super) fn intent(ask: &PaymentAsk) -> Result<CreatePaymentIntent, ScaleError> {
    let methods = CreatePaymentIntentAutomaticPaymentMethods {
        allow_redirects: Some(CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects::Never),
        ..CreatePaymentIntentAutomaticPaymentMethods::new(true)
    };
    let mut request =
        CreatePaymentIntent::new(to_stripe(ask.amount)?, currency(ask.amount.currency))
            .automatic_payment_methods(methods)
            .description(&ask.description)
            .metadata(metadata(ask));
    if let Some(email) = &ask.email {
        request = request.receipt_email(email);
    }
    Ok(request)
}

/// A refund.
pub(super) fn refund(call: &RefundCall) -> Result<CreateRefund, ScaleError> {
    let metadata = HashMap::from([
        (tag::REFUND.to_owned(), call.refund.to_string()),
        (tag::ORDER.to_owned(), call.order.to_string()),
    ]);
    Ok(CreateRefund::new()
        .payment_intent(&call.intent)
        .amount(to_stripe(call.amount)?)
        .metadata(metadata))
}

fn metadata(ask: &PaymentAsk) -> HashMap<String, String> {
    HashMap::from([
        (tag::PAYMENT.to_owned(), ask.payment.to_string()),
        (tag::ORDER.to_owned(), ask.order.to_string()),
        (tag::REFERENCE.to_owned(), ask.reference.to_string()),
        (tag::TOURNAMENT.to_owned(), ask.tournament.to_string()),
        (tag::KEY.to_owned(), ask.key.clone()),
    ])
}

/// Stripe's page does not speak Catalan.
fn locale(language: Language) -> CheckoutSessionLocale {
    match language {
        Language::Ca | Language::Es => CheckoutSessionLocale::Es,
        Language::En => CheckoutSessionLocale::En,
    }
}

fn currency(currency: Currency) -> stripe_types::Currency {
    let code = currency.code().to_ascii_lowercase();
    match code.parse() {
        Ok(known) => known,
        Err(never) => match never {},
    }
}
