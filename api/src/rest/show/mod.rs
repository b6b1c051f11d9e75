//! What the REST door shows: plain structs that serialise to JSON and describe themselves in OpenAPI. Amounts are
//! `{amount, currency}` in minor units, instants RFC 3339 in UTC, ids text, sentences in the three languages.

mod cancellation;
mod entrant;
mod journal;
mod money;
mod order;
mod quote;
mod registered;
mod tournament;

pub use cancellation::CancellationOut;
pub use entrant::Eyes;
pub use journal::JournalOut;
pub use money::{PaymentOpenedOut, PaymentOut, RefundOut};
pub use order::{OrderOut, OrdersOut};
pub use quote::{ByeAnswerOut, EligibilityOut, QuoteOut, RefundQuoteOut};
pub use registered::RegisteredOut;
pub use tournament::{TournamentOut, TournamentShortOut, TournamentsOut};
