//! Crash points: named places in the program where it must be able to end at any time. A build with the feature
//! `crash-points` ends there when it is told to, so that what is left behind can be looked at; in any other, nothing
//! happens.

/// When and what: every crash point there is. `before` and `after` stand around a call to the gateway, named as its client
/// library names the request.
pub const CRASH_POINTS: &[(&str, &str)] = &[
    ("before", "CreateCheckoutSession"),
    ("after", "CreateCheckoutSession"),
    ("before", "RetrieveCheckoutSession"),
    ("after", "RetrieveCheckoutSession"),
    ("before", "ExpireCheckoutSession"),
    ("after", "ExpireCheckoutSession"),
    ("before", "ListCheckoutSession"),
    ("after", "ListCheckoutSession"),
    ("before", "CreatePaymentIntent"),
    ("after", "CreatePaymentIntent"),
    ("before", "RetrievePaymentIntent"),
    ("after", "RetrievePaymentIntent"),
    ("before", "CancelPaymentIntent"),
    ("after", "CancelPaymentIntent"),
    ("before", "ListPaymentIntent"),
    ("after", "ListPaymentIntent"),
    ("before", "CreateRefund"),
    ("after", "CreateRefund"),
    ("before", "RetrieveRefund"),
    ("after", "RetrieveRefund"),
    ("before", "ListRefund"),
    ("after", "ListRefund"),
    ("before", "RetrieveDispute"),
    ("after", "RetrieveDispute"),
    ("before", "ListDispute"),
    ("after", "ListDispute"),
    // An event of the gateway is on the disk, and nothing was done about it.
    ("stored", "event"),
    // All that follows from it is written, and it is not marked.
    ("settled", "event"),
    // The mail server, or the pairing service, has it, and it is not marked.
    ("sent", "mail"),
    ("sent", "message"),
];

/// Ends the process at once if the environment names this point in `CRASH_AT`, as `before CreateRefund`.
///
/// # Panics
/// At a point that is not in [`CRASH_POINTS`]: nobody would ever end there.
#[cfg(feature = "crash-points")]
pub fn crash_point(when: &str, what: &str) {
    assert!(
        CRASH_POINTS.contains(&(when, what)),
        "no crash point {when} {what}"
    );
    let asked = std::env::var("CRASH_AT").unwrap_or_default();
    if asked.split_once(' ') == Some((when, what)) {
        std::process::abort();
    }
}

/// Nothing: this build does not crash when it is told to.
#[cfg(not(feature = "crash-points"))]
#[inline]
pub fn crash_point(_when: &str, _what: &str) {}
