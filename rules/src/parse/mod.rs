//! From TOML text to a regulation. Every fault is told with its line; nothing is guessed, no key is ignored.

mod amounts;
mod clauses;
mod conditions;
mod currencies;
mod ends;
mod entry;
mod instants;
mod keys;
mod kinds;
mod limits;
mod prices;
mod promotions;
mod questions;
mod reader;
mod table;

pub(crate) use keys::nearest;

use std::collections::{BTreeMap, BTreeSet};

use domain::{Language, RegulationRef, Text};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use toml::de::{DeTable, DeValue};

use self::amounts::Sections;
use self::conditions::Scope;
use self::currencies::Currencies;
use self::instants::Clockwork;
use self::prices::Prices;
use self::reader::Reader;
use self::table::Table;
use crate::clauses::Admission;
use crate::conditions::FactSet;
use crate::dearest::Dearest;
use crate::fault::RegulationError;
use crate::fees::Fees;
use crate::regulation::{Play, Regulation};
use crate::terms::Section;
use crate::view::Vocabulary;

/// The language version that this engine reads.
const LANGUAGE: u32 = 1;

impl Regulation {
    /// Reads a regulation from its TOML text.
    ///
    /// # Errors
    /// [`RegulationError`] with every fault that was found, each with its line.
    pub fn parse(file_name: &str, text: &str, version: i32) -> Result<Self, RegulationError> {
        Regulation::parse_in(file_name, text, version, Vocabulary::default())
    }

    /// The same, naming facts as another regulation does, so that both can look at one entrant.
    pub(crate) fn parse_in(
        file_name: &str,
        text: &str,
        version: i32,
        words: Vocabulary,
    ) -> Result<Self, RegulationError> {
        let reader = Reader::new(file_name, text);
        if text.len() > limits::TEXT {
            let most = limits::TEXT >> 20;
            reader.fault(1, format!("a file may be {most} MiB long"));
            let faults = reader.into_faults();
            return Err(RegulationError { faults });
        }
        let (document, syntax) = DeTable::parse_recoverable(text);
        // What follows from a bracket that is not closed says nothing more.
        let follows = syntax.len().saturating_sub(FOLLOWING);
        for error in syntax.iter().take(if follows > 0 { 1 } else { FOLLOWING }) {
            let line = reader.line(error.span().map_or(0, |span| span.start));
            let mut reason = error.message().to_owned();
            if follows > 0 {
                reason += ": is a bracket or a quote open on a line before?";
            }
            reader.fault(line, reason);
        }
        let mut found = None;
        if syntax.is_empty() {
            let mut top = Table::new(&reader, "", 1, document.get_ref());
            found = document_of(&mut top, text, version, words);
            if found.is_some() {
                top.done();
            }
        }
        let faults = reader.into_faults();
        match found {
            Some(regulation) if faults.is_empty() => Ok(regulation),
            _ => Err(RegulationError { faults }),
        }
    }
}

/// Faults of the TOML itself, as many as are told one by one.
const FOLLOWING: usize = 3;

/// What stands at the top of the file.
struct Head {
    reference: RegulationRef,
    name: Text,
    currencies: Currencies,
    zone: TimeZone,
    prevails: Option<Language>,
}

fn head(top: &mut Table<'_, '_>, text: &str, version: i32, words: &mut Vocabulary) -> Option<Head> {
    let language = top.required("language")?;
    if language.integer(0..1_000)? != i64::from(LANGUAGE) {
        return language.refuse(&format!("this engine reads language {LANGUAGE}"));
    }
    Some(Head {
        reference: RegulationRef {
            tournament: top.required("id")?.parsed()?,
            version,
            hash: hash(text).into(),
            language: LANGUAGE,
        },
        name: top.required("name")?.text()?,
        currencies: Currencies::read(top, &mut words.currencies)?,
        zone: zone(top)?,
        prevails: match top.get("prevails") {
            Some(item) => {
                Some(item.word(&Language::ALL.map(|language| (language.code(), language)))?)
            }
            None => None,
        },
    })
}

