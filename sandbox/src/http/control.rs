//! `/_sandbox`: the control API, JSON in and out, the same as [`crate::Control`].

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::control::{self, Refused};
use crate::faults::{ApiFault, WebhookFault};
use crate::outbox::Webhook;
use crate::shared::Shared;

pub(super) fn configure(app: &mut ServiceConfig) {
    app.route("/clock", web::get().to(clock))
        .route("/clock/advance", web::post().to(advance))
        .route("/faults", web::get().to(faults))
        .route("/faults", web::delete().to(clear_faults))
        .route("/faults/api", web::post().to(fail_calls))
        .route("/faults/webhooks", web::post().to(twist_webhooks))
        .route("/objects/{kind}", web::get().to(objects))
        .route("/webhooks/endpoint", web::put().to(set_endpoint))
        .route("/webhooks/sent", web::get().to(sent))
        .route("/webhooks/waiting", web::get().to(waiting))
        .route("/webhooks/release", web::post().to(release))
        .route("/events/{id}/resend", web::post().to(resend))
        .route(
            "/payment_intents/{id}/authenticate",
            web::post().to(authenticate),
        )
        .route(
            "/payment_intents/{id}/settle",
            web::post().to(settle_intent),
        )
        .route("/refunds/{id}/settle", web::post().to(settle_refund))
        .route("/refunds/{id}/fail", web::post().to(fail_refund))
        .route("/charges/{id}/dispute", web::post().to(dispute))
        .route("/disputes/{id}/close", web::post().to(close_dispute))
        .route("/checkout/sessions/{id}/pay", web::post().to(pay));
}

fn done(result: Result<Value, Refused>) -> HttpResponse {
    match result {
        Ok(value) => HttpResponse::Ok().json(value),
        Err(refused) => {
            HttpResponse::build(refused.status()).json(json!({ "error": refused.to_string() }))
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    seconds: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    succeeds: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Won {
    won: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Release {
    event: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pay {
    card_number: String,
    email: Option<String>,
}

async fn clock(shared: Data<Shared>) -> HttpResponse {
    done(Ok(json!({ "now": shared.peek(|world| world.now()) })))
}

async fn advance(shared: Data<Shared>, body: Json<Advance>) -> HttpResponse {
    control::advance(&shared, std::time::Duration::from_secs(body.seconds));
    clock(shared).await
}

async fn faults(shared: Data<Shared>) -> HttpResponse {
    done(Ok(json!(shared.peek(|world| world.faults.clone()))))
}

async fn clear_faults(shared: Data<Shared>) -> HttpResponse {
    shared.enter(|world| world.faults = crate::faults::Faults::default());
    faults(shared).await
}

async fn fail_calls(shared: Data<Shared>, fault: Json<ApiFault>) -> HttpResponse {
    shared.enter(|world| world.faults.api.push(fault.into_inner()));
    faults(shared).await
}

async fn twist_webhooks(shared: Data<Shared>, fault: Json<WebhookFault>) -> HttpResponse {
    shared.enter(|world| world.faults.webhook.push(fault.into_inner()));
    faults(shared).await
}

async fn objects(shared: Data<Shared>, kind: Path<String>) -> HttpResponse {
    done(control::objects(&shared, &kind).map(|rows| json!({ "data": rows })))
}

async fn set_endpoint(shared: Data<Shared>, endpoint: Json<Webhook>) -> HttpResponse {
    shared.enter(|world| world.outbox.endpoint = Some(endpoint.into_inner()));
    HttpResponse::NoContent().finish()
}

async fn sent(shared: Data<Shared>) -> HttpResponse {
    done(Ok(
        json!({ "data": shared.peek(|world| world.outbox.sent.clone()) }),
    ))
}

async fn waiting(shared: Data<Shared>) -> HttpResponse {
    done(Ok(
        json!({ "data": shared.peek(|world| world.outbox.waiting()) }),
    ))
}

async fn release(shared: Data<Shared>, query: Query<Release>) -> HttpResponse {
    let released = control::release(&shared, query.event.as_deref());
    done(Ok(json!({ "released": released })))
}

async fn resend(shared: Data<Shared>, id: Path<String>) -> HttpResponse {
    done(control::resend(&shared, &id))
}

async fn authenticate(shared: Data<Shared>, id: Path<String>, body: Json<Outcome>) -> HttpResponse {
    done(control::authenticate(&shared, &id, body.succeeds))
}

async fn settle_intent(
    shared: Data<Shared>,
    id: Path<String>,
    body: Json<Outcome>,
) -> HttpResponse {
    done(control::settle_payment(&shared, &id, body.succeeds))
}

async fn settle_refund(shared: Data<Shared>, id: Path<String>) -> HttpResponse {
    done(control::settle_refund(&shared, &id))
}

async fn fail_refund(shared: Data<Shared>, id: Path<String>, body: Json<Reason>) -> HttpResponse {
    done(control::fail_refund(&shared, &id, body.reason.as_deref()))
}

async fn dispute(shared: Data<Shared>, id: Path<String>, body: Json<Reason>) -> HttpResponse {
    done(control::dispute(&shared, &id, body.reason.as_deref()))
}

async fn close_dispute(shared: Data<Shared>, id: Path<String>, body: Json<Won>) -> HttpResponse {
    done(control::close_dispute(&shared, &id, body.won))
}

async fn pay(shared: Data<Shared>, id: Path<String>, body: Json<Pay>) -> HttpResponse {
    done(control::pay(
        &shared,
        &id,
        &body.card_number,
        body.email.as_deref(),
    ))
}
