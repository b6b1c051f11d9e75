//! `[fees]`, `[[stage]]` and `[[adjust]]`.

use std::sync::Arc;

use toml::de::DeValue;

use super::amounts::{self, Sections};
use super::conditions::Scope;
use super::currencies::Currencies;
use super::ends;
use super::limits;
use super::reader::Item;
use super::table::Table;
use crate::boundaries::Boundaries;
use crate::conditions::{Answered, Condition, Range, Test, Trust};
use crate::fees::{
    ADJUSTMENTS, Adjustment, CHARGES, Change, Choice, Combine, FeeRow, Fees, Of, Price, REDUCTIONS,
    Stage,
};
use crate::sentences;
use crate::sums::Sums;
use crate::terms::IdentityScope;
use crate::view::{LIMITS, Limit};

const TRUST: [(&str, Trust); 3] = [
    ("declared", Trust::Declared),
    ("listed", Trust::Listed),
    ("checked", Trust::Checked),
];

/// What pricing rows are read with.
pub(super) struct Prices<'s> {
    pub scope: &'s mut Scope,
    pub sections: &'s Sections,
    pub currencies: &'s Currencies,
    /// What the same entrant may not do twice.
    pub identity: Option<IdentityScope>,
}

impl Prices<'_> {
    pub(super) fn fees(&mut self, top: &mut Table<'_, '_>) -> Option<Fees> {
        let mut fees = Fees {
            choose: Choice::Lowest,
            unit: Sums::of_each(1),
            rows: Vec::new(),
            stages: Vec::new(),
            promotions: Vec::new(),
        };
        let item = top.required("fees")?;
        let mut table = item.table()?;
        if let Some(choose) = table.get("choose") {
            fees.choose = choose.word(&[
                ("lowest", Choice::Lowest),
                ("first", Choice::First),
                ("only", Choice::Only),
            ])?;
        }
        if let Some(item) = table.get("round_to") {
            fees.unit = self.currencies.sums(&item)?;
            if self
                .currencies
                .money(fees.unit)
                .iter()
                .any(|unit| unit.amount == 0)
            {
                return item.refuse("expected a sum above zero");
            }
        }
        let mut of_rows = Vec::new();
        let rows = table.required("row")?;
        rows.some()?;
        for row in at_most(rows.tables())? {
            if let Some((row, ends)) = self.row(row) {
                fees.rows.push(row);
                of_rows.push(ends);
            }
        }
        table.done();
        let of_adjustments = self.stages(top, &mut fees)?;
        ends::resolve(&mut fees, &of_rows, &of_adjustments);
        for table in at_most(top.tables("promotion"))? {
            fees.promotions.extend(self.promotion(table, &fees));
        }
        if Boundaries::of(fees.conditions()).stretches() > limits::STRETCHES {
            return item.refuse(&format!(
                "prices may differ in {} stretches of time, those of the form by those of the payment by those of the arrival",
                limits::STRETCHES
            ));
        }
        Some(fees)
    }

    /// A row, and what it ends.
    fn row<'a, 't>(&mut self, mut table: Table<'a, 't>) -> Option<(FeeRow, Vec<Item<'a, 't>>)> {
        let amounts = table.required("amount");
        let (place, currency) = self.currencies.of_row(&mut table)?;
        let mut row = FeeRow {
            id: id(&mut table)?.into(),
            article: table.article().into(),
            text: table.text(sentences::entry_fee()),
            when: self.when(&mut table, "when")?,
            trust: trust(&mut table)?,
            currency: place,
            amounts: self
                .sections
                .each(amounts.as_ref()?, |item| match item.value() {
                    DeValue::String(word) if word == "agreed" => Some(Price::Agreed),
                    _ => amounts::fee(item, currency).map(Price::Fixed),
                })?,
            ends: 0,
            line: table.line,
        };
        self.meant(&amounts?, &row.when, &mut row.amounts)?;
        self.limit(&mut table, &row.id, &mut row.when)?;
        let ends = table.members("ends");
        table.done();
        if row.amounts.contains(&Some(Price::Agreed)) {
            let agreed = Condition::Test(Test::Agreed(true));
            row.when = Condition::All(vec![agreed, row.when]);
        }
        Some((row, ends))
    }

    /// The stages of the file, or by default reductions and then charges, each adding up, percentages of the base; and
    /// what each adjustment ends, by its bit.
    fn stages<'a, 't>(
        &mut self,
        top: &mut Table<'a, 't>,
        fees: &mut Fees,
    ) -> Option<Vec<Vec<Item<'a, 't>>>> {
        for mut table in top.tables("stage") {
            if let Some(stage) = self.stage(&mut table) {
                fees.stages.push(stage);
                table.done();
            }
        }
        if fees.stages.is_empty() {
            fees.stages = [REDUCTIONS, CHARGES]
                .map(|id| self.summing(id.to_owned()))
                .into();
        }
        let mut ends = Vec::new();
        for table in top.tables("adjust") {
            let (line, reader) = (table.line, table.reader);
            let Some((wanted, mut row, ended)) = self.adjustment(table) else {
                continue;
            };
            if ends.len() == ADJUSTMENTS {
                reader.fault(line, format!("a file may have {ADJUSTMENTS} adjustments"));
                return None;
            }
            row.bit = 1 << ends.len();
            ends.push(ended);
            match fees.stages.iter_mut().find(|stage| stage.id == wanted) {
                Some(stage) => stage.adjustments.push(row),
                None => reader.fault(line, format!("there is no [[stage]] `{wanted}`")),
            }
        }
        Some(ends)
    }

    /// The question of a number by whose answer an adjustment's sums are multiplied.
    fn times(
        &mut self,
        table: &mut Table<'_, '_>,
        changes: &[Option<Change>],
    ) -> Option<Option<u8>> {
        let Some(item) = table.get("times") else {
            return Some(None);
        };
        let mut changes = changes.iter().flatten();
        if changes.any(|change| matches!(change, Change::Share(_))) {
            return item.refuse("only an amount is multiplied by an answer");
        }
        self.scope.number_asked(&item).map(Some)
    }

    /// An adjustment with the name of its stage, and what it ends.
    fn adjustment<'a, 't>(
        &mut self,
        mut table: Table<'a, 't>,
    ) -> Option<(String, Adjustment, Vec<Item<'a, 't>>)> {
        let named = self.currencies.named(&mut table)?;
        let (amount, percent) = (table.get("amount"), table.get("percent"));
        let (currency, changes) = match (&amount, &percent) {
            (Some(item), None) => {
                let (place, currency) = named.unwrap_or(self.currencies.first);
                let changes = self.sections.each(item, |item| {
                    amounts::money(item, currency).map(Change::Amount)
                });
                (Some(place), changes?)
            }
            (None, Some(item)) => {
                let shares = |item: &Item<'_, '_>| amounts::percent(item).map(Change::Share);
                let changes = self.sections.each(item, shares);
                (named.map(|(place, _)| place), changes?)
            }
            _ => {
                let reason = format!("{}: expected either amount or percent", table.name);
                table.reader.fault(table.line, reason);
                return None;
            }
        };
        let reduces = changes.iter().flatten().any(|change| match change {
            Change::Amount(amount) => *amount < 0,
            Change::Share(points) => *points < 0,
        });
        let stage = match table.get("stage") {
            Some(item) => item.string()?.to_owned(),
            None if reduces => REDUCTIONS.to_owned(),
            None => CHARGES.to_owned(),
        };
        let id = id(&mut table)?;
        let fallback = if reduces {
            sentences::reduction(&id)
        } else {
            sentences::charge(&id)
        };
        let times = self.times(&mut table, &changes)?;
        let comes_back = match table.get("back") {
            Some(item) if reduces => return item.refuse("what comes back is what was paid"),
            Some(item) => item.word(&[("finished", true)])?,
            None => false,
        };
        let mut adjustment = Adjustment {
            id: id.into(),
            article: table.article().into(),
            text: table.text(fallback),
            when: self.when(&mut table, "when")?,
            trust: trust(&mut table)?,
            currency,
            changes,
            times,
            comes_back,
            bit: 0,
            ends: 0,
            line: table.line,
        };
        let sums = amount.or(percent)?;
        self.meant(&sums, &adjustment.when, &mut adjustment.changes)?;
        self.limit(&mut table, &adjustment.id, &mut adjustment.when)?;
        if let Some(question) = times {
            let some = Answered::Number(Range {
                from: Some(1),
                to: None,
            });
            let asked = Condition::Test(Test::Answer(question, some));
            let before = std::mem::replace(&mut adjustment.when, Condition::ALWAYS);
            adjustment.when = Condition::All(vec![before, asked]);
        }
        let ends = table.members("ends");
        table.done();
        Some((stage, adjustment, ends))
    }

    /// `first = 6`: only so many entries may have the row.
    fn limit(
        &mut self,
        table: &mut Table<'_, '_>,
        rule: &Arc<str>,
        when: &mut Condition,
    ) -> Option<()> {
        let Some(item) = table.get("first") else {
            return Some(());
        };
        let first = item.count()?;
        if first == 0 {
            return item.refuse("expected at least one");
        }
        let limit = Limit {
            rule: Arc::clone(rule),
            first,
        };
        let limits = &mut self.scope.vocabulary.limits;
        let place = limits.iter().position(|known| *known == limit);
        let place = place.unwrap_or(limits.len());
        if place == LIMITS {
            return item.refuse(&format!("a file may have {LIMITS} limited rows"));
        }
        if place == limits.len() {
            limits.push(limit);
        }
        let left = Condition::Test(Test::First(u8::try_from(place).ok()?));
        let before = std::mem::replace(when, Condition::ALWAYS);
        *when = Condition::All(vec![before, left]);
        Some(())
    }

    pub(super) fn when(&mut self, table: &mut Table<'_, '_>, key: &str) -> Option<Condition> {
        match table.get(key) {
            Some(item) => self.scope.condition(&item),
            None => Some(Condition::ALWAYS),
        }
    }

    fn summing(&self, id: String) -> Stage {
        Stage {
            id,
            combine: Combine::Sum,
            of: Of::Base,
            least: vec![None; self.sections.ids.len()],
            adjustments: Vec::new(),
        }
    }

    fn stage(&self, table: &mut Table<'_, '_>) -> Option<Stage> {
        let mut stage = self.summing(id(table)?);
        if let Some(item) = table.get("combine") {
            stage.combine = item.word(&[
                ("sum", Combine::Sum),
                ("best", Combine::Best),
                ("last", Combine::Last),
            ])?;
        }
        if let Some(item) = table.get("of") {
            stage.of = item.word(&[("base", Of::Base), ("running", Of::Running)])?;
        }
        if let Some(item) = table.get("least") {
            stage.least = self.currencies.sums_of_each(self.sections, &item)?;
        }
        Some(stage)
    }
}

/// Rows, unless there are too many.
fn at_most<'a, 't>(rows: Vec<Table<'a, 't>>) -> Option<Vec<Table<'a, 't>>> {
    if let Some(over) = rows.get(limits::ROWS) {
        let reason = format!("{}: a file may have {} of these", over.name, limits::ROWS);
        over.reader.fault(over.line, reason);
        return None;
    }
    Some(rows)
}

/// The row's name, by which lines and findings call it.
pub(super) fn id(table: &mut Table<'_, '_>) -> Option<String> {
    let item = table.required("id")?;
    let id = item.string()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if id.is_empty() || !id.chars().all(plain) {
        return item.refuse("a row is named in letters, digits, - and _");
    }
    Some(id.to_owned())
}

/// The grade that a row asks of the facts it reads: `accepts`.
pub(super) fn trust(table: &mut Table<'_, '_>) -> Option<Trust> {
    match table.get("accepts") {
        Some(item) => item.word(&TRUST),
        None => Some(Trust::Declared),
    }
}
