//! What is left to write: articles that are not named, and whatever says TODO.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Severity, find};
use crate::Regulation;
use crate::regulation::DoubtKind;

/// How `enroc regulation new` marks what it cannot know.
const MARK: &str = "TODO";

/// So many rows without an article are told one by one, and more as one.
const FEW: usize = 5;

pub(super) fn check(regulation: &Regulation, findings: &mut Vec<Finding>) {
    let without = without_article(regulation);
    articles(&without, findings);
    let told: BTreeSet<usize> = without.into_keys().collect();
    for line in marked(&regulation.source).filter(|line| !told.contains(line)) {
        find(findings, Severity::Warning, "to_be_written", line, None);
    }
}

/// The lines at which an article is missing or empty, each with its row where it is of one.
fn without_article(regulation: &Regulation) -> BTreeMap<usize, Option<&str>> {
    let rows = regulation.fees.rows.iter();
    let rows = rows.map(|row| (&row.id, &row.article, row.line));
    let adjustments = regulation.fees.adjustments();
    let adjustments = adjustments.map(|row| (&row.id, &row.article, row.line));
    let doubts = regulation.doubts.iter();
    let empty = doubts.filter_map(|doubt| match doubt.kind {
        DoubtKind::Article { table } => Some((table, doubt.line)),
        _ => None,
    });
    let empty: BTreeMap<usize, usize> = empty.collect();
    let mut found: BTreeMap<usize, Option<&str>> =
        empty.values().map(|line| (*line, None)).collect();
    for (id, article, table) in rows.chain(adjustments) {
        let written = empty.get(&table).copied();
        if let Some(line) = written.or(article.is_empty().then_some(table)) {
            found.insert(line, Some(id));
        }
    }
    found
}

fn articles(without: &BTreeMap<usize, Option<&str>>, findings: &mut Vec<Finding>) {
    let code = "article_missing";
    if without.len() <= FEW {
        for (line, row) in without {
            find(findings, Severity::Warning, code, *line, *row);
        }
        return;
    }
    let lines = without.keys().take(FEW).map(usize::to_string);
    let lines: Vec<String> = lines.collect();
    let first = without.keys().next().copied().unwrap_or(1);
    find(findings, Severity::Warning, code, first, None);
    if let Some(finding) = findings.last_mut() {
        let (lines, all) = (lines.join(", "), without.len());
        finding.example = Some(format!("lines {lines} and so on, {all} in all"));
    }
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
