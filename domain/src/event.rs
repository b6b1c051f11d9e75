//! What happened: the kinds of journal rows. They hold ids, codes and sums, never a name, an address or a fact.

use serde::{Deserialize, Serialize};

use crate::{
    ByeRequest, Cause, EntryId, FactName, OrderId, PaymentId, PaymentKind, RefundCause, RefundId,
    RefundMethod, SectionId, Status, UtcTime,
};

/// Who did it.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "actor", content = "who")]
pub enum Actor {
    /// The payer, by the order's token.
    Payer,
    /// Somebody of the organiser: a key's id or an account.
    Staff(String),
    /// A timer of ours.
    Timer,
    /// The gateway.
    Gateway(String),
    /// Whoever sits at the machine: the command line.
    Operator,
}

/// One entry as it was registered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryOpened {
    /// Which one.
    pub entry: EntryId,
    /// Form number, per tournament, never reused.
    pub form_number: i64,
    /// The section; none until the organiser places it.
    pub section: Option<SectionId>,
    /// Its price in minor units.
    pub price: i64,
    /// Where it stands.
    pub status: Status,
}

/// What happened. Amounts are minor units of the tournament's currency unless a currency stands beside them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[expect(
    missing_docs,
    reason = "fields are the design's words: ids, codes and sums"
)]
pub enum Event {
    /// A regulation was taken in, or a new version published.
    RegulationPublished { version: i32, hash: String },
    /// Staff set the capacity that the text leaves to the organiser.
    TournamentOpened { capacity: i64 },
    /// An order came in.
    OrderRegistered {
        total: i64,
        entries: Vec<EntryOpened>,
        hold_until: Option<UtcTime>,
    },
    /// An entry moved.
    EntryMoved {
        entry: EntryId,
        from: Status,
        to: Status,
        cause: Cause,
    },
    /// A waiting order was offered seats.
    OfferMade { hold_until: UtcTime },
    /// An entry was approved; where its order is to be paid now, its seats are kept until `hold_until`.
    EntryApproved {
        entry: EntryId,
        hold_until: Option<UtcTime>,
    },
    /// An attempt to pay was opened at a gateway, or a slip's number was given.
    PaymentOpened {
        payment: PaymentId,
        method: PaymentKind,
        amount: i64,
    },
    /// Money came in as asked.
    PaymentSucceeded {
        payment: PaymentId,
        amount: i64,
        charged_at: UtcTime,
    },
    /// An attempt ended without money.
    PaymentFailed { payment: PaymentId, code: String },
    /// Money came in that is not what was asked: the back office decides.
    PaymentQuarantined {
        payment: PaymentId,
        amount: i64,
        currency: String,
        code: String,
    },
    /// A refund was decided and its sum reserved.
    RefundReserved {
        refund: RefundId,
        amount: i64,
        kept: i64,
        method: RefundMethod,
        cause: RefundCause,
        rule: String,
        /// Whose leaving, or whose deposit, it is for; none for a whole order, and in rows of before they named it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<EntryId>,
    },
    /// The regulation lets the organiser keep this of what was paid, and nothing goes back.
    FeesKept {
        amount: i64,
        cause: RefundCause,
        rule: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entry: Option<EntryId>,
    },
    /// Staff gave up part of what an order owes or cost.
    PriceWaived { amount: i64 },
    /// The gateway has the refund.
    RefundSent { refund: RefundId },
    /// The payer has it.
    RefundSucceeded { refund: RefundId, amount: i64 },
    /// It came back: the debt is open again.
    RefundFailed {
        refund: RefundId,
        amount: i64,
        code: String,
    },
    /// A refund made at the gateway by hand was taken over.
    RefundObserved { refund: RefundId, amount: i64 },
    /// The card holder disputes the charge; the gateway took the money back for now.
    DisputeOpened { payment: PaymentId, amount: i64 },
    /// The dispute ended; `won` puts the money back.
    DisputeClosed {
        payment: PaymentId,
        amount: i64,
        won: bool,
    },
    /// The organiser placed or moved an entry; `price` is the new price, `difference` what is asked for (or given back).
    SectionChanged {
        entry: EntryId,
        from: Option<SectionId>,
        to: SectionId,
        price: i64,
        difference: i64,
    },
    /// A promotion that reached a standing entry holds no more, or holds now: its price changed.
    PriceChanged {
        entry: EntryId,
        from: i64,
        to: i64,
        rule: String,
    },
    /// Staff looked at a fact and found it right, or corrected it.
    FactChecked {
        entry: EntryId,
        fact: FactName,
        upheld: bool,
    },
    /// An invitation code was given out.
    CodeIssued { code: String, uses: i32 },
    /// Byes were asked for.
    ByesRequested {
        entry: EntryId,
        byes: Vec<ByeRequest>,
    },
    /// The arbiter decided about byes.
    ByesDecided { entry: EntryId, granted: bool },
    /// The payer's secret link was sent anew; the old one is void.
    TokenRolled { generation: i32 },
}

/// A row of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// From 1, without gaps, in commit order, per tournament.
    pub number: i64,
    /// By the desk clock.
    pub at: UtcTime,
    /// The order it is about, if any.
    pub order: Option<OrderId>,
    /// Who did it.
    pub actor: Actor,
    /// Why, in the words of whoever did it; empty where it goes without saying.
    pub reason: String,
    /// What happened.
    pub event: Event,
}
