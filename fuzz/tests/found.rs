//! The targets over their seeds, over noise, and over every input that once found something.

use fuzz::{Seed, evaluator, findings, parser, seeds};

/// Says which input it was, since the target's own words do not.
fn over(inputs: Vec<Seed>, target: fn(&[u8])) {
    for input in inputs {
        println!("{}", input.name);
        target(&input.bytes);
    }
}

/// Bytes that look like chance and are the same every time.
fn noise(seed: u64, length: usize) -> Seed {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let bytes = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    });
    Seed {
        name: format!("noise {seed}"),
        bytes: bytes.take(length).collect(),
    }
}

#[test]
fn the_parser_reads_its_seeds_and_what_once_found_something() {
    assert!(seeds().len() > 10);
    over(seeds(), parser);
    over(findings("parser"), parser);
}

#[test]
fn the_evaluator_answers_noise_and_what_once_found_something() {
    let noise = (0..300).map(|seed| noise(seed, 1_500));
    over(noise.collect(), evaluator);
    over(findings("evaluator"), evaluator);
}
