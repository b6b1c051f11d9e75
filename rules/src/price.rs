//! The price of one entry: base, then adjustments stage by stage. The order is normative in `docs/pricing.md`.

use std::sync::Arc;

use domain::{BasisPoints, LineKind, Text};

use crate::conditions::View;
use crate::fees::{
    Adjustment, Change, Choice, Combine, Ended, FeeRow, Fees, MOST, Of, Price, Stage,
};

/// One priced line before it is written out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'f> {
    pub kind: LineKind,
    pub rule: &'f Arc<str>,
    pub article: &'f Arc<str>,
    pub text: &'f Text,
    pub amount: i64,
}

/// What an entry with these facts comes to in a section; `None` where no row applies.
pub(crate) fn amount(fees: &Fees, section: usize, view: &View) -> Option<i64> {
    price(fees, section, view, |_| {})
}

/// The same, telling each line. The lines sum to the amount, which is never below zero: a reduction takes at most what
/// is left, a charge adds at most what there is up to [`MOST`].
pub(crate) fn price<'f>(
    fees: &'f Fees,
    section: usize,
    view: &View,
    mut tell: impl FnMut(Piece<'f>),
) -> Option<i64> {
    let (row, base) = base(fees, section, view)?;
    tell(Piece {
        kind: LineKind::Base,
        rule: &row.id,
        article: &row.article,
        text: &row.text,
        amount: base,
    });
    let ended = fees
        .adjustments()
        .filter(|other| other.ends != 0 && other.bit & row.ends == 0)
        .filter(|other| applies(other, section, view))
        .fold(row.ends, |ended, other| ended | other.ends);
    let mut run = Run {
        section,
        view,
        unit: fees.unit.of(view.currency),
        ended,
        base,
        running: base,
    };
    for stage in &fees.stages {
        run.adjust(stage, &mut tell);
    }
    Some(run.running)
}

/// Whether an adjustment would be made, if no other row ended it.
pub(crate) fn applies(row: &Adjustment, section: usize, view: &View) -> bool {
    row.is_in(view.currency)
        && row.changes.get(section).is_some_and(Option::is_some)
        && row.when.holds(view, row.trust) == Some(true)
}

/// The row that gives the base, and its sum.
pub(crate) fn base<'f>(fees: &'f Fees, section: usize, view: &View) -> Option<(&'f FeeRow, i64)> {
    let mut chosen: Option<(&FeeRow, i64)> = None;
    for row in &fees.rows {
        let Some(sum) = row_sum(row, section, view) else {
            continue;
        };
        if chosen.is_some_and(|(_, lowest)| lowest <= sum) {
            continue;
        }
        if row.when.holds(view, row.trust) != Some(true) {
            continue;
        }
        chosen = Some((row, sum));
        if fees.choose == Choice::First {
            break;
        }
    }
    chosen
}

/// What a row charges in a section, whether it applies or not; nothing in another currency than its own.
pub(crate) fn row_sum(row: &FeeRow, section: usize, view: &View) -> Option<i64> {
    if row.currency != view.currency {
        return None;
    }
    match row.amounts.get(section).copied().flatten()? {
        Price::Fixed(sum) => Some(sum),
        Price::Agreed => view.agreed,
    }
}

/// A price on its way through the stages.
struct Run<'v> {
    section: usize,
    view: &'v View,
    unit: i64,
    ended: Ended,
    base: i64,
    running: i64,
}

impl Run<'_> {
    fn adjust<'f>(&mut self, stage: &'f Stage, tell: &mut impl FnMut(Piece<'f>)) {
        let start = self.running;
        let (section, view, ended) = (self.section, self.view, self.ended);
        let mut applying = stage.adjustments.iter().filter_map(|row| {
            let change = row.changes.get(section).copied().flatten()?;
            let made = row.bit & ended == 0 && applies(row, section, view);
            made.then(|| (row, multiplied(row, change, view)))
        });
        match stage.combine {
            Combine::Sum => {
                for (row, change) in applying {
                    let change = self.worth(stage, change, self.running);
                    self.apply(stage, row, change, tell);
                }
            }
            Combine::Best => {
                let best = applying.min_by_key(|(_, change)| self.worth(stage, *change, start));
                if let Some((row, change)) = best {
                    self.apply(stage, row, self.worth(stage, change, start), tell);
                }
            }
            Combine::Last => {
                if let Some((row, change)) = applying.next_back() {
                    self.apply(stage, row, self.worth(stage, change, start), tell);
                }
            }
        }
    }

    fn worth(&self, stage: &Stage, change: Change, running: i64) -> i64 {
        let of = match stage.of {
            Of::Base => self.base,
            Of::Running => running,
        };
        delta(change, of, self.unit)
    }

    fn apply<'f>(
        &mut self,
        stage: &Stage,
        row: &'f Adjustment,
        delta: i64,
        tell: &mut impl FnMut(Piece<'f>),
    ) {
        let delta = made(
            stage,
            (self.section, self.view.currency),
            self.running,
            delta,
        );
        self.running += delta;
        if delta != 0 {
            tell(Piece {
                kind: LineKind::Adjustment,
                rule: &row.id,
                article: &row.article,
                text: &row.text,
                amount: delta,
            });
        }
    }
}

/// A change as often as was answered, where the row says so.
pub(crate) fn multiplied(row: &Adjustment, change: Change, view: &View) -> Change {
    match (row.times, change) {
        (Some(question), Change::Amount(amount)) => {
            let times = view.answers.to(question).max(0);
            Change::Amount(amount.saturating_mul(times.into()).clamp(-MOST, MOST))
        }
        _ => change,
    }
}

/// What of a change is made where it has come to so much: a reduction takes at most what there is above the least of its stage, a
/// charge adds at most what is left to the most.
pub(crate) fn made(
    stage: &Stage,
    (section, currency): (usize, u8),
    running: i64,
    delta: i64,
) -> i64 {
    let least = stage.least.get(section).copied().flatten();
    let least = least.map_or(0, |sums| sums.of(currency));
    let free = (running - least).max(0);
    delta.max(-free).min(MOST - running)
}

/// A change of a sum. A percentage comes to a multiple of `unit`; an exact half goes to the payer.
pub(crate) fn delta(change: Change, of: i64, unit: i64) -> i64 {
    match change {
        Change::Amount(amount) => amount,
        Change::Share(points) if points < 0 => {
            -BasisPoints(points.unsigned_abs()).of_half_up(of, unit)
        }
        Change::Share(points) => BasisPoints(points.unsigned_abs()).of_half_down(of, unit),
    }
}
