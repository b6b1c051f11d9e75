//! How fast the disk flushes: what a commit costs at the least.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Result;
use crate::numbers::{Sorted, micros};

/// A page of a log.
const PAGE: [u8; 4_096] = [7; 4_096];
const LENGTH: Duration = Duration::from_millis(300);

/// Microseconds of one flush after a page was written at the end of a file: the median.
pub fn measure(folder: &Path) -> Result<f64> {
    let path = folder.join("flush");
    let mut file = File::create(&path)?;
    let (begun, mut times) = (Instant::now(), Vec::new());
    while begun.elapsed() < LENGTH {
        file.write_all(&PAGE)?;
        let written = Instant::now();
        file.sync_data()?;
        times.push(micros(written.elapsed()));
    }
    std::fs::remove_file(path)?;
    Ok(Sorted::of(times).median())
}
