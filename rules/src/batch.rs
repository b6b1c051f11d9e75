//! One case of `quote --batch` in, one JSON object out.

use crate::Regulation;

/// Answers one line of JSON: `{"id", ...}` with the fields that the case's kind asks for, or `{"id", "error"}`.
/// `find` gives the regulation of a tournament.
#[must_use]
pub fn answer<'a>(line: &str, find: impl Fn(&str) -> Option<&'a Regulation>) -> serde_json::Value {
    let _ = (line, find("").is_some());
    serde_json::json!({"id": null, "error": "not yet"})
}
