//! What the tests of this crate share: the three regulations of the project, small ones, people, and pages.
#![expect(dead_code, reason = "each test file uses its own part of this")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

pub mod asking;
pub mod markdown;
pub mod people;
pub mod table;

use std::path::PathBuf;

use rules::Regulation;

/// A path from the root of the project.
pub fn project(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(path)
}

/// A file of the project.
pub fn read(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// One of the project's regulations.
pub fn regulation(id: &str) -> Regulation {
    let name = format!("regulations/{id}.toml");
    Regulation::parse(&name, &read(&name), 1).unwrap_or_else(|error| panic!("{error}"))
}

/// The ids of the project's regulations.
pub const TOURNAMENTS: [&str; 3] = [
    "ciutat-barcelona-2026",
    "ellobregat-2026",
    "hermanos-rojas-2019",
];

/// A whole regulation around a fragment: a summer tournament in euros, and in the `currencies` of its first line, in the zone
/// of Madrid, one section `open` unless the fragment has its own, and each entrant once in a section where it has packages.
pub fn whole(fragment: &str) -> String {
    let (top, fragment) = match fragment.split_once('\n') {
        Some((first, rest)) if first.starts_with("currencies") => (first, rest),
        _ => ("", fragment),
    };
    let section = if fragment.contains("[section.") {
        ""
    } else {
        "[section.open]\nname = \"Open\"\n"
    };
    let head = if fragment.contains("= \"person\"") {
        HEAD.replace("[entry]\n", "[entry]\nonce_per = \"section\"\n")
    } else {
        HEAD.to_owned()
    };
    format!("{top}{head}{section}{fragment}")
}

/// The fragment's regulation.
pub fn small(fragment: &str) -> Regulation {
    Regulation::parse("small.toml", &whole(fragment), 1).unwrap_or_else(|error| panic!("{error}"))
}

const HEAD: &str = r#"
language  = 1
id        = "small"
name      = "Small"
time_zone = "Europe/Madrid"
currency  = "EUR"
[play]
first  = 2026-08-01
last   = 2026-08-05
begins = 2026-08-01T16:00:00
rounds = 9
[ages]
on = "first day"
[entry]
closes    = { before = 2026-08-01T12:00:00 }
hold      = "24h"
order     = "form"
effective = "paid"
[payment]
methods = ["card"]
"#;
