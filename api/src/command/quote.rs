//! `enroc quote --batch`: cases in, JSON lines out.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use api::failure::Failure;
use api::regulations;
use api::say;
use api::settings::DeskSettings;
use rules::{Regulation, batch};

pub fn run(settings: &DeskSettings, file: &Path) -> Result<(), Failure> {
    let known = known(settings)?;
    let find = |name: &str| known.iter().find(|r| r.tournament().as_str() == name);
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let opened = std::fs::File::open(file);
        Box::new(BufReader::new(opened.map_err(|error| {
            Failure::broken(format!("{}: {error}", file.display()))
        })?))
    };
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut failed = 0;
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = batch::answer(&line, find);
        failed += usize::from(answer.get("error").is_some());
        if writeln!(output, "{answer}").map_err(say::lose).is_err() {
            return Ok(());
        }
    }
    if output.flush().map_err(say::lose).is_err() {
        return Ok(());
    }
    if failed > 0 {
        return Err(Failure::wrong(format!(
            "{failed} cases could not be answered"
        )));
    }
    Ok(())
}

/// The regulations of the settings; where their default folder is not there, those that come with the program.
fn known(settings: &DeskSettings) -> Result<Vec<Regulation>, Failure> {
    let default = settings.regulations == [Path::new("regulations")];
    if default && !settings.regulations[0].exists() {
        return regulations::embedded();
    }
    let refused = |faults: Vec<String>| Failure::broken(faults.join("\n"));
    regulations::load(&settings.regulations).map_err(refused)
}
