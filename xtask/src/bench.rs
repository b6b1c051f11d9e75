//! `cargo xtask bench`: the program and what measures it are built for release, and run.

use std::process::Command;

use crate::{Result, process, project};

/// Measures; the arguments are those of `api/examples/bench`.
pub fn run(arguments: &[String]) -> Result {
    let build = [
        "build",
        "--release",
        "--locked",
        "-p",
        "api",
        "--bin",
        "enroc",
        "--example",
        "bench",
    ];
    process::run(&mut project::cargo(&build))?;
    let program = project::metadata()?
        .target_directory
        .join("release/examples/bench");
    process::run(
        Command::new(program)
            .current_dir(project::root())
            .args(arguments),
    )
}
