//! What an order's total is made of now. Its quote stays as it was at the form; an entry whose price changed since has lines of
//! its own.

use std::collections::BTreeMap;

use domain::{Line, LineKind, Status, Text};

use crate::entries::Entry;
use crate::orders::Order;

/// The lines of one entry of an order, by its place in it: together its price.
#[must_use]
pub fn of_entry(order: &Order, entries: &[Entry], index: usize) -> Vec<Line> {
    let Some(entry) = entries.get(index) else {
        return Vec::new();
    };
    let quoted = order.quote.lines.iter();
    let quoted = quoted.filter(|line| line.entry == index);
    let own = entry.lines.clone();
    up_to(
        own.unwrap_or_else(|| quoted.cloned().collect()),
        index,
        entry.price,
    )
}

/// What an entry costs by the row, in minor units; nothing of rows that take off.
#[must_use]
pub fn by_row(order: &Order, entries: &[Entry], index: usize) -> BTreeMap<String, i64> {
    let mut rows = BTreeMap::new();
    for line in of_entry(order, entries, index) {
        *rows.entry(line.rule.to_string()).or_default() += line.amount;
    }
    rows.retain(|_, sum| *sum > 0);
    rows
}

/// The lines of what goes on: together the order's total. Where nothing does, those of what ran out, which may yet be paid for.
#[must_use]
pub fn now(order: &Order, entries: &[Entry]) -> Vec<Line> {
    let all = |counts: fn(Status) -> bool| {
        let places = entries.iter().enumerate();
        let counted = places.filter(|(_, entry)| counts(entry.status));
        counted.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let mut counted = all(|status| status.is_live() || status == Status::Withdrawn);
    if counted.is_empty() {
        counted = all(|status| status == Status::Expired);
    }
    let own = counted.iter();
    let mut lines: Vec<Line> = own
        .flat_map(|index| of_entry(order, entries, *index))
        .collect();
    let rest = order.total - sum(&lines);
    let first = counted.first().copied().unwrap_or(0);
    if rest < 0 {
        lines.push(line(first, "waived", rest, waived()));
    } else if rest > 0 {
        lines.push(line(first, "promotion", rest, promotion_lost()));
    }
    lines
}

/// These lines of an entry, and one more for what they do not come to of its price.
#[must_use]
pub fn up_to(mut lines: Vec<Line>, entry: usize, price: i64) -> Vec<Line> {
    for line in &mut lines {
        line.entry = entry;
    }
    let rest = price - sum(&lines);
    if rest > 0 {
        lines.push(line(entry, "promotion", rest, promotion_lost()));
    } else if rest < 0 {
        lines.push(line(entry, "promotion", rest, promotion_kept()));
    }
    lines
}

fn sum(lines: &[Line]) -> i64 {
    lines.iter().map(|line| line.amount).sum()
}

fn line(entry: usize, rule: &str, amount: i64, text: Text) -> Line {
    Line {
        entry,
        kind: LineKind::Adjustment,
        rule: rule.into(),
        article: "".into(),
        text,
        amount,
        with: None,
    }
}

fn waived() -> Text {
    Text::new(
        "Perdonat per l'organització",
        "Perdonado por la organización",
        "Waived by the organiser",
    )
}

fn promotion_lost() -> Text {
    Text::new(
        "Promoció que ja no s'aplica",
        "Promoción que ya no se aplica",
        "A promotion that holds no more",
    )
}

fn promotion_kept() -> Text {
    Text::new(
        "Promoció que es conserva",
        "Promoción que se conserva",
        "A promotion that is kept",
    )
}
