//! The main job walked through both doors in turn, for the three tournaments, with what must come out of each step.

mod barcelona;
mod llobregat;
mod people;
mod rojas;
mod steps;
mod table;

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Currency, Language, Money, TournamentId};

use store::{deliveries, gateway_events};

use super::door::{Answer, Door, Grpc, Refused, Rest};
use super::payer::Browser;
use super::stage::Stage;
use crate::failure::Failure;
use table::{Step, Table};

/// How long a step waits for what must come by itself.
const PATIENCE: Duration = Duration::from_secs(15);

/// Why a story goes no further.
#[derive(Debug)]
pub(super) enum Halt {
    /// A step was wrong, and the table says so.
    Told,
    /// Something else.
    Broken(String),
}

impl<E: std::error::Error> From<E> for Halt {
    fn from(error: E) -> Halt {
        Halt::Broken(error.to_string())
    }
}

/// What a story comes to.
pub(super) type Story<T = ()> = Result<T, Halt>;

/// The tour as it is being walked.
pub(super) struct Tour<'a> {
    stage: &'a Stage,
    doors: [Arc<dyn Door>; 2],
    browser: Browser,
    table: Table,
    turn: usize,
    steps: usize,
    wrong: usize,
    tournament: &'static str,
    currency: Currency,
}

/// Walks the tour.
///
/// # Errors
/// Exit 1 where a step was wrong.
pub(super) async fn walk(stage: &Stage, json: bool) -> Result<(), Failure> {
    let begun = Instant::now();
    let (staff, rules) = (stage.staff_key.clone(), stage.rules_key.clone());
    let refused = |refused: Refused| Failure::broken(refused);
    let rest = Rest::new(&stage.rest, staff.clone(), rules.clone()).map_err(refused)?;
    let grpc = Grpc::connect(&stage.grpc, staff, rules)
        .await
        .map_err(refused)?;
    let mut tour = Tour {
        stage,
        doors: [Arc::new(rest), Arc::new(grpc)],
        browser: Browser::new().map_err(Failure::broken)?,
        table: Table::new(json),
        turn: 0,
        steps: 0,
        wrong: 0,
        tournament: "",
        currency: "EUR".parse().map_err(Failure::broken)?,
    };
    barcelona::walk(&mut tour).await?;
    llobregat::walk(&mut tour).await?;
    rojas::walk(&mut tour).await?;
    tour.finish().await?;
    tour.table
        .end(tour.steps, tour.wrong, begun.elapsed().as_secs());
    if tour.wrong == 0 {
        Ok(())
    } else {
        Err(Failure::wrong(format!(
            "{} steps of the tour were wrong",
            tour.wrong
        )))
    }
}

impl Tour<'_> {
    /// Goes on to a tournament.
    fn begin(&mut self, tournament: &'static str) -> Result<(), Failure> {
        let id: TournamentId = tournament.parse().map_err(Failure::broken)?;
        let regulation = self.stage.desk.regulation(&id)?;
        self.tournament = tournament;
        self.currency = regulation.currency();
        self.table
            .heading(tournament, regulation.name().in_language(Language::En));
        Ok(())
    }

    /// Notes how a story ended.
    fn end_of(&mut self, story: &'static str, outcome: Story) {
        if let Err(Halt::Broken(why)) = outcome {
            self.note("", story, "goes to its end", &why, false);
        }
    }

    /// The other door than the last time.
    fn door(&mut self) -> Arc<dyn Door> {
        self.turn += 1;
        Arc::clone(&self.doors[self.turn % 2])
    }

    /// The door that the last step did not use: what one did, the other must show.
    fn other_door(&self) -> Arc<dyn Door> {
        Arc::clone(&self.doors[(self.turn + 1) % 2])
    }

    /// A sum in whole units of the tournament's currency.
    fn sum(&self, units: i64) -> Money {
        Money::new(units * 10i64.pow(self.currency.exponent()), self.currency)
    }

    fn note(&mut self, door: &'static str, what: &str, expected: &str, got: &str, right: bool) {
        let step = Step {
            door,
            what: what.to_owned(),
            expected: expected.to_owned(),
            got: got.to_owned(),
            right,
        };
        self.steps += 1;
        self.wrong += usize::from(!right);
        self.table.step(&step);
    }

    /// At the end nothing waits and nothing was given up.
    async fn finish(&mut self) -> Result<(), Failure> {
        self.table.heading("", "Afterwards");
        let store = self.stage.desk.store().clone();
        let quiet = async {
            loop {
                let read = |c: &mut store::Conn| {
                    Ok::<_, store::StoreError>((
                        deliveries::backlog(c)?,
                        gateway_events::backlog(c)?,
                    ))
                };
                let ((due, dead), (events, lost)) = store.read(read).await?;
                if due == 0 && events == 0 {
                    return Ok::<_, Failure>(format!("{} given up", dead + lost));
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let got = match tokio::time::timeout(PATIENCE, quiet).await {
            Ok(told) => told?,
            Err(_) => "something still waits".to_owned(),
        };
        let right = got == "0 given up";
        self.note(
            "",
            "All mails, messages and webhooks are done with",
            "0 given up",
            &got,
            right,
        );
        let audit = self.stage.desk.audit(|_, _| ()).await?;
        let mut got = format!("{} wrong", audit.findings.len());
        if let Some(finding) = audit.findings.first() {
            got = format!("{got}: {}", finding.what);
        }
        let what = format!(
            "{} orders and {} journal rows audited",
            audit.orders, audit.journal_rows
        );
        self.note("", &what, "0 wrong", &got, audit.findings.is_empty());
        Ok(())
    }

    /// A step whose outcome as text must be as expected.
    fn check(
        &mut self,
        door: &'static str,
        what: &str,
        expected: impl Display,
        got: impl Display,
    ) -> Story {
        let (expected, got) = (expected.to_string(), got.to_string());
        let right = expected == got;
        self.note(door, what, &expected, &got, right);
        if right { Ok(()) } else { Err(Halt::Told) }
    }

    /// A step that must be done; what it gave.
    fn done<T>(&mut self, door: &'static str, what: &str, answer: Answer<T>) -> Story<T> {
        match answer {
            Ok(value) => {
                self.note(door, what, "done", "done", true);
                Ok(value)
            }
            Err(refused) => {
                self.note(door, what, "done", &refused.to_string(), false);
                Err(Halt::Told)
            }
        }
    }

    /// A step that must be refused under this slug.
    fn refused<T>(
        &mut self,
        door: &'static str,
        what: &str,
        slug: &str,
        answer: Answer<T>,
    ) -> Story {
        let got = match answer {
            Ok(_) => "done".to_owned(),
            Err(refused) if refused.slug == slug => slug.to_owned(),
            Err(refused) => refused.to_string(),
        };
        self.check(door, what, slug, got)
    }
}
