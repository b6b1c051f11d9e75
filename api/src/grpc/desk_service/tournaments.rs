//! What the organiser sets up, and what staff look at.

use domain::{OrderId, Problem, Slug, Status, TournamentId};
use proto::registration::v1 as api;
use registration::{NewCode, OrderView};

use super::Office;
use crate::auth::{Act, Caller, Subject};
use crate::grpc::convert::{Eyes, asked, journal, order, words};
use crate::grpc::page::{self, Page};
use crate::grpc::registration_service::shown;
use crate::grpc::visit::{Visit, id};
use crate::wire::{Faults, Rule};

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

impl Office {
    async fn tournament(
        &self,
        visit: &Visit,
        text: &str,
        act: Act,
    ) -> Result<(Caller, TournamentId), Problem> {
        let tournament: TournamentId = id(text, Slug::UnknownTournament)?;
        visit
            .staff(&self.app.desk, Subject::Tournament(tournament), act)
            .await
    }

    pub(super) async fn open(
        &self,
        visit: &Visit,
        asked: api::OpenTournamentRequest,
    ) -> Result<api::OpenTournamentResponse, Problem> {
        let desk = &self.app.desk;
        let of = self.tournament(visit, &asked.tournament, Act::Administer);
        let (caller, tournament) = of.await?;
        let by = visit.by(&caller, asked.reason)?;
        desk.open_tournament(&by, &tournament, asked.capacity)
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
        let desk = &self.app.desk;
        let of = self.tournament(visit, &asked.tournament, Act::Administer);
        let (caller, tournament) = of.await?;
        let by = visit.by(&caller, asked.reason)?;
        let mut faults = Faults::default();
        let label = faults.text("label", Some(asked.label));
        let label = faults.required("label", label);
        let price = asked
            .agreed_price
            .and_then(|money| asked::money(money).read("agreed_price", &mut faults));
        let code = NewCode {
            label: faults.finish(label)?,
            uses: asked.uses,
            agreed_price: price,
        };
        let code = desk.issue_code(&by, &tournament, code).await?;
        Ok(api::IssueCodeResponse { code })
    }

    pub(super) async fn list(
        &self,
        visit: &Visit,
        asked: api::ListOrdersRequest,
    ) -> Result<api::ListOrdersResponse, Problem> {
        let desk = &self.app.desk;
        let of = self.tournament(visit, &asked.tournament, Act::Read);
        let (_, tournament) = of.await?;
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
        let of = self.tournament(visit, &asked.tournament, Act::Read);
        let (_, tournament) = of.await?;
        let page: Page<OrderId> = Page::of(asked.page_size, "", 100, 1_000)?;
        let limit = i64::try_from(page.size).unwrap_or(i64::MAX);
        let rows = desk.journal(&tournament, asked.after, limit).await?;
        Ok(api::GetJournalResponse {
            rows: rows.into_iter().map(journal::recorded).collect(),
        })
    }
}
