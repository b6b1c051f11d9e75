//! What staff do, each by a key whose role allows it. Who did it and why stand in the journal.

use actix_web::HttpResponse;
use domain::{Problem, TournamentId};
use registration::{By, Desk};

use super::refusal::Answer;
use super::show::{Eyes, OrderOut};
use super::visit::Visit;
use crate::auth::{Act, Subject};
use crate::wire::Read;

mod ask;
pub(super) mod entries;
pub(super) mod left;
pub(super) mod lists;
pub(super) mod money;
pub(super) mod regulations;
pub(super) mod tournament;

/// Does one act of staff to what it is about. Whose role does not allow it hears that before what is wrong with the body.
async fn done<T, R>(
    visit: &Visit,
    (subject, role): (&Subject, Act),
    asked: Read<T>,
    act: impl AsyncFnOnce(&Desk, &By, &TournamentId, T) -> Result<R, Problem>,
) -> Result<R, Problem> {
    let (caller, tournament) = visit.staff(subject.clone(), role).await?;
    let (what, reason) = asked?;
    let by = visit.by(&caller, reason);
    act(visit.desk(), &by, &tournament, what).await
}

/// The same, answered with the order that it was about as it stands then.
async fn shown<T, R>(
    visit: &Visit,
    (subject, role): (&Subject, Act),
    asked: Read<T>,
    act: impl AsyncFnOnce(&Desk, &By, &TournamentId, T) -> Result<R, Problem>,
) -> Answer {
    done(visit, (subject, role), asked, act).await?;
    let order = subject.order(visit.desk()).await?;
    let view = visit.desk().order(order).await?;
    let shown = OrderOut::of(view, Eyes::Staff, &visit.app().public_url);
    Ok(HttpResponse::Ok().json(shown))
}
