//! A regulation as the rest of the house reads it: parsed, checked, cheap to share behind an `Arc`.

use domain::{
    Currency, Entrant, Language, Money, RefundMethod, RegulationRef, SectionId, Taken, Text,
    TournamentId, UtcTime,
};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clauses::{Admission, ByeClause, RefundClause, RefundTier};
use crate::conditions::{FactSet, Vocabulary};
use crate::dearest::Dearest;
use crate::fees::{Fees, Same};
use crate::parse::nearest;
use crate::terms::{
    Appeal, Approval, CapacityRule, Consent, Effective, IdentityScope, Ordering, OrganiserRights,
    PaymentMethods, Question, Section, WhenFull, Window,
};

/// One tournament's rules, in one numbered version.
#[derive(Debug)]
pub struct Regulation {
    pub(crate) reference: RegulationRef,
    pub(crate) source: String,
    pub(crate) name: Text,
    /// Never empty; the first one is that of rows that name none.
    pub(crate) currencies: Vec<Currency>,
    pub(crate) time_zone: TimeZone,
    pub(crate) prevails: Option<Language>,
    pub(crate) play: Play,
    pub(crate) entry: EntryTerms,
    pub(crate) sections: Vec<Section>,
    pub(crate) capacity: Vec<CapacityRule>,
    pub(crate) consents: Vec<Consent>,
    pub(crate) appeals: Vec<Appeal>,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) admissions: Vec<Admission>,
    pub(crate) fees: Fees,
    pub(crate) refund: RefundClause,
    pub(crate) byes: ByeClause,
    pub(crate) dearest: Dearest,
    /// Facts that entry to each section, and its price, depend on.
    pub(crate) reads: Vec<FactSet>,
    pub(crate) doubts: Vec<Doubt>,
    /// Positions of the sections that say themselves that they have no fees.
    pub(crate) closed_sections: Vec<usize>,
}

/// Something in a date that `check` has to tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Doubt {
    pub line: usize,
    pub kind: DoubtKind,
}

/// What is doubtful about a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DoubtKind {
    RepeatedTime,
    SkippedTime,
    Weekday,
    /// Ages count on a day more than a year from play.
    AgesFar,
    /// A sentence for people is empty in some language.
    EmptyText,
    /// Money is to go back by card, and none comes by card.
    RefundByCard,
    /// The article is empty; the table that it stands in begins at this line.
    Article {
        table: usize,
    },
}

/// When and how long it is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    pub first: Date,
    pub last: Date,
    pub begins: UtcTime,
    pub rounds: u32,
}

/// Table `[entry]` and `[payment]`.
#[derive(Clone, Debug)]
pub(crate) struct EntryTerms {
    pub line: usize,
    pub window: Window,
    pub article: String,
    pub pay_by: Option<UtcTime>,
    pub hold_seconds: i64,
    pub order: Ordering,
    pub when_full: WhenFull,
    pub approval: Approval,
    pub effective: Effective,
    pub identity: IdentityScope,
    pub rights: OrganiserRights,
    pub methods: PaymentMethods,
}

impl Regulation {
    /// Tournament, version, hash and language version.
    #[must_use]
    pub fn reference(&self) -> &RegulationRef {
        &self.reference
    }

    /// The tournament that this is the regulation of.
    #[must_use]
    pub fn tournament(&self) -> &TournamentId {
        &self.reference.tournament
    }

    /// The first of its currencies, and mostly the only one.
    #[must_use]
    pub fn currency(&self) -> Currency {
        self.currencies[0]
    }

    /// The currencies in which it has sums, in the order of the file.
    #[must_use]
    pub fn currencies(&self) -> &[Currency] {
        &self.currencies
    }

    /// The places of its currencies in the vocabulary.
    pub(crate) fn currency_places(&self) -> impl Iterator<Item = u8> {
        let words = &self.vocabulary;
        self.currencies
            .iter()
            .map(|currency| words.place_of(*currency))
    }

