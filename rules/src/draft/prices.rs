//! Fees, reductions and what comes back.

use domain::{BasisPoints, Money, Text};

use super::page::{Page, sentence};
use super::{DraftSection, Less, words};

impl Page<'_> {
    pub(super) fn fees(&mut self) {
        let draft = self.draft;
        self.table("[fees]", "of the rows that apply, one gives the price");
        self.line(r#"choose = "lowest""#);
        self.row(
            "[[fees.row]]",
            "what everybody pays",
            "general",
            &words::general(),
        );
        let sum = |section: &DraftSection| Some(self.sum(section.fee));
        let amount = self.by_section(sum);
        self.line(format_args!("amount  = {amount}"));
        if draft.free.is_empty() || draft.costs_nothing() {
            return;
        }
        let titles: Vec<String> = draft
            .free
            .iter()
            .map(|title| format!("\"{title}\""))
            .collect();
        let titles = match &titles[..] {
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        self.row(
            "[[fees.row]]",
            "the titled pay nothing",
            "titled",
            &words::free(&draft.free),
        );
        self.line(format_args!("when    = {{ title = {titles} }}"));
        let amount = self.by_section(|section| (section.fee > 0).then(|| "0".to_owned()));
        self.line(format_args!("amount  = {amount}"));
    }

    /// Reductions; those of the default stage add up, each of the fee.
    pub(super) fn reductions(&mut self) {
        let draft = self.draft;
        if draft.costs_nothing() {
            return;
        }
        if let Some(early) = &draft.early {
            self.row(
                "[[adjust]]",
                "by the instant of the form",
                "early",
                &words::early(early),
            );
            self.line(format_args!(
                "when    = {{ registered = {{ until = {} }} }}",
                early.until
            ));
            self.off(Less::Sum(early.less));
        }
        if let Some(juniors) = &draft.juniors {
            let meaning = if draft.early.is_some() {
                "besides the one for the early: both are off the fee"
            } else {
                "by the age on the day of [ages]"
            };
            self.row("[[adjust]]", meaning, "juniors", &words::juniors(juniors));
            self.line(format_args!(
                "when    = {{ age = {{ under = {} }} }}",
                juniors.under
            ));
            self.off(juniors.less);
        }
    }

    fn off(&mut self, less: Less) {
        let (key, change) = match less {
            Less::Sum(sum) => ("amount ", self.sum(-sum)),
            Less::Share(share) => ("percent", number(&format!("-{}", percent(share)))),
        };
        let changes = self.by_section(|section| (section.fee > 0).then(|| change.clone()));
        self.line(format_args!("{key} = {changes}"));
    }

    fn row(&mut self, table: &str, comment: &str, id: &str, text: &Text) {
        self.table(table, comment);
        self.line(format_args!("id      = \"{id}\""));
        self.article();
        self.line(format_args!("text    = {}", sentence(text)));
    }

    pub(super) fn refund(&mut self) {
        let draft = self.draft;
        let meaning = match draft.cancel {
            Some(_) => "what comes back to who cancels",
            None => "without a tier nothing comes back by rule: staff decide",
        };
        self.table("[refund]", meaning);
        let method = if draft.card { "card" } else { "transfer" };
        self.line(format_args!("method  = \"{method}\""));
        self.article();
        let Some(cancel) = &draft.cancel else {
            return;
        };
        let text = words::cancel(cancel);
        self.row(
            "[[refund.tier]]",
            "whoever cancels later gets nothing back by rule",
            "in-time",
            &text,
        );
        self.told(
            format_args!("requested = {{ until = {} }}", cancel.until),
            "all of that day",
        );
        self.line(format_args!(
            "keep    = {{ percent = {} }}",
            number(&percent(cancel.keep))
        ));
    }

    /// One value where all sections have the same, else a table of those that have one.
    fn by_section(&self, value: impl Fn(&DraftSection) -> Option<String>) -> String {
        let sections = &self.draft.sections;
        let values: Vec<Option<String>> = sections.iter().map(value).collect();
        if let [Some(first), rest @ ..] = &values[..]
            && rest.iter().all(|value| value.as_ref() == Some(first))
        {
            return first.clone();
        }
        let pairs: Vec<String> = sections
            .iter()
            .zip(values)
            .filter_map(|(section, value)| Some(format!("{} = {}", section.id, value?)))
            .collect();
        format!("{{ {} }}", pairs.join(", "))
    }

    /// Whole units as a number, others as a text with decimals.
    fn sum(&self, minor: i64) -> String {
        let shown = Money::new(minor, self.draft.currency).to_string();
        let (sum, _) = shown.split_once(' ').unwrap_or((&shown, ""));
        let (whole, part) = sum.split_once('.').unwrap_or((sum, ""));
        number(if part.bytes().all(|digit| digit == b'0') {
            whole
        } else {
            sum
        })
    }
}

/// `12.5`, without zeros at its end.
pub(super) fn percent(share: BasisPoints) -> String {
    let (whole, part) = (share.0 / 100, share.0 % 100);
    match part {
        0 => whole.to_string(),
        part if part % 10 == 0 => format!("{whole}.{}", part / 10),
        part => format!("{whole}.{part:02}"),
    }
}

/// A number as the language takes it: with decimals, in quotes.
fn number(digits: &str) -> String {
    if digits.contains('.') {
        format!("\"{digits}\"")
    } else {
        digits.to_owned()
    }
}
