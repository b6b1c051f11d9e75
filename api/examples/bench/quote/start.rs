//! From the start of the process to its first answer, on a data folder that is not there yet.

use std::path::Path;
use std::time::Instant;

use crate::Result;
use crate::home::{Engine, Home};
use crate::http::{self, Connection};
use crate::numbers::{Sorted, millis};

const TIMES: usize = 9;

/// Milliseconds: the median of some starts, and the longest.
pub async fn measure(program: &Path) -> Result<(f64, f64)> {
    let mut times = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let mut home = Home::fresh(program, Engine::Sqlite)?;
        home.set("ENROC_REGULATIONS", "regulations");
        let begun = Instant::now();
        let service = home.serve()?;
        let mut connection = Connection::open(service.rest).await?;
        let answer = connection.ask(&http::get("/v1/tournaments", "")).await?;
        if answer.status != 200 {
            return Err(format!("the list of tournaments: status {}", answer.status).into());
        }
        times.push(millis(begun.elapsed()));
    }
    let times = Sorted::of(times);
    Ok((times.median(), times.last()))
}
