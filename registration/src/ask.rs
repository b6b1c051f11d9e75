//! A question to the rules that depends on what stands already: a promotion may reach entries of other orders, and of limited
//! rows some are taken.

use domain::{Actor, Problem, QuoteRequest, Slug};
use rules::Regulation;
use store::Island;
use store::tournaments;

use crate::desk::{By, Desk};
use crate::standing::standing_of;
use crate::{claims, groups};

impl Desk {
    /// The same question with the entries that stand already and that a promotion may reach, and with what is taken of limited
    /// rows and how many others there are. Touches no disk where the regulation asks for none of these, or the caller names what stands. The decision at registration
    /// looks at them again.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn with_standing(
        &self,
        regulation: &Regulation,
        request: QuoteRequest,
    ) -> Result<QuoteRequest, Problem> {
        let mut entries = request.entries.iter();
        let promoted = request.standing.is_empty()
            && entries.any(|asked| regulation.has_promotions_of(&asked.entrant));
        let limited = request.taken.is_empty() && regulation.limited_rows().next().is_some();
        let counted = request.others.is_empty() && regulation.counts_others();
        if !promoted && !limited && !counted {
            return Ok(request);
        }
        let id = regulation.tournament().clone();
        let regulation = self.regulation(&id)?;
        let stamp = self.stamp(&id, &By::actor(Actor::Payer));
        let desk = self.clone();
        self.store()
            .read(move |conn| {
                let found = tournaments::find(conn, &id)?;
                let tournament = found.ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
                let mut island = Island::around(tournament);
                let mut change = island.change(conn, &stamp);
                let entrants = request.entries.iter().map(|e| &e.entrant);
                let standing = standing_of(&mut change, &desk, &regulation, entrants)?;
                let taken = claims::taken(&mut change, &regulation)?;
                let entrants = request.entries.iter().map(|e| &e.entrant);
                let others = groups::others(&mut change, &desk, &regulation, entrants, None)?;
                Ok(QuoteRequest {
                    standing,
                    taken,
                    others,
                    ..request
                })
            })
            .await
    }
}
