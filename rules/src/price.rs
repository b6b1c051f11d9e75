//! The price of one entry: base, then adjustments stage by stage. The order is normative in `docs/pricing.md`.

use domain::{BasisPoints, LineKind, Text};

use crate::conditions::View;
use crate::fees::{Adjustment, Change, Choice, Combine, FeeRow, Fees, Of, Price, Stage};

/// One priced line before it is written out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'f> {
    pub kind: LineKind,
    pub rule: &'f str,
    pub article: &'f str,
    pub text: &'f Text,
    pub amount: i64,
}

/// What an entry with these facts comes to in a section; `None` where no row applies.
pub(crate) fn amount(fees: &Fees, section: usize, view: &View) -> Option<i64> {
    price(fees, section, view, |_| {})
}

/// The same, telling each line. The lines sum to the amount, which is never below zero: a reduction takes at most what
/// is left.
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
    let mut running = base;
    for stage in &fees.stages {
        adjust(stage, section, view, base, &mut running, &mut tell);
    }
    Some(running)
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

/// What a row charges in a section, whether it applies or not.
pub(crate) fn row_sum(row: &FeeRow, section: usize, view: &View) -> Option<i64> {
    match row.amounts.get(section).copied().flatten()? {
        Price::Fixed(sum) => Some(sum),
        Price::Agreed => view.agreed,
    }
}

fn adjust<'f>(
    stage: &'f Stage,
    section: usize,
    view: &View,
    base: i64,
    running: &mut i64,
    tell: &mut impl FnMut(Piece<'f>),
) {
    let mut applying = stage.adjustments.iter().filter_map(|adjustment| {
        let change = adjustment.changes.get(section).copied().flatten()?;
        (adjustment.when.holds(view, adjustment.trust) == Some(true))
            .then_some((adjustment, change))
    });
    let start = *running;
    let worth = |change: Change, running: i64| match stage.of {
        Of::Base => delta(change, base),
        Of::Running => delta(change, running),
    };
    let mut apply = |adjustment: &'f Adjustment, delta: i64, running: &mut i64| {
        let delta = delta.max(-*running);
        *running = running.saturating_add(delta);
        if delta != 0 {
            tell(Piece {
                kind: LineKind::Adjustment,
                rule: &adjustment.id,
                article: &adjustment.article,
                text: &adjustment.text,
                amount: delta,
            });
        }
    };
    match stage.combine {
        Combine::Sum => {
            for (adjustment, change) in applying {
                apply(adjustment, worth(change, *running), running);
            }
        }
        Combine::Best => {
            let best = applying.min_by_key(|(_, change)| worth(*change, start));
            if let Some((adjustment, change)) = best {
                apply(adjustment, worth(change, start), running);
            }
        }
        Combine::Last => {
            if let Some((adjustment, change)) = applying.next_back() {
                apply(adjustment, worth(change, start), running);
            }
        }
    }
}

/// A change of a sum; an exact half goes to the payer.
pub(crate) fn delta(change: Change, of: i64) -> i64 {
    match change {
        Change::Amount(amount) => amount,
        Change::Share(points) if points < 0 => -BasisPoints(points.unsigned_abs()).of_half_up(of),
        Change::Share(points) => BasisPoints(points.unsigned_abs()).of_half_down(of),
    }
}
