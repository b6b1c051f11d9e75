//! Which object an event is about.

/// The object to fetch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Subject {
    /// A page or an intent.
    Payment(String),
    /// A refund.
    Refund(String),
    /// A charge, whose refunds changed.
    RefundsOf(String),
    /// A dispute.
    Dispute(String),
    /// An event that does not concern us.
    Nothing,
}

impl Subject {
    /// By kind; what happened is of no interest. <https://docs.stripe.com/api/events/types>
    pub(super) fn of(kind: &str, object: &str) -> Subject {
        let family = |start: &str| kind.starts_with(start) && !object.is_empty();
        let object = || object.to_owned();
        if family("checkout.session.") || family("payment_intent.") {
            Subject::Payment(object())
        } else if family("refund.") || kind == "charge.refund.updated" {
            Subject::Refund(object())
        } else if family("charge.dispute.") {
            Subject::Dispute(object())
        } else if kind == "charge.refunded" {
            Subject::RefundsOf(object())
        } else {
            // `charge.*` besides these tells nothing that the intent's own events do not.
            if !kind.starts_with("charge.") {
                tracing::info!(kind, "an event that does not concern us");
            }
            Subject::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Subject;

    #[test]
    fn the_kind_says_what_to_look_at() {
        let id = || "x_1".to_owned();
        for (kind, subject) in [
            ("checkout.session.completed", Subject::Payment(id())),
            (
                "checkout.session.async_payment_failed",
                Subject::Payment(id()),
            ),
            ("checkout.session.some_day_new", Subject::Payment(id())),
            ("payment_intent.succeeded", Subject::Payment(id())),
            ("refund.created", Subject::Refund(id())),
            ("refund.failed", Subject::Refund(id())),
            ("charge.refund.updated", Subject::Refund(id())),
            ("charge.refunded", Subject::RefundsOf(id())),
            ("charge.dispute.funds_withdrawn", Subject::Dispute(id())),
            ("charge.succeeded", Subject::Nothing),
            ("payout.paid", Subject::Nothing),
            ("", Subject::Nothing),
        ] {
            assert_eq!(Subject::of(kind, "x_1"), subject, "{kind}");
        }
        assert_eq!(
            Subject::of("payment_intent.succeeded", ""),
            Subject::Nothing
        );
    }
}
