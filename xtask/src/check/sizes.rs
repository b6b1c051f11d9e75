//! A Rust file fits in a head: 100 to 200 lines are comfortable, 500 is the end.

use crate::project::{self, TextFile};
use crate::{Result, check};

const SEAM: usize = 300;
const LIMIT: usize = 500;

pub fn look() -> Result {
    let files = project::text_files()?;
    for (lines, path) in longer_than(SEAM, &files) {
        println!(
            "{lines:5}  {path}{}",
            if lines > LIMIT {
                ""
            } else {
                "  (is there a seam?)"
            }
        );
    }
    check::none(&faults(&files))
}

fn faults(files: &[TextFile]) -> Vec<String> {
    let over = longer_than(LIMIT, files).into_iter();
    over.map(|(lines, path)| {
        format!("{path}: {lines} lines, {LIMIT} is the limit; split it at a seam")
    })
    .collect()
}

fn longer_than(limit: usize, files: &[TextFile]) -> Vec<(usize, &str)> {
    let rust = files.iter().filter(|file| file.path.ends_with(".rs"));
    let mut long: Vec<_> = rust
        .map(|file| (file.text.lines().count(), file.path.as_str()))
        .collect();
    long.retain(|(lines, _)| *lines > limit);
    long.sort_unstable_by(|left, right| right.cmp(left));
    long
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: usize) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: "//\n".repeat(lines),
        }
    }

    #[test]
    fn five_hundred_lines_pass_and_one_more_does_not() {
        assert!(faults(&[file("a.rs", 500)]).is_empty());
        let found = faults(&[file("a.rs", 501), file("b.rs", 20)]);
        assert_eq!(
            found,
            ["a.rs: 501 lines, 500 is the limit; split it at a seam"]
        );
    }

    #[test]
    fn only_rust_is_counted() {
        assert!(faults(&[file("Cargo.lock", 4000), file("notes.md", 600)]).is_empty());
    }

    #[test]
    fn the_longest_is_named_first() {
        let files = [file("a.rs", 301), file("b.rs", 300), file("c.rs", 400)];
        assert_eq!(longer_than(SEAM, &files), [(400, "c.rs"), (301, "a.rs")]);
    }
}
