//! No question that is asked all the time takes longer because much has happened: none looks at more rows than it needs,
//! however many there are.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod many;
mod plans;
mod questions;
mod touched;

/// Tables that grow with tournaments, organisers and staff, not with orders.
const SMALL: [&str; 6] = [
    "tournaments",
    "regulations",
    "subscribers",
    "organisers",
    "keys",
    "codes",
];
