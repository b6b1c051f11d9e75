//! The use cases of the desk, one file each, and the port to the gateway.
//!
//! A use case asks `rules`, hands `store` its change, and leaves: state, journal and ledger commit in one transaction.
//! No call to the network is made inside one.

mod admit;
mod approve;
mod around;
mod ask;
mod audit;
mod byes;
mod call;
mod cancel;
mod claims;
mod close;
mod desk;
mod dossier;
mod expire;
mod explain;
mod fact;
mod gateway;
mod groups;
mod left;
mod look;
mod may_change;
mod observe;
mod offer;
mod open;
mod pass_on;
mod pay;
mod place;
mod preview;
mod price;
mod publish;
mod redeem;
mod refund;
mod register;
mod reprice;
mod seats;
mod secret;
mod send;
mod settle;
mod slip;
mod standing;
mod touched;
mod unseated;
mod versions;
mod view;
mod withdraw;

pub use audit::{AuditReport, Finding};
pub use cancel::{Cancel, Cancellation, EntryRefund};
pub use desk::{By, Desk, DeskParts};
pub use explain::{Explanation, Step};
pub use gateway::{
    Gateway, GatewayError, Opened, PaymentAsk, RefundCall, RefundState, Seen, SeenDispute,
    SeenRefund, SeenState,
};
pub use may_change::Obstacle;
pub use observe::Observed;
pub use open::{NewCode, TakenIn};
pub use pay::{OpenPayment, PaymentOpened};
pub use place::Placed;
pub use preview::{FirstChange, Preview, SeatChange, TermChange};
pub use publish::{Checked, Publication, Publish};
pub use refund::{DepositBack, DepositsBack, StaffRefund};
pub use register::{NewEntry, Payer, Register, Registered};
pub use secret::Secret;
pub use slip::{Confirmation, Slip};
pub use touched::{Example, Shift, Touched};
pub use view::{ByeView, EntryView, OrderView, SectionCount};
