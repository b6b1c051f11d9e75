//! Regulations that nobody wrote: those of the project with some lines changed.

use std::sync::{Arc, OnceLock};

use arbitrary::{Result, Unstructured};
use rules::Regulation;

use crate::seeds::texts;

/// Figures at which something may turn.
const FIGURES: [&str; 14] = [
    "0",
    "1",
    "2",
    "-1",
    "-5",
    "99",
    "100",
    "-100",
    "1000",
    "-1000",
    "9999",
    "1000000000",
    "-1000000000",
    "\"0.01\"",
];

/// One of the project's regulations, as it is or changed; where the change is refused, as it is.
pub(crate) fn regulation(bytes: &mut Unstructured<'_>) -> Result<Arc<Regulation>> {
    let which = bytes.choose_index(texts().len())?;
    let text = &texts()[which];
    if bytes.ratio(1, 3)? {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for _ in 0..bytes.int_in_range(1..=4)? {
            change(bytes, &mut lines)?;
        }
        if let Ok(changed) = Regulation::parse("x.toml", &lines.join("\n"), 1) {
            return Ok(Arc::new(changed));
        }
    }
    Ok(as_they_are()[which].clone())
}

fn as_they_are() -> &'static [Arc<Regulation>] {
    static READ: OnceLock<Vec<Arc<Regulation>>> = OnceLock::new();
    READ.get_or_init(|| {
        let read = |text: &String| Regulation::parse("x.toml", text, 1);
        let read = |text| Arc::new(read(text).unwrap_or_else(|error| panic!("{error}")));
        texts().iter().map(read).collect()
    })
}

fn change(bytes: &mut Unstructured<'_>, lines: &mut Vec<String>) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let at = bytes.choose_index(lines.len())?;
    match bytes.int_in_range(0..=7)? {
        0 => {
            lines.remove(at);
        }
        4 | 5 => remove_table(lines, at),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = bytes.choose(texts())?;
            let other: Vec<&str> = other.lines().collect();
            lines[at] = (*bytes.choose(&other)?).to_owned();
        }
        3 => lines.push(bytes.choose(rows())?.clone()),
        _ => lines[at] = other_figure(bytes, &lines[at])?,
    }
    Ok(())
}

/// Removes the table that the line is in, from its header on.
fn remove_table(lines: &mut Vec<String>, at: usize) {
    let header = |line: &String| line.starts_with('[');
    let start = lines[..=at].iter().rposition(header).unwrap_or(at);
    let after = lines[at + 1..].iter().position(header);
    let end = after.map_or(lines.len(), |more| at + 1 + more);
    lines.drain(start..end);
}

/// The line with another number in one of its places.
fn other_figure(bytes: &mut Unstructured<'_>, line: &str) -> Result<String> {
    let starts: Vec<usize> = line
        .match_indices(|letter: char| letter.is_ascii_digit())
        .map(|(at, _)| at)
        .filter(|at| !line[..*at].ends_with(|before: char| before.is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return Ok(line.to_owned());
    }
    let start = *bytes.choose(&starts)?;
    let rest = line[start..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    Ok(format!(
        "{}{}{rest}",
        &line[..start],
        bytes.choose(&FIGURES)?
    ))
}

/// The rows of all lists of all regulations, each with its header.
fn rows() -> &'static [String] {
    static ROWS: OnceLock<Vec<String>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let parts = texts().iter().flat_map(|text| text.split("\n[").skip(1));
        let lists = parts.filter(|part| part.starts_with('['));
        lists.map(|part| format!("[{part}")).collect()
    })
}

/// The words in quotes of a text: codes, ids, names.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let words = text
        .lines()
        .flat_map(|line| line.split('"').skip(1).step_by(2));
    words.collect()
}
