//! Who may enter: every condition that fails is told, each with its field and its article.

use std::fmt;

use domain::{Currency, Entrant, EntryRequest, FactName, QuoteRequest, Reason, Text, UtcTime};

use crate::clauses::Admission;
use crate::company::Company;
use crate::conditions::{Condition, Test, View};
use crate::price;
use crate::promote::Folded;
use crate::refusals;
use crate::regulation::Regulation;
use crate::sentences;
use crate::terms::EntrantKind;
use crate::view::level_bit;

/// Nobody has reached more years than this.
const OLDEST: i32 = 125;

/// What an order is looked at with: for each entry its facts, its section if it is one of the file's, and its team.
pub(crate) struct Seen {
    pub view: View,
    pub section: Option<usize>,
    pub folded: Option<Folded>,
}

impl Seen {
    fn of(regulation: &Regulation, request: &QuoteRequest, currency: Currency) -> Vec<Seen> {
        let spent = regulation.vocabulary.spent(&request.taken);
        let company = Company::of(regulation, request);
        let see = |(entry, company): (&EntryRequest, &Company)| Seen {
            view: View {
                spent,
                members: company.members,
                place: company.place,
                in_order: company.in_order,
                place_in_order: company.place_in_order,
                ..View::of(
                    &regulation.vocabulary,
                    currency,
                    &entry.entrant,
                    request.instants(),
                )
            },
            section: entry
                .section
                .as_ref()
                .and_then(|id| regulation.section_position(id)),
            folded: Folded::of(&entry.entrant),
        };
        request.entries.iter().zip(&company).map(see).collect()
    }
}

/// An order as it is looked at: in one currency, with every reason against it, in the order of the entries.
pub(crate) struct Looked {
    pub currency: Currency,
    pub seen: Vec<Seen>,
    pub reasons: Vec<Reason>,
}

impl Looked {
    /// In the currency that the request asks for; else in the one in which least speaks against it, the first of equals. So a
    /// price in any currency of the file is found.
    pub(crate) fn at(regulation: &Regulation, request: &QuoteRequest) -> Looked {
        if let Some(asked) = request.currency {
            return Looked::asked_for(regulation, request, asked);
        }
        let mut best = Looked::in_currency(regulation, request, regulation.currency());
        for other in &regulation.currencies[1..] {
            if best.reasons.is_empty() {
                break;
            }
            let looked = Looked::in_currency(regulation, request, *other);
            if looked.reasons.len() < best.reasons.len() {
                best = looked;
            }
        }
        best
    }

    fn asked_for(regulation: &Regulation, request: &QuoteRequest, asked: Currency) -> Looked {
        if regulation.currencies.contains(&asked) {
            return Looked::in_currency(regulation, request, asked);
        }
        let mut looked = Looked::in_currency(regulation, request, regulation.currency());
        looked.reasons.push(Reason {
            code: "currency_not_taken".to_owned(),
            field: "currency".to_owned(),
            article: String::new(),
            text: refusals::currency_not_taken(&regulation.currencies, asked),
        });
        looked
    }

    fn in_currency(regulation: &Regulation, request: &QuoteRequest, currency: Currency) -> Looked {
        let seen = Seen::of(regulation, request, currency);
        let reasons = reasons(regulation, request, &seen, currency);
        Looked {
            currency,
            seen,
            reasons,
        }
    }
}

fn reasons(
    regulation: &Regulation,
    request: &QuoteRequest,
    seen: &[Seen],
    currency: Currency,
) -> Vec<Reason> {
    let mut found = Found {
        regulation,
        currency,
        reasons: Vec::new(),
    };
    found.window(request);
    for (place, (entry, seen)) in request.entries.iter().zip(seen).enumerate() {
        found.entry(request.at, place, entry, seen);
    }
    found.twice(request, seen);
    found.reasons
}

/// The reasons found so far.
pub(crate) struct Found<'r> {
    pub regulation: &'r Regulation,
    currency: Currency,
    reasons: Vec<Reason>,
}

