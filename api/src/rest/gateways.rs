//! Where gateways tell what happened.

use ::payments::{Inbox, Secret, verify};
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use domain::{Problem, Slug};

use super::body::Raw;
use super::refusal::{Answer, ProblemOut};
use super::visit::Visit;
use crate::fault;

/// Takes an event of Stripe's: its signature over the raw bytes is checked, it is stored once, and acted on later.
#[utoipa::path(post, path = "/v1/gateways/stripe/{account}/events", tag = "gateways",
    params(
        ("account" = String, Path, description = "The account, as the settings name it"),
        ("Stripe-Signature" = String, Header, description = "As Stripe makes it"),
    ),
    request_body(content = String, content_type = "application/json", description = "The event, byte for byte"),
    responses(
        (status = 200, description = "It is stored, now or before"),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ))]
pub(super) async fn events(
    request: HttpRequest,
    visit: Visit,
    path: Path<String>,
    body: Raw,
) -> Answer {
    let gateway = visit.app().gateway.as_ref();
    let Some(door) = gateway.filter(|door| door.account == *path) else {
        return Err(fault::about(Problem::new(Slug::UnknownPath), "account").into());
    };
    let secrets: Vec<Secret> = door.secrets.iter().map(|s| s.as_str().into()).collect();
    let header = request.headers().get("Stripe-Signature");
    let header = header.map(|value| value.to_str().unwrap_or("unreadable"));
    let now = visit.desk().clock().wall();
    let envelope = verify(&secrets, header, &body.0, now).map_err(Problem::from)?;
    let inbox = Inbox::new(visit.desk().clone(), Vec::new());
    inbox
        .take(&format!("stripe:{}", door.account), &envelope)
        .await?;
    door.arrived.notify_one();
    Ok(HttpResponse::Ok().finish())
}
