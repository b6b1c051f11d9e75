//! `ends = [..]`: rows after which adjustments are not made.

use std::sync::Arc;

use super::reader::Item;
use crate::fees::{Ended, Fees};

/// Finds the adjustments that rows end, each named by itself or by its stage. One that is ended by another ends none
/// itself, so that nobody has to ask which comes first.
pub(super) fn resolve(
    fees: &mut Fees,
    of_rows: &[Vec<Item<'_, '_>>],
    of_adjustments: &[Vec<Item<'_, '_>>],
) {
    let named: Vec<(String, Arc<str>, Ended)> = fees
        .stages
        .iter()
        .flat_map(|stage| stage.adjustments.iter().map(|row| (&stage.id, row)))
        .map(|(stage, row)| (stage.clone(), row.id.clone(), row.bit))
        .collect();
    let find = |item: &Item<'_, '_>, own: Ended| -> Option<Ended> {
        let name = item.string()?;
        let found = named
            .iter()
            .filter(|(stage, row, bit)| *bit != own && (stage == name || **row == *name))
            .fold(0, |bits, (_, _, bit)| bits | bit);
        if found == 0 {
            return item.refuse(&format!(
                "there is no other [[adjust]] or [[stage]] `{name}`"
            ));
        }
        Some(found)
    };
    let all = |items: &[Item<'_, '_>], own: Ended| -> Ended {
        let bits = items.iter().filter_map(|item| find(item, own));
        bits.fold(0, |all, bits| all | bits)
    };
    for (row, ends) in fees.rows.iter_mut().zip(of_rows) {
        row.ends = all(ends, 0);
    }
    let mut ended = 0;
    let stages = fees.stages.iter_mut();
    for row in stages.flat_map(|stage| &mut stage.adjustments) {
        let ends = &of_adjustments[row.bit.trailing_zeros() as usize];
        row.ends = all(ends, row.bit);
        ended |= row.ends;
    }
    for stage in &fees.stages {
        for row in stage.adjustments.iter().filter(|row| row.bit & ended != 0) {
            if let Some(item) = of_adjustments[row.bit.trailing_zeros() as usize].first() {
                item.refuse::<()>("a row that another one ends cannot end others");
            }
        }
    }
}
