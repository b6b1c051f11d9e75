//! The organiser changes the regulation of a tournament that runs.

use domain::{Problem, Slug, TournamentId};
use proto::registration::v1 as api;

use super::Office;
use crate::auth::{Act, Subject};
use crate::grpc::convert::regulation;
use crate::grpc::page::{self, Page};
use crate::grpc::visit::{Visit, id};
use crate::wire::{PublishIn, RegulationTextIn};

impl Office {
    pub(super) async fn publish(
        &self,
        visit: &Visit,
        asked: api::PublishRegulationRequest,
    ) -> Result<api::PublishRegulationResponse, Problem> {
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        let of = (&Subject::Tournament(tournament), Act::Administer);
        let asked = PublishIn {
            source: Some(asked.source),
            replaces: Some(asked.replaces),
            reason: Some(asked.reason),
        };
        let published = self.done(visit, of, asked.read(), async |desk, by, of, asked| {
            desk.publish(by, of, asked).await
        });
        let (publication, findings) = published.await?;
        Ok(api::PublishRegulationResponse {
            version: publication.version,
            hash: publication.hash,
            new: publication.new,
            findings: regulation::findings(findings),
        })
    }

    pub(super) async fn preview(
        &self,
        visit: &Visit,
        asked: api::PreviewRegulationRequest,
    ) -> Result<api::PreviewRegulationResponse, Problem> {
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        let of = (&Subject::Tournament(tournament), Act::Administer);
        let asked = RegulationTextIn {
            source: Some(asked.source),
        };
        let told = self.done(visit, of, asked.read(), async |desk, by, of, source| {
            let currency = desk.regulation(of)?.currency();
            let preview = desk.preview(by, of, source, |_, _| {}).await?;
            Ok(regulation::preview(preview, currency))
        });
        Ok(api::PreviewRegulationResponse {
            preview: Some(told.await?),
        })
    }

    pub(super) async fn versions(
        &self,
        visit: &Visit,
        asked: api::ListRegulationVersionsRequest,
    ) -> Result<api::ListRegulationVersionsResponse, Problem> {
        let tournament = self.read(visit, &asked.tournament).await?;
        let page: Page<i32> = Page::of(asked.page_size, &asked.page_token, 50, 200)?;
        let limit = i64::try_from(page.size).unwrap_or(i64::MAX);
        let after = page.after.unwrap_or(0);
        let desk = &self.app.desk;
        let found = desk.published_versions(&tournament, after, limit).await?;
        let last = found.last().map(|version| version.version.to_string());
        Ok(api::ListRegulationVersionsResponse {
            next_page_token: page::next(found.len(), page.size, last),
            versions: found
                .into_iter()
                .map(|version| regulation::version(tournament.as_str(), version))
                .collect(),
        })
    }
}
