//! What libFuzzer writes while it runs.

use std::time::Duration;

/// How many of its last words are kept: a panic with its backtrace.
const WORDS: usize = 60;

/// How lines begin that say nothing of what was found.
const NUMBERS: [&str; 3] = ["INFO: ", "NEW_FUNC", "WARNING: Failed to find function"];

/// How far a run is, and what it found.
#[derive(Default)]
pub struct Progress {
    executions: u64,
    coverage: u64,
    corpus: u64,
    took: Duration,
    words: Vec<String>,
    input: Option<String>,
}

impl Progress {
    /// Takes one line, for example `#72323 REDUCE cov: 6464 ft: 21170 corp: 1367/4767Kb lim: 9170 exec/s: 1643`.
    pub fn read(&mut self, line: &str, took: Duration) {
        self.took = took;
        if let Some(status) = line.strip_prefix('#') {
            self.status(status);
        } else if let Some((_, input)) = line.split_once("Test unit written to ") {
            self.input = Some(input.trim().to_owned());
        } else if let Some(count) = line.strip_prefix("Done ") {
            self.executions = number(count).unwrap_or(self.executions);
        } else if !NUMBERS
            .iter()
            .any(|start| line.trim_start().starts_with(start))
        {
            if self.words.len() == WORDS {
                self.words.remove(0);
            }
            self.words.push(line.to_owned());
        }
    }

    fn status(&mut self, line: &str) {
        let Some(executions) = number(line) else {
            return;
        };
        self.executions = executions;
        let after = |key: &str| line.split_once(key).and_then(|(_, rest)| number(rest));
        self.coverage = after("cov: ").unwrap_or(self.coverage);
        self.corpus = after("corp: ").unwrap_or(self.corpus);
    }

    /// `60 s, 72323 executions, corpus of 1367, 6464 edges reached`.
    pub fn summary(&self) -> String {
        format!(
            "{} s, {} executions, corpus of {}, {} edges reached{}",
            self.took.as_secs(),
            self.executions,
            self.corpus,
            self.coverage,
            if self.input.is_some() {
                ", something found"
            } else {
                ""
            }
        )
    }

    /// The last things it said that are no numbers.
    pub fn words(&self) -> String {
        self.words.join("\n")
    }

    /// The file that does it, where something was found.
    pub fn input(&self) -> Option<&str> {
        self.input.as_deref()
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = text.trim_start();
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str]) -> Progress {
        let mut progress = Progress::default();
        for line in lines {
            progress.read(line, Duration::from_secs(7));
        }
        progress
    }

    #[test]
    fn the_last_numbers_count() {
        let progress = after(&[
            "INFO: Running with entropic power schedule (0xFF, 100).",
            "\tNEW_FUNC[1/1]: 0x560b503476c1",
            "#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0 rss: 30Mb",
            "#72323\tREDUCE cov: 6464 ft: 21170 corp: 1367/4767Kb lim: 9170 exec/s: 1643 rss: 42Mb",
            "Done 80000 runs in 7 second(s)",
        ]);
        assert_eq!(
            progress.summary(),
            "7 s, 80000 executions, corpus of 1367, 6464 edges reached"
        );
        assert_eq!((progress.words().as_str(), progress.input()), ("", None));
    }

    #[test]
    fn what_was_found_is_named_with_the_words_about_it() {
        let progress = after(&[
            "thread '<unnamed>' panicked at fuzz/src/parser.rs:23:13:",
            "refused without a reason",
            "artifact_prefix='x/'; Test unit written to x/crash-5613",
        ]);
        assert_eq!(progress.input(), Some("x/crash-5613"));
        assert!(progress.words().ends_with("refused without a reason"));
        assert!(progress.summary().ends_with("something found"));
    }
}