    /// Minor units of the currency at a place of the vocabulary.
    pub(crate) fn money(&self, minor: i64, place: u8) -> Money {
        let known = self.vocabulary.currencies.get(usize::from(place));
        Money::new(minor, known.copied().unwrap_or(self.currency()))
    }

    /// The venue's time zone.
    #[must_use]
    pub fn time_zone(&self) -> &TimeZone {
        &self.time_zone
    }

    /// What people call the tournament.
    #[must_use]
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// The TOML text, byte for byte.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The sections, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter()
    }

    /// One section by its id.
    #[must_use]
    pub fn section(&self, id: &SectionId) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == *id)
    }

    pub(crate) fn section_position(&self, id: &SectionId) -> Option<usize> {
        self.sections.iter().position(|section| section.id == *id)
    }

    /// How many entries there may be; empty where the text sets no limit.
    #[must_use]
    pub fn capacity(&self) -> &[CapacityRule] {
        &self.capacity
    }

    /// What the seats are given by.
    #[must_use]
    pub fn order(&self) -> Ordering {
        self.entry.order
    }

    /// What becomes of money that finds no free seat.
    #[must_use]
    pub fn when_full(&self) -> WhenFull {
        self.entry.when_full
    }

    /// Whether somebody approves every entry, and when.
    #[must_use]
    pub fn approval(&self) -> Approval {
        self.entry.approval
    }

    /// How long a seat is kept for an unpaid order, in seconds.
    #[must_use]
    pub fn hold_seconds(&self) -> i64 {
        self.entry.hold_seconds
    }

    /// The first instant at which money is refused.
    #[must_use]
    pub fn pay_by(&self) -> Option<UtcTime> {
        self.entry.pay_by
    }

    /// The first instant at which an entry is taken; open from the start where there is none.
    #[must_use]
    pub fn opens(&self) -> Option<UtcTime> {
        self.entry.window.from
    }

    /// The first instant at which no entry is taken any more.
    #[must_use]
    pub fn closes(&self) -> Option<UtcTime> {
        self.entry.window.before
    }

    /// When the first round begins.
    #[must_use]
    pub fn begins(&self) -> UtcTime {
        self.play.begins
    }

    /// First and last day of play, in the venue's time.
    #[must_use]
    pub fn days(&self) -> (Date, Date) {
        (self.play.first, self.play.last)
    }

    /// How money comes in.
    #[must_use]
    pub fn payment_methods(&self) -> &PaymentMethods {
        &self.entry.methods
    }

    /// When an entry becomes effective.
    #[must_use]
    pub fn effective(&self) -> Effective {
        self.entry.effective
    }

    /// What the same entrant may not do twice.
    #[must_use]
    pub fn identity_scope(&self) -> IdentityScope {
        self.entry.identity
    }

    /// What the organiser may do to an entry.
    #[must_use]
    pub fn organiser_rights(&self) -> OrganiserRights {
        self.entry.rights
    }

    /// The language whose wording of the bases prevails, where they say so.
    #[must_use]
    pub fn prevailing_language(&self) -> Option<Language> {
        self.prevails
    }

    /// The next instant after this one at which what an unpaid entry costs changes, because a row goes by the payment or by
    /// the arrival of the money.
    #[must_use]
    pub fn next_price_by_payment(&self, after: UtcTime) -> Option<UtcTime> {
        let boundaries = &self.dearest.boundaries;
        let later = |at: &&UtcTime| **at > after;
        let ends = [&boundaries.paid, &boundaries.received];
        ends.into_iter()
            .filter_map(|ends| ends.iter().find(later).copied())
            .min()
    }

    /// Whether a price goes by the payment or by the arrival of the money.
    #[must_use]
    pub fn has_prices_by_payment(&self) -> bool {
        let boundaries = &self.dearest.boundaries;
        !boundaries.paid.is_empty() || !boundaries.received.is_empty()
    }

    /// The club, federation or institution that an entrant is of, by its folded name or its code, where a price goes by how many
    /// members it has.
    #[must_use]
    pub fn group_of(&self, entrant: &Entrant) -> Option<String> {
        self.vocabulary.group_of(entrant)
    }

    /// Whether a price that goes by how many there are is another with so many than with so many.
    #[must_use]
    pub fn tells_apart(&self, before: u32, after: u32) -> bool {
        let sizes = &self.dearest.sizes;
        let place = |size: u32| sizes.partition_point(|start| *start <= size);
        place(before) != place(after)
    }

    /// Whether a price goes by how many there are of a group, or in the order.
    #[must_use]
    pub fn counts_others(&self) -> bool {
        !self.fees.reads().both(FactSet::OTHERS).is_empty()
    }

    /// Whether a price goes by the place that an entry has among them.
    #[must_use]
    pub fn counts_places(&self) -> bool {
        !self.fees.reads().both(FactSet::PLACES).is_empty()
    }

    /// Rows that only the first entries may have.
    pub fn limited_rows(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.limits.iter().map(|limit| &*limit.rule)
    }

    /// How many entries may have a row that only the first ones may have; none for any other.
    #[must_use]
    pub fn first_of(&self, rule: &str) -> Option<u32> {
        let mut limits = self.vocabulary.limits.iter();
        limits
            .find(|limit| &*limit.rule == rule)
            .map(|limit| limit.first)
    }

    /// What an entry finds that has these limited rows and may have no other.
    #[must_use]
    pub fn taken_but(&self, claims: &[String]) -> Taken {
        let others = self.limited_rows();
        let others = others.filter(|rule| claims.iter().all(|own| own != rule));
        others.map(|rule| (rule.to_owned(), u32::MAX)).collect()
    }

    /// Whether the price of an entry may depend on others.
    #[must_use]
    pub fn has_promotions(&self) -> bool {
        !self.fees.promotions.is_empty()
    }

    /// Adjustments that are deposits: what was paid for them comes back to who has finished.
    pub fn deposits(&self) -> impl Iterator<Item = &str> {
        let rows = self.fees.adjustments().filter(|row| row.comes_back);
        rows.map(|row| &*row.id)
    }

    /// The tiers of the refund clause that ask for a proof, each with what the organiser has to have seen.
    pub fn proofs(&self) -> impl Iterator<Item = (&str, &Text)> {
        let tiers = self.refund.tiers.iter();
        tiers.filter_map(|tier| Some((tier.id.as_str(), tier.proof.as_ref()?)))
    }

    /// Whether the refund clause gives a credit to who would rather have one, beside money.
    #[must_use]
    pub fn offers_credit(&self) -> bool {
        let credit = |tier: &RefundTier| tier.method == RefundMethod::Credit;
        let tiers = &self.refund.tiers;
        tiers.iter().any(credit) && !tiers.iter().all(credit)
    }

    /// Whether a promotion may reach entries of such entrants.
    #[must_use]
    pub fn has_promotions_of(&self, entrant: &Entrant) -> bool {
        let mut promotions = self.fees.promotions.iter();
        promotions.any(|row| match (&row.same, entrant) {
            (Same::Institution { .. }, Entrant::Team(_)) => true,
            (Same::Person { .. }, Entrant::Player(_)) => true,
            (_, _) => false,
        })
    }

    /// Whether what an entry to this section costs changes after the form, because a row goes by the payment or by others.
    #[must_use]
    pub fn price_goes_on(&self, section: Option<&SectionId>) -> bool {
        let place = section.and_then(|id| self.section_position(id));
        place.is_none_or(|place| self.fees.goes_on(place))
    }

    /// What the organiser asks of each entrant.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.vocabulary.questions
    }

    /// The label of a code that the file names and this one is near to, where the file does not name this one.
    #[must_use]
    pub fn label_meant(&self, label: &str) -> Option<&str> {
        let named = &self.vocabulary.codes;
        if named.iter().any(|known| known == label) {
            return None;
        }
        nearest(label, named.iter().map(String::as_str))
    }

    /// What the payer agrees to.
    #[must_use]
    pub fn consents(&self) -> &[Consent] {
        &self.consents
    }

    /// Protests, their time limits and their deposits.
    #[must_use]
    pub fn appeals(&self) -> &[Appeal] {
        &self.appeals
    }
}
