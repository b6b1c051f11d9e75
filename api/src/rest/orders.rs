//! An order: registered, looked at, and what its payer asks for besides money.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Path;
use domain::{EntryId, Problem, Slug, TournamentId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use super::refusal::{Answer, ProblemOut};
use super::show::{ByeAnswerOut, Eyes, OrderOut, RefundOut, RegisteredOut};
use super::visit::{Opened, Visit, id};
use crate::auth::{Act, Caller};
use crate::fault;
use crate::wire::{ByeIn, Faults, RegisterIn, Rule, read_byes};

/// The generation of the token that an order is born with.
const FIRST_TOKEN: i32 = 1;

/// Registers an order: admitted, priced, numbered and seated at once. Its token is answered here and mailed to the payer.
#[utoipa::path(post, path = "/v1/tournaments/{tournament}/orders", tag = "orders",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = RegisterIn,
    responses(
        (status = 201, body = RegisteredOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])))]
pub(super) async fn register(visit: Visit, path: Path<String>, body: Body<RegisterIn>) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let desk = visit.desk();
    desk.regulation(&tournament)?;
    let caller = visit.caller().await?;
    // What staff enter is the staff's word, so it needs a role that may give it.
    if let Caller::Staff(_) = caller {
        caller.may(desk, &tournament, Act::Arbitrate).await?;
    }
    let command = body.0.read(tournament, visit.language)?;
    let registered = desk.register(&visit.by(&caller, None), command).await?;
    let token = desk.secret().order_token(registered.order, FIRST_TOKEN);
    let shown = RegisteredOut::of(registered, token, &visit.app().public_url);
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, shown.links.order.clone()))
        .json(shown))
}

/// An order as it stands.
#[utoipa::path(get, path = "/v1/orders/{order}", tag = "orders",
    params(("order" = String, Path, description = "`ord_…`")),
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn one(visit: Visit, path: Path<String>) -> Answer {
    let opened = visit.open(&path, Act::Read).await?;
    let view = visit.desk().order(opened.order).await?;
    let shown = OrderOut::of(view, opened.eyes(), &visit.app().public_url);
    Ok(HttpResponse::Ok().json(shown))
}

/// What goes back.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RefundsOut {
    /// Oldest first.
    refunds: Vec<RefundOut>,
}

/// What went or goes back of an order.
#[utoipa::path(get, path = "/v1/orders/{order}/refunds", tag = "orders",
    params(("order" = String, Path, description = "`ord_…`")),
    responses(
        (status = 200, body = RefundsOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn refunds(visit: Visit, path: Path<String>) -> Answer {
    let opened = visit.open(&path, Act::Read).await?;
    let view = visit.desk().order(opened.order).await?;
    let eyes = opened.eyes();
    let refunds = view.refunds.into_iter();
    Ok(HttpResponse::Ok().json(RefundsOut {
        refunds: refunds.map(|refund| RefundOut::of(refund, eyes)).collect(),
    }))
}

/// Byes that a payer asks for.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ByesIn {
    /// The entry (`ent_…`).
    entry: Option<String>,
    /// The rounds asked off.
    requests: Vec<ByeIn>,
}

/// Asks for byes besides those asked for before; the arbiter decides.
#[utoipa::path(post, path = "/v1/orders/{order}/byes", tag = "orders",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ByesIn,
    responses(
        (status = 200, body = ByeAnswerOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn byes(visit: Visit, path: Path<String>, body: Body<ByesIn>) -> Answer {
    let opened = visit.open(&path, Act::Arbitrate).await?;
    let mut faults = Faults::default();
    let entry = faults.required_parsed("entry", body.0.entry.as_deref(), Rule::NotAnId);
    let requests = read_byes(body.0.requests, &"requests", &mut faults);
    let entry = faults.finish(entry)?;
    of_order(&visit, &opened, entry).await?;
    let by = visit.by(&opened.caller, None);
    let asked = visit
        .desk()
        .request_byes(&by, &opened.tournament, entry, requests);
    let answer = asked
        .await
        .map_err(|problem| fault::about(problem, "entry"))?;
    Ok(HttpResponse::Ok().json(ByeAnswerOut::from(answer)))
}

/// Refuses an entry of another order than the one that was opened.
async fn of_order(visit: &Visit, opened: &Opened, entry: EntryId) -> Result<(), Problem> {
    let view = visit.desk().order(opened.order).await?;
    if view.entries.iter().any(|known| known.entry == entry) {
        Ok(())
    } else {
        Err(Problem::new(Slug::UnknownEntry))
    }
}

impl Opened {
    /// For whose eyes an answer is.
    pub fn eyes(&self) -> Eyes {
        match self.caller {
            Caller::Staff(_) => Eyes::Staff,
            Caller::Payer(_) | Caller::Anonymous => Eyes::Payer,
        }
    }
}
