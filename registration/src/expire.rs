//! Holds that run out: the payment is closed at the gateway first, and "already paid" wins.

use domain::{
    Actor, Cause, EntryId, OrderId, PaymentStatus, Problem, RefundCause, RefundMethod, Slug,
    Status, TournamentId,
};
use rules::Regulation;
use store::change::{Account, Change};
use store::entries::Entry;
use store::{Ask, Lane, claims, orders};

use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::groups;
use crate::offer;
use crate::pass_on::{dearer_without, pass_on};
use crate::refund::{self, Reserve};
use crate::standing::around;

/// Holds looked at in one step.
const BATCH: i64 = 200;

impl Desk {
    /// Ends the holds that have run out and offers the seats that come free; how many orders expired.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn step_expire(&self) -> Result<usize, Problem> {
        let mut expired = 0;
        for regulation in self.tournaments() {
            let tournament = regulation.tournament().clone();
            let (id, at) = (tournament.clone(), self.clock().desk(&tournament));
            let due = self
                .store()
                .read(move |c| Ok::<_, Problem>(orders::holds_run_out(c, &id, at, BATCH)?))
                .await?;
            for order in due {
                // What is on its way, or what the gateway does not tell, keeps the seat until it settles.
                match self.close_open_payments(order).await {
                    Ok(()) => expired += usize::from(self.expire(&tournament, order).await?),
                    Err(problem)
                        if matches!(problem.slug, Slug::GatewayDown | Slug::IllegalMove) =>
                    {
                        tracing::info!(order.id = %order, problem = problem.slug.as_str(), "a hold waits for its payment");
                    }
                    Err(problem) => return Err(problem),
                }
            }
        }
        Ok(expired)
    }

    async fn expire(&self, tournament: &TournamentId, order: OrderId) -> Result<bool, Problem> {
        let stamp = self.stamp(tournament, &By::actor(Actor::Timer));
        let desk = self.clone();
        let ask = Ask::of_order(tournament.clone(), order);
        let outcome = self.decide(Lane::Settle, ask, stamp, None, move |change| {
            let mut dossier = Dossier::load(change, order)?;
            let run_out = dossier
                .order
                .hold_until
                .is_some_and(|end| end <= change.stamp.at);
            let settling = |s| {
                matches!(
                    s,
                    PaymentStatus::Creating | PaymentStatus::Open | PaymentStatus::Processing
                )
            };
            if !run_out || dossier.payments.iter().any(|p| settling(p.status)) {
                return Ok(false);
            }
            let regulation = desk.present(change)?;
            (dossier.order.hold_until, dossier.order.reprice_at) = (None, None);
            let around = around(change, (&desk, &regulation), &dossier)?;
            let held = dossier.entries.iter().filter(|e| e.status == Status::Held);
            let held: Vec<EntryId> = held.map(|e| e.id).collect();
            let dearer = dearer_without(&regulation, &around, &held);
            dossier.move_all(change, &[Status::Held], Cause::Expire)?;
            give_claims_back(change, &regulation, &dossier)?;
            give_back_part(change, &desk, &mut dossier)?;
            dossier.save(change)?;
            let ended = dossier
                .entries
                .iter()
                .filter(|e| e.status == Status::Expired);
            let gone: Vec<_> = ended.map(|e| e.institution.clone()).collect();
            groups::moved(change, &regulation, &[], &gone)?;
            pass_on(change, (&desk, &regulation), (order, &around), &dearer)?;
            offer::offer_seats(change, &regulation)?;
            Ok(true)
        });
        outcome.await
    }
}

/// Limited rows that entries had which expired are there for others again.
fn give_claims_back(
    change: &mut Change<'_>,
    regulation: &Regulation,
    dossier: &Dossier,
) -> Result<(), Problem> {
    // A version between may have had such rows: what the order asked for counts.
    let asked = !dossier.order.quote.claims.is_empty();
    if !asked && regulation.limited_rows().next().is_none() {
        return Ok(());
    }
    let expired = |entry: &&Entry| entry.status == Status::Expired;
    for entry in dossier.entries.iter().filter(expired) {
        claims::give_back(change.conn()?, entry.id)?;
    }
    Ok(())
}

/// What was paid of an order whose last seat is gone goes back: it was less than the price, which rose after it was paid.
fn give_back_part(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
) -> Result<(), Problem> {
    let part = dossier.credited() - dossier.disputed();
    if part <= 0 || dossier.is_live() {
        return Ok(());
    }
    let whole = Reserve {
        amount: part,
        kept: 0,
        method: RefundMethod::Card,
        cause: RefundCause::NoSeat,
        rule: "expired".into(),
        from: Account::EntryFees,
        payment: None,
        entry: None,
    };
    refund::reserve(change, desk, dossier, &whole)
}
