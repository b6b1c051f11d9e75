//! Where a page of a list begins and how long it is.

use std::str::FromStr;

use actix_web::HttpRequest;
use actix_web::web::Query;
use domain::{Problem, Slug, Text};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::wire::{Faults, Rule};

/// What stands after `?`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PageIn {
    after: Option<String>,
    limit: Option<String>,
}

/// A page: after which item, and how many at most.
pub(super) struct Page<T> {
    /// The last item of the page before.
    pub after: Option<T>,
    /// How many at most.
    pub limit: i64,
}

impl<T: FromStr> Page<T> {
    /// Reads `?after=…&limit=…`; from 1 to `most`, `usual` where nothing is said.
    pub fn read(request: &HttpRequest, usual: i64, most: i64) -> Result<Self, Problem> {
        let asked: PageIn = query(request)?;
        let mut faults = Faults::default();
        let after = asked
            .after
            .and_then(|text| faults.parsed("after", &text, Rule::NotAnId));
        let limit = match asked.limit {
            None => Some(usual),
            Some(text) => faults
                .parsed("limit", &text, Rule::OutOfRange)
                .filter(|limit| (1..=most).contains(limit)),
        };
        if limit.is_none() {
            let mut faults = Faults::default();
            faults.add("limit", Rule::OutOfRange);
            return faults.finish(None);
        }
        faults.finish(limit.map(|limit| Page { after, limit }))
    }

    /// The cursor of the next page: the last item's, where the page is full.
    pub fn next(&self, count: usize, last: Option<String>) -> Option<String> {
        last.filter(|_| i64::try_from(count).is_ok_and(|count| count >= self.limit))
    }
}

/// What stands after `?`, with no name that nobody knows.
pub(super) fn query<Q: DeserializeOwned>(request: &HttpRequest) -> Result<Q, Problem> {
    let read = Query::<Q>::from_query(request.query_string());
    read.map(Query::into_inner).map_err(|error| {
        let said = error.to_string();
        let named = said.split('`').nth(1).unwrap_or("query").to_owned();
        let text = Text::new(
            "Aquest paràmetre no es coneix o no es pot llegir.",
            "Este parámetro no se conoce o no se puede leer.",
            "This parameter is not known or cannot be read.",
        );
        Problem::new(Slug::InvalidFields).field(named, "unknown_field", text)
    })
}
