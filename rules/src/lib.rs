//! The rules engine, pure: a regulation, facts and an instant go in; a quote, the reasons of a refusal, a refund or an
//! answer about byes comes out. No clock, no disk, no randomness.
//!
//! `docs/pricing.md` and `docs/refunds.md` are normative; their tables are tests of this crate.
#![warn(missing_docs)]

mod admit;
pub mod batch;
mod boundaries;
mod byes;
pub mod check;
mod classes;
mod clauses;
mod company;
mod conditions;
mod dearest;
pub mod diff;
mod draft;
mod fact_set;
mod facts;
mod fault;
mod fees;
mod parse;
mod price;
mod promote;
mod quote;
mod refund;
mod refusals;
mod regulation;
mod remain;
mod sentences;
mod show;
mod sums;
pub mod table;
mod terms;
mod twice;
mod undecided;
mod view;
mod walk;

pub use byes::byes;
pub use draft::{Cancel, Draft, DraftSection, Early, Juniors, Less};
pub use fault::{Fault, RegulationError};
pub use quote::{eligibility, quote};
pub use refund::{better_refund, refund, refund_clause};
pub use regulation::Regulation;
pub use remain::{Remaining, RemainingPrice, remaining_price};
pub use show::{show, show_resolved};
pub use terms::{
    Appeal, Approval, CapacityRule, Choice, Consent, Effective, EntrantKind, GroupedBy,
    IdentityScope, Ordering, OrganiserRights, PaymentMethods, Question, QuestionKind, Section,
    WhenFull, Window,
};
