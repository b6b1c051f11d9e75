//! A question to the rules that depends on what stands already: a promotion may reach entries of other orders.

use domain::{Actor, Entrant, Problem, QuoteRequest, Slug};
use rules::Regulation;
use store::Island;
use store::tournaments;

use crate::desk::{By, Desk};
use crate::standing::standing_of;

impl Desk {
    /// The same question with the entries that stand already and that a promotion may reach. Touches no disk where the
    /// regulation has no promotion, no team is asked about, or the caller names what stands. The decision at registration
    /// looks at them again.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn with_standing(
        &self,
        regulation: &Regulation,
        request: QuoteRequest,
    ) -> Result<QuoteRequest, Problem> {
        let teams = request
            .entries
            .iter()
            .any(|e| matches!(e.entrant, Entrant::Team(_)));
        if !teams || !request.standing.is_empty() || !regulation.has_promotions() {
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
                Ok(QuoteRequest {
                    standing,
                    ..request
                })
            })
            .await
    }
}
