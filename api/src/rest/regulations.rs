//! Regulations as texts: the published versions, and a look at one that is not published yet.

use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use domain::{Slug, TournamentId};

use super::body::Body;
use super::page::Page;
use super::refusal::{Answer, ProblemOut};
use super::show::{RegulationCheckOut, VersionOut, VersionsOut, findings};
use super::visit::{Visit, id};
use crate::auth::Act;
use crate::wire::{RegulationTextIn, looked_at};

/// The published versions of a tournament's regulation, by number.
#[utoipa::path(get, path = "/v1/tournaments/{tournament}/regulations", tag = "tournaments",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("after" = Option<i32>, Query, description = "`next` of the page before"),
        ("limit" = Option<i64>, Query, description = "How many at most, 1 to 200; 50 where nothing is said"),
    ),
    responses(
        (status = 200, body = VersionsOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ))]
pub(super) async fn list(request: HttpRequest, visit: Visit, path: Path<String>) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    Ok(HttpResponse::Ok().json(versions(&request, &visit, &tournament, VersionOut::of).await?))
}

/// A page of versions, each shown like this.
pub(super) async fn versions(
    request: &HttpRequest,
    visit: &Visit,
    tournament: &TournamentId,
    show: fn(store::versions::Version) -> VersionOut,
) -> Result<VersionsOut, domain::Problem> {
    let page: Page<i32> = Page::read(request, 50, 200)?;
    let after = page.after.unwrap_or(0);
    let found = visit
        .desk()
        .published_versions(tournament, after, page.limit)
        .await?;
    let next = page.next(found.len(), found.last().map(|v| v.version.to_string()));
    Ok(VersionsOut {
        versions: found.into_iter().map(show).collect(),
        next,
    })
}

/// One published version, with its text.
#[utoipa::path(get, path = "/v1/tournaments/{tournament}/regulations/{version}", tag = "tournaments",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("version" = i32, Path, description = "Its number, from 1"),
    ),
    responses(
        (status = 200, body = VersionOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ))]
pub(super) async fn one(visit: Visit, path: Path<(String, String)>) -> Answer {
    let (tournament, version) = path.into_inner();
    let tournament: TournamentId = id(&tournament, Slug::UnknownTournament)?;
    let version: i32 = id(&version, Slug::UnknownVersion)?;
    let found = visit.desk().published_version(&tournament, version).await?;
    Ok(HttpResponse::Ok().json(VersionOut::whole(found)))
}

/// Looks at the text of a regulation, of any tournament: what is wrong or doubtful about it, each with its line. Role rules.
#[utoipa::path(post, path = "/v1/regulation-checks", tag = "rules",
    request_body = RegulationTextIn,
    responses(
        (status = 200, body = RegulationCheckOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn check(visit: Visit, body: Body<RegulationTextIn>) -> Answer {
    visit.caller().await?.may_in_general(Act::AskRules)?;
    let (source, _) = body.0.read()?;
    let (good, tournament, found) = looked_at(visit.desk().check_text(source).await?);
    Ok(HttpResponse::Ok().json(RegulationCheckOut {
        good,
        tournament,
        findings: findings(found),
    }))
}
