//! How long it takes to read a regulation and to check it, and how many classes of entrants are looked at for it: `cargo run
//! --release -p rules --example check_speed FILE...`.

use std::error::Error;
use std::time::Instant;

use rules::Regulation;
use rules::check::{Limits, checked};

fn main() -> Result<(), Box<dyn Error>> {
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name)?;
        let started = Instant::now();
        let regulation = Regulation::parse(&name, &text, 1)?;
        let read = started.elapsed();
        let looked = checked(&regulation, &|_| Limits::ANY_SUM);
        let all = started.elapsed();
        let (classes, findings) = (looked.classes, looked.findings.len());
        println!(
            "{name}: {read:?} to read, {all:?} in all; {classes} classes, {findings} findings"
        );
    }
    Ok(())
}
