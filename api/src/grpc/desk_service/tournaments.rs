//! What the organiser sets up, and what staff look at.

use domain::{OrderId, Problem, Slug, Status, TournamentId};
use proto::registration::v1 as api;
use registration::{NewCode, OrderView};

use super::Office;
use super::entries::reason;
use crate::auth::{Act, Subject};
use crate::grpc::convert::{Eyes, asked, journal, order, words};
use crate::grpc::page::{self, Page};
use crate::grpc::registration_service::shown;
use crate::grpc::visit::{Visit, id};
use crate::wire::{Faults, Read, Rule};

fn statuses(numbers: &[i32]) -> Result<Vec<Status>, Problem> {
    let mut faults = Faults::default();
    let mut wanted = Vec::new();
    for (place, number) in numbers.iter().enumerate() {
        let status = words::status(*number).and_then(|word| Status::from_word(&word));
        if status.is_none() {
            faults.add(format!("statuses[{place}]"), Rule::UnknownValue);
        }
        wanted.extend(status);
    }
    faults.finish(Some(wanted))
}

/// What a code is to be good for.
fn new_code(asked: api::IssueCodeRequest) -> Read<NewCode> {
    let mut faults = Faults::default();
    let label = faults.text("label", Some(asked.label));
    let label = faults.required("label", label);
    let price = asked
        .agreed_price
        .and_then(|money| asked::money(money).read("agreed_price", &mut faults));
    let reason = faults.text("reason", Some(asked.reason));
    let code = label.map(|label| NewCode {
        label,
        uses: asked.uses,
        agreed_price: price,
    });
    faults.finish(code.map(|code| (code, reason)))
}

impl Office {
    pub(super) async fn open(
        &self,
        visit: &Visit,
        asked: api::OpenTournamentRequest,
    ) -> Result<api::OpenTournamentResponse, Problem> {
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        let of = (&Subject::Tournament(tournament.clone()), Act::Administer);
        let capacity = asked.capacity;
        self.done(visit, of, reason(asked.reason), async |desk, by, of, ()| {
            desk.open_tournament(by, of, capacity).await
        })
        .await?;
        Ok(api::OpenTournamentResponse {
            tournament: Some(shown(&self.app, &tournament).await?),
        })
    }

    pub(super) async fn issue(
        &self,
        visit: &Visit,
        asked: api::IssueCodeRequest,
    ) -> Result<api::IssueCodeResponse, Problem> {
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        let of = (&Subject::Tournament(tournament), Act::Administer);
        let code = self.done(visit, of, new_code(asked), async |desk, by, of, code| {
            desk.issue_code(by, of, code).await
        });
        Ok(api::IssueCodeResponse { code: code.await? })
    }

    pub(super) async fn read(
        &self,
        visit: &Visit,
        tournament: &str,
    ) -> Result<TournamentId, Problem> {
        let tournament: TournamentId = id(tournament, Slug::UnknownTournament)?;
        let subject = Subject::Tournament(tournament);
        let of = visit.staff(&self.app.desk, subject, Act::Read);
        Ok(of.await?.1)
    }

    pub(super) async fn list(
        &self,
        visit: &Visit,
        asked: api::ListOrdersRequest,
    ) -> Result<api::ListOrdersResponse, Problem> {
        let desk = &self.app.desk;
        let tournament = self.read(visit, &asked.tournament).await?;
        let page: Page<OrderId> = Page::of(asked.page_size, &asked.page_token, 50, 200)?;
        let wanted = statuses(&asked.statuses)?;
        let limit = i64::try_from(page.size).unwrap_or(i64::MAX);
        let found = desk.orders(&tournament, page.after, limit).await?;
        let last = found.last().map(|view| view.order.to_string());
        let next_page_token = page::next(found.len(), page.size, last);
        let stands_so = |view: &OrderView| {
            wanted.is_empty() || view.entries.iter().any(|e| wanted.contains(&e.status))
        };
        Ok(api::ListOrdersResponse {
            orders: found
                .into_iter()
                .filter(stands_so)
                .map(|view| order::order(view, Eyes::Staff))
                .collect(),
            next_page_token,
        })
    }

    pub(super) async fn journal(
        &self,
        visit: &Visit,
        asked: &api::GetJournalRequest,
    ) -> Result<api::GetJournalResponse, Problem> {
        let desk = &self.app.desk;
        let tournament = self.read(visit, &asked.tournament).await?;
        let page: Page<OrderId> = Page::of(asked.page_size, "", 100, 1_000)?;
        if asked.after < 0 {
            let mut faults = Faults::default();
            faults.add("after", Rule::NotAnId);
            return faults.finish(None);
        }
        let limit = i64::try_from(page.size).unwrap_or(i64::MAX);
        let rows = desk.journal(&tournament, asked.after, limit).await?;
        Ok(api::GetJournalResponse {
            rows: rows.into_iter().map(journal::recorded).collect(),
        })
    }
}
