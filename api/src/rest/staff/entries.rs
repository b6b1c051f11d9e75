//! The arbiter's acts on an entry. Each answers the entry's order as it stands then.

use actix_web::web::Path;
use domain::{Cause, EntryId, Problem, Slug};
use registration::Cancel;

use super::ask::{DecisionIn, FactIn, GroundsIn, ReasonIn, SectionIn};
use super::shown;
use crate::auth::{Act, Subject};
use crate::fault;
use crate::rest::body::Body;
use crate::rest::refusal::{Answer, ProblemOut};
use crate::rest::show::OrderOut;
use crate::rest::visit::{Visit, id};
use crate::wire::fact_name;

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
    let entry: EntryId = id(&path, Slug::UnknownEntry)?;
    let of = (&Subject::Entry(entry), Act::Arbitrate);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ()| desk.approve(by, tournament, entry).await,
    )
    .await
}

/// Refuses an entry; everything paid for it goes back. The reason must be said, and the payer reads it in a mail. Role
/// arbiter.
#[utoipa::path(post, path = "/v1/staff/entries/{entry}/rejection", tag = "staff",
    params(
        ("entry" = String, Path, description = "`ent_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = GroundsIn,
    responses(
        (status = 200, body = OrderOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(in crate::rest) async fn reject(
    visit: Visit,
    path: Path<String>,
    body: Body<GroundsIn>,
) -> Answer {
    let entry: EntryId = id(&path, Slug::UnknownEntry)?;
    let of = (&Subject::Entry(entry), Act::Arbitrate);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, ()| {
            let order = of.0.order(desk).await?;
            let ask = Cancel {
                entries: vec![entry],
                cause: Cause::Reject,
                credit: false,
            };
            desk.cancel(by, tournament, order, ask).await
        },
    )
    .await
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
    let entry: EntryId = id(&path, Slug::UnknownEntry)?;
    let of = (&Subject::Entry(entry), Act::Arbitrate);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, section| desk.place(by, tournament, entry, section).await,
    )
    .await
}

/// Finds a fact right or wrong that the entry's price or admission asks for, as often as need be; the opposite decision undoes
/// what one did to the price. Role arbiter.
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
    let entry: EntryId = id(&entry, Slug::UnknownEntry)?;
    let of = (&Subject::Entry(entry), Act::Arbitrate);
    let nameless = || fault::about(Problem::new(Slug::UnknownPath), "fact");
    let fact = fact_name(&fact).ok_or_else(nameless);
    let asked = fact.and_then(|fact| {
        let ((upheld, value), reason) = body.0.read()?;
        Ok(((fact, upheld, value), reason))
    });
    shown(&visit, of, asked, async |desk, by, tournament, found| {
        let (fact, upheld, value) = found;
        desk.check_fact(by, tournament, entry, fact, upheld, value)
            .await
    })
    .await
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
    let entry: EntryId = id(&path, Slug::UnknownEntry)?;
    let of = (&Subject::Entry(entry), Act::Arbitrate);
    shown(
        &visit,
        of,
        body.0.read(),
        async |desk, by, tournament, granted| {
            desk.decide_byes(by, tournament, entry, granted).await
        },
    )
    .await
}
