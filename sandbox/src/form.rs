//! Form-encoded parameters with bracketed keys: `metadata[order]=7&expand[]=latest_charge`.

use std::collections::{BTreeMap, BTreeSet};

use crate::refusal::Refusal;

pub(crate) type Metadata = BTreeMap<String, String>;

/// The parameters of one request, each under its full key as Stripe names it in `param`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// Reads a body or query string. `list[]` items get the numbers they would have had if written out.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        let mut values = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (key, value) in form_urlencoded::parse(encoded) {
            let key = match key.strip_suffix("[]") {
                Some(list) => {
                    let next = counts.entry(list.to_owned()).or_default();
                    *next += 1;
                    format!("{list}[{}]", *next - 1)
                }
                None => key.into_owned(),
            };
            values.insert(key, value.into_owned());
        }
        Self(values)
    }

    /// Refuses the first top-level name that is not in `known`; `expand` always is.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Refusal> {
        for key in self.0.keys() {
            let top = key.split('[').next().unwrap_or(key);
            if top != "expand" && !known.contains(&top) {
                return Err(
                    Refusal::invalid(format!("Received unknown parameter: {top}"))
                        .code("parameter_unknown")
                        .param(top),
                );
            }
        }
        Ok(())
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The value, or none when absent or empty.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.0
            .get(key)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn required(&self, key: &str) -> Result<&str, Refusal> {
        self.text(key).ok_or_else(|| {
            Refusal::invalid(format!("Missing required param: {key}."))
                .code("parameter_missing")
                .param(key)
        })
    }

    pub(crate) fn integer(&self, key: &str) -> Result<Option<i64>, Refusal> {
        self.text(key)
            .map(|value| value.parse().map_err(|_| not_an_integer(value, key)))
            .transpose()
    }

    pub(crate) fn required_integer(&self, key: &str) -> Result<i64, Refusal> {
        let value = self.required(key)?;
        value.parse().map_err(|_| not_an_integer(value, key))
    }

    pub(crate) fn boolean(&self, key: &str) -> Result<Option<bool>, Refusal> {
        match self.text(key) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(Refusal::invalid(format!("Invalid boolean: {other}")).param(key)),
        }
    }

    pub(crate) fn one_of<'a>(
        &'a self,
        key: &str,
        allowed: &[&str],
    ) -> Result<Option<&'a str>, Refusal> {
        match self.text(key) {
            Some(value) if !allowed.contains(&value) => Err(Refusal::invalid(format!(
                "Invalid {key}: must be one of {}",
                allowed.join(", ")
            ))
            .param(key)),
            value => Ok(value),
        }
    }

    /// The values of a list, in order.
    pub(crate) fn list(&self, key: &str) -> Vec<&str> {
        self.indices(key)
            .iter()
            .filter_map(|index| self.text(&format!("{key}[{index}]")))
            .collect()
    }

    pub(crate) fn has_list(&self, key: &str) -> bool {
        !self.indices(key).is_empty()
    }

    /// A list of payment method types must leave the card in: this server knows no other.
    pub(crate) fn check_card_is_in(&self, key: &str) -> Result<(), Refusal> {
        if self.has_list(key) && !self.list(key).contains(&"card") {
            return Err(Refusal::invalid(
                "No valid payment method types: this server knows only card.",
            )
            .param(key));
        }
        Ok(())
    }

    /// The numbers used under `key`, ascending.
    pub(crate) fn indices(&self, key: &str) -> BTreeSet<usize> {
        let prefix = format!("{key}[");
        self.0
            .keys()
            .filter_map(|name| name.strip_prefix(&prefix)?.split(']').next()?.parse().ok())
            .collect()
    }

    /// Applies `key[name]=value` pairs to `metadata`: an empty value removes, an empty `key` removes all.
    /// Limits: <https://docs.stripe.com/metadata#data>.
    pub(crate) fn merge_metadata(&self, key: &str, metadata: &mut Metadata) -> Result<(), Refusal> {
        if self.0.get(key).is_some_and(String::is_empty) {
            metadata.clear();
        }
        let prefix = format!("{key}[");
        for (full, value) in &self.0 {
            let Some(name) = full
                .strip_prefix(&prefix)
                .and_then(|rest| rest.strip_suffix(']'))
            else {
                continue;
            };
            if name.chars().count() > 40 || value.chars().count() > 500 {
                let rule = "keys can have up to 40 characters and values up to 500 characters";
                return Err(Refusal::invalid(format!("Invalid metadata: {rule}")).param(full));
            }
            if value.is_empty() {
                metadata.remove(name);
            } else {
                metadata.insert(name.to_owned(), value.clone());
            }
        }
        if metadata.len() > 50 {
            return Err(Refusal::invalid("Metadata can have up to 50 keys").param(key));
        }
        Ok(())
    }

    pub(crate) fn metadata(&self, key: &str) -> Result<Metadata, Refusal> {
        let mut metadata = Metadata::new();
        self.merge_metadata(key, &mut metadata)?;
        Ok(metadata)
    }
}

fn not_an_integer(value: &str, key: &str) -> Refusal {
    Refusal::invalid(format!("Invalid integer: {value}"))
        .code("parameter_invalid_integer")
        .param(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bracketed_keys_become_full_names() {
        let form = Form::parse(
            b"amount=4000&metadata%5Border%5D=o1&expand[]=a&expand[]=b&line_items[1][quantity]=2",
        );
        assert_eq!(form.text("metadata[order]"), Some("o1"));
        assert_eq!(form.list("expand"), ["a", "b"]);
        assert_eq!(
            form.indices("line_items").into_iter().collect::<Vec<_>>(),
            [1]
        );
        assert_eq!(form.required_integer("amount").unwrap(), 4000);
        assert_eq!(
            form.only(&["amount"]).unwrap_err().message(),
            "Received unknown parameter: line_items"
        );
    }

    #[test]
    fn metadata_merges_removes_and_is_limited() {
        let mut metadata = Metadata::from([("a".into(), "1".into()), ("b".into(), "2".into())]);
        Form::parse(b"metadata[a]=&metadata[c]=3")
            .merge_metadata("metadata", &mut metadata)
            .unwrap();
        assert_eq!(
            metadata,
            Metadata::from([("b".into(), "2".into()), ("c".into(), "3".into())])
        );
        Form::parse(b"metadata=")
            .merge_metadata("metadata", &mut metadata)
            .unwrap();
        assert!(metadata.is_empty());
        let long = format!("metadata[{}]=x", "k".repeat(41));
        assert!(Form::parse(long.as_bytes()).metadata("metadata").is_err());
    }
}
