//! rustfmt and clippy.

use crate::{Result, process, project};

pub fn fmt() -> Result {
    process::run(&mut project::cargo(&["fmt", "--all", "--check"]))
}

pub fn clippy() -> Result {
    let everything = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    process::run(&mut project::cargo(&everything))
}
