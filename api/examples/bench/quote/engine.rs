//! The engine alone, on one core, without doors.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::numbers::{Sorted, micros};
use crate::{Result, question};

const ROUNDS: usize = 9;
const ROUND: Duration = Duration::from_millis(200);

/// Microseconds a quote: the median of some rounds.
pub fn measure() -> Result<f64> {
    let (regulation, request) = question::engine()?;
    if !rules::quote(&regulation, &request).eligible {
        return Err("the engine refuses the quote that is to be measured".into());
    }
    let rounds = (0..ROUNDS).map(|_| {
        let (begun, mut times) = (Instant::now(), 0_u32);
        while begun.elapsed() < ROUND {
            for _ in 0..100 {
                black_box(rules::quote(&regulation, black_box(&request)));
            }
            times += 100;
        }
        micros(begun.elapsed()) / f64::from(times)
    });
    Ok(Sorted::of(rounds).median())
}
