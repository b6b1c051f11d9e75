//! What clients ask for, and what comes of it, in words that both doors share.

/// Somebody who plays. The number is the FIDE identity too.
#[derive(Clone, Debug)]
pub struct Person {
    /// Nobody else has it.
    pub number: u32,
    /// The section asked for.
    pub section: &'static str,
}

/// An order in its payer's hands.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// `ord_…`
    pub order: String,
    /// Its secret.
    pub token: String,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub enum Act {
    /// People enter, on one order.
    Register {
        /// The tournament.
        tournament: &'static str,
        /// Who.
        people: Vec<Person>,
    },
    /// The gateway's page is opened.
    Pay(Ticket),
    /// The player leaves.
    Cancel(Ticket),
    /// Staff give back so many cents.
    Refund(Ticket, i64),
}

/// An act with its key: whoever sends it again means the same one.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The idempotency key.
    pub key: String,
    /// What.
    pub act: Act,
}

/// What was done. Two answers to one key are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// The order, its token, and each entry with its form number.
    Registered {
        /// `ord_…`
        order: String,
        /// Its secret.
        token: String,
        /// `ent_…` and form number.
        entries: Vec<(String, i64)>,
    },
    /// The payment.
    Opened(String),
    /// What goes back and what is kept.
    Cancelled(i64, i64),
    /// The order that a sum goes back on.
    Refunded(String),
}

/// What a door says.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is done; for a payment with the page where it is paid.
    Done(Done, Option<String>),
    /// It is not, by this problem.
    Refused(String),
    /// Not now, or nobody knows: to be asked again under the same key.
    Again(String),
    /// The service says that it is broken.
    Broken(String),
}

impl Answer {
    /// What a problem's slug comes to.
    pub fn problem(slug: &str) -> Answer {
        match slug {
            "overload" | "gateway-unavailable" | "changed-meanwhile" => {
                Answer::Again(slug.to_owned())
            }
            "internal" => Answer::Broken(slug.to_owned()),
            _ => Answer::Refused(slug.to_owned()),
        }
    }
}
