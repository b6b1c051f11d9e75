//! The treasurer's acts: cancellations, refunds, slips.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{Cause, OrderId, PaymentId, RefundId, Slug};

use super::ask::{ConfirmationIn, GroundsIn, StaffRefundIn, TransferIn};
use super::{done, shown};
use crate::auth::{Act, Subject};
use crate::fault;
use crate::rest::body::Body;
use crate::rest::cancellation::{CancelIn, named};
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::{CancellationOut, OrderOut};
use crate::rest::visit::{Visit, id};

/// Ends entries for the organiser; everything paid for them goes back. The reason must be said, and the payer reads it in
/// a mail. Role admin.
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
    let of = (&Subject::Order(order), Act::Administer);
    let asked = body.0.read(Cause::CancelByOrganiser);
    let made = done(&visit, of, asked, async |desk, by, tournament, ask| {
        let field = named(&ask);
        let made = desk.cancel(by, tournament, order, ask).await;
        made.map_err(|problem| fault::about(problem, field))
    });
    Ok(HttpResponse::Ok().json(CancellationOut::from(made.await?)))
}

/// Gives back any sum up to what is left. It cancels nothing. The reason must be said, and the payer reads it in a mail. Role
/// treasurer.
#[utoipa::path(post, path = "/v1/staff/orders/{order}/refunds", tag = "staff",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = String, Header, description = "Must be given: a repeat with the same key and body is answered as the first was, and sends nothing out"),
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
    let of = (&Subject::Order(order), Act::Money);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ask| {
            let made = desk.refund_by_staff(by, tournament, order, ask).await;
            made.map_err(|problem| fault::about(problem, "amount"))
        },
    )
    .await
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
    let of = (&Subject::Payment(payment), Act::Money);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, found| desk.confirm_slip(by, tournament, payment, found).await,
    )
    .await
}

/// Refuses a slip or transfer: no such money came in. The reason must be said, and the payer reads it in a mail. Role
/// treasurer.
#[utoipa::path(post, path = "/v1/staff/payments/{payment}/refusal", tag = "staff",
    params(
        ("payment" = String, Path, description = "`pay_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = GroundsIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn refuse(
    visit: Visit,
    path: Path<String>,
    body: Body<GroundsIn>,
) -> Answer {
    let payment: PaymentId = id(&path, Slug::UnknownPayment)?;
    let of = (&Subject::Payment(payment), Act::Money);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ()| desk.refuse_slip(by, tournament, payment).await,
    )
    .await
}

/// Gives money back that was set aside because its sum was not the order's: all of it, to its card. The reason
/// must be said. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/payments/{payment}/return", tag = "staff",
    params(
        ("payment" = String, Path, description = "`pay_…`"),
        ("Idempotency-Key" = String, Header, description = "Must be given: a repeat with the same key and body is answered as the first was, and sends nothing out"),
    ),
    request_body = GroundsIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn give_back(
    visit: Visit,
    path: Path<String>,
    body: Body<GroundsIn>,
) -> Answer {
    let payment: PaymentId = id(&path, Slug::UnknownPayment)?;
    let of = (&Subject::Payment(payment), Act::Money);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ()| desk.return_payment(by, tournament, payment).await,
    )
    .await
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
    let of = (&Subject::Refund(refund), Act::Money);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, reference| {
            desk.refund_transferred(by, tournament, refund, reference)
                .await
        },
    )
    .await
}
