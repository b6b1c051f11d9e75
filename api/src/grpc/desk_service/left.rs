//! What comes back after an entry has ended or been played: by a proof, and as a deposit.

use domain::{EntryId, Problem, Slug, TournamentId};
use proto::registration::v1 as api;

use super::Office;
use super::entries::reason;
use crate::auth::{Act, Subject};
use crate::grpc::convert::{Eyes, order, rules};
use crate::grpc::visit::{Visit, id};
use crate::wire::Faults;

impl Office {
    pub(super) async fn prove(
        &self,
        visit: &Visit,
        asked: api::ProveCancellationRequest,
    ) -> Result<api::ProveCancellationResponse, Problem> {
        let entry: EntryId = id(&asked.entry, Slug::UnknownEntry)?;
        let subject = Subject::Entry(entry);
        let of = (&subject, Act::Money);
        let mut faults = Faults::default();
        let tier = faults.text("tier", Some(asked.tier));
        let tier = faults.required("tier", tier);
        let reason = faults.text("reason", Some(asked.reason));
        let asked = faults.finish(tier.map(|tier| (tier, reason)));
        let made = self.done(visit, of, asked, async |desk, by, tournament, tier| {
            desk.prove(by, tournament, entry, tier).await
        });
        let proved = made.await?;
        let view = self
            .app
            .desk
            .order(subject.order(&self.app.desk).await?)
            .await?;
        Ok(api::ProveCancellationResponse {
            refund_quote: Some(rules::refund_quote(proved.quote, view.currency)),
            order: Some(order::order(view, Eyes::Staff)),
        })
    }

    pub(super) async fn deposit(
        &self,
        visit: &Visit,
        asked: api::GiveDepositBackRequest,
    ) -> Result<api::Order, Problem> {
        let entry: EntryId = id(&asked.entry, Slug::UnknownEntry)?;
        let of = (&Subject::Entry(entry), Act::Money);
        self.shown(
            visit,
            of,
            reason(asked.reason),
            async |desk, by, tournament, ()| desk.give_deposit_back(by, tournament, entry).await,
        )
        .await
    }

    pub(super) async fn deposits(
        &self,
        visit: &Visit,
        asked: api::GiveDepositsBackRequest,
    ) -> Result<api::GiveDepositsBackResponse, Problem> {
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        let of = (&Subject::Tournament(tournament), Act::Money);
        let made = self.done(
            visit,
            of,
            reason(asked.reason),
            async |desk, by, tournament, ()| desk.give_deposits_back(by, tournament).await,
        );
        let made = made.await?;
        let one = |back: registration::DepositBack| api::give_deposits_back_response::Deposit {
            entry: back.entry.to_string(),
            amount: Some(rules::sum(back.amount, back.currency)),
        };
        Ok(api::GiveDepositsBackResponse {
            deposits: made.back.into_iter().map(one).collect(),
            left: made.left.iter().map(ToString::to_string).collect(),
        })
    }
}
