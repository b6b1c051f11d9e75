//! What is left to write: articles that are not named, and whatever says TODO.

use std::collections::BTreeSet;

use super::{Finding, Severity, find};
use crate::Regulation;
use crate::regulation::DoubtKind;

/// How `enroc regulation new` marks what it cannot know.
const MARK: &str = "TODO";

pub(super) fn check(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let told = articles(regulation, findings);
    for line in marked(&regulation.source).filter(|line| !told.contains(line)) {
        find(findings, Severity::Warning, "to_be_written", line, None);
    }
}

/// Rows that name no article, and articles that are empty; the lines at which they are told.
fn articles(regulation: &Regulation, findings: &mut Vec<Finding>) -> BTreeSet<usize> {
    let rows = regulation.fees.rows.iter();
    let rows = rows.map(|row| (&row.id, &row.article, row.line));
    let adjustments = regulation.fees.adjustments();
    let adjustments = adjustments.map(|row| (&row.id, &row.article, row.line));
    let mut told = BTreeSet::new();
    let mut tell = |line: usize, row: Option<&str>| {
        if told.insert(line) {
            find(findings, Severity::Warning, "article_missing", line, row);
        }
    };
    let empty = || {
        let doubts = regulation.doubts.iter();
        doubts.filter_map(|doubt| match doubt.kind {
            DoubtKind::Article { table } => Some((doubt.line, table)),
            _ => None,
        })
    };
    for (id, article, line) in rows.chain(adjustments) {
        let written = empty().find(|(_, table)| *table == line);
        match written {
            Some((line, _)) => tell(line, Some(id)),
            None if article.is_empty() => tell(line, Some(id)),
            None => {}
        }
    }
    for (line, _) in empty() {
        tell(line, None);
    }
    told
}

/// Lines that have the mark as a word, but for the comment that the file begins with: it may say what the mark means.
fn marked(source: &str) -> impl Iterator<Item = usize> {
    let lines = (1..).zip(source.lines());
    let body = lines.skip_while(|(_, line)| {
        let line = line.trim_start();
        line.is_empty() || line.starts_with('#')
    });
    body.filter(|(_, line)| has_mark(line))
        .map(|(number, _)| number)
}

fn has_mark(line: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(MARK).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + MARK.len()..]);
        !before.ends_with(letter) && !after.starts_with(letter)
    })
}
