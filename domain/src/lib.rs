//! The words of Enroc as types: money, ids, instants, facts, quotes, the status machine, journal events and problems.
//!
//! Nothing here does I/O, reads a clock or draws randomness; every other room of the house depends on this one and
//! this one depends on none. The words are those of the design: organiser, regulation, section, entrant, payer,
//! entry, order, fact, quote, claim, hold, payment, refund, journal, gateway.

mod answers;
mod byes;
mod codes;
mod crash;
mod entrant;
mod event;
mod facts;
mod ids;
mod language;
mod money;
mod names;
mod payment;
mod problem;
mod quote;
mod refund;
mod slug;
mod status;
mod time;

pub use answers::Answers;
pub use byes::{ByeAnswer, ByePoints, ByeRequest};
pub use codes::{Federation, Level, Licence, Sex, Title};
pub use crash::{CRASH_POINTS, crash_point};
pub use entrant::{Entrant, Player, Pupil, Team};
pub use event::{Actor, EntryOpened, Event, Recorded};
pub use facts::{FactName, Grade};
pub use ids::{
    DeliveryId, EntryId, IdError, IdSource, KeyId, OrderId, OrderReference, OrganiserId, PaymentId,
    RefundId, SectionId, TournamentId,
};
pub use language::{Language, Sentences, Text};
pub use money::{BasisPoints, Currency, Money, MoneyError};
pub use names::{fold_name, is_blank, is_name, is_one_line};
pub use payment::{PaymentKind, PaymentStatus, RefundMethod, RefundStatus};
pub use problem::{FieldFault, Kind, Problem, chain};
pub use quote::{
    Claim, EntryQuote, EntryRequest, FactUse, Instants, Line, LineKind, Others, Quote,
    QuoteRequest, Reason, RegulationRef, Standing, Taken,
};
pub use refund::{RefundAsk, RefundCause, RefundPart, RefundQuote};
pub use slug::Slug;
pub use status::{Cause, IllegalMove, Status};
pub use time::{Clock, UtcTime};
