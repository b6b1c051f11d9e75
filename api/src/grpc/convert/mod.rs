//! Between messages and the words of the house: what comes in becomes the plain structs of `wire`, what goes out is made
//! from the domain's words and the use cases' views.

pub mod asked;
pub mod journal;
pub mod order;
pub mod regulation;
pub mod rules;
pub mod tournament;
pub mod words;

/// Whose eyes an answer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// The payer: no label of a code, no name of a key.
    Payer,
    /// Somebody of the organiser: no payer's secret.
    Staff,
}