impl Found<'_> {
    fn say(&mut self, code: &str, field: String, article: &str, text: Text) {
        self.reasons.push(Reason {
            code: code.to_owned(),
            field,
            article: article.to_owned(),
            text,
        });
    }

    pub(crate) fn fixed(&mut self, code: &'static str, field: String) {
        self.say(code, field, "", sentences::fixed(code));
    }

    fn window(&mut self, request: &QuoteRequest) {
        let terms = &self.regulation.entry;
        if request.entries.is_empty() {
            self.fixed("no_entries", "entries".to_owned());
        }
        let code = match terms.window {
            window if window.holds(request.at) => return,
            window if window.from.is_some_and(|from| request.at < from) => "not_yet_open",
            _ => "entry_closed",
        };
        let text = sentences::fixed(code);
        self.say(code, "at".to_owned(), &terms.article, text);
    }

    fn entry(&mut self, at: UtcTime, place: usize, entry: &EntryRequest, seen: &Seen) {
        let regulation = self.regulation;
        let path = Path::of(place, &entry.entrant);
        let before = self.reasons.len();
        self.birth_date(path, &entry.entrant, at);
        match (&entry.section, seen.section) {
            (Some(_), None) => self.fixed("unknown_section", format!("entries[{place}].section")),
            (Some(_), Some(section)) => {
                let of_section = &regulation.sections[section];
                if !kind_fits(of_section.kind, &entry.entrant) {
                    self.fixed("wrong_entrant_kind", path.to_string());
                    return;
                }
                if !of_section.has_fees {
                    self.fixed("section_has_no_fees", format!("entries[{place}].section"));
                }
                self.admissions(path, entry, seen, |row| row.covers(section));
                self.names(path, &entry.entrant);
                self.answers(path, entry);
                if self.reasons.len() == before {
                    let price =
                        |view: &View| price::base(&regulation.fees, section, view).is_some();
                    self.priced(place, &entry.entrant, &seen.view, price);
                }
            }
            (None, _) if !regulation.entry.rights.place => {
                self.fixed("section_missing", format!("entries[{place}].section"));
            }
            (None, _) if !takes(regulation, &entry.entrant) => {
                self.fixed("wrong_entrant_kind", path.to_string());
            }
            (None, _) => {
                self.admissions(path, entry, seen, |row| row.sections.is_empty());
                self.names(path, &entry.entrant);
                self.answers(path, entry);
                if self.reasons.len() == before {
                    let price = |view: &View| placement(regulation, &entry.entrant, view).is_some();
                    self.priced(place, &entry.entrant, &seen.view, price);
                }
            }
        }
    }

    /// Whoever is admitted needs a price, and one in the currency of the order.
    fn priced(
        &mut self,
        place: usize,
        entrant: &Entrant,
        view: &View,
        price: impl Fn(&View) -> bool,
    ) {
        if price(view) {
            return;
        }
        let field = format!("entries[{place}]");
        let regulation = self.regulation;
        let mut elsewhere = regulation.currencies.iter().copied();
        let words = &regulation.vocabulary;
        match elsewhere.find(|other| price(&view.in_currency(words, *other, entrant))) {
            Some(other) => {
                let text = refusals::no_price_in(self.currency, other);
                self.say("no_price_in_currency", field, "", text);
            }
            None => self.fixed("no_price", field),
        }
    }

    /// A day after that of the form, or more than [`OLDEST`] years before it, is a slip of the pen or a lie.
    fn birth_date(&mut self, path: Path, entrant: &Entrant, at: UtcTime) {
        let Entrant::Player(player) = entrant else {
            return;
        };
        let zone = self.regulation.time_zone.clone();
        let (today, born) = (at.timestamp().to_zoned(zone).date(), player.birth_date);
        if born > today || i32::from(today.year()) - i32::from(born.year()) > OLDEST {
            self.fixed("birth_date_impossible", format!("{path}.birth_date"));
        }
    }

    fn admissions(
        &mut self,
        path: Path,
        entry: &EntryRequest,
        seen: &Seen,
        covers: impl Fn(&Admission) -> bool,
    ) {
        let regulation = self.regulation;
        for row in regulation.admissions.iter().filter(|row| covers(row)) {
            if admitted(row, &seen.view) {
                continue;
            }
            let mut failing = Vec::new();
            row.needs.failing(&seen.view, row.trust, &mut failing);
            if matches!(row.needs, Condition::Not(_)) {
                failing.truncate(1);
            }
            let before = self.reasons.len();
            for test in failing {
                self.test(path, row, test, entry, seen);
            }
            // No pupil is of a wrong level where the levels are not believed, or are to be others.
            if self.reasons.len() == before {
                let (code, text) = refusals::not_admitted();
                let code = row.code.as_deref().unwrap_or(code);
                let text = row.text.clone().unwrap_or(text);
                self.say(code, path.to_string(), &row.article, text);
            }
        }
    }

    fn test(
        &mut self,
        path: Path,
        row: &Admission,
        test: &Test,
        entry: &EntryRequest,
        seen: &Seen,
    ) {
        let (code, text) = if matches!(row.needs, Condition::Not(_)) {
            refusals::not_admitted()
        } else {
            refusals::refusal(test, seen.view.rating, &self.regulation.vocabulary)
        };
        let code = row.code.as_deref().unwrap_or(code);
        let text = row.text.clone().unwrap_or(text);
        if let (Test::Levels(allowed), Entrant::Team(team)) = (test, &entry.entrant) {
            for (place, pupil) in team.roster.iter().enumerate() {
                if level_bit(pupil.level) & allowed == 0 {
                    let field = format!("{path}.roster[{place}].level");
                    self.say(code, field, &row.article, text.clone());
                }
            }
            return;
        }
        let questions = &self.regulation.vocabulary.questions;
        let field = match test.reads().names().next() {
            Some(FactName::Answers) => {
                let place = test.reads().questions().next();
                let question = place.and_then(|place| questions.get(usize::from(place)));
                format!(
                    "{path}.answers.{}",
                    question.map_or("", |asked| asked.id.as_str())
                )
            }
            Some(fact) => format!("{path}.{}", fact.as_str()),
            None => "at".to_owned(),
        };
        self.say(code, field, &row.article, text);
    }

    /// Answers to what nobody asks, answers that are none, and questions that wait for one.
    fn answers(&mut self, path: Path, entry: &EntryRequest) {
        let questions = &self.regulation.vocabulary.questions;
        let given = &entry.entrant.answers().0;
        for (id, answer) in given {
            let field = format!("{path}.answers.{id}");
            match questions.iter().find(|question| question.id == *id) {
                None => self.fixed("question_unknown", field),
                Some(question) if question.kind.read(answer).is_none() => {
                    let text = refusals::not_an_answer(question);
                    self.say("not_an_answer", field, &question.article, text);
                }
                Some(_) => {}
            }
        }
        for question in questions.iter().filter(|question| question.required) {
            let sections = &question.sections;
            let of_section = |id| sections.is_empty() || sections.contains(id);
            let asked = entry.section.as_ref().is_some_and(of_section);
            if asked && !given.contains_key(&question.id) {
                let field = format!("{path}.answers.{}", question.id);
                let text = refusals::answer_missing(question);
                self.say("answer_missing", field, &question.article, text);
            }
        }
    }

    /// What a team cannot be without.
    fn names(&mut self, path: Path, entrant: &Entrant) {
        let Entrant::Team(team) = entrant else { return };
        if team.institution.trim().is_empty() {
            let fact = FactName::Institution.as_str();
            self.fixed("institution_missing", format!("{path}.{fact}"));
        }
        for (place, pupil) in team.roster.iter().enumerate() {
            if pupil.name.trim().is_empty() {
                self.fixed("name_missing", format!("{path}.roster[{place}].name"));
            }
        }
    }
}

