//! `enroc regulation check`: files, or folders of them.

use std::path::{Path, PathBuf};

use api::failure::Failure;
use api::say;
use domain::Language;
use rules::check::{Finding, Severity, checked};
use rules::{Fault, Regulation};
use serde_json::{Value, json};

use super::limits;
use crate::command::bar;

pub fn run(paths: &[PathBuf], json: bool) -> Result<(), Failure> {
    let files: Vec<Named> = paths.iter().flat_map(|path| files(path)).collect();
    let bar = bar::of("{bar:40} {pos} of {len} files", json);
    bar.set_length(files.len() as u64);
    let (mut errors, mut unread) = (0, 0);
    for (file, found) in &files {
        let looked = found
            .as_ref()
            .map_or_else(|why| Looked::Not(why.clone()), |()| look(file));
        errors += looked.errors();
        unread += usize::from(matches!(looked, Looked::Not(_)));
        bar.suspend(|| {
            if json {
                say!("{}", as_json(file, &looked));
            } else {
                print(file, &looked);
            }
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    if unread > 0 {
        let why = format!("{} could not be read", count(unread, "file"));
        Err(Failure::broken(why))
    } else if errors > 0 {
        Err(Failure::wrong(count(errors, "error")))
    } else {
        Ok(())
    }
}

pub(super) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A file, or a folder and why nothing of it can be looked at.
type Named = (PathBuf, Result<(), String>);

/// The file itself, or the regulations of a folder by their names.
fn files(path: &Path) -> Vec<Named> {
    if !path.is_dir() {
        return vec![(path.to_owned(), Ok(()))];
    }
    let refused = |why: String| vec![(path.to_owned(), Err(why))];
    let entries = match std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(error) => return refused(error.to_string()),
    };
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml") && !file.is_dir());
    if files.is_empty() {
        return refused("no file in it ends in .toml".to_owned());
    }
    files.sort();
    files.into_iter().map(|file| (file, Ok(()))).collect()
}

/// What a file comes to.
pub(super) enum Looked {
    Faults(Vec<Fault>),
    Findings(Vec<Finding>),
    /// It cannot be read at all.
    Not(String),
}

impl Looked {
    fn errors(&self) -> usize {
        match self {
            Looked::Not(_) => 1,
            Looked::Faults(faults) => faults.len(),
            Looked::Findings(findings) => findings
                .iter()
                .filter(|f| f.severity == Severity::Error)
                .count(),
        }
    }
}

fn look(file: &Path) -> Looked {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Looked::Not(error.to_string()),
    };
    match Regulation::parse(&file.display().to_string(), &text, 1) {
        Err(error) => Looked::Faults(error.faults),
        Ok(regulation) => Looked::Findings(checked(&regulation, &limits).findings),
    }
}

fn as_json(file: &Path, looked: &Looked) -> Value {
    let findings: Vec<Value> = match looked {
        Looked::Not(why) => {
            vec![json!({ "severity": "error", "code": "unreadable", "line": 1, "message": why })]
        }
        Looked::Faults(faults) => faults
            .iter()
            .map(|f| json!({ "severity": "error", "code": "unreadable", "line": f.line, "message": f.reason }))
            .collect(),
        Looked::Findings(findings) => findings
            .iter()
            .map(|f| {
                json!({
                    "severity": f.severity, "code": f.code, "line": f.line, "row": f.row,
                    "message": f.message, "example": f.example,
                })
            })
            .collect(),
    };
    json!({ "file": file, "ok": looked.errors() == 0, "findings": findings })
}

pub(super) fn print(file: &Path, looked: &Looked) {
    let name = file.display();
    match looked {
        Looked::Not(why) => say!("{name}: error: {why}"),
        Looked::Faults(faults) => {
            for fault in faults {
                say!("{}:{}: error: {}", fault.file, fault.line, fault.reason);
            }
        }
        Looked::Findings(findings) if findings.is_empty() => {
            say!("{name}: every class of entrant has one price")
        }
        Looked::Findings(findings) => {
            for finding in findings {
                let severity = if finding.severity == Severity::Error {
                    "error"
                } else {
                    "warning"
                };
                let row = finding
                    .row
                    .as_ref()
                    .map(|row| format!(" [{row}]"))
                    .unwrap_or_default();
                let message = finding.message.in_language(Language::En);
                say!(
                    "{name}:{}: {severity}: {}{row}: {message}",
                    finding.line,
                    finding.code
                );
                if let Some(example) = &finding.example {
                    say!("    for example: {example}");
                }
            }
        }
    }
}
