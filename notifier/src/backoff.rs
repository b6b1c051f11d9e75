//! When a delivery that failed is tried again, and when it is given up.

use domain::UtcTime;

/// What kind of failure it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Nobody answered, or whoever answered cannot take it now: it may go tomorrow as it is.
    Unreachable,
    /// This one is not wanted now, others may be (an SMTP 4xx answer, greylisting).
    Deferred,
    /// It will never be taken as it is (an SMTP 5xx answer, an address that is none).
    Refused,
}

/// What becomes of a delivery that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Not before this instant by the wall clock.
    At(UtcTime),
    /// Given up: a dead letter.
    Dead,
}

/// Seconds after the first, second, … failure while nobody answers; the last one repeats.
const UNREACHABLE: [i64; 7] = [1, 2, 5, 15, 60, 180, 300];
/// Some six days of the last step.
const UNREACHABLE_ATTEMPTS: i32 = 1_750;

/// The same for what is not wanted now: what a mail server's greylisting expects (RFC 5321, 4.5.4.1).
const DEFERRED: [i64; 6] = [60, 300, 900, 1_800, 3_600, 7_200];
/// Some four days.
const DEFERRED_ATTEMPTS: i32 = 50;

/// What becomes of a delivery after its `attempts`-th failure (from 1) at an instant by the wall clock. `noise` is any
/// random number: it spreads the next attempt over a fifth of the wait, so that what failed together does not come
/// back together.
#[must_use]
pub fn after(class: Class, attempts: i32, at: UtcTime, noise: u32) -> Next {
    let (steps, limit): (&[i64], i32) = match class {
        Class::Refused => return Next::Dead,
        Class::Unreachable => (&UNREACHABLE, UNREACHABLE_ATTEMPTS),
        Class::Deferred => (&DEFERRED, DEFERRED_ATTEMPTS),
    };
    if attempts >= limit {
        return Next::Dead;
    }
    let position = usize::try_from(attempts.max(1) - 1).unwrap_or(0);
    let wait = steps[position.min(steps.len() - 1)] * 1_000_000;
    let spread = i64::from(noise % 1_000) * wait / 5_000;
    Next::At(UtcTime::from_micros(at.as_micros() + wait + spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at() -> UtcTime {
        "2026-07-01T00:00:00Z".parse().unwrap()
    }

    #[test]
    fn the_wait_grows_and_stays_at_its_last_step() {
        for (class, attempts, seconds) in [
            (Class::Unreachable, 0, 1),
            (Class::Unreachable, 1, 1),
            (Class::Unreachable, 2, 2),
            (Class::Unreachable, 5, 60),
            (Class::Unreachable, 7, 300),
            (Class::Unreachable, 1_749, 300),
            (Class::Deferred, 1, 60),
            (Class::Deferred, 49, 7_200),
        ] {
            let expected = Next::At(at().plus_seconds(seconds));
            assert_eq!(
                after(class, attempts, at(), 0),
                expected,
                "{class:?} {attempts}"
            );
        }
    }

    #[test]
    fn it_is_given_up_in_the_end_and_at_once_where_refused() {
        assert_eq!(after(Class::Unreachable, 1_750, at(), 0), Next::Dead);
        assert_eq!(after(Class::Deferred, 50, at(), 0), Next::Dead);
        assert_eq!(after(Class::Refused, 1, at(), 0), Next::Dead);
    }

    #[test]
    fn noise_spreads_by_less_than_a_fifth() {
        for noise in [0, 1, 999, 1_000, u32::MAX] {
            let Next::At(next) = after(Class::Deferred, 1, at(), noise) else {
                panic!("dead at once");
            };
            let wait = next.as_micros() - at().as_micros();
            assert!((60_000_000..72_000_000).contains(&wait), "{noise}: {wait}");
        }
    }
}