fn document_of(
    top: &mut Table<'_, '_>,
    text: &str,
    version: i32,
    mut words: Vocabulary,
) -> Option<Regulation> {
    let head = head(top, text, version, &mut words)?;
    let currencies = &head.currencies;
    let mut clock = Clockwork {
        zone: head.zone.clone(),
        start: None,
    };
    let play = entry::play(top, &clock)?;
    clock.start = Some((play.first, play.begins));
    let entry = entry::entry(top, &clock);
    let groups = entry::sections(top, play.rounds)?;
    let known = Sections::of(&groups.sections);
    let mut scope = Scope {
        clock,
        vocabulary: words,
        ages_on: None,
        who: BTreeMap::new(),
        left: limits::CONDITIONS,
    };
    scope.ages_on = ages_on(top, &play, &scope.clock);
    questions::questions(top, &known, &mut scope.vocabulary.questions);
    who(top, &mut scope);
    let mut prices = Prices {
        scope: &mut scope,
        sections: &known,
        currencies,
        identity: entry.as_ref().map(|entry| entry.identity),
    };
    let admissions = prices.admissions(top, groups.admits);
    let fees = prices.fees(top);
    let by_card = entry.as_ref().is_none_or(|entry| entry.methods.card);
    let refund = clauses::refund(
        top,
        &scope.clock,
        currencies,
        fees.as_ref(),
        by_card,
        &known,
    );
    let byes = clauses::byes(top);
    let (capacity, consents, appeals) = (
        entry::capacity(top, &known),
        clauses::consents(top),
        clauses::appeals(top, currencies),
    );
    let fees = fees?;
    unique(top, &fees);
    let sections = with_fees(top, groups.sections, &fees, &groups.closed);
    Some(Regulation {
        reference: head.reference,
        source: text.to_owned(),
        name: head.name,
        currencies: currencies.list(),
        time_zone: head.zone,
        prevails: head.prevails,
        play,
        entry: entry?,
        reads: reads(&fees, &admissions, sections.len()),
        dearest: Dearest::of(&fees, &scope.vocabulary, sections.len()),
        sections,
        capacity,
        consents,
        appeals,
        vocabulary: scope.vocabulary,
        admissions,
        fees,
        refund: refund?,
        byes: byes?,
        doubts: top.reader.doubts(),
        closed_sections: groups.closed,
    })
}

/// The sections, each knowing whether it has fees; one that says `fees = "none"` must have none.
fn with_fees(
    top: &Table<'_, '_>,
    mut sections: Vec<Section>,
    fees: &Fees,
    closed: &[usize],
) -> Vec<Section> {
    for (place, section) in sections.iter_mut().enumerate() {
        section.has_fees = fees.rows.iter().any(|row| row.amounts[place].is_some());
        if section.has_fees && closed.contains(&place) {
            let reason = format!(
                "section {} has fees, though it says it has none",
                section.id
            );
            top.reader.fault(1, reason);
        }
    }
    sections
}

fn zone(top: &mut Table<'_, '_>) -> Option<TimeZone> {
    let item = top.required("time_zone")?;
    let name = item.string()?;
    TimeZone::get(name)
        .ok()
        .or_else(|| item.refuse(&format!("there is no IANA time zone `{name}`")))
}

/// `[ages] on`: "first day", "last day" or a date.
fn ages_on(top: &mut Table<'_, '_>, play: &Play, clock: &Clockwork) -> Option<Date> {
    let mut table = top.get("ages")?.table()?;
    let item = table.required("on")?;
    let day = match item.value() {
        DeValue::String(_) => item.word(&[("first day", play.first), ("last day", play.last)]),
        _ => clock.ages_on(&item),
    };
    table.done();
    day
}

fn who(top: &mut Table<'_, '_>, scope: &mut Scope) {
    let Some(mut table) = top.get("who").and_then(|item| item.table()) else {
        return;
    };
    for (name, item) in table.all() {
        if name.len() > limits::NAME {
            let reason = format!("a name in [who] may be {} bytes long", limits::NAME);
            top.reader.fault(item.line, reason);
        } else if let Some(condition) = scope.condition(&item) {
            scope.who.insert(name, condition);
        }
    }
}

/// Lines name rows by their id, so no two share one.
fn unique(top: &Table<'_, '_>, fees: &Fees) {
    let mut seen = BTreeSet::new();
    let rows = fees.rows.iter().map(|row| (&row.id, row.line));
    let rows = rows.chain(fees.adjustments().map(|row| (&row.id, row.line)));
    for (id, line) in rows.chain(fees.promotions.iter().map(|row| (&row.id, row.line))) {
        if !seen.insert(id) {
            top.reader
                .fault(line, format!("two rows are called `{id}`"));
        }
    }
}

/// Facts that each section depends on.
fn reads(fees: &Fees, admissions: &[Admission], sections: usize) -> Vec<FactSet> {
    let of_section = |section: usize| {
        let covering = admissions.iter().filter(|row| row.covers(section));
        let facts = covering.fold(fees.reads(), |facts, row| {
            facts.union(row.when.reads()).union(row.needs.reads())
        });
        let promotions = fees.promotions.iter();
        let promotions = promotions.filter(|row| row.sections.contains(&section));
        promotions.fold(facts, |facts, row| facts.union(row.reads()))
    };
    (0..sections).map(of_section).collect()
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
