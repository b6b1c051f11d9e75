//! A quote: admission, then each entry's price, then promotions over the entries, then what has to be looked at.

use domain::{
    Claim, Currency, Entrant, EntryQuote, FactName, FactUse, Grade, Line, LineKind, Quote,
    QuoteRequest, Reason, Taken, UtcTime,
};

use crate::admit::{self, Looked, Seen};
use crate::conditions::{FactSet, View};
use crate::facts;
use crate::price::{self, Piece};
use crate::promote::{self, Entered, Folded, Person, Place, doubted};
use crate::regulation::Regulation;
use crate::terms::Approval;

/// Prices an order at an instant, or says why it would not be taken.
#[must_use]
pub fn quote(regulation: &Regulation, request: &QuoteRequest) -> Quote {
    let Looked {
        currency,
        seen,
        reasons,
    } = Looked::at(regulation, request);
    let eligible = reasons.is_empty();
    let mut order = Order {
        regulation,
        taken: request.taken.clone(),
        claims: Vec::new(),
        sections: Vec::new(),
        entries: Vec::with_capacity(seen.len()),
        lines: Vec::with_capacity(2 * seen.len()),
    };
    for (place, (entry, seen)) in request.entries.iter().zip(&seen).enumerate() {
        if eligible {
            order.price(place, &entry.entrant, seen);
        } else {
            order.sections.push(seen.section);
            order.entries.push(unpriced());
        }
    }
    if eligible {
        order.promote(request, &seen, currency);
    }
    for (entry, asked) in order.entries.iter_mut().zip(&request.entries) {
        entry.section.clone_from(&asked.section);
    }
    let facts = order.facts(request);
    Quote {
        regulation: regulation.reference.clone(),
        at: request.at,
        paid_at: request.paid_at,
        received_at: request.received_at,
        eligible,
        reasons,
        currency,
        total: order.entries.iter().map(|entry| entry.total).sum(),
        entries: order.entries,
        lines: order.lines,
        claims: order.claims,
        taken: request.taken.clone(),
        others: request.others.clone(),
        facts,
        valid_until: eligible.then(|| valid_until(regulation, request)).flatten(),
    }
}

/// Every reason for which an order would not be taken at an instant; none where it would.
#[must_use]
pub fn eligibility(regulation: &Regulation, request: &QuoteRequest) -> Vec<Reason> {
    Looked::at(regulation, request).reasons
}

/// What a price reads of an entrant, as a rule, at most.
const FACTS: usize = 6;

struct Order<'r> {
    regulation: &'r Regulation,
    /// How many of each limited row are taken, those by earlier entries of the order included.
    taken: Taken,
    claims: Vec<Claim>,
    /// Where each entry is priced.
    sections: Vec<Option<usize>>,
    entries: Vec<EntryQuote>,
    lines: Vec<Line>,
}

fn unpriced() -> EntryQuote {
    EntryQuote {
        section: None,
        total: 0,
        to_check: Vec::new(),
        needs_approval: false,
    }
}

impl<'r> Order<'r> {
    fn price(&mut self, place: usize, entrant: &Entrant, seen: &Seen) {
        let regulation = self.regulation;
        let mut view = seen.view;
        view.spent = regulation.vocabulary.spent(&self.taken);
        let section = seen
            .section
            .or_else(|| admit::placement(regulation, entrant, &view));
        self.sections.push(section);
        let mut entry = unpriced();
        if let Some(section) = section {
            let lines = &mut self.lines;
            let write = |piece: Piece<'r>| lines.push(line(place, piece));
            let total = price::price(&regulation.fees, section, &view, write).unwrap_or(0);
            entry.total = total;
            entry.to_check = lowering(regulation, section, &view, total);
            self.claim(place);
        }
        entry.needs_approval = regulation.entry.approval != Approval::None
            || seen.section.is_none()
            || entry.total == 0 && !entry.to_check.is_empty();
        self.entries.push(entry);
    }

    /// Each limited row that makes a line of an entry is asked for by it.
    fn claim(&mut self, entry: usize) {
        for limit in &self.regulation.vocabulary.limits {
            let mut own = self.lines.iter().filter(|line| line.entry == entry);
            if own.any(|line| line.rule == limit.rule) {
                *self.taken.entry(limit.rule.to_string()).or_default() += 1;
                self.claims.push(Claim {
                    entry,
                    rule: limit.rule.to_string(),
                    limit: limit.first,
                });
            }
        }
    }

    /// The lines of promotions stand on the later entry; the others keep their prices. All are of one currency.
    fn promote(&mut self, request: &QuoteRequest, seen: &[Seen], currency: Currency) {
        let fees = &self.regulation.fees;
        if fees.promotions.is_empty() {
            return;
        }
        let standing = request.standing.iter();
        let teams: Vec<Option<Folded>> = standing.map(|s| Folded::of(&s.entrant)).collect();
        let entered = self.entered(request, seen, &teams, currency);
        let own = self.regulation.vocabulary.place_of(currency);
        let made = promote::reductions(fees, own, &entered);
        for reduction in made {
            let promotion = &fees.promotions[reduction.promotion];
            let mut serving = reduction.entries.iter();
            let with = serving.find_map(|entry| match entered[*entry].place {
                Place::Asked(_) => None,
                Place::Standing(entry) => Some(entry),
            });
            for (entry, amount) in reduction.amounts {
                let Place::Asked(place) = entered[entry].place else {
                    continue;
                };
                let piece = Piece {
                    kind: LineKind::Promotion,
                    rule: &promotion.id,
                    article: &promotion.article,
                    text: &promotion.text,
                    amount,
                };
                self.lines.push(Line {
                    with,
                    ..line(place, piece)
                });
                self.reduce(place, amount, doubted(promotion, &seen[place].view));
            }
        }
        self.lines.sort_by_key(|line| line.entry);
    }

