//! `[[admits]]`, `[refund]`, `[byes]`, `[[consent]]` and `[[appeal]]`.

use std::sync::Arc;

use domain::{BasisPoints, ByePoints, RefundMethod, Text};

use super::amounts::{self, Sections};
use super::currencies::Currencies;
use super::instants::{self, Clockwork};
use super::prices::{Prices, id, trust};
use super::reader::Item;
use super::table::Table;
use crate::clauses::{Admission, ByeClause, ByeRule, RefundClause, RefundTier, Unpaired};
use crate::conditions::{Condition, FactSet, Trust};
use crate::fees::Fees;
use crate::regulation::DoubtKind;
use crate::sentences;
use crate::sums::Sums;
use crate::terms::{Appeal, Consent};

const METHODS: [(&str, RefundMethod); 3] = [
    ("card", RefundMethod::Card),
    ("transfer", RefundMethod::Transfer),
    ("credit", RefundMethod::Credit),
];

impl Prices<'_> {
    /// The conditions of entry of the whole file; those that stand in a section come first.
    pub(super) fn admissions(
        &mut self,
        top: &mut Table<'_, '_>,
        of_sections: Vec<(usize, Item<'_, '_>, String)>,
    ) -> Vec<Admission> {
        let mut found = Vec::new();
        for (section, item, article) in of_sections {
            let needs = self.of_entry(&item);
            let needs =
                needs.filter(|needs| self.entered(&item, vec![section], &[needs]).is_some());
            found.extend(needs.map(|needs| Admission {
                sections: vec![section],
                when: Condition::ALWAYS,
                needs,
                trust: Trust::Declared,
                article,
                code: None,
                text: None,
                line: item.line,
            }));
        }
        for table in top.tables("admits") {
            found.extend(self.admission(table));
        }
        found
    }

    /// A condition of entry.
    fn of_entry(&mut self, item: &Item<'_, '_>) -> Option<Condition> {
        let condition = self.scope.condition(item)?;
        let later = FactSet::OF_MONEY.union(FactSet::OTHERS);
        if condition.reads().both(later).is_empty() {
            return Some(condition);
        }
        item.refuse("who may enter cannot go by the payment or by others, who come later")
    }

    fn admission(&mut self, mut table: Table<'_, '_>) -> Option<Admission> {
        let sections = match table.get("sections") {
            Some(item) => self.sections.positions(&item)?,
            None => Vec::new(),
        };
        let item = table.required("needs");
        let when = match table.get("when") {
            Some(item) => self.of_entry(&item)?,
            None => Condition::ALWAYS,
        };
        let (line, item) = (table.line, item?);
        let needs = self.of_entry(&item)?;
        let admission = Admission {
            sections: self.entered(&item, sections, &[&when, &needs])?,
            when,
            needs,
            trust: trust(&mut table)?,
            article: table.article(),
            code: match table.get("code") {
                Some(item) => Some(item.string()?.to_owned()),
                None => None,
            },
            text: match table.get("text") {
                Some(item) => Some(item.text()?),
                None => None,
            },
            line,
        };
        table.done();
        Some(admission)
    }
}

/// `[refund]` with its tiers; a file without it has no clause. Money goes back as it came, by card where cards are taken.
pub(super) fn refund(
    top: &mut Table<'_, '_>,
    clock: &Clockwork,
    currencies: &Currencies,
    fees: Option<&Fees>,
    by_card: bool,
    sections: &Sections,
) -> Option<RefundClause> {
    let mut clause = RefundClause {
        method: if by_card {
            RefundMethod::Card
        } else {
            RefundMethod::Transfer
        },
        article: String::new(),
        tiers: Vec::new(),
    };
    let Some(item) = top.get("refund") else {
        return Some(clause);
    };
    let mut table = item.table()?;
    clause.article = table.article();
    if let Some(method) = table.get("method") {
        clause.method = method.word(&METHODS)?;
        if !by_card && clause.method == RefundMethod::Card {
            table.reader.doubt(method.line, DoubtKind::RefundByCard);
        }
    }
    for mut tier in table.tables("tier") {
        let Some(of) = rows_named(&mut tier, fees) else {
            continue;
        };
        let named = tier.get("sections");
        let named = named.map_or_else(Vec::new, |item| section_ids(&item, sections));
        let read = self::tier(tier, clock, currencies, clause.method);
        clause.tiers.extend(read.map(|tier| RefundTier {
            of,
            sections: named,
            ..tier
        }));
    }
    table.done();
    Some(clause)
}

