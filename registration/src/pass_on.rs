//! Promotions over several orders of which one side was never paid for: when it goes, what it made cheaper elsewhere costs what it
//! costs alone, and is asked for there; when it comes back by late money, the other side is cheaper again.

use std::collections::BTreeMap;

use domain::{EntryId, OrderId, Problem};
use rules::Regulation;
use store::change::Change;
use store::lines;

use crate::desk::Desk;
use crate::dossier::Dossier;
use crate::price::{NewPrice, follow, set_price};
use crate::standing::{Frozen, prices};

/// What the entries that stay cost more, among themselves, without these, in minor units; `around` are all among which promotions
/// hold.
pub(crate) fn dearer_without(
    regulation: &Regulation,
    around: &[Frozen],
    gone: &[EntryId],
) -> BTreeMap<EntryId, i64> {
    let with = prices(regulation, &around.iter().collect::<Vec<_>>());
    let stays = around.iter().filter(|f| !gone.contains(&f.entry.id));
    let without = prices(regulation, &stays.collect::<Vec<_>>());
    let more = without.into_iter().filter_map(|(id, (after, _))| {
        let (before, _) = with.get(&id)?;
        Some((id, after - before))
    });
    more.filter(|(_, more)| *more != 0).collect()
}

/// Asks for what entries of other orders than this one cost more, in their own orders, or gives back what they cost less. To be called last, as it
/// writes to orders that may be open.
///
/// # Errors
/// [`Problem`] when the database fails, or what is to go back is not there.
pub(crate) fn pass_on(
    change: &mut Change<'_>,
    (desk, present): (&Desk, &Regulation),
    (own, around): (OrderId, &[Frozen]),
    dearer: &BTreeMap<EntryId, i64>,
) -> Result<(), Problem> {
    for other in around.iter().filter(|f| f.entry.order != own) {
        let Some(more) = dearer.get(&other.entry.id) else {
            continue;
        };
        let mut dossier = Dossier::load(change, other.entry.order)?;
        let Some(index) = dossier.entries.iter().position(|e| e.id == other.entry.id) else {
            continue;
        };
        let made_of = lines::of_entry(&dossier.order, &dossier.entries, index);
        let new = NewPrice {
            index,
            to: (dossier.entries[index].price + more).max(0),
            lines: &made_of,
            rule: "promotion",
        };
        let difference = set_price(change, &mut dossier, &new)?;
        follow(change, desk, present, &mut dossier, difference, new.rule)?;
        dossier.save(change)?;
    }
    Ok(())
}
