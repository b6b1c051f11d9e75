//! Limited rows ("the first six"): who has one, and what is left for whoever comes.

use domain::{EntryId, Problem, Quote, Taken};
use rules::Regulation;
use store::change::Change;
use store::claims;
use store::orders::Order;

/// How many of each limited row are taken now.
pub(crate) fn taken(change: &mut Change<'_>, regulation: &Regulation) -> Result<Taken, Problem> {
    let rows: Vec<&str> = regulation.limited_rows().collect();
    if rows.is_empty() {
        return Ok(Taken::new());
    }
    let tournament = change.tournament.id.clone();
    Ok(claims::taken(change.conn()?, &tournament, &rows)?)
}

/// The limited rows that an entry has.
pub(crate) fn held(
    change: &mut Change<'_>,
    regulation: &Regulation,
    entry: EntryId,
) -> Result<Vec<String>, Problem> {
    if regulation.limited_rows().next().is_none() {
        return Ok(Vec::new());
    }
    Ok(claims::of_entry(change.conn()?, entry)?)
}

/// What an entry finds that is decided about anew: what it has is left for it, of the others what nobody has.
pub(crate) fn left_for(
    change: &mut Change<'_>,
    regulation: &Regulation,
    entry: EntryId,
) -> Result<Taken, Problem> {
    let mut left = taken(change, regulation)?;
    for own in held(change, regulation, entry)? {
        left.entry(own)
            .and_modify(|count| *count = count.saturating_sub(1));
    }
    Ok(left)
}

/// An entry has from now on what this quote of it alone asks for, and nothing else.
pub(crate) fn keep(change: &mut Change<'_>, entry: EntryId, quote: &Quote) -> Result<(), Problem> {
    claims::give_back(change.conn()?, entry)?;
    for claim in &quote.claims {
        change.claim(&claim.rule, entry);
    }
    Ok(())
}

/// Whether what an order asked for at registration, and gave back when its hold ran out, is still left.
pub(crate) fn still_left(
    change: &mut Change<'_>,
    regulation: &Regulation,
    order: &Order,
) -> Result<bool, Problem> {
    let mut taken = taken(change, regulation)?;
    Ok(order.quote.claims.iter().all(|claim| {
        let count = taken.entry(claim.rule.clone()).or_default();
        *count += 1;
        *count <= claim.limit
    }))
}
