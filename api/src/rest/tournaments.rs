//! The tournaments of this desk.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{Problem, Slug, TournamentId};
use store::tournaments;

use super::refusal::{Answer, ProblemOut};
use super::show::{TournamentOut, TournamentShortOut, TournamentsOut};
use super::visit::{Visit, id};

/// The tournaments of this desk, by their `id`.
#[utoipa::path(get, path = "/v1/tournaments", tag = "tournaments", responses(
    (status = 200, body = TournamentsOut),
    (status = "default", body = ProblemOut, content_type = "application/problem+json"),
))]
pub(super) async fn list(visit: Visit) -> Answer {
    let home = &visit.app().public_url;
    let served = visit.desk().tournaments();
    let tournaments = served
        .iter()
        .map(|regulation| TournamentShortOut::of(regulation, home))
        .collect();
    Ok(HttpResponse::Ok().json(TournamentsOut { tournaments }))
}

/// One of them: dates, sections, seats, means of payment, consents, appeals.
#[utoipa::path(get, path = "/v1/tournaments/{tournament}", tag = "tournaments",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    responses(
        (status = 200, body = TournamentOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ))]
pub(super) async fn one(visit: Visit, path: Path<String>) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    Ok(HttpResponse::Ok().json(shown(&visit, &tournament).await?))
}

/// A tournament as it stands.
pub(super) async fn shown(
    visit: &Visit,
    tournament: &TournamentId,
) -> Result<TournamentOut, Problem> {
    let desk = visit.desk();
    let regulation = desk.regulation(tournament)?;
    let seats = desk.seats(tournament).await?;
    let asked = tournament.clone();
    let row = desk
        .store()
        .read(move |c| tournaments::find(c, &asked))
        .await?;
    let set = row.and_then(|row| row.capacity);
    let now = desk.clock().desk(tournament);
    Ok(TournamentOut::of(&regulation, set, &seats, now))
}
