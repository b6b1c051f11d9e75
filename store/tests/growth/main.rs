//! No question that is asked all the time takes longer because much has happened: none looks at more rows than it needs,
//! however many there are.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod many;
mod plans;
mod questions;
mod touched;

/// Tables that grow with tournaments, organisers and staff, not with orders; and what a question brings along.
const SMALL: [&str; 7] = [
    "tournaments",
    "regulations",
    "subscribers",
    "organisers",
    "keys",
    "codes",
    "json_each",
];
