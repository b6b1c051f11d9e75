//! Words that must not be in the project: a machine's own paths, stubs, floating point near money.

use crate::project::{self, TextFile};
use crate::{Result, check};

/// Put together here, so that this file does not refuse itself.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!("/ro", "ot/"),
];
const STUBS: &[&str] = &[
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("// TO", "DO"),
];
const FIX_LATER: &str = concat!("FIX", "ME");
const FLOATS: &[&str] = &["f32", "f64"];

/// Where an amount, a rating or an instant is computed with: integers only.
const EXACT: &[&str] = &["domain/", "rules/", "store/", "registration/", "payments/"];

pub fn look() -> Result {
    check::none(
        &project::text_files()?
            .iter()
            .flat_map(faults)
            .collect::<Vec<_>>(),
    )
}

fn faults(file: &TextFile) -> Vec<String> {
    let rust = file.path.ends_with(".rs");
    let exact = rust && EXACT.iter().any(|folder| file.path.starts_with(folder));
    let mut faults = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        let mut refuse = |word: &str, why: &str| {
            faults.push(format!("{}:{}: {word}: {why}", file.path, number + 1))
        };
        for path in MACHINE_PATHS
            .iter()
            .filter(|path| starts_a_path(line, path))
        {
            refuse(path, "a path of one machine");
        }
        if line.contains(FIX_LATER) {
            refuse(FIX_LATER, "unfinished work goes into an issue");
        }
        for stub in STUBS.iter().filter(|stub| rust && line.contains(**stub)) {
            refuse(stub, "unfinished work goes into an issue");
        }
        let code = line.split("//").next().unwrap_or(line);
        for float in FLOATS.iter().filter(|float| exact && has_word(code, float)) {
            refuse(float, "money is in minor units, shares in basis points");
        }
    }
    faults
}

/// Whether the text has the absolute path, and not only as the middle of a longer one or of an address.
fn starts_a_path(text: &str, path: &str) -> bool {
    let part_of_longer = |before: char| before.is_alphanumeric() || "._-~}/".contains(before);
    text.match_indices(path)
        .any(|(at, _)| !text[..at].ends_with(part_of_longer))
}

/// Whether the text has the word, also as a literal's suffix (`1_f64`) or a name's (`as_f64`).
fn has_word(text: &str, word: &str) -> bool {
    let starts = |at: usize| !text[..at].ends_with(char::is_alphabetic);
    let ends =
        |at: usize| !text[at + word.len()..].starts_with(|next: char| next.is_alphanumeric());
    text.match_indices(word)
        .any(|(at, _)| starts(at) && ends(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_in(path: &str, text: &str) -> Vec<String> {
        faults(&TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn a_path_of_one_machine_is_refused_in_every_file() {
        let path = MACHINE_PATHS[0];
        let found = faults_in("README.md", &format!("one\nsee {path}main\n"));
        assert_eq!(
            found,
            [format!("README.md:2: {path}: a path of one machine")]
        );
        assert!(
            faults_in(
                "README.md",
                &format!("https://example.org{path}x and ..{path}x")
            )
            .is_empty()
        );
    }

    #[test]
    fn stubs_are_refused_in_rust() {
        for stub in STUBS {
            assert_eq!(
                faults_in("api/src/main.rs", &format!("    {stub}")).len(),
                1,
                "{stub}"
            );
            assert!(faults_in("docs/estilo.md", stub).is_empty(), "{stub}");
        }
        assert_eq!(
            faults_in("rules/a.toml", &format!("# {FIX_LATER} later")).len(),
            1
        );
    }

    #[test]
    fn floating_point_is_refused_where_money_is() {
        for code in [
            "fn fee() -> f64 {",
            "let x = 3 as f32;",
            "let x = 1_f64;",
            "let x = 1.5f64;",
            "Vec<f64>",
            "value.as_f64()",
        ] {
            assert_eq!(faults_in("rules/src/fee.rs", code).len(), 1, "{code}");
            assert!(faults_in("api/src/metrics.rs", code).is_empty(), "{code}");
        }
    }

    #[test]
    fn a_comment_may_speak_of_it_and_a_name_may_contain_it() {
        for code in [
            "// never f64",
            "let buf64 = 1;",
            "let f640 = 1;",
            "let buf32_half = 1;",
        ] {
            assert!(faults_in("rules/src/fee.rs", code).is_empty(), "{code}");
        }
    }
}
