//! Notices a new migration, which embedding by itself does not, and gives the whole set a fingerprint.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let mut hasher = DefaultHasher::new();
    for engine in ["sqlite", "postgres"] {
        println!("cargo:rerun-if-changed={engine}");
        for file in files(Path::new(engine)) {
            file.hash(&mut hasher);
            fs::read(&file).unwrap_or_default().hash(&mut hasher);
        }
    }
    println!("cargo:rustc-env=MIGRATIONS={:016x}", hasher.finish());
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    found.sort();
    found
}
