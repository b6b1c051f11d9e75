//! The back office's lists.

use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use domain::{OrderId, Slug, TournamentId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::{Act, Subject};
use crate::rest::page::Page;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::{Eyes, JournalOut, OrderOut, OrdersOut, PaymentOut, RefundOut};
use crate::rest::visit::{Visit, id};

/// The orders of a tournament, in the order they came. Any role of the back office.
#[utoipa::path(get, path = "/v1/staff/tournaments/{tournament}/orders", tag = "staff",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("after" = Option<String>, Query, description = "`next` of the page before"),
        ("limit" = Option<i64>, Query, description = "How many at most, 1 to 200; 50 where nothing is said"),
    ),
    responses(
        (status = 200, body = OrdersOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn orders(
    request: HttpRequest,
    visit: Visit,
    path: Path<String>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    visit
        .staff(Subject::Tournament(tournament.clone()), Act::Read)
        .await?;
    let page: Page<OrderId> = Page::read(&request, 50, 200)?;
    let views = visit
        .desk()
        .orders(&tournament, page.after, page.limit)
        .await?;
    let next = page.next(views.len(), views.last().map(|view| view.order.to_string()));
    let home = &visit.app().public_url;
    let orders = views
        .into_iter()
        .map(|view| OrderOut::of(view, Eyes::Staff, home));
    Ok(HttpResponse::Ok().json(OrdersOut {
        orders: orders.collect(),
        next,
    }))
}

/// The journal of a tournament. Any role of the back office.
#[utoipa::path(get, path = "/v1/staff/tournaments/{tournament}/journal", tag = "staff",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("after" = Option<i64>, Query, description = "Rows after this number; from the beginning where nothing is said"),
        ("limit" = Option<i64>, Query, description = "How many at most, 1 to 1000; 100 where nothing is said"),
    ),
    responses(
        (status = 200, body = JournalOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn journal(
    request: HttpRequest,
    visit: Visit,
    path: Path<String>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    visit
        .staff(Subject::Tournament(tournament.clone()), Act::Read)
        .await?;
    let page: Page<u32> = Page::read(&request, 100, 1_000)?;
    let after = page.after.map_or(0, i64::from);
    let rows = visit.desk().journal(&tournament, after, page.limit).await?;
    let next = page.next(rows.len(), rows.last().map(|row| row.number.to_string()));
    Ok(HttpResponse::Ok().json(JournalOut {
        rows: rows.into_iter().map(Into::into).collect(),
        next,
    }))
}

/// What waits for the back office.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::rest) struct BackOfficeOut {
    /// Payments to confirm, or set aside because they are not what was asked.
    payments: Vec<PaymentOut>,
    /// Refunds to transfer.
    refunds: Vec<RefundOut>,
}

/// What waits for the back office: payments to confirm or set aside, refunds to transfer. Any role of the back office.
#[utoipa::path(get, path = "/v1/staff/tournaments/{tournament}/back-office", tag = "staff",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    responses(
        (status = 200, body = BackOfficeOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn back_office(visit: Visit, path: Path<String>) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    visit
        .staff(Subject::Tournament(tournament.clone()), Act::Read)
        .await?;
    let (payments, refunds) = visit.desk().back_office(&tournament).await?;
    let payments = payments.into_iter().map(|p| PaymentOut::of(p, Eyes::Staff));
    let refunds = refunds.into_iter().map(|r| RefundOut::of(r, Eyes::Staff));
    Ok(HttpResponse::Ok().json(BackOfficeOut {
        payments: payments.collect(),
        refunds: refunds.collect(),
    }))
}
