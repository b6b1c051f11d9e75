//! The clauses of a regulation that are neither condition nor price: sections, capacity, deadlines, consents, deposits.

use domain::{Money, SectionId, Text, UtcTime};

/// Who plays in a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntrantKind {
    /// One player.
    Player,
    /// A team with its roster.
    Team,
}

/// What makes entrants one group, whose members a price may count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupedBy {
    /// The player's club, by its folded name.
    Club,
    /// The player's federation.
    Federation,
    /// The team's institution, by its folded name.
    Institution,
}

/// A group of the tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// As the regulation names it (`A`).
    pub id: SectionId,
    /// What people call it.
    pub name: Text,
    /// How many rounds are played.
    pub rounds: u32,
    /// Players or teams.
    pub kind: EntrantKind,
    /// Whether a team's order of boards may not change once it is entered.
    pub fixed_boards: bool,
    /// Whether the text gives it a price. Where it gives none, entry is closed, not free.
    pub has_fees: bool,
    /// Line of the file, from 1.
    pub line: usize,
}

/// How many entries there may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CapacityRule {
    /// The sections that share these seats; empty for the whole tournament.
    pub sections: Vec<SectionId>,
    /// Full at this figure; `None` where the text leaves the figure to the organiser, who has to set it before entry
    /// opens.
    pub seats: Option<u32>,
    /// Staff are warned from this figure on.
    pub warn_at: Option<u32>,
    /// The article.
    pub article: String,
    /// Line of the file, from 1.
    pub line: usize,
}

/// What the seats are given by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordering {
    /// The order of the form.
    ByForm,
    /// The order of the payments.
    ByPayment,
}

/// What becomes of money that finds no free seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenFull {
    /// It goes back at once.
    GiveBack,
    /// It waits with its entries for a seat, in the order in which it arrived, until play begins. Only where seats go by the
    /// order of the payments.
    Wait,
}

/// Whether somebody approves every entry, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approval {
    /// Nobody does.
    None,
    /// The entry is paid once it is approved.
    BeforePayment,
    /// The entry is approved once it is paid; a refusal gives everything back.
    AfterPayment,
}

/// When an entry becomes effective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effective {
    /// When the money is in.
    Paid,
    /// When the number of the payment slip is given; staff confirm the money.
    SlipGiven,
    /// When whoever approves has approved.
    Approved,
}

/// What the same entrant may not do twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdentityScope {
    /// One entry in the tournament.
    Tournament,
    /// One entry in each section.
    Section,
}

/// How money comes in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PaymentMethods {
    /// By card.
    pub card: bool,
    /// By bank transfer.
    pub transfer: bool,
    /// By slip at a bank's counter.
    pub slip: bool,
    /// Whether the slip's number is given with the entry.
    pub slip_with_entry: bool,
    /// The account or desk that slips and transfers are paid to, for the payer to read; none where the text names none.
    pub pay_to: Option<Text>,
    /// Means that the text names and that are off (`bizum`).
    pub off: Vec<String>,
    /// Line of the file, from 1.
    pub line: usize,
}

/// Something that the organiser asks of each entrant, and that rows may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// As conditions and answers name it (`member`).
    pub id: String,
    /// What is asked.
    pub text: Text,
    /// What can be answered.
    pub kind: QuestionKind,
    /// Whether an entry needs an answer.
    pub required: bool,
    /// The sections whose entrants are asked; empty for all.
    pub sections: Vec<SectionId>,
    /// The article.
    pub article: String,
    /// Line of the file, from 1.
    pub line: usize,
}

/// What can be answered to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionKind {
    /// `true` or `false`; no answer is `false`.
    YesNo,
    /// A whole number, both ends inclusive.
    Number {
        /// The least.
        from: i32,
        /// The most.
        to: i32,
    },
    /// One of these.
    Choice(Vec<Choice>),
}

/// One of the answers of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// As conditions and answers name it.
    pub id: String,
    /// What it is, for people.
    pub text: Text,
}

impl QuestionKind {
    /// The answer as a number: 0 or 1, the number itself, or the place of the choice; `None` where it is no answer.
    pub(crate) fn read(&self, text: &str) -> Option<i32> {
        match self {
            QuestionKind::YesNo => match text {
                "false" => Some(0),
                "true" => Some(1),
                _ => None,
            },
            QuestionKind::Number { from, to } => {
                let number: i32 = text.parse().ok()?;
                // As it would be written again: no plus, no zero before it.
                let plain = number.to_string() == text;
                (plain && (*from..=*to).contains(&number)).then_some(number)
            }
            QuestionKind::Choice(choices) => {
                let place = choices.iter().position(|choice| choice.id == text)?;
                i32::try_from(place).ok()
            }
        }
    }
}

/// Something that the payer agrees to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consent {
    /// As the order names it (`sponsors`).
    pub id: String,
    /// What is agreed to.
    pub text: Text,
    /// Whether entry needs it.
    pub required: bool,
    /// The article.
    pub article: String,
    /// Line of the file, from 1.
    pub line: usize,
}

/// A protest and the money taken with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Appeal {
    /// As the regulation names it.
    pub id: String,
    /// Taken with it, given back if it is upheld: in each currency of the file, zero where the text asks for none.
    pub deposits: Vec<Money>,
    /// How long after the act there is to appeal, in seconds.
    pub within_seconds: i64,
    /// The time limit and what becomes of the deposit, in words.
    pub text: Text,
    /// The article.
    pub article: String,
    /// Line of the file, from 1.
    pub line: usize,
}

/// What the organiser may do to an entry without a rule deciding it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OrganiserRights {
    /// May refuse an entry that asks for admission.
    pub refuse: bool,
    /// May annul an entry that stands.
    pub annul: bool,
    /// Places an entry that names no section, and may move one, the difference in price asked for or given back.
    pub place: bool,
}

/// A stretch of time: from `from` on, until just before `before`; open where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Window {
    /// First instant inside.
    pub from: Option<UtcTime>,
    /// First instant after it.
    pub before: Option<UtcTime>,
}

impl Window {
    /// Whether the instant is inside.
    #[must_use]
    pub fn holds(&self, at: UtcTime) -> bool {
        self.from.is_none_or(|from| from <= at) && self.before.is_none_or(|before| at < before)
    }

    /// The first of its ends that is still to come.
    pub(crate) fn next_change(&self, at: UtcTime) -> Option<UtcTime> {
        [self.from, self.before]
            .into_iter()
            .flatten()
            .filter(|end| *end > at)
            .min()
    }
}
