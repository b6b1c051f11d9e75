//! The project's folder, its files, and its cargo.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::{Result, process};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// The cargo that runs us, in the workspace's folder.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).args(arguments);
    cargo
}

/// What `cargo metadata` says of the workspace itself.
#[derive(Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    pub target_directory: PathBuf,
}

/// A crate of ours and what it names in its manifest.
#[derive(Deserialize)]
pub struct Package {
    pub name: String,
    pub dependencies: Vec<Dependency>,
}

/// A line of a manifest; `kind` is nothing, `build` or `dev`.
#[derive(Deserialize)]
pub struct Dependency {
    pub name: String,
    pub kind: Option<String>,
}

/// Reads the manifests, without asking for the crates of others.
pub fn metadata() -> Result<Metadata> {
    let metadata = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    Ok(serde_json::from_str(&process::read(&mut cargo(
        &metadata,
    ))?)?)
}

/// A text file of the project, by its path from the root.
pub struct TextFile {
    pub path: String,
    pub text: String,
}

/// All text files that git tracks or would track; what it ignores is no part of the project.
pub fn text_files() -> Result<Vec<TextFile>> {
    let listing = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ];
    let paths = process::read(Command::new("git").current_dir(root()).args(listing))?;
    let mut files = Vec::new();
    for path in paths.split_terminator('\0') {
        let Ok(bytes) = fs::read(root().join(path)) else {
            continue;
        };
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(TextFile {
                path: path.to_owned(),
                text,
            });
        }
    }
    Ok(files)
}
