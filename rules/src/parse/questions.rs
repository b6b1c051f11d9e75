//! `[[question]]`, and conditions about what was answered.

use std::collections::BTreeSet;

use super::amounts::Sections;
use super::clauses::section_ids;
use super::conditions::{Scope, range};
use super::reader::Item;
use super::table::Table;
use crate::conditions::{Answered, Condition, Test};
use crate::terms::{Choice, Question, QuestionKind};
use crate::view::QUESTIONS;

/// What an answer in numbers may reach.
const LARGEST: i64 = 1_000_000;

/// Adds the questions of the file to those that are known already; one that is known stays where it is.
pub(super) fn questions(top: &mut Table<'_, '_>, sections: &Sections, all: &mut Vec<Question>) {
    let mut own = BTreeSet::new();
    for table in top.tables("question") {
        let (line, reader) = (table.line, table.reader);
        let Some(question) = question(table, sections) else {
            continue;
        };
        let same = |other: &Question| other.id == question.id && other.kind == question.kind;
        if !own.insert(question.id.clone()) {
            reader.fault(line, format!("two questions are called `{}`", question.id));
        } else if let Some(place) = all.iter().position(same) {
            all[place] = question;
        } else if all.len() == QUESTIONS {
            reader.fault(line, format!("a file may ask {QUESTIONS} questions"));
        } else {
            all.push(question);
        }
    }
}

fn question(mut table: Table<'_, '_>, sections: &Sections) -> Option<Question> {
    let line = table.line;
    let question = Question {
        id: code(&table.required("id")?)?,
        text: table.required("text")?.text()?,
        kind: kind(&mut table)?,
        required: table.flag("required"),
        sections: table
            .get("sections")
            .map(|item| section_ids(&item, sections))
            .unwrap_or_default(),
        article: table.article(),
        line,
    };
    if question.required && question.kind == QuestionKind::YesNo {
        let reason = "a question of yes or no needs no `required`: no answer is no";
        table.reader.fault(line, reason);
    }
    table.done();
    Some(question)
}

/// `choices = [{ id, text }]`, `number = { from, to }`, or neither: yes or no.
fn kind(table: &mut Table<'_, '_>) -> Option<QuestionKind> {
    match (table.get("choices"), table.get("number")) {
        (None, None) => Some(QuestionKind::YesNo),
        (Some(item), None) => choices(&item).map(QuestionKind::Choice),
        (None, Some(item)) => {
            let mut ends = item.table()?;
            let mut end = |key: &str| {
                let end = ends.required(key)?.integer(0..LARGEST + 1)?;
                i32::try_from(end).ok()
            };
            let (from, to) = (end("from")?, end("to")?);
            ends.done();
            if from > to {
                return item.refuse("nothing lies in this range");
            }
            Some(QuestionKind::Number { from, to })
        }
        (Some(item), Some(_)) => item.refuse("expected either choices or number"),
    }
}

fn choices(item: &Item<'_, '_>) -> Option<Vec<Choice>> {
    let mut found: Vec<Choice> = Vec::new();
    for mut table in item.tables() {
        let choice = Choice {
            id: code(&table.required("id")?)?,
            text: table.required("text")?.text()?,
        };
        table.done();
        if found.iter().any(|other| other.id == choice.id) {
            return item.refuse(&format!("two choices are called `{}`", choice.id));
        }
        found.push(choice);
    }
    match found.len() {
        0..2 => item.refuse("expected two choices or more"),
        61.. => item.refuse("expected at most 60 choices"),
        _ => Some(found),
    }
}

/// What answers and conditions write: letters, digits, `-` and `_`.
fn code(item: &Item<'_, '_>) -> Option<String> {
    let text = item.string()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if text.is_empty() || text.len() > 64 || !text.bytes().all(plain) {
        return item.refuse("expected letters, digits, - and _, at most 64");
    }
    Some(text.to_owned())
}

impl Scope {
    /// `answer = { member = true, editions = { from = 5 }, pays = "czk" }`: all of them.
    pub(super) fn answer(&self, item: &Item<'_, '_>) -> Option<Condition> {
        let mut tests = Vec::new();
        for (name, value) in item.table()?.all() {
            tests.push(Condition::Test(self.one_answer(&name, &value)?));
        }
        match tests.len() {
            0 => item.refuse("expected a question with its answer"),
            1 => tests.pop(),
            _ => Some(Condition::All(tests)),
        }
    }

    /// The place of a question of a number, by its id.
    pub(super) fn number_asked(&self, item: &Item<'_, '_>) -> Option<u8> {
        let name = item.string()?;
        let asked = (0..).zip(&self.vocabulary.questions);
        let named = asked.filter(|(_, question)| question.id == name).last();
        match named {
            Some((place, question)) if matches!(question.kind, QuestionKind::Number { .. }) => {
                Some(place)
            }
            _ => item.refuse(&format!("there is no [[question]] `{name}` of a number")),
        }
    }

    fn one_answer(&self, name: &str, value: &Item<'_, '_>) -> Option<Test> {
        let asked = (0..).zip(&self.vocabulary.questions);
        // The last of this name is the file's own.
        let named = asked.filter(|(_, question)| question.id == name).last();
        let Some((place, question)) = named else {
            return value.refuse(&format!("there is no [[question]] `{name}`"));
        };
        let answered = match &question.kind {
            QuestionKind::YesNo => Answered::Yes(value.boolean()?),
            QuestionKind::Number { .. } => Answered::Number(range(value, LARGEST + 1)?),
            QuestionKind::Choice(choices) => {
                let mut bits = 0;
                for member in value.some()? {
                    let text = member.string()?;
                    let place = choices.iter().position(|choice| choice.id == text);
                    let Some(place) = place else {
                        return member.refuse(&format!("`{text}` is no choice of `{name}`"));
                    };
                    bits |= 1 << place;
                }
                Answered::OneOf(bits)
            }
        };
        Some(Test::Answer(place, answered))
    }
}
