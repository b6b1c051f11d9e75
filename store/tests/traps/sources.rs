//! Instants are bound from Rust: SQL's own clock follows the session's zone on one engine and drops fractions on the other.

use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder)
        .unwrap()
        .flat_map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

const CLOCKS: [&str; 9] = [
    "now()",
    "current_timestamp",
    "current_date",
    "current_time",
    "localtimestamp",
    "clock_timestamp",
    "dsl::now",
    "'now'",
    "unixepoch",
];

fn clock_in(text: &str) -> Option<&'static str> {
    // A monotonic clock for patience is not an instant.
    let text = text.to_lowercase().replace("instant::now()", "");
    CLOCKS.into_iter().find(|clock| text.contains(clock))
}

#[test]
fn sql_reads_no_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut looked = 0;
    for folder in ["src", "../migrations/sqlite", "../migrations/postgres"] {
        for file in files(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let found = clock_in(&text);
            assert!(found.is_none(), "{}: {found:?}", file.display());
            looked += 1;
        }
    }
    assert!(looked > 10, "only {looked} files");
}

#[test]
fn a_clock_would_be_found() {
    assert_eq!(clock_in("DEFAULT NOW()"), Some("now()"));
    assert_eq!(clock_in("at BIGINT NOT NULL"), None);
}
