//! The wall clocks of the processes: each has one of its own, as if it ran on a machine of its own, and they jump.
//!
//! The program is the one that is shipped. What stands between it and the machine's clock is `clock.c`.

use std::fs::{File, OpenOptions};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::node::Environment;
use crate::torment::Tally;
use crate::{Over, Result};

const SOURCE: &str = include_str!("clock.c");

/// One process's wall clock.
pub struct Clock {
    file: File,
    path: PathBuf,
    library: PathBuf,
}

impl Clock {
    /// Clocks for so many processes, all of them right; none where the machine has no way to put them in the way of its
    /// own.
    pub fn of(processes: u64, folder: &Path) -> Result<Vec<Clock>> {
        if !cfg!(target_os = "linux") {
            eprintln!("the wall clocks do not jump: that is done on Linux only");
            return Ok(Vec::new());
        }
        let library = build(folder)?;
        (0..processes)
            .map(|number| {
                let path = folder.join(format!("clock-{number}"));
                let mut clock = Clock {
                    file: OpenOptions::new()
                        .create(true)
                        .truncate(true)
                        .write(true)
                        .open(&path)?,
                    path,
                    library: library.clone(),
                };
                clock.set(0)?;
                Ok(clock)
            })
            .collect()
    }

    /// What a process is told so that it goes by this clock.
    pub fn environment(&self) -> Environment {
        vec![
            ("LD_PRELOAD", self.library.display().to_string()),
            ("CHAOS_CLOCK", self.path.display().to_string()),
        ]
    }

    /// Sets it to be off by so many seconds.
    fn set(&mut self, seconds: i64) -> Result {
        self.file.rewind()?;
        self.file.write_all(&seconds.to_ne_bytes())?;
        Ok(())
    }
}

fn build(folder: &Path) -> Result<PathBuf> {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    std::fs::write(&source, SOURCE)?;
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(&compiler);
    command.args(["-shared", "-fPIC", "-O1", "-Wall", "-o"]);
    let built = command.arg(&library).arg(&source).status();
    match built {
        Ok(status) if status.success() => Ok(library),
        Ok(status) => Err(format!("{compiler} {}: {status}", source.display()).into()),
        Err(error) => Err(format!("{compiler}: {error}").into()),
    }
}

/// Lets them jump, one or all at once, until the storm is over; then all are right again.
pub async fn torment(seed: u64, mut clocks: Vec<Clock>, over: &Over) -> Result<Tally> {
    let mut random = StdRng::seed_from_u64(seed ^ 0x4444);
    let mut tally = Tally::new();
    while !over.is() && !clocks.is_empty() {
        let seconds = jump(&mut random);
        let one = random.random_range(0..clocks.len());
        let all = random.random_range(0..4) == 0;
        for (number, clock) in clocks.iter_mut().enumerate() {
            if all || number == one {
                clock.set(seconds)?;
            }
        }
        *tally.entry("clock jumps").or_default() += 1;
        // Shorter than a minute is not to be believed, longer is.
        let longest = [4_000, 12_000, 30_000, 110_000][random.random_range(0..4)];
        let stands = random.random_range(300..longest);
        over.or(Duration::from_millis(stands)).await;
    }
    for clock in &mut clocks {
        clock.set(0)?;
    }
    Ok(tally)
}

/// By how much: seconds, minutes or a day, or not at all.
fn jump(random: &mut StdRng) -> i64 {
    match random.random_range(0..10) {
        0..4 => random.random_range(-90..=90),
        4..7 => random.random_range(-1_200..=1_200),
        7 => 86_400,
        8 => -86_400,
        _ => 0,
    }
}
