//! What a mail can be about.

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)*) => {
        /// What a mail is about. Where a command did several things to an order, the first of this list that applies
        /// is the cause and the mail tells the rest.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum MailKind { $($(#[$doc])* $variant,)* }

        impl MailKind {
            /// Every kind, in the order of precedence.
            pub const ALL: &'static [MailKind] = &[$(MailKind::$variant,)*];

            /// The word in the deliveries, in Message-IDs and in the `.ftl` files.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(MailKind::$variant => $word,)* }
            }

            /// Reads the word back; `None` for any other.
            #[must_use]
            pub fn from_word(word: &str) -> Option<MailKind> {
                match word { $($word => Some(MailKind::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    /// Money came for which there was no seat: it goes back.
    NoSeat = "no_seat",
    /// The entry was refused.
    Rejected = "rejected",
    /// The player, or the organiser, ended the entry.
    Cancelled = "cancelled",
    /// The hold ran out.
    Expired = "expired",
    /// A waiting order is offered seats.
    Offer = "offer",
    /// Approved, and to be paid.
    Approved = "approved",
    /// Received, with seats kept until it is paid.
    Held = "held",
    /// Entered: nothing is left to do.
    Confirmed = "confirmed",
    /// Somebody has to approve it first.
    AwaitingApproval = "awaiting_approval",
    /// In the waiting list.
    Waitlisted = "waitlisted",
    /// The organiser placed the entry, or moved it to another section.
    SectionChanged = "section_changed",
    /// A slip or transfer was told of.
    SlipReported = "slip_reported",
    /// Staff found no such money.
    SlipRefused = "slip_refused",
    /// Money came that is not what was asked.
    Quarantined = "quarantined",
    /// A refund came back.
    RefundFailed = "refund_failed",
    /// A refund is on its way.
    RefundSent = "refund_sent",
    /// A refund was decided.
    RefundReserved = "refund_reserved",
    /// Money came in for an entry that stands already.
    Paid = "paid",
    /// A price changed.
    Changed = "changed",
    /// The arbiter decided about byes.
    ByesDecided = "byes_decided",
    /// The secret link was sent anew.
    Link = "link",
}

impl MailKind {
    /// Whether the payer reads the words of whoever decided; other reasons are the desk's own.
    pub(crate) fn gives_reason(self) -> bool {
        matches!(
            self,
            MailKind::Rejected
                | MailKind::Cancelled
                | MailKind::SlipRefused
                | MailKind::RefundReserved
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        for kind in MailKind::ALL {
            assert_eq!(MailKind::from_word(kind.as_str()), Some(*kind));
        }
    }
}
