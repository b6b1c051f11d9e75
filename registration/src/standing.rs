//! What stands already and matters to a new order: who an entrant is, and the entries of the same institution.

use std::collections::BTreeMap;

use domain::{
    Currency, Entrant, EntryId, Instants, Problem, SectionId, Slug, Standing, TournamentId,
    fold_name,
};
use rules::{IdentityScope, Regulation, Remaining};
use store::change::Change;
use store::entries::{self, Entry};
use store::orders;

use crate::claims;
use crate::desk::Desk;

/// Who an entrant is, as the unique index knows it; the section counts where the regulation says per section.
pub(crate) fn identity(
    desk: &Desk,
    regulation: &Regulation,
    section: Option<&SectionId>,
    entrant: &Entrant,
) -> Option<String> {
    let who = entrant.identity()?;
    let scoped = match regulation.identity_scope() {
        IdentityScope::Tournament => who,
        IdentityScope::Section => format!(
            "{who}@{}",
            section.map(SectionId::as_str).unwrap_or_default()
        ),
    };
    Some(desk.secret().identity(regulation.tournament(), &scoped))
}

/// Who an entry is once its section or its entrant's facts have changed.
///
/// # Errors
/// [`Slug::AlreadyEntered`] where that is somebody who is in by another entry.
pub(crate) fn identity_now(
    change: &mut Change<'_>,
    (desk, regulation): (&Desk, &Regulation),
    (row, section): (&Entry, Option<&SectionId>),
    entrant: &Entrant,
) -> Result<Option<String>, Problem> {
    let now = identity(desk, regulation, section, entrant);
    let other: Vec<String> = now
        .iter()
        .filter(|_| now != row.identity)
        .cloned()
        .collect();
    if !change.live_identities(&other)?.is_empty() {
        return Err(Problem::new(Slug::AlreadyEntered));
    }
    Ok(now)
}

/// The institution of a team, as entries are found by it.
pub(crate) fn institution(
    desk: &Desk,
    tournament: &TournamentId,
    entrant: &Entrant,
) -> Option<String> {
    match entrant {
        Entrant::Player(_) => None,
        Entrant::Team(team) => Some(
            desk.secret()
                .identity(tournament, &fold_name(&team.institution)),
        ),
    }
}

/// A live entry with the facts that were frozen with it, the instants that its price goes by and its currency.
pub(crate) struct Frozen {
    pub entry: Entry,
    pub entrant: Entrant,
    pub at: Instants,
    pub currency: Currency,
    /// Limited rows that it has.
    pub claims: Vec<String>,
}

/// The live entries of the institutions of these entries, in form order.
pub(crate) fn neighbours(
    change: &mut Change<'_>,
    regulation: &Regulation,
    institutions: &[String],
) -> Result<Vec<Frozen>, Problem> {
    let mut found = Vec::new();
    let tournament = change.tournament.id.clone();
    for institution in institutions {
        for entry in entries::live_of_institution(change.conn()?, &tournament, institution)? {
            let Some(entrant) = entries::entrant(change.conn()?, entry.id)? else {
                continue;
            };
            let order = orders::find(change.conn()?, entry.order)?;
            let (at, currency) = order.map_or_else(
                || {
                    (
                        Instants::of(change.stamp.at, None, None),
                        regulation.currency(),
                    )
                },
                |order| (order.instants(), order.currency),
            );
            let claims = claims::held(change, regulation, entry.id)?;
            found.push(Frozen {
                entry,
                entrant,
                at,
                currency,
                claims,
            });
        }
    }
    found.sort_by_key(|f| f.entry.form_number);
    Ok(found)
}

/// What these entries cost among themselves, and the promotions that each serves.
pub(crate) fn prices(
    regulation: &Regulation,
    entries: &[&Frozen],
) -> BTreeMap<EntryId, (i64, Vec<String>)> {
    let remaining: Vec<Remaining<'_>> = entries
        .iter()
        .map(|f| Remaining {
            entry: f.entry.id,
            order: f.entry.order,
            at: f.at,
            currency: f.currency,
            section: f.entry.section.as_ref(),
            entrant: &f.entrant,
            claims: &f.claims,
        })
        .collect();
    let priced = rules::remaining_price(regulation, &remaining);
    let own: BTreeMap<EntryId, i64> = entries
        .iter()
        .map(|f| (f.entry.id, f.entry.price))
        .collect();
    priced
        .into_iter()
        .map(|p| {
            (
                p.entry,
                (
                    p.total.or(own.get(&p.entry).copied()).unwrap_or(0),
                    p.promotions,
                ),
            )
        })
        .collect()
}

/// What the rules engine has to know of the entries that stand.
pub(crate) fn standing_of<'a>(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    entrants: impl Iterator<Item = &'a Entrant>,
) -> Result<Vec<Standing>, Problem> {
    let tournament = change.tournament.id.clone();
    let mut institutions: Vec<String> = entrants
        .filter_map(|e| institution(desk, &tournament, e))
        .collect();
    institutions.sort();
    institutions.dedup();
    let neighbours = neighbours(change, regulation, &institutions)?;
    let mut priced = prices(regulation, &neighbours.iter().collect::<Vec<_>>());
    Ok(neighbours
        .into_iter()
        .map(|f| Standing {
            entry: f.entry.id,
            section: f.entry.section,
            price: f.entry.price,
            currency: Some(f.currency),
            promotions: priced
                .remove(&f.entry.id)
                .map(|(_, promotions)| promotions)
                .unwrap_or_default(),
            entrant: f.entrant,
        })
        .collect())
}
