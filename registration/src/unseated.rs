//! Play begins, and no seat came free: whoever waits for one with the money has all of it back, and the entry ends.

use domain::{Actor, Cause, EntryId, OrderId, Problem, Slug, TournamentId};
use rules::WhenFull;
use store::waiting_list;

use crate::cancel::Cancel;
use crate::desk::{By, Desk};

/// Entries looked at in one step.
const BATCH: i64 = 200;

impl Desk {
    /// Once play has begun, ends the entries whose money still waits for a seat and gives it back in full; how many orders.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn step_unseated(&self) -> Result<usize, Problem> {
        let mut ended = 0;
        for regulation in self.tournaments() {
            let tournament = regulation.tournament().clone();
            let begun = regulation.begins() <= self.clock().desk(&tournament);
            if regulation.when_full() != WhenFull::Wait || !begun {
                continue;
            }
            for (order, entries) in self.still_in_line(&tournament).await? {
                let ask = Cancel {
                    entries,
                    cause: Cause::CancelByOrganiser,
                    credit: false,
                };
                let timer = By::actor(Actor::Timer);
                match self.cancel(&timer, &tournament, order, ask).await {
                    Ok(_) => ended += 1,
                    // A rest of the price is on its way, or the payer has just left.
                    Err(problem)
                        if matches!(
                            problem.slug,
                            Slug::GatewayDown | Slug::IllegalMove | Slug::Raced
                        ) =>
                    {
                        tracing::info!(order.id = %order, problem = problem.slug.as_str(), "one without a seat waits for its payment");
                    }
                    Err(problem) => return Err(problem),
                }
            }
        }
        Ok(ended)
    }

    /// The orders whose money waits, with the entries that it waits for.
    async fn still_in_line(
        &self,
        tournament: &TournamentId,
    ) -> Result<Vec<(OrderId, Vec<EntryId>)>, Problem> {
        let id = tournament.clone();
        let line = self
            .store()
            .read(move |c| Ok::<_, Problem>(waiting_list::after(c, &id, None, BATCH)?))
            .await?;
        let paid = line.chunk_by(|one, next| one.order == next.order);
        let paid = paid.filter(|entries| entries[0].waiting_since.is_some());
        let of_order = |entries: &[store::entries::Entry]| {
            let ids = entries.iter().map(|entry| entry.id).collect();
            (entries[0].order, ids)
        };
        Ok(paid.map(of_order).collect())
    }
}
