//! The organiser changes the regulation of a tournament that runs.

use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use domain::{Slug, TournamentId};

use super::done;
use crate::auth::{Act, Subject};
use crate::rest::body::Body;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::regulations::versions;
use crate::rest::show::{PreviewOut, PublicationOut, VersionOut, VersionsOut, findings};
use crate::rest::visit::{Visit, id};
use crate::wire::{PublishIn, RegulationTextIn};

/// The published versions of a tournament's regulation, with who published each and why. Any role of the back office.
#[utoipa::path(get, path = "/v1/staff/tournaments/{tournament}/regulations", tag = "staff",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("after" = Option<i32>, Query, description = "`next` of the page before"),
        ("limit" = Option<i64>, Query, description = "How many at most, 1 to 200; 50 where nothing is said"),
    ),
    responses(
        (status = 200, body = VersionsOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn list(
    request: HttpRequest,
    visit: Visit,
    path: Path<String>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    visit
        .staff(Subject::Tournament(tournament.clone()), Act::Read)
        .await?;
    let shown = versions(&request, &visit, &tournament, VersionOut::for_staff);
    Ok(HttpResponse::Ok().json(shown.await?))
}

/// Publishes a text as the next version of a tournament's regulation. Orders that stand keep their version, with the better of
/// its refund clause and the new one; whoever waits is offered the seats that it brings. A text that is the published one
/// already changes nothing. Role admin.
#[utoipa::path(post, path = "/v1/staff/tournaments/{tournament}/regulations", tag = "staff",
    params(
        ("tournament" = String, Path, description = "The `id` of its regulation"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = PublishIn,
    responses(
        (status = 201, body = PublicationOut, description = "A new version counts"),
        (status = 200, body = PublicationOut, description = "It was the published text already"),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn publish(
    visit: Visit,
    path: Path<String>,
    body: Body<PublishIn>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let of = (&Subject::Tournament(tournament), Act::Administer);
    let published = done(&visit, of, body.0.read(), async |desk, by, of, asked| {
        desk.publish(by, of, asked).await
    });
    let (publication, found) = published.await?;
    let mut answer = match publication.new {
        true => HttpResponse::Created(),
        false => HttpResponse::Ok(),
    };
    Ok(answer.json(PublicationOut {
        version: publication.version,
        hash: publication.hash,
        new: publication.new,
        findings: findings(found),
    }))
}

/// Says what publishing a text would change: for those who enter from now on, and for those who are in already. Changes
/// nothing. Role admin.
#[utoipa::path(post, path = "/v1/staff/tournaments/{tournament}/regulation-previews", tag = "staff",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = RegulationTextIn,
    responses(
        (status = 200, body = PreviewOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn preview(
    visit: Visit,
    path: Path<String>,
    body: Body<RegulationTextIn>,
) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let of = (&Subject::Tournament(tournament), Act::Administer);
    let told = done(&visit, of, body.0.read(), async |desk, by, of, source| {
        let currency = desk.regulation(of)?.currency();
        let preview = desk.preview(by, of, source, |_, _| {}).await?;
        Ok(PreviewOut::of(preview, currency))
    });
    Ok(HttpResponse::Ok().json(told.await?))
}
