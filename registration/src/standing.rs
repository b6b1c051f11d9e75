//! What stands already and matters to a new order: who an entrant is, and the entries of the same institution or person.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Currency, Entrant, EntryId, Instants, Problem, SectionId, Slug, Standing};
use rules::{IdentityScope, Regulation, Remaining};
use store::change::Change;
use store::entries::{self, Entry};
use store::orders;

use crate::desk::Desk;
use crate::dossier::Dossier;
use crate::{claims, groups};

/// Who an entrant is, as the unique index knows it; the section counts where the regulation says per section.
pub(crate) fn identity(
    desk: &Desk,
    regulation: &Regulation,
    section: Option<&SectionId>,
    entrant: &Entrant,
) -> Option<String> {
    Some(scoped(desk, regulation, section, &entrant.identity()?))
}

fn scoped(desk: &Desk, regulation: &Regulation, section: Option<&SectionId>, who: &str) -> String {
    let section = section.map(SectionId::as_str).unwrap_or_default();
    let scoped = match regulation.identity_scope() {
        IdentityScope::Tournament => who.to_owned(),
        IdentityScope::Section => format!("{who}@{section}"),
    };
    desk.secret().identity(regulation.tournament(), &scoped)
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

/// A live entry with the facts that were frozen with it, the instants that its price goes by and its currency.
pub(crate) struct Frozen {
    pub entry: Entry,
    pub entrant: Entrant,
    pub at: Instants,
    pub currency: Currency,
    /// Limited rows that it has.
    pub claims: Vec<String>,
}

/// The live entries that belong with those of these entrants, theirs too, in form order: of a team those of its institution, of a
/// player where promotions join one's entries those of the same person.
pub(crate) fn neighbours<'e>(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    entrants: impl Iterator<Item = &'e Entrant>,
) -> Result<Vec<Frozen>, Problem> {
    let tournament = change.tournament.id.clone();
    let (mut groups, mut identities) = (BTreeSet::new(), Vec::new());
    for entrant in entrants {
        if let Entrant::Player(player) = entrant {
            if !regulation.has_promotions_of(entrant) {
                continue;
            }
            // Whose number is the same may have another name; whose name is the same may have given no number.
            for who in [entrant.identity(), player.known_by_name()]
                .iter()
                .flatten()
            {
                let sections = regulation.sections().map(|section| Some(&section.id));
                let scopes = sections.chain([None]);
                identities.extend(scopes.map(|id| scoped(desk, regulation, id, who)));
            }
        }
        groups.extend(groups::key(desk, regulation, entrant));
    }
    let mut live = BTreeMap::new();
    for group in groups {
        let of_it = entries::live_of_institution(change.conn()?, &tournament, &group)?;
        live.extend(of_it.into_iter().map(|entry| (entry.form_number, entry)));
    }
    if !identities.is_empty() {
        let theirs = entries::live_with_identities(change.conn()?, &tournament, &identities)?;
        live.extend(theirs.into_iter().map(|entry| (entry.form_number, entry)));
    }
    let mut found = Vec::new();
    for entry in live.into_values() {
        let Some(entrant) = entries::entrant(change.conn()?, entry.id)? else {
            continue;
        };
        let order = orders::find(change.conn()?, entry.order)?;
        let unknown = || {
            (
                Instants::of(change.stamp.at, None, None),
                regulation.currency(),
            )
        };
        let (at, currency) = order.map_or_else(unknown, |order| (order.instants(), order.currency));
        let claims = claims::held(change, regulation, entry.id)?;
        found.push(Frozen {
            entry,
            entrant,
            at,
            currency,
            claims,
        });
    }
    Ok(found)
}

/// The entries among which promotions hold: those of the same institutions and persons, this order's included.
pub(crate) fn around(
    change: &mut Change<'_>,
    (desk, regulation): (&Desk, &Regulation),
    dossier: &Dossier,
) -> Result<Vec<Frozen>, Problem> {
    if !regulation.has_promotions() {
        return Ok(Vec::new());
    }
    let mut entrants = Vec::new();
    for entry in &dossier.entries {
        entrants.extend(entries::entrant(change.conn()?, entry.id)?);
    }
    let promoted = entrants
        .iter()
        .filter(|who| regulation.has_promotions_of(who));
    neighbours(change, desk, regulation, promoted)
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
pub(crate) fn standing_of<'e>(
    change: &mut Change<'_>,
    desk: &Desk,
    regulation: &Regulation,
    entrants: impl Iterator<Item = &'e Entrant>,
) -> Result<Vec<Standing>, Problem> {
    let neighbours = neighbours(change, desk, regulation, entrants)?;
    Ok(as_standing(regulation, neighbours))
}

/// Entries as the rules engine is told of them, each with the promotions that it serves among them.
pub(crate) fn as_standing(regulation: &Regulation, entries: Vec<Frozen>) -> Vec<Standing> {
    let mut priced = prices(regulation, &entries.iter().collect::<Vec<_>>());
    let standing = entries.into_iter().map(|f| Standing {
        entry: f.entry.id,
        section: f.entry.section,
        price: f.entry.price,
        currency: Some(f.currency),
        promotions: priced
            .remove(&f.entry.id)
            .map(|(_, promotions)| promotions)
            .unwrap_or_default(),
        entrant: f.entrant,
    });
    standing.collect()
}
