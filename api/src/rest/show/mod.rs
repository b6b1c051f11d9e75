//! What the REST door shows: plain structs that serialise to JSON and describe themselves in OpenAPI. Amounts are
//! `{amount, currency}` in minor units, instants RFC 3339 in UTC, ids text, sentences in the three languages.

mod cancellation;
mod entrant;
mod journal;
mod money;
mod order;
mod preview;
mod quote;
mod registered;
mod regulation;
mod touched;
mod tournament;

pub use cancellation::{CancellationOut, EntryRefundOut};
pub use entrant::Eyes;
pub use journal::JournalOut;
pub use money::{MoneyOut, PaymentOpenedOut, PaymentOut, RefundOut};
pub use order::{OrderOut, OrdersOut};
pub use preview::PreviewOut;
pub use quote::{ByeAnswerOut, EligibilityOut, QuoteOut, RefundQuoteOut};
pub use registered::RegisteredOut;
pub(in crate::rest) use regulation::findings;
pub use regulation::{PublicationOut, RegulationCheckOut, VersionOut, VersionsOut};
pub use tournament::{TournamentOut, TournamentShortOut, TournamentsOut};
