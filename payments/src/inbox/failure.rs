//! Why an event is not done, and when it is tried again.

use domain::{Kind, Problem, UtcTime};
use registration::GatewayError;
use store::gateway_events::Outcome;

/// Seconds until an event is tried again: twelve tries more in the first day.
const PAUSES: [i64; 12] = [
    5, 15, 60, 180, 600, 1_800, 3_600, 7_200, 14_400, 14_400, 21_600, 21_600,
];
const LONGEST: i64 = 21_600;

/// Why an event is not done.
#[derive(Debug)]
pub(super) struct Failure {
    why: String,
    /// Whether it may be given up: it is not the gateway or the database that is away.
    lasting: bool,
}

impl Failure {
    pub(super) fn lasting(why: String) -> Failure {
        Failure { why, lasting: true }
    }

    /// What becomes of an event after so many tries before this one.
    pub(super) fn outcome(&self, attempts: i32, wall: UtcTime) -> Outcome {
        let tries = usize::try_from(attempts).unwrap_or_default();
        match PAUSES.get(tries) {
            Some(pause) => Outcome::Again(wall.plus_seconds(*pause), self.why.clone()),
            None if self.lasting => Outcome::Dead(self.why.clone()),
            None => Outcome::Again(wall.plus_seconds(LONGEST), self.why.clone()),
        }
    }
}

impl From<GatewayError> for Failure {
    fn from(error: GatewayError) -> Failure {
        Failure {
            why: error.to_string(),
            lasting: !matches!(error, GatewayError::NoAnswer(_)),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure {
            why: problem.to_string(),
            lasting: problem.kind() != Kind::Overload,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_object_is_tried_for_about_a_day() {
        let wall: UtcTime = "2026-07-01T00:00:00Z".parse().unwrap();
        let failure = Failure::lasting("unknown".to_owned());
        let mut at = wall;
        for attempts in 0..12 {
            let Outcome::Again(next, why) = failure.outcome(attempts, at) else {
                panic!("given up after {attempts}")
            };
            assert!(next > at && why == "unknown");
            at = next;
        }
        assert!(
            (80_000..90_000).contains(&(at.as_seconds() - wall.as_seconds())),
            "{at}"
        );
        assert_eq!(failure.outcome(12, at), Outcome::Dead("unknown".to_owned()));
    }

    #[test]
    fn an_absent_gateway_or_database_never_kills_an_event() {
        let wall: UtcTime = "2026-07-01T00:00:00Z".parse().unwrap();
        let away = Failure::from(GatewayError::NoAnswer("503".into()));
        let busy = Failure::from(Problem::new(domain::Slug::Overload));
        for failure in [away, busy] {
            assert!(
                matches!(failure.outcome(1_000, wall), Outcome::Again(at, _) if at == wall.plus_seconds(LONGEST))
            );
        }
        assert!(matches!(
            Failure::from(GatewayError::Unknown).outcome(12, wall),
            Outcome::Dead(_)
        ));
    }
}
