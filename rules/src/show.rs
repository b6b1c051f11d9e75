//! A regulation with everything said that its file leaves out, in plain English lines.

mod clauses;
mod fees;
mod file;
mod promotions;
mod words;

use std::fmt::Write;

use domain::{SectionId, Text};

use crate::Regulation;
use crate::clauses::Admission;
use crate::fees::Promotion;
use crate::terms::{
    Approval, Effective, EntrantKind, IdentityScope, Ordering, QuestionKind, WhenFull,
};
use file::File;
use words::Words;

/// Everything that the regulation says, and what it takes where it says nothing: instants with their second, in the
/// venue's time; conditions in words; every sum.
#[must_use]
pub fn show(regulation: &Regulation) -> String {
    written(regulation, File::unread())
}

/// The same, and marks with `[default]` what is not the file's: what the language takes because the file says nothing.
#[must_use]
pub fn show_resolved(regulation: &Regulation) -> String {
    written(regulation, File::of(regulation))
}

/// What a promotion says.
pub(crate) fn promotion(regulation: &Regulation, row: &Promotion) -> String {
    Page::of(regulation, File::unread()).promotion(row)
}

fn written(regulation: &Regulation, file: File) -> String {
    let mut text = String::new();
    for part in parts(regulation, file) {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{}", part.title);
        for Line { name, said, .. } in part.lines {
            let _ = writeln!(text, "  {name}: {said}");
        }
    }
    text
}

/// What stands together under one title.
pub(crate) struct Part {
    /// What it is of (`entry`, `fees`, the id of a stage).
    pub of: String,
    /// The same, with what is said of it as a whole.
    pub title: String,
    pub lines: Vec<Line>,
}

/// One thing that a regulation says.
pub(crate) struct Line {
    pub name: String,
    pub said: String,
    /// What stands beside it in the file and is not shown: the article, and sentences in every language.
    pub beside: String,
}

/// All that a regulation says, with nothing marked.
pub(crate) fn said(regulation: &Regulation) -> Vec<Part> {
    parts(regulation, File::unread())
}

fn parts(regulation: &Regulation, file: File) -> Vec<Part> {
    let mut page = Page::of(regulation, file);
    page.head();
    page.entry();
    page.payment();
    page.sections();
    page.questions();
    page.admissions();
    page.fees();
    page.refunds();
    page.byes();
    page.appeals();
    page.consents();
    page.parts
}

struct Page<'r> {
    regulation: &'r Regulation,
    words: Words<'r>,
    file: File,
    parts: Vec<Part>,
}

impl<'r> Page<'r> {
    fn of(regulation: &'r Regulation, file: File) -> Page<'r> {
        Page {
            regulation,
            words: Words { regulation },
            file,
            parts: Vec::new(),
        }
    }
}

impl Page<'_> {
    fn title(&mut self, title: &str) {
        self.title_of(title, title.to_owned());
    }

    fn title_of(&mut self, of: &str, title: String) {
        self.parts.push(Part {
            of: of.to_owned(),
            title,
            lines: Vec::new(),
        });
    }

    fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        if let Some(part) = self.parts.last_mut() {
            part.lines.push(Line {
                name: name.to_owned(),
                said: value.to_string(),
                beside: String::new(),
            });
        }
    }

    /// What stands beside the last line.
    fn beside<'t>(&mut self, article: &str, texts: impl IntoIterator<Item = &'t Text>) {
        let line = self.parts.last_mut().and_then(|part| part.lines.last_mut());
        if let Some(line) = line {
            line.beside = words::beside(article, texts);
        }
    }

    /// The same, of something that a file may leave unsaid.
    fn line_of(&mut self, path: &[&str], name: &str, value: impl std::fmt::Display) {
        let mark = self.file.mark(path);
        self.line(name, format!("{value}{mark}"));
    }

    fn head(&mut self) {
        let regulation = self.regulation;
        let reference = &regulation.reference;
        let title = format!("{} ({})", regulation.name.en, reference.tournament);
        self.title_of("tournament", title);
        let zone = regulation.time_zone.iana_name().unwrap_or("UTC");
        self.line("language", reference.language);
        self.beside("", [&regulation.name]);
        let codes: Vec<&str> = regulation.currencies.iter().map(|one| one.code()).collect();
        self.line("currency", codes.join(", "));
        self.line("time zone", zone);
        let prevails = regulation
            .prevails
            .map_or("none", |language| language.code());
        self.line_of(&["prevails"], "wording that prevails", prevails);
        let play = &regulation.play;
        self.line("played", format!("{} to {}", play.first, play.last));
        let begins = self.words.instant(play.begins);
        self.line(
            "first round",
            format!("{begins}, of {} rounds", play.rounds),
        );
    }

    fn entry(&mut self) {
        let entry = &self.regulation.entry;
        self.title("entry");
        self.line("taken", self.words.window(&entry.window));
        self.beside(&entry.article, []);
        if entry.window.from.is_none() {
            let opens = "as soon as the desk is";
            self.line_of(&["entry", "opens"], "open", opens);
        }
        let pay_by = entry.pay_by.map(|end| self.words.before(end));
        self.line_of(
            &["entry", "pay_by"],
            "paid",
            pay_by.unwrap_or("as long as the seat is held".into()),
        );
        self.line("a seat is held", words::duration(entry.hold_seconds));
        self.line(
            "seats by",
            match entry.order {
                Ordering::ByForm => "the order of the form",
                Ordering::ByPayment => "the order of the payments",
            },
        );
        self.when_full();
        self.line_of(
            &["entry", "approval"],
            "approval",
            match entry.approval {
                Approval::None => "none",
                Approval::BeforePayment => "before payment",
                Approval::AfterPayment => "after payment",
            },
        );
        self.line(
            "an entry counts when",
            match entry.effective {
                Effective::Paid => "it is paid",
                Effective::SlipGiven => "the slip's number is given",
                Effective::Approved => "it is approved",
            },
        );
        self.line_of(
            &["entry", "once_per"],
            "the same entrant once in",
            match entry.identity {
                IdentityScope::Tournament => "the tournament",
                IdentityScope::Section => "each section",
            },
        );
        let rights = entry.rights;
        let may = [
            (rights.refuse, "refuse"),
            (rights.annul, "annul"),
            (rights.place, "place and move"),
        ];
        self.line_of(
            &["entry", "organiser_may"],
            "the organiser may",
            words::those(&may, "neither refuse nor annul nor place"),
        );
        for rule in &self.regulation.capacity {
            let sections = words::sections(&rule.sections);
            let seats = rule
                .seats
                .map_or("as many as the organiser sets".into(), |n| n.to_string());
            let warned = rule.warn_at.map(|n| format!(", warned at {n}"));
            self.line(
                "seats",
                format!("{seats} in {sections}{}", warned.unwrap_or_default()),
            );
            self.beside(&rule.article, []);
        }
        if self.regulation.capacity.is_empty() {
            self.line_of(&["capacity"], "seats", "no limit");
        }
    }

    /// Where money gives the seat, what becomes of money that finds none.
    fn when_full(&mut self) {
        let entry = &self.regulation.entry;
        if entry.order != Ordering::ByPayment {
            return;
        }
        let fate = match entry.when_full {
            WhenFull::GiveBack => "goes back at once",
            WhenFull::Wait => {
                "waits for a seat, first come first seated, and goes back when play begins"
            }
        };
        self.line_of(&["entry", "when_full"], "money that finds no seat", fate);
    }

    fn payment(&mut self) {
        let methods = &self.regulation.entry.methods;
        self.title("payment");
        let taken = [
            (methods.card, "card"),
            (methods.transfer, "transfer"),
            (methods.slip, "slip"),
        ];
        self.line("by", words::those(&taken, "nothing"));
        self.beside("", &methods.pay_to);
        if methods.slip || methods.transfer {
            let with = if methods.slip_with_entry {
                "with the entry"
            } else {
                "later"
            };
            let path = ["payment", "slip_with_entry"];
            self.line_of(&path, "a slip's number comes", with);
            let pay_to = methods.pay_to.as_ref();
            let pay_to = pay_to.map_or("what the organiser says elsewhere", |text| &text.en);
            self.line_of(&["payment", "pay_to"], "paid to", pay_to);
        }
        if !methods.off.is_empty() {
            self.line("named and not taken", methods.off.join(", "));
        }
    }

    fn sections(&mut self) {
        self.title("sections");
        for section in &self.regulation.sections {
            let id = section.id.as_str();
            let mark = |key: &str| self.file.mark(&["section", id, key]);
            let boards = match (section.kind, section.fixed_boards) {
                (EntrantKind::Player, _) => String::new(),
                (EntrantKind::Team, true) => ", boards fixed".to_owned(),
                (EntrantKind::Team, false) => format!(", boards free{}", mark("boards")),
            };
            let kind = match section.kind {
                EntrantKind::Player => "players",
                EntrantKind::Team => "teams",
            };
            let closed = if section.has_fees {
                ""
            } else {
                ", no fees: entry is closed"
            };
            let rounds = words::count(section.rounds, "round");
            let said = format!(
                "{}, {kind}{}{boards}, {rounds}{}{closed}",
                section.name.en,
                mark("entrants"),
                mark("rounds"),
            );
            self.line(id, said);
            self.beside("", [&section.name]);
        }
    }

    fn questions(&mut self) {
        let questions = &self.regulation.vocabulary.questions;
        if questions.is_empty() {
            return;
        }
        self.title("questions");
        for (place, question) in questions.iter().enumerate() {
            let kind = match &question.kind {
                QuestionKind::YesNo => "yes or no, else no".to_owned(),
                QuestionKind::Number { from, to } => format!("a number from {from} to {to}"),
                QuestionKind::Choice(choices) => {
                    let ids: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
                    ids.join(", ")
                }
            };
            let place = place.to_string();
            let mark = |key: &str| self.file.mark(&["question", &place, key]);
            let required = match (&question.kind, question.required) {
                (QuestionKind::YesNo, _) => String::new(),
                (_, true) => ", required".to_owned(),
                (_, false) => format!(", not required{}", mark("required")),
            };
            let sections = words::sections(&question.sections);
            let of_all = mark("sections");
            let said = format!(
                "{} ({kind}{required}; {sections}{of_all})",
                question.text.en
            );
            self.line(&question.id, said);
            let choices = match &question.kind {
                QuestionKind::Choice(choices) => choices.as_slice(),
                QuestionKind::YesNo | QuestionKind::Number { .. } => &[],
            };
            let choices = choices.iter().map(|choice| &choice.text);
            self.beside(
                &question.article,
                std::iter::once(&question.text).chain(choices),
            );
        }
    }

    fn admissions(&mut self) {
        self.title("who may enter");
        if self.regulation.admissions.is_empty() {
            self.line_of(&["admits"], "all sections", "everybody");
        }
        for row in &self.regulation.admissions {
            let needs = self.words.condition(&row.needs);
            let when = self.words.when(&row.when);
            let trust = words::trust(row.trust);
            let code = row.code.as_ref();
            let code = code.map_or_else(String::new, |code| format!("; told as {code}"));
            self.line(&self.covered(row), format!("{needs}{when}{trust}{code}"));
            self.beside(&row.article, &row.text);
        }
    }

    fn covered(&self, row: &Admission) -> String {
        let ids = row.sections.iter();
        let ids: Vec<SectionId> = ids
            .map(|place| self.regulation.sections[*place].id.clone())
            .collect();
        words::sections(&ids)
    }
}
