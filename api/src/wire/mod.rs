//! What both doors take in before anything is checked: plain structs that a JSON body or a protobuf message fills, and
//! the one parser that makes the domain's words of them. Every field at fault is named with its rule (`not_a_date`), the same
//! at both doors, and its path as a JSON body has it (`entries[0].entrant.birth_date`); the gRPC door tells that as its
//! message has it.
//!
//! A door fills an `…In` and asks it to `read` itself.

mod ask;
mod clauses;
mod entrant;
mod faults;
mod grades;
mod order;
mod register;
mod regulation;

pub use ask::{OthersIn, Question, QuoteIn, StandingIn};
pub use clauses::{ByeIn, RefundQuoteIn, read_byes};
pub use entrant::{MoneyIn, PlayerIn, PupilIn, TeamIn, read_entrant};
pub use faults::{Faults, LONGEST_TEXT, Read, Rule};
pub use grades::{GradeIn, Word, fact_name};
pub use order::{EntryIn, PayerIn, SlipIn};
pub use register::{OpenPaymentIn, RegisterIn};
pub use regulation::{Found, PublishIn, RegulationTextIn, looked_at};
