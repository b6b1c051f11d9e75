//! Reads the tables of a TOML text and remembers which keys were read, so that none is ignored.

use std::collections::BTreeSet;

use domain::Text;
use toml::de::DeTable;

use super::keys::{KEYS, suggestion};
use super::reader::{Item, Reader};
use crate::regulation::DoubtKind;

/// A table whose keys are read one by one; [`Table::done`] refuses those that nobody read. Where reading is given up before,
/// keys that are no word of the language are refused all the same.
pub(super) struct Table<'a, 't> {
    pub reader: &'a Reader<'t>,
    pub name: String,
    pub line: usize,
    entries: &'a DeTable<'t>,
    read: BTreeSet<String>,
    is_done: bool,
}

impl<'a, 't> Table<'a, 't> {
    pub(super) fn new(
        reader: &'a Reader<'t>,
        name: &str,
        line: usize,
        entries: &'a DeTable<'t>,
    ) -> Self {
        Table {
            reader,
            name: name.to_owned(),
            line,
            entries,
            read: BTreeSet::new(),
            is_done: false,
        }
    }

    fn path(&self, key: &str) -> String {
        if self.name.is_empty() {
            return key.to_owned();
        }
        format!("{}.{key}", self.name)
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&mut self, key: &str) -> Option<Item<'a, 't>> {
        self.read.insert(key.to_owned());
        let (_, value) = self
            .entries
            .iter()
            .find(|(name, _)| name.get_ref() == key)?;
        Some(Item::at(self.reader, self.path(key), value))
    }

    /// The value of a key, whose absence is a fault.
    pub(super) fn required(&mut self, key: &str) -> Option<Item<'a, 't>> {
        let item = self.get(key);
        if item.is_none() {
            let path = self.path(key);
            self.reader.fault(self.line, format!("{path} is missing"));
        }
        item
    }

    /// Every key with its value, in the order of the file.
    pub(super) fn all(&mut self) -> Vec<(String, Item<'a, 't>)> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
            .into_iter()
            .map(|(key, value)| {
                let key = key.get_ref().to_string();
                self.read.insert(key.clone());
                let item = Item::at(self.reader, self.path(&key), value);
                (key, item)
            })
            .collect()
    }

    /// The tables of an array of tables; none where the key is absent.
    pub(super) fn tables(&mut self, key: &str) -> Vec<Table<'a, 't>> {
        self.get(key).map(|item| item.tables()).unwrap_or_default()
    }

    /// The members of a list; none where the key is absent.
    pub(super) fn members(&mut self, key: &str) -> Vec<Item<'a, 't>> {
        self.get(key).map(|item| item.members()).unwrap_or_default()
    }

    /// A text that may be absent: empty then.
    pub(super) fn article(&mut self) -> String {
        let Some(item) = self.get("article") else {
            return String::new();
        };
        let article = item.string().unwrap_or_default();
        if article.trim().is_empty() {
            let kind = DoubtKind::Article { table: self.line };
            self.reader.doubt(item.line, kind);
        }
        article.to_owned()
    }

    /// A text for people that may be absent.
    pub(super) fn text(&mut self, fallback: Text) -> Text {
        self.get("text")
            .and_then(|item| item.text())
            .unwrap_or(fallback)
    }

    pub(super) fn flag(&mut self, key: &str) -> bool {
        self.get(key)
            .and_then(|item| item.boolean())
            .unwrap_or(false)
    }

    /// Refuses every key that was not read.
    pub(super) fn done(mut self) {
        self.is_done = true;
        self.refuse_unread(&[]);
    }

    /// Refuses the keys that were not read and are none of these. One that was asked for and is not there may be meant.
    fn refuse_unread(&self, but: &[&str]) {
        let absent = |key: &&str| self.entries.keys().all(|there| there.get_ref() != *key);
        for key in self.entries.keys() {
            let name = key.get_ref().as_ref();
            if self.read.contains(name) || but.contains(&name) {
                continue;
            }
            let asked = self.read.iter().map(String::as_str).filter(absent);
            let reason = format!(
                "{}: there is no such key here{}",
                self.path(name),
                suggestion(name, asked)
            );
            self.reader
                .fault(self.reader.line(key.span().start), reason);
        }
    }
}

impl Drop for Table<'_, '_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.refuse_unread(&KEYS);
        }
    }
}
