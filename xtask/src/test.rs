//! `cargo xtask test`: all that CI does.

use std::process::Command;

use clap::ValueEnum;

use crate::Result;
use crate::check::Check;
use crate::process;
use crate::project;
use crate::report::Report;
use crate::tools::Tools;

/// A part of the test command.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Step {
    /// What `cargo xtask check` does
    Check,
    /// The tests of the whole workspace, on both databases
    Tests,
    /// The main job walked through a running service; see `enroc rehearse --help`
    Tour,
}

/// Runs the steps asked for, or all; every one of them, also after a red one.
pub fn run(steps: &[Step]) -> Result {
    let wanted = |step| steps.is_empty() || steps.contains(&step);
    let mut report = Report::default();
    if wanted(Step::Check) {
        for check in Check::value_variants() {
            report.step(check.name(), || check.look());
        }
    }
    if wanted(Step::Tests) {
        match report.step("tools", Tools::ready) {
            Some(tools) => {
                report.step("tests", || tests(&tools));
            }
            None => report.not_run("tests"),
        }
    }
    if wanted(Step::Tour) {
        report.step("tour", tour);
    }
    report.finish()
}

fn tests(tools: &Tools) -> Result {
    let tests = ["test", "--workspace", "--locked", "--no-fail-fast"];
    process::run(project::cargo(&tests).envs(tools.environment()))
}

/// Builds the program together with the tests, so that it shares their crates: alone, it would ask some of them for
/// fewer features and build half the workspace once more.
fn tour() -> Result {
    process::run(&mut project::cargo(&[
        "build",
        "--workspace",
        "--locked",
        "--bins",
        "--tests",
    ]))?;
    let program = project::metadata()?.target_directory.join("debug/enroc");
    process::run(
        Command::new(program)
            .current_dir(project::root())
            .args(["rehearse", "--tour"]),
    )
}
