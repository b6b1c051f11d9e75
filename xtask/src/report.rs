//! Steps with their times, and the table at the end.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::Result;

/// What ran, how it ended, how long it took.
#[derive(Default)]
pub struct Report {
    rows: Vec<Row>,
}

struct Row {
    step: String,
    end: End,
    took: Duration,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Green,
    Red,
    NotRun,
}

impl End {
    fn word(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Red => "RED",
            Self::NotRun => "NOT RUN",
        }
    }
}

impl Report {
    /// Runs a step and notes its end; gives its result unless it is red.
    pub fn step<T>(&mut self, step: &str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        println!("\n== {step}");
        let start = Instant::now();
        let result = work();
        let took = start.elapsed();
        if let Err(fault) = &result {
            println!("{fault}");
        }
        let end = if result.is_ok() { End::Green } else { End::Red };
        println!("== {step}: {}, {}", end.word(), seconds(took));
        self.rows.push(Row {
            step: step.to_owned(),
            end,
            took,
        });
        result.ok()
    }

    /// Notes a step that could not run since an earlier one is red.
    pub fn not_run(&mut self, step: &str) {
        self.rows.push(Row {
            step: step.to_owned(),
            end: End::NotRun,
            took: Duration::ZERO,
        });
    }

    /// Prints the table.
    ///
    /// # Errors
    /// A step is not green.
    pub fn finish(&self) -> Result {
        println!("\n{}", self.table());
        let reds: Vec<&str> = self
            .rows
            .iter()
            .filter(|row| row.end != End::Green)
            .map(|row| row.step.as_str())
            .collect();
        if reds.is_empty() {
            Ok(())
        } else {
            Err(format!("not green: {}", reds.join(", ")).into())
        }
    }

    fn table(&self) -> String {
        let width = self
            .rows
            .iter()
            .map(|row| row.step.len())
            .max()
            .unwrap_or(0)
            .max("together".len());
        let mut table = String::new();
        let together = self.rows.iter().map(|row| row.took).sum();
        for Row { step, end, took } in &self.rows {
            let _ = writeln!(
                table,
                "{step:width$}  {:7}  {:>9}",
                end.word(),
                seconds(*took)
            );
        }
        let _ = write!(
            table,
            "{:width$}  {:7}  {:>9}",
            "together",
            "",
            seconds(together)
        );
        table
    }
}

fn seconds(took: Duration) -> String {
    format!("{}.{} s", took.as_secs(), took.subsec_millis() / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_green_is_green() {
        let mut report = Report::default();
        assert_eq!(report.step("one", || Ok(7)), Some(7));
        assert!(report.finish().is_ok());
    }

    #[test]
    fn one_red_makes_the_whole_red_and_later_steps_still_run() {
        let mut report = Report::default();
        assert_eq!(
            report.step("one", || Result::<()>::Err("broken".into())),
            None
        );
        assert_eq!(report.step("two", || Ok(())), Some(()));
        assert_eq!(report.finish().unwrap_err().to_string(), "not green: one");
    }

    #[test]
    fn a_step_that_could_not_run_is_not_green() {
        let mut report = Report::default();
        report.not_run("tests");
        assert_eq!(report.finish().unwrap_err().to_string(), "not green: tests");
        assert!(
            report.table().starts_with("tests     NOT RUN"),
            "{}",
            report.table()
        );
    }
}
