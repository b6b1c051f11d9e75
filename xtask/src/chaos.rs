//! `cargo xtask chaos`: the program and what torments it are built with every check on, and run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::POSTGRES;
use crate::tools::postgres::{Cluster, Flush};
use crate::{Result, process, project};

/// Torments; the arguments are those of `api/examples/chaos`.
pub fn run(arguments: &[String]) -> Result {
    let target = project::metadata()?.target_directory;
    let named = |name: &str| arguments.iter().any(|argument| argument.starts_with(name));
    let mut chaos = Command::new(target.join("debug/examples/chaos"));
    chaos.current_dir(project::root()).args(arguments);
    if named("--crash-points") {
        chaos.arg("--program").arg(crashing(&target)?);
    }
    build(&["--bin", "enroc", "--example", "chaos"])?;
    let asks = arguments
        .iter()
        .any(|argument| argument.ends_with("postgres"));
    if !asks || env::var_os(POSTGRES).is_some() {
        return process::run(&mut chaos);
    }
    let cluster = Cluster::start(Flush::Always)?;
    process::run(chaos.env(POSTGRES, cluster.url()))
}

/// The program that ends where it is told to, under a name of its own: `target/debug/enroc` never is one.
fn crashing(target: &Path) -> Result<PathBuf> {
    build(&["--bin", "enroc", "--features", "crash-points"])?;
    let (built, kept) = (
        target.join("debug/enroc"),
        target.join("debug/examples/enroc-crashing"),
    );
    fs::rename(built, &kept)?;
    Ok(kept)
}

fn build(what: &[&str]) -> Result {
    let build = [&["build", "--locked", "-p", "api"], what].concat();
    process::run(&mut project::cargo(&build))
}
