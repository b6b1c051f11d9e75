//! The first draft of a regulation: the file that the answers to a few questions come to.

mod page;
mod prices;
mod words;

use domain::{BasisPoints, Currency, SectionId, Title, TournamentId};
use jiff::ToSpan;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use page::Page;

/// What was answered. Sums are minor units of the currency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// By which orders and addresses name it.
    pub id: TournamentId,
    /// What people call it, in every language until somebody translates it.
    pub name: String,
    /// First day of play.
    pub first: Date,
    /// Last day of play.
    pub last: Date,
    /// The venue's, by its IANA name.
    pub zone: TimeZone,
    /// When round one begins, on the first day.
    pub begins: Time,
    /// How many rounds every section has.
    pub rounds: u32,
    /// Of every sum.
    pub currency: Currency,
    /// At least one.
    pub sections: Vec<DraftSection>,
    /// Last day of entry, all of it; on the first day of play, until round one begins.
    pub closes: Date,
    /// Reduction for those who enter early.
    pub early: Option<Early>,
    /// Reduction for the young.
    pub juniors: Option<Juniors>,
    /// Who of these titles enters pays nothing.
    pub free: Vec<Title>,
    /// How many may enter; none where the organiser is to say it later.
    pub seats: Option<u32>,
    /// Whether cards are taken.
    pub card: bool,
    /// Whether transfers are taken.
    pub transfer: bool,
    /// What comes back on cancelling; nothing by rule where there is none.
    pub cancel: Option<Cancel>,
}

/// One group of the tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DraftSection {
    /// As the file names it (`A`).
    pub id: SectionId,
    /// Its players are rated below this, or not at all.
    pub under: Option<u16>,
    /// What an entry costs.
    pub fee: i64,
}

/// A sum off for those who enter early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Early {
    /// The last day that counts.
    pub until: Date,
    /// What is taken off.
    pub less: i64,
}

/// A reduction for those who are under an age on the first day of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Juniors {
    /// The age that they have not reached.
    pub under: u8,
    /// What is taken off.
    pub less: Less,
}

/// What a reduction takes off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Less {
    /// A sum.
    Sum(i64),
    /// A share of the fee.
    Share(BasisPoints),
}

/// What is kept of who cancels in time; the rest comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancel {
    /// The last day in time.
    pub until: Date,
    /// The share that is kept.
    pub keep: BasisPoints,
}

impl Draft {
    /// A draft that leaves nothing open: nine rounds in nine days, one section for all, paid by card.
    #[must_use]
    pub fn new(
        id: TournamentId,
        section: DraftSection,
        (zone, currency): (TimeZone, Currency),
        first: Date,
    ) -> Draft {
        let mut draft = Draft {
            name: words::titled(id.as_str()),
            id,
            first,
            last: first,
            zone,
            begins: Time::constant(16, 30, 0, 0),
            rounds: 9,
            currency,
            sections: vec![section],
            closes: first,
            early: None,
            juniors: None,
            free: Vec::new(),
            seats: None,
            card: true,
            transfer: false,
            cancel: None,
        };
        draft.begin_on(first);
        draft
    }

    /// Moves the first day: nine days of play from there, and entry until the day before.
    pub fn begin_on(&mut self, first: Date) {
        self.first = first;
        self.last = first.saturating_add(8.days());
        self.closes = first.saturating_sub(1.day());
    }

    /// Moves the last day: as many rounds as days, but at least five and at most nine.
    pub fn end_on(&mut self, last: Date) {
        self.last = last;
        let days = (last - self.first).get_days().saturating_add(1);
        self.rounds = days.clamp(5, 9).unsigned_abs();
    }

    /// Whether no section has a fee, so that there is nothing to take off.
    #[must_use]
    pub fn costs_nothing(&self) -> bool {
        self.sections.iter().all(|section| section.fee == 0)
    }

    /// The file: a regulation in TOML, with what is still to be written marked TODO.
    #[must_use]
    pub fn write(&self) -> String {
        Page::of(self)
    }
}
