//! What a file says itself, and what it leaves to the language.

use toml::{Table, Value};

use crate::Regulation;

/// The file as a tree of its keys; nothing where nobody wants to know what is its own.
pub(super) struct File(Option<Value>);

impl File {
    /// Nothing is marked.
    pub(super) fn unread() -> File {
        File(None)
    }

    pub(super) fn of(regulation: &Regulation) -> File {
        let tree = regulation.source.parse::<Table>();
        File(tree.ok().map(Value::Table))
    }

    /// The mark of what stands at no key of the file. Steps through lists are numbers.
    pub(super) fn mark(&self, path: &[&str]) -> &'static str {
        let Some(tree) = &self.0 else { return "" };
        let found = path.iter().try_fold(tree, |value, step| match value {
            Value::Array(list) => list.get(step.parse::<usize>().ok()?),
            value => value.get(*step),
        });
        if found.is_some() { "" } else { " [default]" }
    }

    /// What a row takes where it says nothing of it: for whom it is, and how well its facts must be known.
    pub(super) fn of_row(&self, path: &[&str]) -> String {
        let unsaid = [
            ("when", "; for everybody"),
            ("accepts", "; facts as declared"),
        ];
        let unsaid = unsaid.into_iter().filter_map(|(key, meaning)| {
            let mark = self.mark(&[path, &[key]].concat());
            (!mark.is_empty()).then(|| format!("{meaning}{mark}"))
        });
        unsaid.collect()
    }
}
