//! What arbiters and the organiser decide about entries.

use domain::{Cause, EntryId, FactName, OrderId, Problem, SectionId, Slug, TournamentId};
use proto::registration::v1 as api;
use proto::rules::v1 as engine;
use registration::{By, Cancel};

use super::Office;
use crate::auth::{Act, Subject};
use crate::grpc::convert::{Eyes, order, words};
use crate::grpc::visit::{Visit, id};
use crate::wire::{Faults, Rule, fact_name};

/// The fact that a number names.
fn fact(faults: &mut Faults, number: i32) -> Option<FactName> {
    let word = faults.required("fact", words::fact(number))?;
    let fact = fact_name(&word);
    if fact.is_none() {
        faults.add("fact", Rule::UnknownValue);
    }
    fact
}

/// What staff found of a fact, from the entrant that they corrected; none where the fact is not there.
fn found(fact: FactName, corrected: engine::Entrant) -> Option<String> {
    let Some(engine::entrant::Who::Entrant(player)) = corrected.who else {
        return None;
    };
    let given = |text: String| Some(text).filter(|t| !t.is_empty());
    match fact {
        FactName::Sex => words::sex(player.sex),
        FactName::BirthDate => given(player.birth_date),
        FactName::Federation => given(player.federation),
        FactName::Title => words::title(player.title),
        FactName::Rating => player.rating.map(|rating| rating.to_string()),
        FactName::Licences => given(player.licences.join(",")),
        FactName::Disability => Some(player.disability.to_string()),
        FactName::Invited => Some(player.invited.to_string()),
        FactName::PreviousParticipant => Some(player.previous_participant.to_string()),
        FactName::Club => player.club,
        FactName::AgreedPrice | FactName::Institution | FactName::Coach | FactName::Roster => None,
    }
}

/// An entry that staff may act on.
struct Opened {
    entry: EntryId,
    tournament: TournamentId,
    by: By,
}

impl Office {
    async fn entry(
        &self,
        visit: &Visit,
        (entry, reason): (&str, String),
        act: Act,
    ) -> Result<Opened, Problem> {
        let entry: EntryId = id(entry, Slug::UnknownEntry)?;
        let subject = Subject::Entry(entry);
        let (caller, tournament) = visit.staff(&self.app.desk, subject, act).await?;
        Ok(Opened {
            entry,
            tournament,
            by: visit.by(&caller, reason)?,
        })
    }

    async fn order_of(&self, entry: EntryId) -> Result<OrderId, Problem> {
        let store = self.app.desk.store();
        let row = store
            .read(move |c| Ok::<_, Problem>(store::entries::find(c, entry)?))
            .await?;
        row.map(|row| row.order)
            .ok_or_else(|| Problem::new(Slug::UnknownEntry))
    }

    async fn shown(&self, entry: EntryId) -> Result<api::Order, Problem> {
        let id = self.order_of(entry).await?;
        Ok(order::order(self.app.desk.order(id).await?, Eyes::Staff))
    }

    pub(super) async fn approve(
        &self,
        visit: &Visit,
        asked: api::ApproveEntryRequest,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let asked_for = (asked.entry.as_str(), asked.reason);
        let of = self.entry(visit, asked_for, Act::Arbitrate).await?;
        desk.approve(&of.by, &of.tournament, of.entry).await?;
        self.shown(of.entry).await
    }

    /// Ends an entry for a cause of the staff's.
    pub(super) async fn end(
        &self,
        visit: &Visit,
        (entry, reason): (String, String),
        cause: Cause,
        act: Act,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let of = self.entry(visit, (&entry, reason), act).await?;
        let id = self.order_of(of.entry).await?;
        let what = Cancel {
            entries: vec![of.entry],
            cause,
        };
        desk.cancel(&of.by, &of.tournament, id, what).await?;
        Ok(order::order(desk.order(id).await?, Eyes::Staff))
    }

    pub(super) async fn place(
        &self,
        visit: &Visit,
        asked: api::PlaceEntryRequest,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let asked_for = (asked.entry.as_str(), asked.reason);
        let of = self.entry(visit, asked_for, Act::Arbitrate).await?;
        let mut faults = Faults::default();
        let section: Option<SectionId> =
            faults.required_parsed("section", Some(&asked.section), Rule::NotAnId);
        let section = faults.finish(section)?;
        desk.place(&of.by, &of.tournament, of.entry, section)
            .await?;
        self.shown(of.entry).await
    }

    pub(super) async fn check(
        &self,
        visit: &Visit,
        asked: api::CheckFactRequest,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let asked_for = (asked.entry.as_str(), asked.reason);
        let of = self.entry(visit, asked_for, Act::Arbitrate).await?;
        let mut faults = Faults::default();
        let fact = fact(&mut faults, asked.fact);
        let fact = faults.finish(fact)?;
        let value = asked.corrected.and_then(|entrant| found(fact, entrant));
        desk.check_fact(&of.by, &of.tournament, of.entry, fact, asked.upheld, value)
            .await?;
        self.shown(of.entry).await
    }

    pub(super) async fn decide(
        &self,
        visit: &Visit,
        asked: api::DecideByesRequest,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let asked_for = (asked.entry.as_str(), asked.reason);
        let of = self.entry(visit, asked_for, Act::Arbitrate).await?;
        desk.decide_byes(&of.by, &of.tournament, of.entry, asked.granted)
            .await?;
        self.shown(of.entry).await
    }
}
