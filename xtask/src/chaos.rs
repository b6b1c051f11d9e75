//! `cargo xtask chaos`: the program and what torments it are built with every check on, and run.

use std::env;
use std::process::Command;

use crate::tools::POSTGRES;
use crate::tools::postgres::{Cluster, Flush};
use crate::{Result, process, project};

/// Torments; the arguments are those of `api/examples/chaos`.
pub fn run(arguments: &[String]) -> Result {
    let build = [
        "build",
        "--locked",
        "-p",
        "api",
        "--bin",
        "enroc",
        "--example",
        "chaos",
    ];
    process::run(&mut project::cargo(&build))?;
    let program = project::metadata()?
        .target_directory
        .join("debug/examples/chaos");
    let mut chaos = Command::new(program);
    chaos.current_dir(project::root()).args(arguments);
    let asks = arguments
        .iter()
        .any(|argument| argument.ends_with("postgres"));
    if !asks || env::var_os(POSTGRES).is_some() {
        return process::run(&mut chaos);
    }
    let cluster = Cluster::start(Flush::Always)?;
    process::run(chaos.env(POSTGRES, cluster.url()))
}
