//! An order to be priced, as a request asks about it.

use std::collections::BTreeMap;
use std::fmt::Display;

use domain::{Currency, EntryId, Money, Others, Problem, QuoteRequest, Standing, UtcTime};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::entrant::{MoneyIn, PlayerIn, TeamIn, read_entrant};
use super::faults::{At, Faults, Rule};
use super::grades::Word;
use super::order::EntryIn;

/// At most so many entries, standing entries or byes in one request.
const MOST: usize = 64;

/// An instant that the caller chose, or now. Only the rules' word may choose.
pub(super) fn instant(
    faults: &mut Faults,
    field: &str,
    text: Option<String>,
    word: Word,
    now: UtcTime,
) -> Option<UtcTime> {
    let Some(text) = text else { return Some(now) };
    if word != Word::Rules {
        faults.forbid(field, word);
        return None;
    }
    faults.parsed(field, &text, Rule::NotAnInstant)
}

/// Reads each item of a list with its path; those that cannot be read have their faults.
pub(super) fn each<T, U>(
    items: Vec<T>,
    path: &dyn Display,
    faults: &mut Faults,
    mut read: impl FnMut(T, &dyn Display, &mut Faults) -> Option<U>,
) -> Vec<U> {
    if items.len() > MOST {
        faults.add(path, Rule::TooMany);
        return Vec::new();
    }
    items
        .into_iter()
        .enumerate()
        .filter_map(|(place, item)| read(item, &format_args!("{path}[{place}]"), faults))
        .collect()
}

/// An entry that stands already in the tournament, and matters to a quote.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandingIn {
    /// Which entry (`ent_…`).
    #[serde(default)]
    pub entry: String,
    /// Its section; none until the organiser places it.
    pub section: Option<String>,
    /// One player.
    pub entrant: Option<PlayerIn>,
    /// A team.
    pub team: Option<TeamIn>,
    /// What its order was charged for it.
    pub price: Option<MoneyIn>,
    /// Promotions that it serves already: rows of the regulation.
    #[serde(default)]
    pub promotions: Vec<String>,
}

impl StandingIn {
    fn read(
        self,
        path: &dyn Display,
        currencies: &[Currency],
        faults: &mut Faults,
    ) -> Option<Standing> {
        let at = |field| At { path, field };
        let entry: Option<EntryId> =
            faults.required_parsed(at("entry"), Some(&self.entry), Rule::NotAnId);
        let section = self
            .section
            .and_then(|id| faults.parsed(at("section"), &id, Rule::NotAnId));
        let entrant = read_entrant(self.entrant, self.team, path, Word::Rules, faults);
        let price = sum(faults, at("price"), self.price, currencies);
        Some(Standing {
            entry: entry?,
            section,
            entrant: entrant?,
            price: price?.amount,
            currency: price.map(|price| price.currency),
            promotions: self.promotions,
        })
    }
}

/// A sum in a currency of the tournament that must be there and is not negative.
pub(super) fn sum(
    faults: &mut Faults,
    field: impl Display + Copy,
    money: Option<MoneyIn>,
    currencies: &[Currency],
) -> Option<Money> {
    let money = faults.required(field, money)?.read(field, faults)?;
    if !currencies.contains(&money.currency) {
        faults.add(format_args!("{field}.currency"), Rule::OtherCurrency);
        return None;
    }
    if money.amount < 0 {
        faults.add(format_args!("{field}.amount"), Rule::OutOfRange);
        return None;
    }
    Some(money)
}

/// The currency in which an order is to be priced; none where nothing is said.
pub(super) fn currency(faults: &mut Faults, code: Option<String>) -> Option<Currency> {
    let code = code.filter(|code| !code.is_empty())?;
    faults.parsed("currency", &code, Rule::NotACurrency)
}

/// An order to be priced, or its eligibility to be checked.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuoteIn {
    /// The instant of the form, RFC 3339; none for now. Needs a key with the role rules.
    pub at: Option<String>,
    /// The instant of the payment, RFC 3339; none for that of the form. Needs a key with the role rules.
    pub paid_at: Option<String>,
    /// The instant at which the money arrives, RFC 3339; none for that of the payment. Needs a key with the role rules.
    pub received_at: Option<String>,
    /// ISO 4217 code of the currency to be priced in, where the tournament has several; none for the first in which each entry has
    /// a price.
    pub currency: Option<String>,
    /// What one payer would enter at once.
    #[serde(default)]
    pub entries: Vec<EntryIn>,
    /// What stands already in the tournament and matters here. Needs a key with the role rules.
    #[serde(default)]
    pub standing: Vec<StandingIn>,
    /// How many of each limited row are taken already, by its id. Needs a key with the role rules; without one it is what is
    /// taken now.
    #[serde(default)]
    pub taken: BTreeMap<String, u32>,
    /// Who stands beside them already, where a price goes by how many they are. Needs a key with the role rules; without one it
    /// is who stands now.
    pub others: Option<OthersIn>,
}

/// How many live entries stand beside those that a quote is about.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OthersIn {
    /// Of each club, federation or institution, as the regulation groups entrants, by its name or its code.
    pub by_group: BTreeMap<String, u32>,
    /// In the same order.
    pub in_order: u32,
    /// Of those of each group, how many came after them: the others came before.
    pub later_by_group: BTreeMap<String, u32>,
    /// Of those in the same order, likewise.
    pub later_in_order: u32,
}

/// What the rules engine is asked, and the codes that its entries bring, in their order.
#[derive(Debug)]
pub struct Question {
    /// The question itself.
    pub request: QuoteRequest,
    /// None of an entry that brings none.
    pub codes: Vec<Option<String>>,
}

impl QuoteIn {
    /// What is asked of the rules engine.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] with every field; [`domain::Slug::Unauthenticated`] or [`domain::Slug::Denied`] where
    /// one is not for this caller to fill.
    pub fn read(
        self,
        word: Word,
        now: UtcTime,
        currencies: &[Currency],
    ) -> Result<Question, Problem> {
        let mut faults = Faults::default();
        let at = instant(&mut faults, "at", self.at, word, now);
        let [paid_at, received_at] = [("paid_at", self.paid_at), ("received_at", self.received_at)]
            .map(|(field, given)| {
                given.and_then(|given| instant(&mut faults, field, Some(given), word, now))
            });
        let currency = currency(&mut faults, self.currency);
        if self.entries.is_empty() {
            faults.add("entries", Rule::Required);
        }
        let entries = each(
            self.entries,
            &"entries",
            &mut faults,
            |entry, path, faults| entry.read(path, word, faults),
        );
        let standing = if word != Word::Rules && !self.standing.is_empty() {
            faults.forbid("standing", word);
            Vec::new()
        } else {
            each(
                self.standing,
                &"standing",
                &mut faults,
                |one, path, faults| one.read(path, currencies, faults),
            )
        };
        if word != Word::Rules && !self.taken.is_empty() {
            faults.forbid("taken", word);
        }
        if word != Word::Rules && self.others.is_some() {
            faults.forbid("others", word);
        }
        let taken = self.taken;
        let others = self.others.map(|others| Others {
            by_group: others.by_group,
            in_order: others.in_order,
            later_by_group: others.later_by_group,
            later_in_order: others.later_in_order,
        });
        let (entries, codes) = entries
            .into_iter()
            .map(|entry| (entry.request, entry.code))
            .unzip();
        let request = at.map(|at| QuoteRequest {
            at,
            paid_at,
            received_at,
            currency,
            entries,
            standing,
            taken,
            others: others.unwrap_or_default(),
        });
        faults.finish(request.map(|request| Question { request, codes }))
    }
}
