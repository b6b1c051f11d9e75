//! Control runs: each race is green with its guard and goes wrong without it, in the same order of events every time.
//! `docs/guards.md` lists the guards.

mod calm;
mod entering;
mod money;
mod publishing;

use domain::Problem;
use registration::Desk;
use store::control::Race;
use store::guard::Guard;
use store::{Settings, Store};

use crate::world::World;

/// Two desks on one database, as two processes are.
struct Pair {
    here: World,
    there: Desk,
}

impl Pair {
    /// With Barcelona open for so many seats.
    async fn open(settings: &Settings, seats: i64) -> Pair {
        let here = World::open(Store::open(settings).unwrap(), seats).await;
        let other = Store::open(settings).unwrap();
        let there = here.another(other, here.gateway.clone()).await;
        Pair { here, there }
    }

    /// One change here and one there, at once: the checks of each have seen how things stood before either wrote.
    async fn race<T>(
        &self,
        without: &[Guard],
        here: impl Future<Output = T>,
        there: impl Future<Output = T>,
    ) -> [T; 2] {
        self.enter(2, without);
        let (one, other) = tokio::join!(here, there);
        self.leave();
        [one, other]
    }

    fn enter(&self, racers: usize, without: &[Guard]) {
        let race = Race::new(racers, without);
        self.here.desk.store().race(Some(race.clone()));
        self.there.store().race(Some(race));
    }

    fn leave(&self) {
        self.here.desk.store().race(None);
        self.there.store().race(None);
    }

    /// What the audit finds.
    async fn findings(&self) -> Vec<String> {
        let report = self.here.desk.audit(|_, _| {}).await.unwrap();
        report.findings.into_iter().map(|f| f.what).collect()
    }
}

/// How each ended, in no order: what it came to, or the slug of its refusal.
fn ends<T>(outcomes: [Result<T, Problem>; 2], said: impl Fn(T) -> String) -> [String; 2] {
    let mut ends = outcomes.map(|outcome| match outcome {
        Ok(value) => said(value),
        Err(problem) => problem.slug.as_str().to_owned(),
    });
    ends.sort();
    ends
}
