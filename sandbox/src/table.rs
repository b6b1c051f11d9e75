//! All objects of one kind, in the order of their making.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::form::Form;
use crate::refusal::Refusal;

pub(crate) trait Object {
    /// What Stripe calls the kind in "No such …".
    const KIND: &'static str;
    /// The parameter that a missing id is blamed on.
    const PARAM: &'static str;
    fn id(&self) -> &str;
    /// Unix seconds of the test clock.
    fn created(&self) -> i64;
    fn json(&self) -> Value;
}

/// Adds the members of `more` to an object.
pub(crate) fn fill(object: &mut Value, more: Value) {
    if let (Value::Object(object), Value::Object(more)) = (object, more) {
        object.extend(more);
    }
}

#[derive(Debug)]
pub(crate) struct Table<T> {
    rows: Vec<T>,
    places: HashMap<String, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<T: Object> Table<T> {
    pub(crate) fn add(&mut self, row: T) {
        self.places.insert(row.id().to_owned(), self.rows.len());
        self.rows.push(row);
    }

    pub(crate) fn find(&self, id: &str) -> Option<&T> {
        self.places.get(id).map(|place| &self.rows[*place])
    }

    pub(crate) fn get(&self, id: &str) -> Result<&T, Refusal> {
        self.find(id)
            .ok_or_else(|| Refusal::missing(T::KIND, id, T::PARAM))
    }

    pub(crate) fn get_mut(&mut self, id: &str) -> Result<&mut T, Refusal> {
        match self.places.get(id) {
            Some(place) => Ok(&mut self.rows[*place]),
            None => Err(Refusal::missing(T::KIND, id, T::PARAM)),
        }
    }

    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.rows.iter()
    }

    /// A page of those that `keep` admits, newest first: `limit`, `starting_after`, `ending_before`, `created`.
    /// <https://docs.stripe.com/api/pagination>
    pub(crate) fn page(
        &self,
        url: &str,
        form: &Form,
        keep: impl Fn(&T) -> bool,
    ) -> Result<Value, Refusal> {
        let limit = form.integer("limit")?.unwrap_or(10);
        let limit = usize::try_from(limit)
            .ok()
            .filter(|limit| (1..=100).contains(limit))
            .ok_or_else(|| {
                Refusal::invalid("Invalid limit: must be between 1 and 100.")
                    .code("parameter_invalid_integer")
                    .param("limit")
            })?;
        let place = |key: &str| match form.text(key) {
            Some(id) => match self.places.get(id) {
                Some(place) => Ok(Some(*place)),
                None => Err(Refusal::missing(T::KIND, id, key).status(400)),
            },
            None => Ok(None),
        };
        let (after, before) = (place("starting_after")?, place("ending_before")?);
        let created = Created::from(form)?;
        let mut found = Vec::new();
        for (place, row) in self.rows.iter().enumerate().rev() {
            let older = after.is_none_or(|after| place < after);
            let newer = before.is_none_or(|before| place > before);
            if older && newer && created.admits(row.created()) && keep(row) {
                found.push(row);
            }
        }
        let has_more = found.len() > limit;
        let shown = if before.is_some() {
            &found[found.len().saturating_sub(limit)..]
        } else {
            &found[..limit.min(found.len())]
        };
        let data: Vec<Value> = shown.iter().map(|row| row.json()).collect();
        Ok(json!({ "object": "list", "url": url, "has_more": has_more, "data": data }))
    }
}

/// The `created` filter: one instant, or bounds `gt`, `gte`, `lt`, `lte`.
struct Created {
    from: i64,
    to: i64,
}

impl Created {
    fn from(form: &Form) -> Result<Self, Refusal> {
        if let Some(instant) = form.integer("created")? {
            return Ok(Self {
                from: instant,
                to: instant,
            });
        }
        let from = match form.integer("created[gt]")? {
            Some(bound) => bound.saturating_add(1),
            None => form.integer("created[gte]")?.unwrap_or(i64::MIN),
        };
        let to = match form.integer("created[lt]")? {
            Some(bound) => bound.saturating_sub(1),
            None => form.integer("created[lte]")?.unwrap_or(i64::MAX),
        };
        Ok(Self { from, to })
    }

    fn admits(&self, created: i64) -> bool {
        (self.from..=self.to).contains(&created)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row(String, i64);

    impl Object for Row {
        const KIND: &'static str = "row";
        const PARAM: &'static str = "id";
        fn id(&self) -> &str {
            &self.0
        }
        fn created(&self) -> i64 {
            self.1
        }
        fn json(&self) -> Value {
            json!(self.1)
        }
    }

    #[test]
    fn pages_are_newest_first_and_meet_at_their_edges() {
        let mut table = Table::default();
        (0..25).for_each(|n| table.add(Row(format!("r{n}"), n)));
        let page = |query: &str| table.page("/v1/rows", &Form::parse(query.as_bytes()), |_| true);
        let numbers = |query: &str| {
            let page = page(query).unwrap();
            (
                page["data"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|n| n.as_i64().unwrap())
                    .collect::<Vec<_>>(),
                page["has_more"] == true,
            )
        };
        assert_eq!(numbers("limit=3"), (vec![24, 23, 22], true));
        assert_eq!(
            numbers("limit=3&starting_after=r22"),
            (vec![21, 20, 19], true)
        );
        assert_eq!(
            numbers("limit=3&ending_before=r20"),
            (vec![23, 22, 21], true)
        );
        assert_eq!(numbers("limit=3&ending_before=r22"), (vec![24, 23], false));
        assert_eq!(numbers("created[gte]=3&created[lt]=5"), (vec![4, 3], false));
        assert_eq!(numbers("created=7"), (vec![7], false));
        assert_eq!(numbers("starting_after=r0"), (vec![], false));
        for refused in [
            "limit=0",
            "limit=101",
            "limit=x",
            "starting_after=nobody",
            "created[gt]=x",
        ] {
            assert!(page(refused).is_err(), "{refused}");
        }
    }
}
