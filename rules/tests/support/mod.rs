//! What the tests of this crate share: the three regulations of the project, and people.

use std::path::PathBuf;

use rules::Regulation;

/// A path from the root of the project.
pub fn project(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(path)
}

/// One of the project's regulations.
pub fn regulation(id: &str) -> Regulation {
    let name = format!("regulations/{id}.toml");
    let text = std::fs::read_to_string(project(&name)).unwrap();
    Regulation::parse(&name, &text, 1).unwrap_or_else(|error| panic!("{error}"))
}

/// The ids of the project's regulations.
pub const TOURNAMENTS: [&str; 3] = [
    "ciutat-barcelona-2026",
    "ellobregat-2026",
    "hermanos-rojas-2019",
];
