//! What comes back after an entry has ended or been played: by a proof, and as a deposit.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{EntryId, Slug, TournamentId};
use serde::Serialize;
use utoipa::ToSchema;

use super::ask::{ProofIn, ReasonIn};
use super::{done, shown};
use crate::auth::{Act, Subject};
use crate::rest::body::Body;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::{EntryRefundOut, MoneyOut, OrderOut};
use crate::rest::visit::{Visit, id};

/// Finds the proof right that a tier of the refund clause asks for, of an entry that its payer has cancelled: what that tier gives
/// more, at the instant of the cancellation, comes back. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/proof", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ProofIn,
    responses(
        (status = 200, body = EntryRefundOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn prove(
    visit: Visit,
    path: Path<String>,
    body: Body<ProofIn>,
) -> Answer {
    let entry: EntryId = id(&path, Slug::UnknownEntry)?;
    let subject = Subject::Entry(entry);
    let of = (&subject, Act::Money);
    let made = done(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, tier| desk.prove(by, tournament, entry, tier).await,
    );
    let proved = made.await?;
    let order = visit
        .desk()
        .order(subject.order(visit.desk()).await?)
        .await?;
    Ok(HttpResponse::Ok().json(EntryRefundOut::of(proved, order.currency)))
}

/// Gives the deposit of an entry back that has finished, once play has begun. A repeat gives nothing more. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/deposit", tag = "staff",
    params(("entry" = String, Path, description = "`ent_…`")),
    request_body = ReasonIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn deposit(
    visit: Visit,
    path: Path<String>,
    body: Body<ReasonIn>,
) -> Answer {
    let entry: EntryId = id(&path, Slug::UnknownEntry)?;
    let of = (&Subject::Entry(entry), Act::Money);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ()| desk.give_deposit_back(by, tournament, entry).await,
    )
    .await
}

/// A deposit that comes back.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::rest) struct DepositOut {
    /// Whose (`ent_…`).
    #[schema(value_type = String)]
    entry: EntryId,
    /// What has come back of it in all.
    amount: MoneyOut,
}

/// What came of giving deposits back.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::rest) struct DepositsOut {
    /// Those that have come back, now or before.
    deposits: Vec<DepositOut>,
    /// Entries whose deposit does not come back so: something of their order is to be paid, is disputed, or went back already by
    /// staff's word.
    #[schema(value_type = Vec<String>)]
    left: Vec<EntryId>,
}

/// Gives the deposits back of every entry that has played to the end, once play has begun. A repeat gives nothing more. Role treasurer.
#[utoipa::path(post, path = "/v1/staff/tournaments/{tournament}/deposits", tag = "staff",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = ReasonIn,
    responses(
        (status = 200, body = DepositsOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn deposits(
    visit: Visit,
    path: Path<String>,
    body: Body<ReasonIn>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let of = (&Subject::Tournament(tournament), Act::Money);
    let made = done(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ()| desk.give_deposits_back(by, tournament).await,
    );
    let made = made.await?;
    let one = |back: registration::DepositBack| DepositOut {
        entry: back.entry,
        amount: MoneyOut::of(back.amount, back.currency),
    };
    Ok(HttpResponse::Ok().json(DepositsOut {
        deposits: made.back.into_iter().map(one).collect(),
        left: made.left,
    }))
}
