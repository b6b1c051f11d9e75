//! Other programs: run, read, found.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::Result;

/// What `cargo run` tells us of ourselves. A cargo below us would take it for its own: ring, for one, is built anew when
/// it changes, and all that uses TLS after it.
const OUR_OWN: &[&str] = &["CARGO_MANIFEST_", "CARGO_PKG_"];

/// Runs with the output on the terminal.
///
/// # Errors
/// The program is not there, or does not exit with zero.
pub fn run(command: &mut Command) -> Result {
    for (variable, _) in env::vars_os() {
        if OUR_OWN
            .iter()
            .any(|start| variable.to_string_lossy().starts_with(start))
        {
            command.env_remove(variable);
        }
    }
    eprintln!("$ {}", line(command));
    let status = command
        .status()
        .map_err(|fault| format!("{}: {fault}", name(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{}: {status}", name(command)).into())
    }
}

/// Runs silently and gives what the program wrote to its standard output.
///
/// # Errors
/// As [`run`]; what the program wrote is then part of the message.
pub fn read(command: &mut Command) -> Result<String> {
    let done = command
        .stdin(Stdio::null())
        .output()
        .map_err(|fault| format!("{}: {fault}", name(command)))?;
    let written = String::from_utf8_lossy(&done.stdout);
    if done.status.success() {
        return Ok(written.into_owned());
    }
    let complaint = String::from_utf8_lossy(&done.stderr);
    Err(format!(
        "{}\n{}: {}\n{written}{complaint}",
        line(command),
        name(command),
        done.status
    )
    .into())
}

/// Where PATH has the program.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_red_with_its_own_words() {
        let fault = read(Command::new("sh").args(["-c", "echo broken >&2; exit 3"]))
            .unwrap_err()
            .to_string();
        assert!(
            fault.contains("exit status: 3") && fault.contains("broken"),
            "{fault}"
        );
    }

    #[test]
    fn what_cargo_says_of_us_is_not_handed_on() {
        assert!(env::var_os("CARGO_MANIFEST_DIR").is_some());
        assert!(run(Command::new("sh").args(["-c", "test -z \"$CARGO_MANIFEST_DIR\""])).is_ok());
    }

    #[test]
    fn a_program_that_is_not_there_is_red_with_its_name() {
        let fault = run(&mut Command::new("enroc-no-such-program"))
            .unwrap_err()
            .to_string();
        assert!(fault.starts_with("enroc-no-such-program: "), "{fault}");
    }

    #[test]
    fn programs_are_found_in_path() {
        assert!(find("sh").is_some());
        assert!(find("enroc-no-such-program").is_none());
    }
}
