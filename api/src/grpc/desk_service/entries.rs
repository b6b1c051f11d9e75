//! What arbiters and the organiser decide about entries.

use domain::{Cause, EntryId, FactName, Problem, SectionId, Slug};
use proto::registration::v1 as api;
use proto::rules::v1 as engine;
use registration::Cancel;

use super::Office;
use crate::auth::{Act, Subject};
use crate::grpc::convert::words;
use crate::grpc::visit::{Visit, id};
use crate::wire::{Faults, Read, Rule, fact_name};

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
        FactName::Answers => {
            let answers = domain::Answers(player.answers.into_iter().collect());
            given(answers.to_string())
        }
        FactName::AgreedPrice | FactName::Institution | FactName::Coach | FactName::Roster => None,
    }
}

/// Why, where it need not be said.
pub(super) fn reason(reason: String) -> Read<()> {
    let mut faults = Faults::default();
    let reason = faults.text("reason", Some(reason));
    faults.finish(Some(((), reason)))
}

/// Why, where it must be said.
pub(super) fn grounds(reason: String) -> Read<()> {
    let mut faults = Faults::default();
    let reason = faults.reason(Some(reason));
    faults.finish(reason.map(|reason| ((), Some(reason))))
}

impl Office {
    pub(super) async fn approve(
        &self,
        visit: &Visit,
        asked: api::ApproveEntryRequest,
    ) -> Result<api::Order, Problem> {
        let entry: EntryId = id(&asked.entry, Slug::UnknownEntry)?;
        let of = (&Subject::Entry(entry), Act::Arbitrate);
        self.shown(
            visit,
            of,
            reason(asked.reason),
            async |desk, by, tournament, ()| desk.approve(by, tournament, entry).await,
        )
        .await
    }

    /// Ends an entry for a cause of the staff's.
    pub(super) async fn end(
        &self,
        visit: &Visit,
        (entry, reason): (String, String),
        cause: Cause,
        act: Act,
    ) -> Result<api::Order, Problem> {
        let entry: EntryId = id(&entry, Slug::UnknownEntry)?;
        let of = (&Subject::Entry(entry), act);
        self.shown(
            visit,
            of,
            grounds(reason),
            async |desk, by, tournament, ()| {
                let order = of.0.order(desk).await?;
                let what = Cancel {
                    entries: vec![entry],
                    cause,
                    credit: false,
                };
                desk.cancel(by, tournament, order, what).await
            },
        )
        .await
    }

    pub(super) async fn place(
        &self,
        visit: &Visit,
        asked: api::PlaceEntryRequest,
    ) -> Result<api::Order, Problem> {
        let entry: EntryId = id(&asked.entry, Slug::UnknownEntry)?;
        let of = (&Subject::Entry(entry), Act::Arbitrate);
        let mut faults = Faults::default();
        let section: Option<SectionId> =
            faults.required_parsed("section", Some(&asked.section), Rule::NotAnId);
        let reason = faults.text("reason", Some(asked.reason));
        let asked = faults.finish(section.map(|section| (section, reason)));
        self.shown(visit, of, asked, async |desk, by, tournament, section| {
            desk.place(by, tournament, entry, section).await
        })
        .await
    }

    pub(super) async fn check(
        &self,
        visit: &Visit,
        asked: api::CheckFactRequest,
    ) -> Result<api::Order, Problem> {
        let entry: EntryId = id(&asked.entry, Slug::UnknownEntry)?;
        let of = (&Subject::Entry(entry), Act::Arbitrate);
        let mut faults = Faults::default();
        let fact = fact(&mut faults, asked.fact);
        let reason = faults.text("reason", Some(asked.reason));
        let corrected = fact.zip(asked.corrected);
        let value = corrected.and_then(|(fact, entrant)| found(fact, entrant));
        let value = faults.text("value", value);
        let upheld = asked.upheld;
        let asked = faults.finish(fact.map(|fact| ((fact, value), reason)));
        self.shown(visit, of, asked, async |desk, by, tournament, found| {
            let (fact, value) = found;
            desk.check_fact(by, tournament, entry, fact, upheld, value)
                .await
        })
        .await
    }

    pub(super) async fn decide(
        &self,
        visit: &Visit,
        asked: api::DecideByesRequest,
    ) -> Result<api::Order, Problem> {
        let entry: EntryId = id(&asked.entry, Slug::UnknownEntry)?;
        let of = (&Subject::Entry(entry), Act::Arbitrate);
        let granted = asked.granted;
        self.shown(
            visit,
            of,
            reason(asked.reason),
            async |desk, by, tournament, ()| desk.decide_byes(by, tournament, entry, granted).await,
        )
        .await
    }
}
