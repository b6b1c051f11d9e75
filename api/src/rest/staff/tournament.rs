//! The organiser opens a tournament and gives out codes.

use actix_web::HttpResponse;
use actix_web::web::Path;
use domain::{Slug, TournamentId};
use registration::NewCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::ask::{CapacityIn, CodeIn};
use crate::auth::{Act, Subject};
use crate::rest::body::Body;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::TournamentOut;
use crate::rest::tournaments::shown;
use crate::rest::visit::{Visit, id};
use crate::wire::Faults;

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
    let subject = Subject::Tournament(tournament.clone());
    let (caller, _) = visit.staff(subject, Act::Administer).await?;
    let mut faults = Faults::default();
    let capacity = faults.required("capacity", body.0.capacity);
    let reason = faults.text("reason", body.0.reason);
    let capacity = faults.finish(capacity)?;
    let by = visit.by(&caller, reason);
    visit
        .desk()
        .open_tournament(&by, &tournament, capacity)
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
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = CodeIn,
    responses(
        (status = 201, body = CodeOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn code(visit: Visit, path: Path<String>, body: Body<CodeIn>) -> Answer {
    let tournament: TournamentId = id(&path, Slug::UnknownTournament)?;
    let subject = Subject::Tournament(tournament.clone());
    let (caller, _) = visit.staff(subject, Act::Administer).await?;
    let mut faults = Faults::default();
    let label = faults.text("label", body.0.label);
    let label = faults.required("label", label);
    let asked = body.0.agreed_price;
    let agreed_price = asked.and_then(|price| price.read("agreed_price", &mut faults));
    let reason = faults.text("reason", body.0.reason);
    let new = label.map(|label| NewCode {
        label,
        uses: body.0.uses.unwrap_or(1),
        agreed_price,
    });
    let new = faults.finish(new)?;
    let by = visit.by(&caller, reason);
    let code = visit.desk().issue_code(&by, &tournament, new).await?;
    Ok(HttpResponse::Created().json(CodeOut { code }))
}
