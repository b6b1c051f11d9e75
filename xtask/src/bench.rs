//! `cargo xtask bench`: the program and what measures it are built for release, and run.

use std::env;
use std::process::Command;

use crate::tools::POSTGRES;
use crate::tools::postgres::{Cluster, Flush};
use crate::{Result, process, project};

/// A shell that gives a command as many open files as the machine allows: thousands of clients have a connection each.
const WITH_FILES: &str = r#"ulimit -Sn "$(ulimit -Hn)" && exec "$@""#;

/// Measures; the arguments are those of `api/examples/bench`.
pub fn run(arguments: &[String]) -> Result {
    process::run(&mut project::cargo(&[
        "build",
        "--release",
        "--locked",
        "-p",
        "api",
        "-p",
        "store",
        "--bin",
        "enroc",
        "--example",
        "bench",
        "--example",
        "straight",
    ]))?;
    let program = project::metadata()?
        .target_directory
        .join("release/examples/bench");
    let mut command = Command::new("sh");
    command.args(["-c", WITH_FILES, "bench"]);
    command.arg(program).args(arguments);
    // What is measured there has to be on the disk when the server says so.
    let cluster = if needs_postgres(arguments) && env::var_os(POSTGRES).is_none() {
        Some(Cluster::start(Flush::Always)?)
    } else {
        None
    };
    command.envs(cluster.iter().map(|cluster| (POSTGRES, cluster.url())));
    process::run(command.current_dir(project::root()))
}

fn needs_postgres(arguments: &[String]) -> bool {
    arguments
        .iter()
        .any(|argument| argument.trim_start_matches("--database=") == "postgres")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_started_only_where_it_is_asked_for() {
        let asks = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            needs_postgres(&words)
        };
        assert!(asks("rush --database postgres --json"));
        assert!(asks("opening --database=postgres"));
        assert!(asks("growth --database postgres --orders 20000"));
        assert!(!asks("rush --database sqlite"));
        assert!(!asks("rush"));
    }
}