/// The rows whose sums a tier decides about: such as add, the fee itself is that of the tiers that name none.
fn rows_named(table: &mut Table<'_, '_>, fees: Option<&Fees>) -> Option<Vec<Arc<str>>> {
    let mut of = Vec::new();
    let (Some(item), Some(fees)) = (table.get("of"), fees) else {
        return Some(of);
    };
    for item in item.some()? {
        let id = item.string()?;
        let Some(row) = fees.adjustments().find(|row| *row.id == *id) else {
            return item.refuse("expected the id of an [[adjust]]");
        };
        of.push(Arc::clone(&row.id));
    }
    Some(of)
}

fn tier(
    mut table: Table<'_, '_>,
    clock: &Clockwork,
    currencies: &Currencies,
    method: RefundMethod,
) -> Option<RefundTier> {
    let line = table.line;
    let id = id(&mut table)?;
    let requested = clock.window(&table.required("requested")?)?;
    let mut keep = table.required("keep")?.table()?;
    let share = match keep.get("percent") {
        Some(item) => match u32::try_from(amounts::percent(&item)?) {
            Ok(points) if points <= BasisPoints::WHOLE.0 => points,
            _ => return item.refuse("expected a percentage from 0 to 100"),
        },
        None => 0,
    };
    let mut sum = |key: &str| match keep.get(key) {
        Some(item) => currencies.sums(&item),
        None => Some(Sums::default()),
    };
    let (amount, least) = (sum("amount")?, sum("least")?);
    keep.done();
    let tier = RefundTier {
        id,
        article: table.article(),
        text: table.text(sentences::tier()),
        of: Vec::new(),
        sections: Vec::new(),
        proof: match table.get("proof") {
            Some(item) => Some(item.text()?),
            None => None,
        },
        requested,
        keep_share: BasisPoints(share),
        keep_amount: amount,
        keep_least: least,
        method: match table.get("method") {
            Some(item) => item.word(&METHODS)?,
            None => method,
        },
        line,
    };
    table.done();
    Some(tier)
}

/// `[byes]`; a file without it offers none.
pub(super) fn byes(top: &mut Table<'_, '_>) -> Option<ByeClause> {
    let mut clause = ByeClause::default();
    let Some(item) = top.get("byes") else {
        return Some(clause);
    };
    let mut table = item.table()?;
    clause.article = table.article();
    for mut rule in table.tables("rule") {
        let points = rule
            .required("points")?
            .word(&[("half", ByePoints::Half), ("zero", ByePoints::Zero)])?;
        let rounds_item = rule.required("rounds")?;
        let mut rounds = rounds_item.table()?;
        let (from, to) = (
            rounds.required("from")?.count()?,
            rounds.required("to")?.count()?,
        );
        rounds.done();
        if from < 1 || from > to {
            return rounds_item.refuse("expected rounds from 1 on, the first before the last");
        }
        let most = match rule.get("most") {
            Some(item) => Some(item.count()?),
            None => None,
        };
        rule.done();
        clause.rules.push(ByeRule {
            points,
            rounds: (from, to),
            most,
            line: rounds_item.line,
        });
    }
    for mut pair in table.tables("unpaired") {
        let unpaired = Unpaired {
            bye_in: pair.required("bye_in")?.count()?,
            leaves_out: pair.required("leaves_out")?.count()?,
            line: pair.line,
        };
        pair.done();
        clause.unpaired.push(unpaired);
    }
    table.done();
    Some(clause)
}

pub(super) fn consents(top: &mut Table<'_, '_>) -> Vec<Consent> {
    top.tables("consent")
        .into_iter()
        .filter_map(|mut table| {
            let consent = Consent {
                id: id(&mut table)?,
                text: table.required("text")?.text()?,
                required: table.required("required")?.boolean()?,
                article: table.article(),
                line: table.line,
            };
            table.done();
            Some(consent)
        })
        .collect()
}

pub(super) fn appeals(top: &mut Table<'_, '_>, currencies: &Currencies) -> Vec<Appeal> {
    top.tables("appeal")
        .into_iter()
        .filter_map(|mut table| {
            let appeal = Appeal {
                id: id(&mut table)?,
                deposits: currencies.money(match table.get("deposit") {
                    Some(item) => currencies.sums(&item)?,
                    None => Sums::default(),
                }),
                within_seconds: instants::duration(&table.required("within")?)?,
                text: table.text(Text::default()),
                article: table.article(),
                line: table.line,
            };
            table.done();
            Some(appeal)
        })
        .collect()
}

/// The sections that a list names, by id.
pub(super) fn section_ids(item: &Item<'_, '_>, sections: &Sections) -> Vec<domain::SectionId> {
    let places = sections.positions(item).unwrap_or_default();
    places
        .into_iter()
        .map(|place| sections.ids[place].clone())
        .collect()
}
