//! The organiser opens a tournament and gives out codes.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{Slug, TournamentId};
use serde::Serialize;
use utoipa::ToSchema;

use super::ask::{CapacityIn, CodeIn};
use super::done;
use crate::auth::{Act, Subject};
use crate::rest::body::Body;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::TournamentOut;
use crate::rest::tournaments::shown;
use crate::rest::visit::{Visit, id};

/// Sets the capacity that the text leaves to the organiser, which opens entry; whoever waits is offered the seats. Role
/// admin.
#[utoipa::path(post, path = "/v1/staff/tournaments/{tournament}/capacity", tag = "staff",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = CapacityIn,
    responses(
        (status = 200, body = TournamentOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn capacity(
    visit: Visit,
    path: Path<String>,
    body: Body<CapacityIn>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let of = (&Subject::Tournament(tournament.clone()), Act::Administer);
    done(&visit, of, body.0.read(), async |desk, by, of, capacity| {
        desk.open_tournament(by, of, capacity).await
    })
    .await?;
    Ok(HttpResponse::Ok().json(shown(&visit, &tournament).await?))
}

/// A code.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::rest) struct CodeOut {
    /// To be handed to whoever is invited; it is not stored and not shown again.
    code: String,
}

/// Gives out an invitation code. Role admin.
#[utoipa::path(post, path = "/v1/staff/tournaments/{tournament}/codes", tag = "staff",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = CodeIn,
    responses(
        (status = 201, body = CodeOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn code(visit: Visit, path: Path<String>, body: Body<CodeIn>) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let of = (&Subject::Tournament(tournament), Act::Administer);
    let code = done(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, new| desk.issue_code(by, tournament, new).await,
    )
    .await?;
    Ok(HttpResponse::Created().json(CodeOut { code }))
}
