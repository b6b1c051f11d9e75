//! What staff do, each by a key whose role allows it. Who did it and why stand in the journal.

use actix_web::HttpResponse;
use domain::OrderId;

use super::refusal::Answer;
use super::show::{Eyes, OrderOut};
use super::visit::Visit;

mod ask;
pub(super) mod entries;
pub(super) mod lists;
pub(super) mod money;
pub(super) mod tournament;

/// The order that an act was about, as it stands now.
async fn shown(visit: &Visit, order: OrderId) -> Answer {
    let view = visit.desk().order(order).await?;
    let shown = OrderOut::of(view, Eyes::Staff, &visit.app().public_url);
    Ok(HttpResponse::Ok().json(shown))
}
