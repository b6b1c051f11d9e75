//! What the REST door shows: plain structs that serialise to JSON and describe themselves in OpenAPI. Amounts are
//! `{amount, currency}` in minor units, instants RFC 3339 in UTC, ids text, sentences in the three languages.

mod entrant;
mod journal;
mod money;
mod order;
mod quote;
mod tournament;

pub use entrant::Eyes;
pub use journal::JournalOut;
pub use money::{PaymentOpenedOut, PaymentOut, RefundOut};
pub use order::{CancellationOut, OrderOut, OrdersOut, RegisteredOut};
pub use quote::{ByeAnswerOut, EligibilityOut, QuoteOut, RefundQuoteOut};
pub use tournament::{TournamentOut, TournamentShortOut, TournamentsOut};
