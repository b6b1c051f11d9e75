//! The fuzz targets of the rules engine. Each takes any bytes and panics where something that must hold does not.
//! `cargo xtask fuzz` drives them by coverage; the tests run them over the seeds and over everything found so far.
#![warn(missing_docs)]

mod evaluator;
mod mutate;
mod parser;
mod people;
mod seeds;

pub use evaluator::evaluator;
pub use parser::parser;
pub use seeds::{Seed, findings, seeds};
