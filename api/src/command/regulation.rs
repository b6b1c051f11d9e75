//! `enroc regulation`: new, check, table, show, diff, publish and versions.

mod check;
mod diff;
mod new;
mod publish;
mod versions;

use std::path::Path;

use api::failure::Failure;
use api::say;
use domain::{Currency, Language};
use rules::Regulation;
use rules::check::Limits;
use rules::table::fee_table;

use super::{open, print_json};
use crate::cli::{RegulationCommand, TableFormat};

pub async fn run(config: Option<&Path>, command: RegulationCommand) -> Result<(), Failure> {
    match command {
        RegulationCommand::New(asked) => new::run(&asked),
        RegulationCommand::Check { paths, json } => check::run(&paths, json.json),
        RegulationCommand::Table {
            file,
            language,
            format,
            json,
        } => table(&file, language, format, json.json),
        RegulationCommand::Show { file, resolved } => {
            let regulation = read(&file)?;
            let shown = if resolved {
                rules::show_resolved(&regulation)
            } else {
                rules::show(&regulation)
            };
            say!("{}", shown.trim_end());
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

/// What the gateway can charge in a currency.
fn limits(currency: Currency) -> Limits {
    Limits {
        minimum_charge: payments::stripe::minimum(currency).unwrap_or(1),
        maximum_charge: payments::stripe::maximum(currency),
        charge_step: payments::stripe::step(currency),
        classes: Limits::CLASSES,
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
