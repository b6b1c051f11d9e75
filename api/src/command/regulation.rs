//! `enroc regulation`: check and table.

use std::path::{Path, PathBuf};

use api::failure::Failure;
use domain::Language;
use rules::check::{Finding, Limits, Severity, check};
use rules::table::fee_table;
use rules::{Fault, Regulation};
use serde_json::{Value, json};

use super::print_json;
use crate::cli::RegulationCommand;

pub fn run(command: RegulationCommand) -> Result<(), Failure> {
    match command {
        RegulationCommand::Check { files, json } => check_all(&files, json.json),
        RegulationCommand::Table {
            file,
            language,
            json,
        } => table(&file, language, json.json),
    }
}

/// What a file comes to.
enum Looked {
    Faults(Vec<Fault>),
    Findings(Vec<Finding>),
}

impl Looked {
    fn errors(&self) -> usize {
        match self {
            Looked::Faults(faults) => faults.len(),
            Looked::Findings(findings) => findings
                .iter()
                .filter(|f| f.severity == Severity::Error)
                .count(),
        }
    }
}

fn check_all(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    let mut errors = 0;
    let mut shown = Vec::new();
    for file in files {
        let looked = look(file)?;
        errors += looked.errors();
        if json {
            shown.push(as_json(file, &looked));
        } else {
            print(file, &looked);
        }
    }
    if json {
        print_json(&shown)?;
    }
    if errors > 0 {
        Err(Failure::wrong(format!("{errors} errors")))
    } else {
        Ok(())
    }
}

fn look(file: &Path) -> Result<Looked, Failure> {
    Ok(
        match Regulation::parse(&file.display().to_string(), &read(file)?, 1) {
            Err(error) => Looked::Faults(error.faults),
            Ok(regulation) => {
                let limits = Limits {
                    minimum_charge: payments::stripe::minimum(regulation.currency()).unwrap_or(1),
                    classes: Limits::CLASSES,
                };
                Looked::Findings(check(&regulation, &limits))
            }
        },
    )
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file)
        .map_err(|error| Failure::broken(format!("{}: {error}", file.display())))
}

fn as_json(file: &Path, looked: &Looked) -> Value {
    let findings: Vec<Value> = match looked {
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
        Looked::Faults(faults) => {
            for fault in faults {
                println!("{}:{}: error: {}", fault.file, fault.line, fault.reason);
            }
        }
        Looked::Findings(findings) if findings.is_empty() => {
            println!("{name}: every class of entrant has one price")
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
                println!(
                    "{name}:{}: {severity}: {}{row}: {message}",
                    finding.line, finding.code
                );
                if let Some(example) = &finding.example {
                    println!("    for example: {example}");
                }
            }
        }
    }
}

fn table(file: &Path, language: Language, json: bool) -> Result<(), Failure> {
    let regulation =
        Regulation::parse(&file.display().to_string(), &read(file)?, 1).map_err(Failure::wrong)?;
    let table = fee_table(&regulation);
    if json {
        return print_json(&table);
    }
    println!(
        "{}\n\n{}",
        regulation.name().in_language(language),
        table.to_text(language)
    );
    Ok(())
}
