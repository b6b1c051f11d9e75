//! `/_sandbox`: the control API, JSON in and out, the same as [`crate::Control`].

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, Path, Query, ServiceConfig};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::control::{Control, Refused};
use crate::faults::{ApiFault, WebhookFault};
use crate::outbox::Webhook;

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
}

async fn clock(control: Data<Control>) -> HttpResponse {
    done(Ok(json!({ "now": control.now() })))
}

async fn advance(control: Data<Control>, body: Json<Advance>) -> HttpResponse {
    control.advance(std::time::Duration::from_secs(body.seconds));
    clock(control).await
}

async fn faults(control: Data<Control>) -> HttpResponse {
    done(Ok(json!(control.faults())))
}

async fn clear_faults(control: Data<Control>) -> HttpResponse {
    control.clear_faults();
    faults(control).await
}

async fn fail_calls(control: Data<Control>, fault: Json<ApiFault>) -> HttpResponse {
    control.fail(fault.into_inner());
    faults(control).await
}

async fn twist_webhooks(control: Data<Control>, fault: Json<WebhookFault>) -> HttpResponse {
    control.twist(fault.into_inner());
    faults(control).await
}

async fn objects(control: Data<Control>, kind: Path<String>) -> HttpResponse {
    done(control.objects(&kind).map(|rows| json!({ "data": rows })))
}

async fn set_endpoint(control: Data<Control>, endpoint: Json<Webhook>) -> HttpResponse {
    control.set_webhook(endpoint.into_inner());
    HttpResponse::NoContent().finish()
}

async fn sent(control: Data<Control>) -> HttpResponse {
    done(Ok(json!({ "data": control.sent() })))
}

async fn waiting(control: Data<Control>) -> HttpResponse {
    done(Ok(json!({ "data": control.waiting() })))
}

async fn release(control: Data<Control>, query: Query<Release>) -> HttpResponse {
    done(Ok(
        json!({ "released": control.release(query.event.as_deref()) }),
    ))
}

async fn resend(control: Data<Control>, id: Path<String>) -> HttpResponse {
    done(control.resend(&id))
}

async fn authenticate(
    control: Data<Control>,
    id: Path<String>,
    body: Json<Outcome>,
) -> HttpResponse {
    done(control.authenticate(&id, body.succeeds))
}

async fn settle_intent(
    control: Data<Control>,
    id: Path<String>,
    body: Json<Outcome>,
) -> HttpResponse {
    done(control.settle_payment(&id, body.succeeds))
}

async fn settle_refund(control: Data<Control>, id: Path<String>) -> HttpResponse {
    done(control.settle_refund(&id))
}

async fn fail_refund(control: Data<Control>, id: Path<String>, body: Json<Reason>) -> HttpResponse {
    done(control.fail_refund(&id, body.reason.as_deref().unwrap_or("lost_or_stolen_card")))
}

async fn dispute(control: Data<Control>, id: Path<String>, body: Json<Reason>) -> HttpResponse {
    done(control.dispute(&id, body.reason.as_deref().unwrap_or("fraudulent")))
}

async fn close_dispute(control: Data<Control>, id: Path<String>, body: Json<Won>) -> HttpResponse {
    done(control.close_dispute(&id, body.won))
}

async fn pay(control: Data<Control>, id: Path<String>, body: Json<Pay>) -> HttpResponse {
    done(control.pay(&id, &body.card_number))
}
