//! Between messages and the words of the house: what comes in becomes the plain structs of `wire`, what goes out is made
//! from the domain's words and the use cases' views.

pub mod asked;
pub mod journal;
pub mod order;
pub mod rules;
pub mod tournament;
pub mod words;
