//! Somebody whom given conditions have in common: the same classes, but only as far as these conditions go.

use crate::conditions::{Condition, FactSet, Trust, View};
use crate::walk::CLASS;
use crate::walk::ground::Ground;
use crate::walk::steps::{admitted, cost_of, decided};

/// What was found.
pub(super) enum Reached {
    Somebody(Box<View>),
    Nobody,
    /// The budget ran out here.
    Stopped(Box<View>),
}

/// How much work each class is that is looked at for these.
pub(super) fn cost(ground: &Ground<'_>, wanted: &[(&Condition, Trust)]) -> u64 {
    let admissions = ground.admissions.iter();
    let admissions = admissions.flat_map(|row| [&row.when, &row.needs]);
    let wanted = wanted.iter().map(|(condition, _)| *condition);
    wanted.chain(admissions).map(cost_of).sum::<u64>() + CLASS
}

/// Somebody who is admitted and for whom all of these hold.
pub(super) fn somebody(
    ground: &Ground<'_>,
    wanted: &[(&Condition, Trust)],
    left: &mut u32,
) -> Reached {
    search(ground, wanted, &ground.nobody, left)
}

fn search(
    ground: &Ground<'_>,
    wanted: &[(&Condition, Trust)],
    view: &View,
    left: &mut u32,
) -> Reached {
    if *left == 0 {
        return Reached::Stopped(Box::new(*view));
    }
    *left -= 1;
    let mut open: Option<FactSet> = None;
    for (condition, trust) in wanted {
        match decided(condition, *trust, view) {
            Ok(true) => {}
            Ok(false) => return Reached::Nobody,
            Err(missing) => _ = open.get_or_insert(missing),
        }
    }
    for row in &ground.admissions {
        match admitted(row, view) {
            Ok(true) => {}
            Ok(false) => return Reached::Nobody,
            Err(missing) => _ = open.get_or_insert(missing),
        }
    }
    let Some(facts) = open else {
        return Reached::Somebody(Box::new(*view));
    };
    let Some(place) = ground.place(facts) else {
        return Reached::Stopped(Box::new(*view));
    };
    for value in 0..ground.classes[place].1.len() {
        if let Some(class) = ground.with(view, place, value) {
            match search(ground, wanted, &class, left) {
                Reached::Nobody => {}
                found => return found,
            }
        }
    }
    Reached::Nobody
}
