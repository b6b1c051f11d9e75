//! The checks that are programs of their own: in PATH, else from `xtask/requirements.txt`.

use std::path::PathBuf;
use std::process::Command;

use crate::tools::python;
use crate::{Result, process, project};

/// buf over the proto files, by the rules in `buf.yaml`.
pub fn buf() -> Result {
    process::run(
        Command::new(program("buf")?)
            .current_dir(project::root())
            .arg("lint"),
    )
}

/// cargo-deny by `deny.toml`. Advisories are left out: their database is not in any package registry.
pub fn deny() -> Result {
    let asked = [
        "--workspace",
        "--all-features",
        "--locked",
        "check",
        "licenses",
        "bans",
        "sources",
    ];
    process::run(
        Command::new(program("cargo-deny")?)
            .current_dir(project::root())
            .args(asked),
    )
}

fn program(name: &str) -> Result<PathBuf> {
    match process::find(name) {
        Some(found) => Ok(found),
        None => Ok(python::Packages::ready()?.program(name)),
    }
}
