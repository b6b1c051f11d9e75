//! A question: answered by its flag, by its default, or by a line that is read.

use std::io::{self, BufRead, IsTerminal};

use api::failure::Failure;
use api::{aside, say};
use rules::Draft;

use super::sound;

/// One thing that is asked.
pub struct Question<'q> {
    /// The flag that answers it.
    pub flag: &'static str,
    pub asks: &'q str,
    /// What the draft says already.
    pub default: String,
}

/// The draft as far as it is answered; at every moment one that `check` finds no error in.
pub struct Asking {
    pub draft: Draft,
    yes: bool,
    begun: bool,
}

impl Asking {
    pub fn about(draft: Draft, yes: bool) -> Asking {
        Asking {
            draft,
            yes,
            begun: false,
        }
    }

    /// Asks until there is an answer that can be taken. Nothing answered leaves the draft as it is.
    pub fn ask(
        &mut self,
        question: &Question<'_>,
        flag: Option<&str>,
        take: impl Fn(&mut Draft, &str) -> Result<(), String>,
    ) -> Result<(), Failure> {
        let name = question.flag;
        if let Some(answer) = flag {
            let taken = self.take(answer, take);
            return taken.map_err(|why| Failure::broken(format!("--{name} {answer}: {why}")));
        }
        if self.yes {
            return Ok(());
        }
        if !self.begun {
            self.begun = true;
            aside!(
                "Enter takes what stands in brackets. Nothing is written before the last answer."
            );
        }
        loop {
            say::ask(format_args!("{} [{}]:", question.asks, question.default));
            let Some(line) = line()? else {
                let why = format!(
                    "the answers end before --{name}; nothing was written. --yes takes the defaults for the rest"
                );
                return Err(Failure::broken(why));
            };
            let answer = line.trim();
            if answer.is_empty() {
                return Ok(());
            }
            match self.take(answer, &take) {
                Ok(()) => return Ok(()),
                Err(why) => aside!("  {answer}: {why}"),
            }
        }
    }

    fn take(
        &mut self,
        answer: &str,
        take: impl Fn(&mut Draft, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut draft = self.draft.clone();
        take(&mut draft, answer)?;
        sound(&draft)?;
        self.draft = draft;
        Ok(())
    }
}

/// The next line of standard input; none at its end. What is not typed does not end the line of the question itself.
fn line() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    if !io::stdin().is_terminal() || !line.ends_with('\n') {
        aside!("");
    }
    match read {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line)),
        Err(error) => Err(Failure::from(error).about(&"standard input")),
    }
}
