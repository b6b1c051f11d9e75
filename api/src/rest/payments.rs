//! The payer pays: by the gateway's page, by a form of one's own, or by telling a slip's number.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{Problem, Slug};

use super::body::Body;
use super::refusal::{Answer, ProblemOut};
use super::show::{PaymentOpenedOut, PaymentOut};
use super::visit::Visit;
use crate::auth::Act;
use crate::wire::{Faults, OpenPaymentIn, SlipIn};

/// Opens a payment for what an order owes. An open one of the same kind and sum is given again; another is closed first.
#[utoipa::path(post, path = "/v1/orders/{order}/payments", tag = "orders",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = OpenPaymentIn,
    responses(
        (status = 201, body = PaymentOpenedOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn open(visit: Visit, path: Path<String>, body: Body<OpenPaymentIn>) -> Answer {
    let opened = visit.open(&path, Act::Money).await?;
    let ask = body.0.read(&visit.app().back_to(opened.order))?;
    let by = visit.by(&opened.caller, None);
    let payment = visit
        .desk()
        .open_payment(&by, &opened.tournament, opened.order, ask)
        .await?;
    Ok(HttpResponse::Created().json(PaymentOpenedOut::from(payment)))
}

/// Tells of a slip or transfer that was paid: a payment in processing until staff confirm or refuse it.
#[utoipa::path(post, path = "/v1/orders/{order}/slips", tag = "orders",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = SlipIn,
    responses(
        (status = 201, body = PaymentOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn slip(visit: Visit, path: Path<String>, body: Body<SlipIn>) -> Answer {
    let opened = visit.open(&path, Act::Money).await?;
    let mut faults = Faults::default();
    let slip = body.0.read(&"slip", &mut faults);
    let slip = faults.finish(slip).map_err(bare)?;
    let by = visit.by(&opened.caller, None);
    let desk = visit.desk();
    let payment = desk
        .report_slip(&by, &opened.tournament, opened.order, slip)
        .await
        .map_err(bare)?;
    let payments = desk.order(opened.order).await?.payments;
    let known = payments.into_iter().find(|known| known.id == payment);
    let known = known.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
    Ok(HttpResponse::Created().json(PaymentOut::of(known, opened.eyes())))
}

/// The same problem with fields as they are named here, where the slip is the whole body.
fn bare(mut problem: Problem) -> Problem {
    for fault in &mut problem.fields {
        if let Some(name) = fault.field.strip_prefix("slip.") {
            fault.field = name.to_owned();
        }
    }
    problem
}
