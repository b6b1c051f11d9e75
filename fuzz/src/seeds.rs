//! What the targets start from: the regulations of the project, and the inputs that once found something.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A file's name and what it holds.
pub struct Seed {
    /// Without its folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The regulations of the project and of the tests, by name, and the one that the language's page is.
#[must_use]
pub fn seeds() -> Vec<Seed> {
    let mut found = files("regulations");
    found.extend(files("rules/tests/fixtures/regulations"));
    found.extend(page());
    found
}

/// The blocks of the page, which together use every table of the language.
fn page() -> Option<Seed> {
    let page = "docs/regulation-language.md";
    let text = fs::read_to_string(root().join(page)).ok()?;
    let blocks = text.split("```toml\n").skip(1);
    let blocks: String = blocks.filter_map(|part| part.split("```").next()).collect();
    Some(Seed {
        name: page.to_owned(),
        bytes: blocks.into_bytes(),
    })
}

/// The inputs of a target that once found something.
#[must_use]
pub fn findings(target: &str) -> Vec<Seed> {
    files(&format!("fuzz/findings/{target}"))
}

/// The texts of the regulations, read once.
pub(crate) fn texts() -> &'static [String] {
    static TEXTS: OnceLock<Vec<String>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let seeds = seeds().into_iter();
        seeds
            .filter_map(|seed| String::from_utf8(seed.bytes).ok())
            .collect()
    })
}

fn files(folder: &str) -> Vec<Seed> {
    let folder = root().join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let seed = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let bytes = fs::read(&path).ok()?;
        (!name.starts_with('.')).then_some(Seed { name, bytes })
    };
    paths.into_iter().filter_map(seed).collect()
}

fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}
