//! The treasurer's acts: cancellations, refunds, slips.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{Cause, Money, OrderId, PaymentId, Problem, RefundId, RefundMethod, Slug};
use registration::StaffRefund;
use store::{payments, refunds};

use super::ask::{ConfirmationIn, ReasonIn, StaffRefundIn, TransferIn};
use super::shown;
use crate::auth::{Act, Subject};
use crate::rest::body::Body;
use crate::rest::cancellation::CancelIn;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::{CancellationOut, OrderOut};
use crate::rest::visit::{Visit, id};
use crate::wire::{Faults, MoneyIn, Rule};

/// Ends entries for the organiser; everything paid for them goes back. Role admin.
#[utoipa::path(post, path = "/v1/staff/orders/{order}/cancellation", tag = "staff",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = CancelIn,
    responses(
        (status = 200, body = CancellationOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn cancel(
    visit: Visit,
    path: Path<String>,
    body: Body<CancelIn>,
) -> Answer {
    let order: OrderId = id(&path, Slug::UnknownOrder)?;
    let (caller, tournament) = visit.staff(Subject::Order(order), Act::Administer).await?;
    let (ask, reason) = body.0.read(Cause::CancelByOrganiser)?;
    let by = visit.by(&caller, reason);
    let cancellation = visit.desk().cancel(&by, &tournament, order, ask).await?;
    Ok(HttpResponse::Ok().json(CancellationOut::from(cancellation)))
}

/// Gives back any sum up to what is left. It cancels nothing. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/orders/{order}/refunds", tag = "staff",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = StaffRefundIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn refund(
    visit: Visit,
    path: Path<String>,
    body: Body<StaffRefundIn>,
) -> Answer {
    let order: OrderId = id(&path, Slug::UnknownOrder)?;
    let (caller, tournament) = visit.staff(Subject::Order(order), Act::Money).await?;
    let mut faults = Faults::default();
    let amount = sum(&mut faults, "amount", body.0.amount);
    let method = match body.0.method.as_deref().unwrap_or("card") {
        "card" => RefundMethod::Card,
        "transfer" => RefundMethod::Transfer,
        _ => {
            faults.add("method", Rule::UnknownValue);
            RefundMethod::Card
        }
    };
    let reason = faults.text("reason", body.0.reason);
    let amount = faults.finish(amount)?;
    let ask = StaffRefund { amount, method };
    let by = visit.by(&caller, reason);
    visit
        .desk()
        .refund_by_staff(&by, &tournament, order, ask)
        .await?;
    shown(&visit, order).await
}

/// Confirms that the money of a slip or transfer is in. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/payments/{payment}/confirmation", tag = "staff",
    params(
        ("payment" = String, Path, description = "`pay_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ConfirmationIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn confirm(
    visit: Visit,
    path: Path<String>,
    body: Body<ConfirmationIn>,
) -> Answer {
    let payment: PaymentId = id(&path, Slug::UnknownPayment)?;
    let (caller, tournament) = visit.staff(Subject::Payment(payment), Act::Money).await?;
    let mut faults = Faults::default();
    let received = sum(&mut faults, "received", body.0.received);
    let reason = faults.text("reason", body.0.reason);
    let received = faults.finish(received)?;
    let by = visit.by(&caller, reason);
    visit
        .desk()
        .confirm_slip(&by, &tournament, payment, received)
        .await?;
    shown(&visit, order_of_payment(&visit, payment).await?).await
}

/// Refuses a slip or transfer: no such money came in. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/payments/{payment}/refusal", tag = "staff",
    params(
        ("payment" = String, Path, description = "`pay_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ReasonIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn refuse(
    visit: Visit,
    path: Path<String>,
    body: Body<ReasonIn>,
) -> Answer {
    let payment: PaymentId = id(&path, Slug::UnknownPayment)?;
    let (caller, tournament) = visit.staff(Subject::Payment(payment), Act::Money).await?;
    let mut faults = Faults::default();
    let reason = faults.text("reason", body.0.reason);
    let by = visit.by(&caller, faults.finish(Some(reason))?);
    visit.desk().refuse_slip(&by, &tournament, payment).await?;
    shown(&visit, order_of_payment(&visit, payment).await?).await
}

/// Gives money back that was set aside because its sum was not the order's: all of it, to its card. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/payments/{payment}/return", tag = "staff",
    params(
        ("payment" = String, Path, description = "`pay_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ReasonIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn give_back(
    visit: Visit,
    path: Path<String>,
    body: Body<ReasonIn>,
) -> Answer {
    let payment: PaymentId = id(&path, Slug::UnknownPayment)?;
    let (caller, tournament) = visit.staff(Subject::Payment(payment), Act::Money).await?;
    let mut faults = Faults::default();
    let reason = faults.text("reason", body.0.reason);
    let by = visit.by(&caller, faults.finish(Some(reason))?);
    visit
        .desk()
        .return_payment(&by, &tournament, payment)
        .await?;
    shown(&visit, order_of_payment(&visit, payment).await?).await
}

/// Notes that a refund was transferred. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/refunds/{refund}/transfer", tag = "staff",
    params(
        ("refund" = String, Path, description = "`ref_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = TransferIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn transferred(
    visit: Visit,
    path: Path<String>,
    body: Body<TransferIn>,
) -> Answer {
    let refund: RefundId = id(&path, Slug::UnknownRefund)?;
    let (caller, tournament) = visit.staff(Subject::Refund(refund), Act::Money).await?;
    let mut faults = Faults::default();
    let reference = faults.text("reference", body.0.reference);
    let reference = faults.required("reference", reference);
    let reason = faults.text("reason", body.0.reason);
    let reference = faults.finish(reference)?;
    let by = visit.by(&caller, reason);
    let desk = visit.desk();
    desk.refund_transferred(&by, &tournament, refund, reference)
        .await?;
    let row = desk.store().read(move |c| refunds::find(c, refund)).await?;
    let row = row.ok_or_else(|| Problem::new(Slug::UnknownRefund))?;
    shown(&visit, row.order).await
}

/// A sum that must be there.
fn sum(faults: &mut Faults, field: &str, money: Option<MoneyIn>) -> Option<Money> {
    faults.required(field, money)?.read(field, faults)
}

async fn order_of_payment(visit: &Visit, payment: PaymentId) -> Result<OrderId, Problem> {
    let store = visit.desk().store();
    let row = store.read(move |c| payments::find(c, payment)).await?;
    Ok(row.ok_or_else(|| Problem::new(Slug::UnknownPayment))?.order)
}
