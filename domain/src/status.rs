//! The states of an entry, the causes that move it, and the one table of allowed moves.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not yet written.
    New,
    /// In line for a seat: not charged, or paid already where the regulation lets money wait.
    Waitlisted,
    /// Has a seat until an instant; to be paid.
    Held,
    /// Has a seat; somebody must approve.
    PendingApproval,
    /// Plays.
    Confirmed,
    /// The hold ran out.
    Expired,
    /// The player left.
    CancelledByPlayer,
    /// The organiser ended it.
    CancelledByOrganiser,
    /// Refused.
    Rejected,
    /// Left after the field was fixed; keeps its seat.
    Withdrawn,
}

/// Why an entry moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A seat is given, to be paid: at registration, by an offer, or on approval before payment.
    Hold,
    /// No seat is free, or another paid first where the regulation orders by payment.
    Wait,
    /// Somebody must approve: before payment, or after it.
    AskApproval,
    /// Paid, or nothing to pay, and approved where the regulation asks for it.
    Confirm,
    /// The hold ran out unpaid.
    Expire,
    /// The player cancels.
    CancelByPlayer,
    /// The organiser cancels.
    CancelByOrganiser,
    /// The arbiter or organiser refuses.
    Reject,
    /// The player leaves after the field is fixed.
    Withdraw,
}

/// A move that the table does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{cause} is not possible when {status}")]
pub struct IllegalMove {
    /// Where the entry stands.
    pub status: Status,
    /// What was asked for.
    pub cause: Cause,
}

impl Status {
    /// Every status, in the order of the table.
    pub const ALL: [Status; 10] = [
        Status::New,
        Status::Waitlisted,
        Status::Held,
        Status::PendingApproval,
        Status::Confirmed,
        Status::Expired,
        Status::CancelledByPlayer,
        Status::CancelledByOrganiser,
        Status::Rejected,
        Status::Withdrawn,
    ];

    /// The word that SQL, JSON and proto use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Status::New => "new",
            Status::Waitlisted => "waitlisted",
            Status::Held => "held",
            Status::PendingApproval => "pending_approval",
            Status::Confirmed => "confirmed",
            Status::Expired => "expired",
            Status::CancelledByPlayer => "cancelled_by_player",
            Status::CancelledByOrganiser => "cancelled_by_organiser",
            Status::Rejected => "rejected",
            Status::Withdrawn => "withdrawn",
        }
    }

    /// Reads the word back; `None` for any other.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Status> {
        Status::ALL
            .into_iter()
            .find(|status| status.as_str() == word)
    }

    /// Whether the entry still goes on: it may be cancelled or refused, and its people may not enter again.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(
            self,
            Status::Waitlisted | Status::Held | Status::PendingApproval | Status::Confirmed
        )
    }

    /// Whether it counts against the capacity. Held does not where the regulation orders by payment.
    #[must_use]
    pub fn takes_seat(self, order_by_payment: bool) -> bool {
        match self {
            Status::PendingApproval | Status::Confirmed | Status::Withdrawn => true,
            Status::Held => !order_by_payment,
            _ => false,
        }
    }

    /// Where a cause leads from here: the one table of allowed moves.
    ///
    /// # Errors
    /// [`IllegalMove`] naming both.
    pub fn after(self, cause: Cause) -> Result<Status, IllegalMove> {
        use Status::{
            CancelledByOrganiser, CancelledByPlayer, Confirmed, Expired, Held, New,
            PendingApproval, Rejected, Waitlisted, Withdrawn,
        };
        match (self, cause) {
            (New | Waitlisted | PendingApproval, Cause::Hold) => Ok(Held),
            (New | Held, Cause::Wait) => Ok(Waitlisted),
            (New | Waitlisted | Held | Expired, Cause::AskApproval) => Ok(PendingApproval),
            (New | Waitlisted | Held | PendingApproval | Expired, Cause::Confirm) => Ok(Confirmed),
            (Held, Cause::Expire) => Ok(Expired),
            (from, Cause::CancelByPlayer) if from.is_live() => Ok(CancelledByPlayer),
            (from, Cause::CancelByOrganiser) if from.is_live() => Ok(CancelledByOrganiser),
            (from, Cause::Reject) if from.is_live() => Ok(Rejected),
            (Confirmed, Cause::Withdraw) => Ok(Withdrawn),
            (status, cause) => Err(IllegalMove { status, cause }),
        }
    }
}

impl Cause {
    /// Every cause, in the order of the table.
    pub const ALL: [Cause; 9] = [
        Cause::Hold,
        Cause::Wait,
        Cause::AskApproval,
        Cause::Confirm,
        Cause::Expire,
        Cause::CancelByPlayer,
        Cause::CancelByOrganiser,
        Cause::Reject,
        Cause::Withdraw,
    ];

    /// The word that the journal and the docs use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Hold => "hold",
            Cause::Wait => "wait",
            Cause::AskApproval => "ask_approval",
            Cause::Confirm => "confirm",
            Cause::Expire => "expire",
            Cause::CancelByPlayer => "cancel_by_player",
            Cause::CancelByOrganiser => "cancel_by_organiser",
            Cause::Reject => "reject",
            Cause::Withdraw => "withdraw",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