pub(crate) fn admitted(row: &Admission, view: &View) -> bool {
    row.when.holds(view, row.trust) == Some(false) || row.needs.holds(view, row.trust) == Some(true)
}

fn kind_fits(kind: EntrantKind, entrant: &Entrant) -> bool {
    matches!(
        (kind, entrant),
        (EntrantKind::Player, Entrant::Player(_)) | (EntrantKind::Team, Entrant::Team(_))
    )
}

/// Whether any section is for this kind of entrant.
fn takes(regulation: &Regulation, entrant: &Entrant) -> bool {
    let mut sections = regulation.sections.iter();
    sections.any(|section| kind_fits(section.kind, entrant))
}

/// Where an entrant without a section is priced: in the cheapest section that would admit them, the first of equals.
pub(crate) fn placement(regulation: &Regulation, entrant: &Entrant, view: &View) -> Option<usize> {
    let admits = |section: usize| {
        let mut rows = regulation.admissions.iter();
        rows.all(|row| !row.covers(section) || admitted(row, view))
    };
    (0..regulation.sections.len())
        .filter(|section| kind_fits(regulation.sections[*section].kind, entrant))
        .filter(|section| admits(*section))
        .filter_map(|section| Some((price::amount(&regulation.fees, section, view)?, section)))
        .min()
        .map(|(_, section)| section)
}

/// The path of an entrant in a request; written out only where there is something to say.
#[derive(Clone, Copy)]
pub(crate) struct Path {
    place: usize,
    kind: &'static str,
}

impl Path {
    pub(crate) fn of(place: usize, entrant: &Entrant) -> Path {
        let kind = match entrant {
            Entrant::Player(_) => "entrant",
            Entrant::Team(_) => "team",
        };
        Path { place, kind }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entries[{}].{}", self.place, self.kind)
    }
}
