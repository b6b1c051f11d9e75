//! The states of money that comes and goes.

use serde::{Deserialize, Serialize};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// The word that SQL, JSON and proto use.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// Reads the word back; `None` for any other.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }
    )*};
}

words! {
    /// How the payer pays.
    PaymentKind {
        /// The gateway's hosted page (Stripe Checkout Session).
        Session = "session",
        /// The payer's program brings its own form (Stripe `PaymentIntent`).
        Intent = "intent",
        /// A slip paid at a counter of the bank, told by its number.
        Slip = "slip",
        /// A bank transfer.
        Transfer = "transfer",
    }
    /// How far a payment has come.
    PaymentStatus {
        /// The row is there, the gateway's answer is not.
        Creating = "creating",
        /// The payer may pay.
        Open = "open",
        /// The money is on its way: an asynchronous method, or a slip that staff have to confirm.
        Processing = "processing",
        /// The money is in.
        Succeeded = "succeeded",
        /// Refused for good.
        Failed = "failed",
        /// Closed before anything was paid.
        Cancelled = "cancelled",
        /// The money is in but amount, currency or owner is not what was asked: the back office decides.
        Quarantined = "quarantined",
    }
    /// How money goes back.
    RefundMethod {
        /// To the card it came from, through the gateway.
        Card = "card",
        /// By bank transfer, by hand or by bank file.
        Transfer = "transfer",
        /// As a credit with the organiser, to be spent on another entry.
        Credit = "credit",
    }
    /// How far a refund has come.
    RefundStatus {
        /// Decided and counted, not yet at the gateway.
        Reserved = "reserved",
        /// The gateway has it.
        Sent = "sent",
        /// The payer has it.
        Succeeded = "succeeded",
        /// The gateway gave it back: the debt is open again.
        Failed = "failed",
        /// To be transferred by staff, or to be spent.
        Owed = "owed",
    }
}
