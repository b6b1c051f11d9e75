//! A regulation with everything said that its file leaves out, in plain English lines.

mod words;

use std::fmt::Write;

use domain::{Money, RefundMethod, SectionId};

use crate::Regulation;
use crate::clauses::Admission;
use crate::fees::{Change, Choice, Combine, Of, Price};
use crate::terms::{Approval, Effective, EntrantKind, IdentityScope, Ordering, QuestionKind};
use words::Words;

/// Everything that the regulation says, and what it takes where it says nothing: instants with their second, in the
/// venue's time; conditions in words; every sum.
#[must_use]
pub fn show(regulation: &Regulation) -> String {
    let mut page = Page {
        regulation,
        words: Words { regulation },
        text: String::new(),
    };
    page.head();
    page.entry();
    page.payment();
    page.sections();
    page.questions();
    page.admissions();
    page.fees();
    page.refunds();
    page.byes();
    page.text
}

struct Page<'r> {
    regulation: &'r Regulation,
    words: Words<'r>,
    text: String,
}

impl Page<'_> {
    fn title(&mut self, title: &str) {
        let gap = if self.text.is_empty() { "" } else { "\n" };
        let _ = writeln!(self.text, "{gap}{title}");
    }

    fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.text, "  {name}: {value}");
    }

    fn head(&mut self) {
        let regulation = self.regulation;
        let reference = &regulation.reference;
        self.title(&format!(
            "{} ({})",
            regulation.name.en, reference.tournament
        ));
        let zone = regulation.time_zone.iana_name().unwrap_or("UTC");
        self.line("language", reference.language);
        self.line("currency", regulation.currency);
        self.line("time zone", zone);
        let prevails = regulation
            .prevails
            .map_or("none", |language| language.code());
        self.line("wording that prevails", prevails);
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
        let pay_by = entry.pay_by.map(|end| self.words.before(end));
        self.line(
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
        self.line(
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
        self.line(
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
        self.line(
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
        }
        if self.regulation.capacity.is_empty() {
            self.line("seats", "no limit");
        }
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
        if methods.slip || methods.transfer {
            let with = if methods.slip_with_entry {
                "with the entry"
            } else {
                "later"
            };
            self.line("a slip's number comes", with);
        }
        if !methods.off.is_empty() {
            self.line("named and not taken", methods.off.join(", "));
        }
    }

    fn sections(&mut self) {
        self.title("sections");
        for section in &self.regulation.sections {
            let kind = match (section.kind, section.fixed_boards) {
                (EntrantKind::Player, _) => "players",
                (EntrantKind::Team, true) => "teams, boards fixed",
                (EntrantKind::Team, false) => "teams, boards free",
            };
            let closed = if section.has_fees {
                ""
            } else {
                ", no fees: entry is closed"
            };
            let said = format!(
                "{}, {kind}, {} rounds{closed}",
                section.name.en, section.rounds
            );
            self.line(section.id.as_str(), said);
        }
    }

    fn questions(&mut self) {
        let questions = &self.regulation.vocabulary.questions;
        if questions.is_empty() {
            return;
        }
        self.title("questions");
        for question in questions {
            let kind = match &question.kind {
                QuestionKind::YesNo => "yes or no, else no".to_owned(),
                QuestionKind::Number { from, to } => format!("a number from {from} to {to}"),
                QuestionKind::Choice(choices) => {
                    let ids: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
                    ids.join(", ")
                }
            };
            let required = if question.required { ", required" } else { "" };
            let sections = words::sections(&question.sections);
            let said = format!("{} ({kind}{required}; {sections})", question.text.en);
            self.line(&question.id, said);
        }
    }

    fn admissions(&mut self) {
        self.title("who may enter");
        if self.regulation.admissions.is_empty() {
            self.line("all sections", "everybody");
        }
        for row in &self.regulation.admissions {
            let needs = self.words.condition(&row.needs);
            let when = self.words.when(&row.when);
            let trust = words::trust(row.trust);
            self.line(&self.covered(row), format!("{needs}{when}{trust}"));
        }
    }

    fn covered(&self, row: &Admission) -> String {
        let ids = row.sections.iter();
        let ids: Vec<SectionId> = ids
            .map(|place| self.regulation.sections[*place].id.clone())
            .collect();
        words::sections(&ids)
    }

    fn fees(&mut self) {
        let fees = &self.regulation.fees;
        self.title(match fees.choose {
            Choice::Lowest => "fees: the lowest row that applies",
            Choice::First => "fees: the first row that applies",
            Choice::Only => "fees: the only row that applies",
        });
        for row in &fees.rows {
            let sums = self.by_section(&row.amounts, |price| match price {
                Price::Fixed(sum) => self.sum(*sum),
                Price::Agreed => "as agreed".to_owned(),
            });
            let when = self.words.when(&row.when);
            let ends = self.ended(row.ends);
            let trust = words::trust(row.trust);
            self.line(&row.id, format!("{sums}{when}{trust}{ends}"));
        }
        self.line("a percentage comes to a multiple of", self.sum(fees.unit));
        for stage in fees
            .stages
            .iter()
            .filter(|stage| !stage.adjustments.is_empty())
        {
            let combine = match stage.combine {
                Combine::Sum => "all that apply add up",
                Combine::Best => "the best for the payer counts",
                Combine::Last => "the last that applies counts",
            };
            let of = match stage.of {
                Of::Base => "of the base fee",
                Of::Running => "of what it has come to",
            };
            self.title(&format!("{}: {combine}, percentages {of}", stage.id));
            if stage.least.iter().any(Option::is_some) {
                let least = self.by_section(&stage.least, |sum| self.sum(*sum));
                self.line("takes nothing off below", least);
            }
            for row in &stage.adjustments {
                let changes = self.by_section(&row.changes, |change| match change {
                    Change::Amount(sum) => self.sum(*sum),
                    Change::Share(points) => words::share(*points),
                });
                let times = self.words.times(row.times);
                let when = self.words.when(&row.when);
                let ends = self.ended(row.ends);
                let trust = words::trust(row.trust);
                self.line(&row.id, format!("{changes}{times}{when}{trust}{ends}"));
            }
        }
        for row in &fees.promotions {
            self.title("promotions");
            let id = |place: usize| &self.regulation.sections[place].id;
            let (one, other) = (id(row.sections.0), id(row.sections.1));
            let together = self.sum(row.together);
            let said = format!(
                "{together} for one in {one} and one in {other} of the same institution with {} players in both",
                row.shared
            );
            self.line(&row.id, said);
        }
    }

    fn ended(&self, ends: u64) -> String {
        let rows = self.regulation.fees.adjustments();
        let rows = rows.filter(|row| row.bit & ends != 0);
        let ids: Vec<&str> = rows.map(|row| &*row.id).collect();
        if ids.is_empty() {
            return String::new();
        }
        format!("; ends {}", ids.join(", "))
    }

    /// One value where all sections with fees have the same, else each by its section.
    fn by_section<T: PartialEq>(&self, values: &[Option<T>], say: impl Fn(&T) -> String) -> String {
        let sections = self.regulation.sections.iter().zip(values);
        let mut priced = sections.clone().filter(|(section, _)| section.has_fees);
        if let Some((_, Some(first))) = priced.next()
            && priced.all(|(_, value)| value.as_ref() == Some(first))
        {
            return say(first);
        }
        let said = sections.filter_map(|(section, value)| {
            let value = value.as_ref()?;
            Some(format!("{} {}", section.id, say(value)))
        });
        said.collect::<Vec<String>>().join(", ")
    }

    fn sum(&self, minor: i64) -> String {
        Money::new(minor, self.regulation.currency).to_string()
    }

    fn refunds(&mut self) {
        let clause = &self.regulation.refund;
        self.title("refunds to who cancels");
        self.line(
            "before approval, or where the organiser ends the entry",
            "everything",
        );
        for tier in &clause.tiers {
            let mut kept = vec![words::share(i32::try_from(tier.keep_share.0).unwrap_or(0))];
            if tier.keep_amount > 0 {
                kept.push(self.sum(tier.keep_amount));
            }
            let least = match tier.keep_least {
                0 => String::new(),
                least => format!(", at least {}", self.sum(least)),
            };
            let how = method(tier.method);
            let when = self.words.window(&tier.requested);
            let kept = kept.join(" and ");
            self.line(&tier.id, format!("{when}: {kept} is kept{least}; by {how}"));
        }
        let otherwise = "nothing by rule; the staff may decide";
        self.line(
            "otherwise",
            format!("{otherwise}, by {}", method(clause.method)),
        );
    }

    fn byes(&mut self) {
        let clause = &self.regulation.byes;
        self.title("byes");
        if clause.rules.is_empty() {
            self.line("none", "may be asked for");
        }
        for rule in &clause.rules {
            let points = match rule.points {
                domain::ByePoints::Half => "half a point",
                domain::ByePoints::Zero => "no point",
            };
            let most = rule
                .most
                .map_or("any number".to_owned(), |most| most.to_string());
            let (from, to) = rule.rounds;
            self.line(points, format!("{most}, in rounds {from} to {to}"));
        }
        for pair in &clause.unpaired {
            let said = format!("leaves out round {}", pair.leaves_out);
            self.line(&format!("in round {}", pair.bye_in), said);
        }
    }
}

fn method(method: RefundMethod) -> &'static str {
    match method {
        RefundMethod::Card => "card",
        RefundMethod::Transfer => "transfer",
    }
}
