//! What is refused, with Stripe's status, type, code and parameter.

use crate::desk::{Desk, KEY};

const SESSION: &str = "mode=payment&success_url=http://localhost/ok&line_items[0][quantity]=1\
    &line_items[0][price_data][currency]=eur&line_items[0][price_data][product_data][name]=A";

/// Path, form, status, code, parameter; `SESSION` stands for a session without a price, `PRICED` for one with it.
const WRONG: &str = "
payment_intents | currency=eur | 400 | parameter_missing | amount
payment_intents | amount=4000 | 400 | parameter_missing | currency
payment_intents | amount=40.00&currency=eur | 400 | parameter_invalid_integer | amount
payment_intents | amount=0&currency=eur | 400 | parameter_invalid_integer | amount
payment_intents | amount=-100&currency=eur | 400 | parameter_invalid_integer | amount
payment_intents | amount=49&currency=eur | 400 | amount_too_small | amount
payment_intents | amount=100000000&currency=eur | 400 | amount_too_large | amount
payment_intents | amount=4000&currency=xxx | 400 | | currency
payment_intents | amount=1234&currency=kwd | 400 | invalid_charge_amount_no_decimal_compatible | amount
payment_intents | amount=550&currency=isk | 400 | invalid_charge_amount_no_decimal_compatible | amount
payment_intents | amount=4000&currency=eur&colour=red | 400 | parameter_unknown | colour
payment_intents | amount=4000&currency=eur&confirm=perhaps | 400 | | confirm
payment_intents | amount=4000&currency=eur&payment_method=pm_no | 400 | resource_missing | payment_method
payment_intents | amount=4000&currency=eur&return_url=http://x | 400 | | return_url
payment_intents | amount=4000&currency=eur&confirm=true | 400 | payment_intent_unexpected_state |
payment_intents | amount=4000&currency=eur&confirm=true&payment_method=pm_card_visa | 400 | | return_url
payment_intents | amount=4000&currency=eur&payment_method_types[]=bizum | 400 | | payment_method_types
payment_intents | amount=4000&currency=eur&expand[]=nonsense | 400 | | expand
payment_intents/pi_no/confirm | | 404 | resource_missing | intent
refunds | | 400 | parameter_missing |
refunds | payment_intent=pi_no | 404 | resource_missing | payment_intent
refunds | charge=ch_no | 404 | resource_missing | charge
refunds | charge=ch_no&reason=whim | 400 | | reason
checkout/sessions | SESSION | 400 | parameter_missing | line_items[0][price_data][unit_amount]
checkout/sessions | SESSION&line_items[0][price_data][unit_amount]=49 | 400 | amount_too_small | line_items
checkout/sessions | PRICED&line_items[0][price_data][unit_amount]=-1 | 400 | parameter_invalid_integer | line_items[0][price_data][unit_amount]
checkout/sessions | PRICED&line_items[0][quantity]=0 | 400 | parameter_invalid_integer | line_items[0][quantity]
checkout/sessions | PRICED&line_items[1][price]=price_no | 400 | resource_missing | line_items[1][price]
checkout/sessions | mode=payment&success_url=http://x | 400 | parameter_missing | line_items
checkout/sessions | PRICED&mode=setup | 400 | | mode
checkout/sessions | PRICED&success_url= | 400 | parameter_missing | success_url
checkout/sessions | PRICED&success_url=localhost | 400 | url_invalid | success_url
checkout/sessions | PRICED&customer_email=anna | 400 | email_invalid | customer_email
checkout/sessions | PRICED&locale=ca | 400 | | locale
checkout/sessions | PRICED&ui_mode=hosted | 400 | | ui_mode
checkout/sessions | PRICED&payment_method_types[]=bizum | 400 | | payment_method_types
checkout/sessions | PRICED&metadata[k0123456789012345678901234567890123456789]=x | 400 | | metadata[k0123456789012345678901234567890123456789]
checkout/sessions/cs_test_no/expire | | 404 | resource_missing | session
subscriptions | | 404 | |
";

#[tokio::test]
async fn wrong_requests_are_named() {
    let desk = Desk::open();
    let priced = format!("{SESSION}&line_items[0][price_data][unit_amount]=4000");
    for case in WRONG.lines().filter(|line| !line.is_empty()) {
        let [path, form, status, code, param] =
            case.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("{case}");
        };
        let form = form.replace("PRICED", &priced).replace("SESSION", SESSION);
        let reply = desk.post(path, &form).await;
        assert_eq!(
            reply.error(),
            (status.parse().unwrap(), "invalid_request_error", code),
            "{case}: {}",
            reply.body
        );
        assert_eq!(
            reply.body["error"]["param"].as_str().unwrap_or_default(),
            param,
            "{case}"
        );
        assert!(!reply.body["error"]["message"].as_str().unwrap().is_empty());
    }
    assert!(desk.event_kinds().is_empty());
    assert!(
        desk.control()
            .objects("payment_intents")
            .unwrap()
            .is_empty()
    );
    assert!(
        desk.control()
            .objects("checkout_sessions")
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn the_key_is_asked_for() {
    let desk = Desk::open();
    let url = format!("{}v1/payment_intents", desk.sandbox.base_url());
    let status =
        async |request: reqwest::RequestBuilder| request.send().await.unwrap().status().as_u16();
    assert_eq!(status(desk.client.get(&url)).await, 401);
    assert_eq!(
        status(desk.client.get(&url).bearer_auth("sk_test_other")).await,
        401
    );
    assert_eq!(
        status(
            desk.client
                .get(&url)
                .basic_auth("sk_test_other", None::<&str>)
        )
        .await,
        401
    );
    assert_eq!(status(desk.client.get(&url).bearer_auth(KEY)).await, 200);
    assert_eq!(
        status(desk.client.get(&url).basic_auth(KEY, None::<&str>)).await,
        200
    );
}

#[tokio::test]
async fn what_cannot_be_expanded_is_refused() {
    let desk = Desk::open();
    let id = desk.paid("pm_card_visa").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let expanded = desk.get(&format!("payment_intents/{id}?expand[]=latest_charge.balance_transaction&expand[]=payment_method")).await;
    assert_eq!(
        expanded.body["latest_charge"]["balance_transaction"]["amount"],
        4000
    );
    assert_eq!(expanded.body["payment_method"]["card"]["last4"], "4242");
    for path in ["nonsense", "status", "latest_charge.nonsense", "a.b.c.d.e"] {
        assert_eq!(
            desk.get(&format!("payment_intents/{id}?expand[]={path}"))
                .await
                .status,
            400,
            "{path}"
        );
    }
    let list = desk
        .get("payment_intents?expand[]=data.latest_charge")
        .await;
    assert_eq!(list.body["data"][0]["latest_charge"]["object"], "charge");
}

#[tokio::test]
async fn only_loopback_is_served() {
    let settings = sandbox::Settings {
        bind: "0.0.0.0:0".parse().unwrap(),
        ..sandbox::Settings::default()
    };
    assert!(sandbox::Sandbox::start(settings).is_err());
}
