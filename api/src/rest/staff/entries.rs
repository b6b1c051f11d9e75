//! The arbiter's acts on an entry. Each answers the entry's order as it stands then.

use actix_web::web::Path;
use domain::{Cause, EntryId, OrderId, Problem, Slug, TournamentId};
use registration::Cancel;
use store::entries;

use super::ask::{DecisionIn, FactIn, ReasonIn, SectionIn};
use super::shown;
use crate::auth::{Act, Caller, Subject};
use crate::rest::body::Body;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::OrderOut;
use crate::rest::visit::{Visit, id};
use crate::wire::{Faults, Rule, fact_name};

/// An entry that the caller may decide about.
struct Decided {
    caller: Caller,
    tournament: TournamentId,
    order: OrderId,
    entry: EntryId,
}

async fn open(visit: &Visit, entry: &str) -> Result<Decided, Problem> {
    let entry: EntryId = id(entry, Slug::UnknownEntry)?;
    let (caller, tournament) = visit.staff(Subject::Entry(entry), Act::Arbitrate).await?;
    let found = visit
        .desk()
        .store()
        .read(move |c| entries::find(c, entry))
        .await?;
    let row = found.ok_or_else(|| Problem::new(Slug::UnknownEntry))?;
    Ok(Decided {
        caller,
        tournament,
        order: row.order,
        entry,
    })
}

fn reason(given: Option<String>) -> Result<Option<String>, Problem> {
    let mut faults = Faults::default();
    let reason = faults.text("reason", given);
    faults.finish(Some(reason))
}

/// Lets an entry in that waits for approval. Role arbiter.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/approval", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ReasonIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn approve(
    visit: Visit,
    path: Path<String>,
    body: Body<ReasonIn>,
) -> Answer {
    let decided = open(&visit, &path).await?;
    let by = visit.by(&decided.caller, reason(body.0.reason)?);
    visit
        .desk()
        .approve(&by, &decided.tournament, decided.entry)
        .await?;
    shown(&visit, decided.order).await
}

/// Refuses an entry; everything paid for it goes back. Role arbiter.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/rejection", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = ReasonIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn reject(
    visit: Visit,
    path: Path<String>,
    body: Body<ReasonIn>,
) -> Answer {
    let decided = open(&visit, &path).await?;
    let by = visit.by(&decided.caller, reason(body.0.reason)?);
    let ask = Cancel {
        entries: vec![decided.entry],
        cause: Cause::Reject,
    };
    visit
        .desk()
        .cancel(&by, &decided.tournament, decided.order, ask)
        .await?;
    shown(&visit, decided.order).await
}

/// Places an entry that has no section, or moves it to another; the difference in price is owed or comes back. Role
/// arbiter.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/section", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = SectionIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn place(
    visit: Visit,
    path: Path<String>,
    body: Body<SectionIn>,
) -> Answer {
    let decided = open(&visit, &path).await?;
    let mut faults = Faults::default();
    let section = faults.required_parsed("section", body.0.section.as_deref(), Rule::NotAnId);
    let reason = faults.text("reason", body.0.reason);
    let section = faults.finish(section)?;
    let by = visit.by(&decided.caller, reason);
    let desk = visit.desk();
    desk.place(&by, &decided.tournament, decided.entry, section)
        .await?;
    shown(&visit, decided.order).await
}

/// Finds a declared fact right or wrong; where it is wrong the entry is priced again. Role arbiter.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/facts/{fact}", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("fact" = String, Path, description = "The fact's name (`title`)"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = FactIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn fact(
    visit: Visit,
    path: Path<(String, String)>,
    body: Body<FactIn>,
) -> Answer {
    let (entry, fact) = path.into_inner();
    let decided = open(&visit, &entry).await?;
    let fact = fact_name(&fact).ok_or_else(|| Problem::new(Slug::UnknownPath))?;
    let mut faults = Faults::default();
    let upheld = faults.required("upheld", body.0.upheld);
    let value = faults.text("value", body.0.value);
    let reason = faults.text("reason", body.0.reason);
    let upheld = faults.finish(upheld)?;
    let by = visit.by(&decided.caller, reason);
    let desk = visit.desk();
    desk.check_fact(&by, &decided.tournament, decided.entry, fact, upheld, value)
        .await?;
    shown(&visit, decided.order).await
}

/// Grants or refuses the byes that an entry asked for. Role arbiter.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/byes", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = DecisionIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn byes(
    visit: Visit,
    path: Path<String>,
    body: Body<DecisionIn>,
) -> Answer {
    let decided = open(&visit, &path).await?;
    let mut faults = Faults::default();
    let granted = faults.required("granted", body.0.granted);
    let reason = faults.text("reason", body.0.reason);
    let granted = faults.finish(granted)?;
    let by = visit.by(&decided.caller, reason);
    let desk = visit.desk();
    desk.decide_byes(&by, &decided.tournament, decided.entry, granted)
        .await?;
    shown(&visit, decided.order).await
}
