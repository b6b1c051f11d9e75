//! Codes that the organiser gave out, each for so many uses.

use domain::{Actor, Entrant, Problem, QuoteRequest, Slug, TournamentId};
use rules::Regulation;
use store::change::Change;
use store::{Island, codes, tournaments};

use crate::admit;
use crate::desk::{By, Desk};

/// An entry that brings a code is invited, at the price that was agreed with whom the code was given to. `hashes` are the keyed hashes of the
/// entries' codes, in their order.
pub(crate) fn redeem<'e>(
    change: &mut Change<'_>,
    regulation: &Regulation,
    hashes: &[Option<String>],
    entrants: impl Iterator<Item = &'e mut Entrant>,
) -> Result<(), Problem> {
    let tournament = change.tournament.id.clone();
    let mut asked: Vec<&String> = Vec::new();
    for (index, (hash, entrant)) in hashes.iter().zip(entrants).enumerate() {
        let Some(hash) = hash else { continue };
        let found = codes::find(change.conn()?, &tournament, hash)?;
        let (code, used) = found.ok_or_else(|| admit::unknown_code(index))?;
        asked.push(hash);
        let here = asked.iter().filter(|h| **h == hash).count();
        if used + i64::try_from(here).unwrap_or(i64::MAX) > i64::from(code.uses) {
            return Err(admit::code_used_up(index));
        }
        let currency = code.currency.unwrap_or(regulation.currency());
        admit::invite(entrant, &code, currency);
    }
    Ok(())
}

impl Desk {
    /// The keyed hashes of codes.
    pub(crate) fn hashes(
        &self,
        tournament: &TournamentId,
        codes: &[Option<String>],
    ) -> Vec<Option<String>> {
        let hash = |code: &String| self.secret().code(tournament, code);
        codes.iter().map(|code| code.as_ref().map(hash)).collect()
    }

    /// The same question with what the codes of its entries are worth, in their order. Touches no disk where there is none. A
    /// code is used up by entries alone.
    ///
    /// # Errors
    /// [`Slug::InvalidFields`] for a code that nobody gave out, [`Slug::CodeUsedUp`].
    pub async fn with_codes(
        &self,
        regulation: &Regulation,
        mut request: QuoteRequest,
        codes: &[Option<String>],
    ) -> Result<QuoteRequest, Problem> {
        if codes.iter().all(Option::is_none) {
            return Ok(request);
        }
        let id = regulation.tournament().clone();
        let hashes = self.hashes(&id, codes);
        let regulation = self.regulation(&id)?;
        let stamp = self.stamp(&id, &By::actor(Actor::Payer));
        self.store()
            .read(move |conn| {
                let found = tournaments::find(conn, &id)?;
                let tournament = found.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let mut island = Island::around(tournament);
                let mut change = island.change(conn, &stamp);
                let entrants = request.entries.iter_mut().map(|entry| &mut entry.entrant);
                redeem(&mut change, &regulation, &hashes, entrants)?;
                Ok(request)
            })
            .await
    }
}