    /// The entries asked about and those that stand, as far as promotions may reach them.
    fn entered<'e>(
        &self,
        request: &QuoteRequest,
        seen: &'e [Seen],
        teams: &'e [Option<Folded>],
        currency: Currency,
    ) -> Vec<Entered<'e>> {
        let regulation = self.regulation;
        let asked = seen.iter().zip(&request.entries).enumerate();
        let asked = asked.filter_map(|(place, (seen, asked))| {
            Some(Entered {
                section: self.sections[place]?,
                place: Place::Asked(place),
                order: None,
                team: seen.folded.as_ref(),
                person: asked
                    .section
                    .as_ref()
                    .and_then(|_| Person::of(&asked.entrant)),
                view: Some(&seen.view),
                price: self.entries[place].total,
                serves: Vec::new(),
            })
        });
        let there = request.standing.iter().zip(teams);
        let there =
            there.filter(|(entry, _)| entry.currency.unwrap_or(regulation.currency()) == currency);
        let there = there.filter_map(|(entry, team)| {
            Some(Entered {
                section: regulation.section_position(entry.section.as_ref()?)?,
                place: Place::Standing(entry.entry),
                order: None,
                team: team.as_ref(),
                person: Person::of(&entry.entrant),
                view: None,
                price: entry.price,
                serves: regulation.fees.promotions_called(&entry.promotions),
            })
        });
        asked.chain(there).collect()
    }

    /// A promotion takes something off an entry, on these facts by the entrant's own word.
    fn reduce(&mut self, place: usize, amount: i64, doubted: FactSet) {
        let entry = &mut self.entries[place];
        entry.total += amount;
        for fact in doubted.names() {
            if !entry.to_check.contains(&fact) {
                entry.to_check.push(fact);
            }
        }
        entry.needs_approval |= entry.total == 0 && !entry.to_check.is_empty();
    }

    fn facts(&self, request: &QuoteRequest) -> Vec<FactUse> {
        let mut found = Vec::with_capacity(FACTS * request.entries.len());
        for (place, entry) in request.entries.iter().enumerate() {
            let section = self.sections.get(place).copied().flatten();
            let Some(reads) = section.and_then(|section| self.regulation.reads.get(section)) else {
                continue;
            };
            for fact in reads.both(facts::of_kind(&entry.entrant)).names() {
                found.push(FactUse {
                    entry: place,
                    fact,
                    value: facts::value(&entry.entrant, fact),
                    grade: grade(&entry.entrant, fact),
                });
            }
        }
        found
    }
}

fn grade(entrant: &Entrant, fact: FactName) -> Grade {
    entrant.grade(fact).clone()
}

fn line(entry: usize, piece: Piece<'_>) -> Line {
    Line {
        entry,
        kind: piece.kind,
        rule: piece.rule.clone(),
        article: piece.article.clone(),
        text: piece.text.clone(),
        amount: piece.amount,
        with: None,
    }
}

/// Declared facts without which the entry would cost more. Each is set to what costs most; where two grounds hide each
/// other, so that neither alone makes a difference, the search goes on with those found taken as true.
fn lowering(regulation: &Regulation, section: usize, view: &View, total: i64) -> Vec<FactName> {
    let Some(dearest) = regulation.dearest.view(section, view.currency, view.at) else {
        return Vec::new();
    };
    let amount = |other: &View| match other == view {
        true => total,
        false => price::amount(&regulation.fees, section, other).unwrap_or(0),
    };
    // What is ordered is a wish, not a fact that somebody could check.
    let ordered = regulation.dearest.ordered;
    let without = |view: View, fact| view.with(FactSet::of(fact).without(ordered), dearest);
    let unbelieved = |doubted: FactSet| doubted.names().fold(*view, without);
    let mut doubted = view.declared().both(regulation.dearest.reads);
    let mut found = FactSet::EMPTY;
    for fact in doubted.names() {
        if amount(&without(*view, fact)) > total {
            found = found.union(FactSet::of(fact));
        }
    }
    doubted = doubted.without(found);
    while !doubted.is_empty() {
        let most = amount(&unbelieved(doubted));
        if most <= total {
            break;
        }
        let helping = doubted
            .names()
            .filter(|fact| amount(&unbelieved(doubted.without(FactSet::of(*fact)))) < most)
            .fold(FactSet::EMPTY, |all, fact| all.union(FactSet::of(fact)));
        let helping = if helping.is_empty() { doubted } else { helping };
        found = found.union(helping);
        doubted = doubted.without(helping);
    }
    found.names().collect()
}

/// The next instant at which the window or a row changes.
fn valid_until(regulation: &Regulation, request: &QuoteRequest) -> Option<UtcTime> {
    let money = request.paid_at.is_none();
    let next = regulation
        .dearest
        .boundaries
        .next(request.instants(), money);
    let window = regulation.entry.window.next_change(request.at);
    next.into_iter().chain(window).min()
}
