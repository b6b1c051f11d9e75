//! `[fees]`, `[[stage]]`, `[[adjust]]` and `[[promotion]]`.

use domain::{Currency, Text};
use toml::de::DeValue;

use super::amounts::{self, Sections};
use super::conditions::Scope;
use super::table::Table;
use crate::conditions::{Condition, Test, Trust};
use crate::fees::{
    Adjustment, CHARGES, Change, Choice, Combine, FeeRow, Fees, Of, Price, Promotion, REDUCTIONS,
    Stage,
};
use crate::sentences;

const TRUST: [(&str, Trust); 3] = [
    ("declared", Trust::Declared),
    ("listed", Trust::Listed),
    ("checked", Trust::Checked),
];

/// What pricing rows are read with.
pub(super) struct Prices<'s> {
    pub scope: &'s mut Scope,
    pub sections: &'s Sections,
    pub currency: Currency,
}

impl Prices<'_> {
    pub(super) fn fees(&mut self, top: &mut Table<'_, '_>) -> Option<Fees> {
        let mut fees = Fees {
            choose: Choice::Lowest,
            rows: Vec::new(),
            stages: Vec::new(),
            promotions: Vec::new(),
        };
        let mut table = top.required("fees")?.table()?;
        if let Some(choose) = table.get("choose") {
            fees.choose = choose.word(&[("lowest", Choice::Lowest), ("first", Choice::First)])?;
        }
        for row in table.required("row")?.tables() {
            fees.rows.extend(self.row(row));
        }
        table.done();
        fees.stages = self.stages(top);
        for promotion in top.tables("promotion") {
            fees.promotions.extend(self.promotion(promotion));
        }
        Some(fees)
    }

    fn row(&mut self, mut table: Table<'_, '_>) -> Option<FeeRow> {
        let currency = self.currency;
        let amounts = table.required("amount");
        let mut row = FeeRow {
            id: id(&mut table)?,
            article: table.article(),
            text: table.text(sentences::entry_fee()),
            when: self.when(&mut table, "when")?,
            trust: trust(&mut table)?,
            amounts: self.sections.each(&amounts?, |item| match item.value() {
                DeValue::String(word) if word == "agreed" => Some(Price::Agreed),
                _ => amounts::fee(item, currency).map(Price::Fixed),
            })?,
            line: table.line,
        };
        table.done();
        if row.amounts.contains(&Some(Price::Agreed)) {
            let agreed = Condition::Test(Test::Agreed(true));
            row.when = Condition::All(vec![agreed, row.when]);
        }
        Some(row)
    }

    /// The stages of the file, or by default reductions and then charges, each adding up, percentages of the base.
    fn stages(&mut self, top: &mut Table<'_, '_>) -> Vec<Stage> {
        let mut named = Vec::new();
        for mut table in top.tables("stage") {
            if let Some(stage) = stage(&mut table) {
                named.push(stage);
                table.done();
            }
        }
        if named.is_empty() {
            named = [REDUCTIONS, CHARGES].map(Stage::summing).into();
        }
        for table in top.tables("adjust") {
            let line = table.line;
            let reader = table.reader;
            let Some((wanted, adjustment)) = self.adjustment(table) else {
                continue;
            };
            match named.iter_mut().find(|stage| stage.id == wanted) {
                Some(stage) => stage.adjustments.push(adjustment),
                None => reader.fault(line, format!("there is no [[stage]] `{wanted}`")),
            }
        }
        named
    }

    fn adjustment(&mut self, mut table: Table<'_, '_>) -> Option<(String, Adjustment)> {
        let currency = self.currency;
        let (amount, percent) = (table.get("amount"), table.get("percent"));
        let changes = match (amount, percent) {
            (Some(item), None) => self.sections.each(&item, |item| {
                amounts::money(item, currency).map(Change::Amount)
            })?,
            (None, Some(item)) => self
                .sections
                .each(&item, |item| amounts::percent(item).map(Change::Share))?,
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
        let fallback = if reduces {
            sentences::reduction()
        } else {
            sentences::charge()
        };
        let adjustment = Adjustment {
            id: id(&mut table)?,
            article: table.article(),
            text: table.text(fallback),
            when: self.when(&mut table, "when")?,
            trust: trust(&mut table)?,
            changes,
            line: table.line,
        };
        table.done();
        Some((stage, adjustment))
    }

    fn promotion(&mut self, mut table: Table<'_, '_>) -> Option<Promotion> {
        let sections = table.required("sections")?;
        let places = self.sections.positions(&sections)?;
        let [first, second] = places[..] else {
            return sections.refuse("expected two sections");
        };
        if first == second {
            return sections.refuse("expected two different sections");
        }
        table.required("same")?.word(&[("institution", ())])?;
        let promotion = Promotion {
            id: id(&mut table)?,
            article: table.article(),
            text: table.text(Text::default()),
            sections: (first, second),
            shared: table.required("shared_players")?.count()? as usize,
            together: amounts::fee(&table.required("together")?, self.currency)?,
            line: table.line,
        };
        table.done();
        Some(promotion)
    }

    pub(super) fn when(&mut self, table: &mut Table<'_, '_>, key: &str) -> Option<Condition> {
        match table.get(key) {
            Some(item) => self.scope.condition(&item),
            None => Some(Condition::ALWAYS),
        }
    }
}

impl Stage {
    fn summing(id: &str) -> Stage {
        Stage {
            id: id.to_owned(),
            combine: Combine::Sum,
            of: Of::Base,
            adjustments: Vec::new(),
        }
    }
}

fn stage(table: &mut Table<'_, '_>) -> Option<Stage> {
    let mut stage = Stage::summing(&id(table)?);
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
    Some(stage)
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
