//! `enroc regulation`: new, check, table, show, diff, publish and versions.

mod diff;
mod new;
mod publish;
mod versions;

use std::path::{Path, PathBuf};

use api::failure::Failure;
use api::say;
use domain::Language;
use rules::check::{Finding, Limits, Severity, check};
use rules::table::fee_table;
use rules::{Fault, Regulation};
use serde_json::{Value, json};

use super::{open, print_json};
use crate::cli::{RegulationCommand, TableFormat};

pub async fn run(config: Option<&Path>, command: RegulationCommand) -> Result<(), Failure> {
    match command {
        RegulationCommand::New(asked) => new::run(&asked),
        RegulationCommand::Check { files, json } => check_all(&files, json.json),
        RegulationCommand::Table {
            file,
            language,
            format,
            json,
        } => table(&file, language, format, json.json),
        RegulationCommand::Show { file } => {
            say!("{}", rules::show(&read(&file)?).trim_end());
            Ok(())
        }
        RegulationCommand::Diff {
            before,
            after,
            json,
        } => diff::run(&before, &after, json.json),
        RegulationCommand::Publish(asked) => publish::run(&open(config).await?, &asked).await,
        RegulationCommand::Versions {
            tournament,
            text,
            json,
        } => {
            let open = open(config).await?;
            match text {
                Some(number) => versions::text(&open, &tournament, number).await,
                None => versions::run(&open, &tournament, json.json).await,
            }
        }
    }
}

/// What a file comes to.
enum Looked {
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

fn check_all(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    let (mut errors, mut unread) = (0, 0);
    let mut shown = Vec::new();
    for file in files {
        let looked = look(file);
        errors += looked.errors();
        unread += usize::from(matches!(looked, Looked::Not(_)));
        if json {
            shown.push(as_json(file, &looked));
        } else {
            print(file, &looked);
        }
    }
    if json {
        print_json(&shown)?;
    }
    if unread > 0 {
        Err(Failure::broken(format!("{unread} files could not be read")))
    } else if errors > 0 {
        Err(Failure::wrong(format!("{errors} errors")))
    } else {
        Ok(())
    }
}

fn look(file: &Path) -> Looked {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Looked::Not(error.to_string()),
    };
    match Regulation::parse(&file.display().to_string(), &text, 1) {
        Err(error) => Looked::Faults(error.faults),
        Ok(regulation) => Looked::Findings(check(&regulation, &limits(&regulation))),
    }
}

fn limits(regulation: &Regulation) -> Limits {
    Limits {
        minimum_charge: payments::stripe::minimum(regulation.currency()).unwrap_or(1),
        classes: Limits::CLASSES,
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

fn print(file: &Path, looked: &Looked) {
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

/// A file that must be a regulation.
fn read(file: &Path) -> Result<Regulation, Failure> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::broken(format!("{name}: {error}")))?;
    Regulation::parse(&name, &text, 1).map_err(Failure::wrong)
}

fn table(file: &Path, language: Language, format: TableFormat, json: bool) -> Result<(), Failure> {
    let regulation = read(file)?;
    let table = fee_table(&regulation);
    if json {
        return print_json(&table);
    }
    let name = regulation.name().in_language(language);
    match format {
        TableFormat::Text => say!("{name}\n\n{}", table.to_text(language)),
        TableFormat::Markdown => say!("# {name}\n\n{}", table.to_markdown(language)),
        TableFormat::Html => say!("{}", table.to_html(language)),
    }
    Ok(())
}
