//! What to believe of a wall clock that jumps.
//!
//! Set by an hour too much and back a moment later, it would end every hold, lease and price of that hour. So a jump is
//! believed only when it has stood for a minute; until then time goes on at its own pace, as the machine's other clock tells
//! it, which cannot be set.

/// Nearer than so many microseconds to where it should stand, the wall clock is followed at once.
const SLACK: i64 = 1_000_000;
/// For so many microseconds a jump has to stand.
const PATIENCE: i64 = 60_000_000;

/// The wall clock as far as it is believed; everything in microseconds.
#[derive(Default)]
pub(super) struct Believed(Option<Known>);

struct Known {
    /// Where the wall clock stood when it was believed last.
    wall: i64,
    /// How long the process had run then.
    ran: i64,
    /// The last instant that was handed out.
    latest: i64,
    doubt: Option<Doubt>,
}

/// A jump that is not believed yet.
struct Doubt {
    /// How long the process had run when it was seen first.
    since: i64,
    by: i64,
}

impl Believed {
    /// The instant to go by where the wall clock shows `wall` and the process has run for `ran`. Each is later than the one
    /// before, unless a wall clock that was ahead is believed to be set right.
    pub(super) fn hear(&mut self, wall: i64, ran: i64) -> i64 {
        let known = self.0.get_or_insert(Known {
            wall,
            ran,
            latest: wall - 1,
            doubt: None,
        });
        let expected = known.wall + (ran - known.ran);
        let jump = wall - expected;
        let small = jump.abs() <= SLACK;
        let instant = if small {
            wall.max(known.latest + 1)
        } else if known.stands(jump, ran) {
            wall
        } else {
            expected.max(known.latest + 1)
        };
        if small || instant == wall {
            (known.wall, known.ran, known.doubt) = (wall, ran, None);
        }
        known.latest = instant;
        instant
    }
}

impl Known {
    /// Whether a jump has stood long enough; notes one that is new.
    fn stands(&mut self, by: i64, ran: i64) -> bool {
        let seconds = by / 1_000_000;
        match &self.doubt {
            Some(doubt) if (by - doubt.by).abs() <= SLACK => {
                let stands = ran - doubt.since >= PATIENCE;
                if stands {
                    tracing::warn!(
                        seconds,
                        "the wall clock jumped a minute ago, and is followed now"
                    );
                }
                stands
            }
            _ => {
                tracing::warn!(
                    seconds,
                    "the wall clock jumped: it is not followed before that has stood for a minute"
                );
                self.doubt = Some(Doubt { since: ran, by });
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;
    const NOON: i64 = 1_780_000_000 * SECOND;

    /// What is heard each second while the wall clock is off by so many seconds, from so many seconds on.
    fn heard(off: &[(i64, i64)], seconds: i64) -> Vec<i64> {
        let mut believed = Believed::default();
        let off_at = |ran: i64| {
            off.iter()
                .rev()
                .find(|(from, _)| *from <= ran)
                .map_or(0, |o| o.1)
        };
        (0..seconds)
            .map(|ran| {
                let wall = NOON + (ran + off_at(ran)) * SECOND;
                (believed.hear(wall, ran * SECOND) - NOON) / SECOND - ran
            })
            .collect()
    }

    #[test]
    fn a_jump_is_believed_when_it_has_stood_for_a_minute() {
        for by in [-86_400, -300, 300, 3_600] {
            let told = heard(&[(10, by)], 200);
            assert!(told[..70].iter().all(|off| *off == 0), "{by}: {told:?}");
            assert!(told[70..].iter().all(|off| *off == by), "{by}: {told:?}");
        }
    }

    #[test]
    fn a_jump_that_does_not_stand_leaves_no_trace() {
        for off in [
            vec![(10, 3_600), (50, 0)],
            vec![(10, -3_600), (60, 3_600), (100, 0)],
            vec![(10, 100), (40, 200), (70, 300), (100, 400), (130, 0)],
        ] {
            assert_eq!(heard(&off, 200), vec![0; 200], "{off:?}");
        }
    }

    #[test]
    fn small_steps_are_followed_and_never_lead_back() {
        let mut believed = Believed::default();
        let mut last = 0;
        // A clock that is set back by half a second, again and again, and loses a second in a hundred besides.
        for ran in (0..100).map(|n| n * SECOND / 10) {
            let back = (ran / SECOND) % 2 * SECOND / 2;
            let heard = believed.hear(NOON + ran - ran / 100 - back, ran);
            assert!(heard > last, "{heard} after {last}");
            last = heard;
        }
        assert!((last - NOON - 99 * SECOND / 10).abs() < SECOND, "{last}");
    }
}
