//! The player leaves: what would come back, and the leaving itself.

use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use domain::{Cause, EntryId};
use registration::Cancel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use super::page::query;
use super::refusal::{Answer, ProblemOut};
use super::show::CancellationOut;
use super::visit::Visit;
use crate::auth::Act;
use crate::fault;
use crate::wire::{Faults, Read, Rule};

/// Which entries leave.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CancelIn {
    /// The entries (`ent_…`), at least one; every live one of the order where the field is left out.
    pub entries: Option<Vec<String>>,
    /// Why, in the words of whoever cancels; staff must say it, and the payer reads it in a mail.
    pub reason: Option<String>,
    /// Whether the payer would rather have a credit than money, where the clause gives one.
    pub credit: bool,
}

impl CancelIn {
    /// The entries and the reason.
    pub fn read(self, cause: Cause) -> Read<Cancel> {
        let mut faults = Faults::default();
        if self.entries.as_ref().is_some_and(Vec::is_empty) {
            faults.add("entries", Rule::Required);
        }
        let entries: Vec<EntryId> = self
            .entries
            .unwrap_or_default()
            .iter()
            .enumerate()
            .filter_map(|(place, text)| {
                faults.parsed(format!("entries[{place}]"), text, Rule::NotAnId)
            })
            .collect();
        let reason = match cause {
            Cause::CancelByPlayer => faults.text("reason", self.reason),
            _ => faults.reason(self.reason),
        };
        let ask = Cancel {
            entries,
            cause,
            credit: self.credit,
        };
        faults.finish(Some((ask, reason)))
    }
}

/// What a cancellation cannot end is named by the caller's list, where there is one, else it is the order.
pub(super) fn named(ask: &Cancel) -> &'static str {
    if ask.entries.is_empty() {
        "order"
    } else {
        "entries"
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Named {
    entries: Option<String>,
    credit: bool,
}

/// What a cancellation would give back now. Changes nothing.
#[utoipa::path(get, path = "/v1/orders/{order}/cancellation", tag = "orders",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("entries" = Option<String>, Query, description = "The entries (`ent_…`), separated by commas; every live one where none is named"),
        ("credit" = Option<bool>, Query, description = "Whether the payer would rather have a credit than money, where the clause gives one"),
    ),
    responses(
        (status = 200, body = CancellationOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn preview(request: HttpRequest, visit: Visit, path: Path<String>) -> Answer {
    let opened = visit.open(&path, Act::Read).await?;
    let named: Named = query(&request)?;
    let listed = |names: String| {
        let names = names.split(',').filter(|n| !n.is_empty());
        names.map(str::to_owned).collect()
    };
    let asked = CancelIn {
        credit: named.credit,
        entries: named.entries.map(listed),
        reason: None,
    };
    let (ask, _) = asked.read(Cause::CancelByPlayer)?;
    let (by, field) = (visit.by(&opened.caller, None), self::named(&ask));
    let desk = visit.desk();
    let preview = desk.preview_cancellation(&by, &opened.tournament, opened.order, ask);
    let cancellation = preview.await.map_err(|p| fault::about(p, field))?;
    Ok(HttpResponse::Ok().json(CancellationOut::from(cancellation)))
}

/// The player leaves with the order or with some of its entries; what the clause gives back is on its way.
#[utoipa::path(post, path = "/v1/orders/{order}/cancellation", tag = "orders",
    params(
        ("order" = String, Path, description = "`ord_…`"),
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key and body is answered as the first was"),
    ),
    request_body = CancelIn,
    responses(
        (status = 200, body = CancellationOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])))]
pub(super) async fn cancel(visit: Visit, path: Path<String>, body: Body<CancelIn>) -> Answer {
    let opened = visit.open(&path, Act::Money).await?;
    let (ask, reason) = body.0.read(Cause::CancelByPlayer)?;
    let (by, field) = (visit.by(&opened.caller, reason), named(&ask));
    let desk = visit.desk();
    let made = desk.cancel(&by, &opened.tournament, opened.order, ask);
    let cancellation = made.await.map_err(|p| fault::about(p, field))?;
    Ok(HttpResponse::Ok().json(CancellationOut::from(cancellation)))
}
