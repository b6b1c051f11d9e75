//! Groups by which entries are found: a team's institution, a player's club or federation where a price counts its members, or the
//! person where promotions join one's entries. Who joins or leaves lets the
//! others' orders be priced anew.

use std::collections::BTreeMap;

use domain::{Entrant, Others, Problem, fold_name};
use rules::Regulation;
use store::change::Change;
use store::entries::Entry;
use store::{entries, orders};

use crate::desk::Desk;
use crate::dossier::Dossier;

/// The group of an entrant, as entries are found by it.
pub(crate) fn key(desk: &Desk, regulation: &Regulation, entrant: &Entrant) -> Option<String> {
    let group = match entrant {
        Entrant::Team(team) => fold_name(&team.institution),
        Entrant::Player(player) if regulation.has_promotions_of(entrant) => {
            player.known_by_name()?
        }
        Entrant::Player(_) => regulation.group_of(entrant)?,
    };
    Some(desk.secret().identity(regulation.tournament(), &group))
}

/// How many live entries there are of the groups of these entrants; where they are those of an entry that stands, leaving it out,
/// and how many of them came after it.
pub(crate) fn others<'e>(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    entrants: impl Iterator<Item = &'e Entrant>,
    but: Option<&Entry>,
) -> Result<Others, Problem> {
    let mut others = Others::default();
    if !regulation.counts_others() {
        return Ok(others);
    }
    let tournament = change.tournament.id.clone();
    for entrant in entrants {
        let named = regulation.group_of(entrant);
        let Some((group, key)) = named.zip(key(desk, regulation, entrant)) else {
            continue;
        };
        let conn = change.conn()?;
        let id = but.map(|entry| entry.id);
        let count = entries::count_of_institution(conn, &tournament, &key, id)?;
        let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        if let Some(entry) = but.filter(|_| regulation.counts_places()) {
            let form = entry.form_number;
            let later = entries::count_of_institution_after(conn, &tournament, &key, form)?;
            others.later_by_group.insert(group.clone(), number(later));
        }
        others.by_group.insert(group, number(count));
    }
    Ok(others)
}

/// After entries of these groups have come in or gone: wherever a group has crossed a number that a price goes by, or a price goes
/// by places among it, its orders are to be priced anew. To be called last, as it writes to orders that may be open.
pub(crate) fn moved(
    change: &mut Change<'_>,
    regulation: &Regulation,
    came: &[Option<String>],
    gone: &[Option<String>],
) -> Result<(), Problem> {
    if !regulation.counts_others() {
        return Ok(());
    }
    let mut more: BTreeMap<&String, i64> = BTreeMap::new();
    for group in came.iter().flatten() {
        *more.entry(group).or_default() += 1;
    }
    for group in gone.iter().flatten() {
        *more.entry(group).or_default() -= 1;
    }
    let (tournament, at) = (change.tournament.id.clone(), change.stamp.at);
    for (group, more) in more {
        let conn = change.conn()?;
        let now = entries::count_of_institution(conn, &tournament, group, None)?;
        if regulation.counts_places() || crosses(regulation, now - more, now) {
            orders::reprice_group(conn, &tournament, group, at)?;
        }
    }
    Ok(())
}

/// After entries of an order have gone: where it has crossed a number that a price goes by, or a price goes by places, it is to be
/// priced anew.
pub(crate) fn shrank(
    change: &Change<'_>,
    regulation: &Regulation,
    dossier: &mut Dossier,
    gone: usize,
) {
    let live = dossier.entries.iter().filter(|e| e.status.is_live());
    let now = i64::try_from(live.count()).unwrap_or(i64::MAX);
    let before = now + i64::try_from(gone).unwrap_or(0);
    if now > 0 && (regulation.counts_places() || crosses(regulation, before, now)) {
        dossier.order.reprice_at = Some(change.stamp.at);
    }
}

fn crosses(regulation: &Regulation, before: i64, now: i64) -> bool {
    let size = |count: i64| u32::try_from(count.max(0)).unwrap_or(u32::MAX);
    regulation.tells_apart(size(before), size(now))
}
