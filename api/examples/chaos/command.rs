//! What clients ask for, and what comes of it, in words that both doors share.

/// Somebody who plays. The number is the FIDE identity too.
#[derive(Clone, Debug)]
pub struct Person {
    /// Nobody else has it.
    pub number: u32,
    /// The section asked for.
    pub section: &'static str,
    /// The invitation code that comes with the entry.
    pub code: Option<String>,
}

/// An order in its payer's hands.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// `ord_…`
    pub order: String,
    /// Its secret.
    pub token: String,
    /// `ent_…`
    pub entries: Vec<String>,
}

/// How a payer pays by card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// On the gateway's page.
    Page,
    /// By a form of one's own.
    Form,
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
    /// A payment by card is opened.
    Pay(Ticket, Means),
    /// The payer tells the number of a slip of so many cents.
    Slip(Ticket, String, i64),
    /// Half-point byes are asked for an entry in these rounds.
    Byes(Ticket, String, Vec<u32>),
    /// The player leaves.
    Cancel(Ticket),
    /// The back office does something.
    Staff(Deed),
}

/// What the back office does.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Gives back so many cents of an order.
    Refund(String, i64),
    /// Finds the money of a slip: payment and cents.
    Confirm(String, i64),
    /// Finds no such money.
    Refuse(String),
    /// Lets an entry in.
    Approve(String),
    /// Refuses an entry.
    Reject(String),
    /// Moves an entry to a section.
    Move(String, &'static str),
    /// Grants or refuses the byes of an entry.
    Byes(String, bool),
    /// Notes the bank's reference of a refund that was transferred.
    Transferred(String, String),
    /// Gives out a code of a tournament for so many entries.
    Issue(&'static str, i32),
}

impl Act {
    /// A word for the tally.
    pub fn name(&self) -> &'static str {
        match self {
            Act::Register { .. } => "register",
            Act::Pay(_, Means::Page) => "open a page",
            Act::Pay(_, Means::Form) => "open a form",
            Act::Slip(..) => "tell a slip",
            Act::Byes(..) => "ask for byes",
            Act::Cancel(_) => "cancel",
            Act::Staff(deed) => match deed {
                Deed::Refund(..) => "refund",
                Deed::Confirm(..) => "confirm a slip",
                Deed::Refuse(_) => "refuse a slip",
                Deed::Approve(_) => "approve",
                Deed::Reject(_) => "reject",
                Deed::Move(..) => "move",
                Deed::Byes(..) => "decide byes",
                Deed::Transferred(..) => "transfer a refund",
                Deed::Issue(..) => "give out a code",
            },
        }
    }
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
    /// The payment that waits for the back office's word.
    Reported(String),
    /// What goes back and what is kept.
    Cancelled(i64, i64),
    /// The code.
    Issued(String),
    /// What has no more to say of itself.
    Nothing,
}

/// What a door says.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is done; for a payment with the page where it is paid, or the secret of the payer's own form.
    Done(Done, Option<String>),
    /// It is not, by this problem.
    Refused(String),
    /// Not now, or nobody knows: to be asked again under the same key.
    Again(String),
    /// The service says that it is broken.
    Broken(String),
}

/// What the desk says where something changed between two looks, and where a section is full.
pub const CHANGED: &str = "changed-meanwhile";

impl Answer {
    /// What a problem's slug comes to.
    pub fn problem(slug: &str) -> Answer {
        match slug {
            "overload" | "database-unavailable" | "gateway-unavailable" | CHANGED => {
                Answer::Again(slug.to_owned())
            }
            "internal" => Answer::Broken(slug.to_owned()),
            _ => Answer::Refused(slug.to_owned()),
        }
    }
}
