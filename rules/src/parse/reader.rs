//! Reads the values of a TOML text and collects faults with their lines.

use std::cell::RefCell;
use std::ops::Range;

use domain::Text;
use toml::Spanned;
use toml::de::DeValue;

use super::table::Table;
use crate::fault::Fault;
use crate::regulation::{Doubt, DoubtKind};

/// The text being read, and what was found wrong or doubtful in it so far.
pub(super) struct Reader<'t> {
    file: &'t str,
    /// Where each line begins, but the first.
    lines: Vec<usize>,
    faults: RefCell<Vec<Fault>>,
    doubts: RefCell<Vec<Doubt>>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(file: &'t str, text: &str) -> Self {
        Reader {
            file,
            lines: text.match_indices('\n').map(|(at, _)| at + 1).collect(),
            faults: RefCell::new(Vec::new()),
            doubts: RefCell::new(Vec::new()),
        }
    }

    pub(super) fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset) + 1
    }

    pub(super) fn fault(&self, line: usize, reason: impl Into<String>) {
        self.faults.borrow_mut().push(Fault {
            file: self.file.to_owned(),
            line,
            reason: reason.into(),
        });
    }

    /// Something that is right and that `check` has to tell.
    pub(super) fn doubt(&self, line: usize, kind: DoubtKind) {
        self.doubts.borrow_mut().push(Doubt { line, kind });
    }

    pub(super) fn doubts(&self) -> Vec<Doubt> {
        self.doubts.borrow().clone()
    }

    /// All faults in the order of the lines.
    pub(super) fn into_faults(self) -> Vec<Fault> {
        let mut faults = self.faults.into_inner();
        faults.sort_by_key(|fault| fault.line);
        faults.dedup();
        faults
    }
}

/// A value, the name that leads to it, and where it stands.
#[derive(Clone)]
pub(super) struct Item<'a, 't> {
    pub reader: &'a Reader<'t>,
    pub name: String,
    pub line: usize,
    value: &'a DeValue<'t>,
}

impl<'a, 't> Item<'a, 't> {
    pub(super) fn at(
        reader: &'a Reader<'t>,
        name: String,
        value: &'a Spanned<DeValue<'t>>,
    ) -> Self {
        Item {
            reader,
            name,
            line: reader.line(value.span().start),
            value: value.get_ref(),
        }
    }

    pub(super) fn value(&self) -> &'a DeValue<'t> {
        self.value
    }

    /// Notes a fault here and gives nothing.
    pub(super) fn refuse<T>(&self, reason: &str) -> Option<T> {
        self.reader
            .fault(self.line, format!("{}: {reason}", self.name));
        None
    }

    pub(super) fn wrong_type<T>(&self, wanted: &str) -> Option<T> {
        match self.value {
            DeValue::Float(float) => self.refuse(&format!(
                "no binary fractions here: write {wanted}, a number with decimals as a string (\"{}\")",
                float.as_str()
            )),
            other => self.refuse(&format!("expected {wanted}, found {}", kind_of(other))),
        }
    }

    pub(super) fn string(&self) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) => Some(text.as_ref()),
            _ => self.wrong_type("a text in quotes"),
        }
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match self.value {
            DeValue::Boolean(value) => Some(*value),
            _ => self.wrong_type("true or false"),
        }
    }

    /// A whole number within bounds.
    pub(super) fn integer(&self, bounds: Range<i64>) -> Option<i64> {
        let DeValue::Integer(digits) = self.value else {
            return self.wrong_type("a whole number");
        };
        match i64::from_str_radix(digits.as_str(), digits.radix()) {
            Ok(number) if bounds.contains(&number) => Some(number),
            _ => self.refuse(&format!(
                "expected a whole number from {} to {}",
                bounds.start,
                bounds.end - 1
            )),
        }
    }

    pub(super) fn count(&self) -> Option<u32> {
        u32::try_from(self.integer(0..1_000_001)?).ok()
    }

    pub(super) fn table(&self) -> Option<Table<'a, 't>> {
        match self.value {
            DeValue::Table(table) => Some(Table::new(self.reader, &self.name, self.line, table)),
            _ => self.wrong_type("a table"),
        }
    }

    /// The members of an array; a value that is no array is an array of itself.
    pub(super) fn members(&self) -> Vec<Item<'a, 't>> {
        match self.value {
            DeValue::Array(array) => array
                .iter()
                .map(|value| Item::at(self.reader, self.name.clone(), value))
                .collect(),
            _ => vec![self.clone()],
        }
    }

    /// The members of an array that is not empty; a value that is no array is an array of itself.
    pub(super) fn some(&self) -> Option<Vec<Item<'a, 't>>> {
        let members = self.members();
        if members.is_empty() {
            return self.refuse("expected at least one");
        }
        Some(members)
    }

    /// The tables of an array of tables.
    pub(super) fn tables(&self) -> Vec<Table<'a, 't>> {
        if let DeValue::Table(_) = self.value {
            let name = &self.name;
            self.refuse::<()>(&format!(
                "there may be several of these: write [[{name}]], also where there is one"
            ));
            return Vec::new();
        }
        self.members().iter().filter_map(Item::table).collect()
    }

    /// One word of a list, with what it stands for.
    pub(super) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let text = self.string()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.refuse(&format!("`{text}` is none of: {}", known.join(", ")))
        })
    }

    /// A sentence: `{ ca, es, en }`, or one text for all three.
    pub(super) fn text(&self) -> Option<Text> {
        let text = self.sentences()?;
        let words = [&text.ca, &text.es, &text.en];
        if words.iter().any(|words| words.trim().is_empty()) {
            self.reader.doubt(self.line, DoubtKind::EmptyText);
        }
        Some(text)
    }

    fn sentences(&self) -> Option<Text> {
        if let DeValue::String(text) = self.value {
            return Some(Text::new(text.as_ref(), text.as_ref(), text.as_ref()));
        }
        let mut table = self.table()?;
        let [ca, es, en] = ["ca", "es", "en"].map(|language| {
            let item = table.required(language)?;
            item.string()
        });
        table.done();
        Some(Text::new(ca?, es?, en?))
    }

    /// Reads what a text in quotes says.
    pub(super) fn parsed<T: std::str::FromStr>(&self) -> Option<T>
    where
        T::Err: std::fmt::Display,
    {
        match self.string()?.parse() {
            Ok(value) => Some(value),
            Err(why) => self.refuse(&why.to_string()),
        }
    }
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
