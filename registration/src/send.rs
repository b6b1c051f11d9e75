//! Refunds on their way: sent to the gateway, looked at until they settle, taken over when made there by hand.

use domain::{
    Actor, Event, PaymentId, PaymentStatus, Problem, RefundCause, RefundId, RefundMethod,
    RefundStatus, Slug, TournamentId, UtcTime,
};
use rand::Rng;
use store::change::{Account, Change, transfer};
use store::refunds::{self, Refund};
use store::{Ask, Lane, payments};

use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::gateway::{GatewayError, RefundCall, RefundState, SeenDispute, SeenRefund};
use crate::left;
use crate::observe::Observed;
use crate::slip::account_of;

/// Refunds looked at in one step.
const BATCH: i64 = 50;
/// Why what is disputed does not come back any more.
const DISPUTE_LOST: &str = "dispute_lost";
/// A refund that the gateway has is looked at again after so many seconds, should its webhook be lost.
const LOOK_AGAIN: i64 = 3_600;

/// When a call that got no answer is made again: 2, 4, 8 … seconds, at most an hour, up to half of it more.
pub(crate) fn backoff(wall: UtcTime, attempts: i32) -> UtcTime {
    let seconds = 2i64
        .saturating_pow(u32::try_from(attempts.clamp(1, 12)).unwrap_or(12))
        .min(3_600);
    wall.plus_seconds(seconds + rand::rng().random_range(0..=seconds / 2))
}

impl Desk {
    /// Sends refunds that are reserved and looks at those that the gateway has; how many changed.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn step_refunds(&self) -> Result<usize, Problem> {
        let Ok(gateway) = self.gateway() else {
            return Ok(0);
        };
        let wall = self.clock().wall();
        let due = self
            .store()
            .read(move |c| Ok::<_, Problem>(refunds::due(c, wall, BATCH)?))
            .await?;
        let count = due.len();
        for refund in due {
            let answer = match (&refund.reference, refund.payment) {
                (Some(reference), _) => gateway.look_refund(reference).await,
                (None, Some(payment)) => match self.call_for(&refund, payment).await? {
                    Some(call) => gateway.refund(&call).await,
                    None => Err(GatewayError::Unknown),
                },
                (None, None) => Err(GatewayError::Unknown),
            };
            self.settle_refund(&refund, answer).await?;
        }
        Ok(count)
    }

    async fn call_for(
        &self,
        refund: &Refund,
        payment: PaymentId,
    ) -> Result<Option<RefundCall>, Problem> {
        let paid = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::find(c, payment)?))
            .await?;
        Ok(paid.and_then(|p| p.intent).map(|intent| RefundCall {
            refund: refund.id,
            order: refund.order,
            intent,
            amount: domain::Money::new(refund.amount, refund.currency),
            key: refund.gateway_key.clone(),
        }))
    }

    async fn settle_refund(
        &self,
        refund: &Refund,
        answer: Result<SeenRefund, GatewayError>,
    ) -> Result<(), Problem> {
        let (id, order) = (refund.id, refund.order);
        let stamp = self.stamp(&refund.tournament, &By::actor(Actor::Timer));
        let ask = Ask::of_order(refund.tournament.clone(), order);
        let outcome = self.decide(Lane::Settle, ask, stamp, None, move |change| {
            let Dossier {
                refunds, payments, ..
            } = Dossier::load(change, order)?;
            let found = refunds.into_iter().find(|refund| refund.id == id);
            let mut row = found.ok_or_else(|| Problem::new(Slug::UnknownRefund))?;
            match &answer {
                Ok(seen) => {
                    let paid = payments.iter().find(|paid| Some(paid.id) == row.payment);
                    let gateway = paid.map_or(Account::Bank, account_of);
                    follow(change, &mut row, seen, gateway)
                }
                Err(GatewayError::NoAnswer(_) | GatewayError::KeySpent(_)) => {
                    row.attempts += 1;
                    row.updated_at = change.stamp.wall;
                    row.next_at = backoff(change.stamp.wall, row.attempts);
                    if matches!(answer, Err(GatewayError::KeySpent(_))) {
                        row.gateway_key = format!("enroc-{id}-{}", row.attempts);
                    }
                    Ok(change.save_refund(&row, row.status)?)
                }
                Err(GatewayError::Refused { code, .. }) => fail(change, &mut row, code),
                Err(GatewayError::Unknown) => fail(change, &mut row, "unknown_at_gateway"),
            }
        });
        outcome.await
    }

    /// Takes what the gateway shows of a refund. One that was made there by hand is taken over, once.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn observe_refund(
        &self,
        account: &str,
        seen: SeenRefund,
    ) -> Result<Observed, Problem> {
        let (name, looked) = (account.to_owned(), seen.clone());
        let found = self
            .store()
            .read(move |c| {
                let by_reference = refunds::find_by_gateway(c, &looked.reference)?;
                let refund = match by_reference.or(looked.refund) {
                    Some(id) => refunds::find(c, id)?,
                    None => None,
                };
                let payment = match &looked.intent {
                    Some(intent) => payments::find_by_gateway(c, &name, intent)?,
                    None => None,
                };
                let payment = payment
                    .map(|id| payments::find(c, id))
                    .transpose()?
                    .flatten();
                Ok::<_, Problem>((refund, payment))
            })
            .await?;
        match found {
            (Some(refund), Some(payment)) if is_second(&refund, &seen) => {
                self.take_over(payment.id, &payment.tournament, seen)
                    .await?;
                Ok(Observed::Known)
            }
            (Some(refund), _) => {
                self.settle_refund(&refund, Ok(seen)).await?;
                Ok(Observed::Known)
            }
            (None, _) if seen.refund.is_some() => Ok(Observed::NotYet),
            (None, Some(payment)) => {
                self.take_over(payment.id, &payment.tournament, seen)
                    .await?;
                Ok(Observed::Known)
            }
            (None, None) => Ok(Observed::Foreign),
        }
    }

    async fn take_over(
        &self,
        payment: PaymentId,
        tournament: &TournamentId,
        seen: SeenRefund,
    ) -> Result<(), Problem> {
        let id = RefundId(self.number());
        let stamp = self.stamp(tournament, &By::actor(Actor::Gateway("by hand".into())));
        let outcome = self.change(Lane::Settle, tournament, stamp, None, move |change| {
            if refunds::find_by_gateway(change.conn()?, &seen.reference)?.is_some() {
                return Ok(());
            }
            let paid = payments::find(change.conn()?, payment)?
                .ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
            let mut dossier = Dossier::load(change, paid.order)?;
            let mut row = by_hand(change, id, &paid, &seen);
            change.add_refund(&row)?;
            // What was set aside never was the order's.
            let set_aside =
                paid.status == PaymentStatus::Quarantined || paid.received_currency.is_some();
            let from = if set_aside {
                Account::Suspense
            } else {
                Account::EntryFees
            };
            if !set_aside {
                dossier.order.refunded =
                    (dossier.order.refunded + row.amount).min(dossier.order.paid);
            }
            let postings = transfer(Account::RefundsPayable, from, row.amount, row.currency);
            dossier.record(
                change,
                &Event::RefundObserved {
                    refund: id,
                    amount: row.amount,
                },
                &postings,
            )?;
            dossier.save(change)?;
            follow(change, &mut row, &seen, account_of(&paid))
        });
        outcome.await
    }

    /// Takes what the gateway shows of a dispute: the money is gone while it runs, and back where the organiser wins. What an
    /// entry that left meanwhile would have got back then goes back.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn observe_dispute(
        &self,
        account: &str,
        seen: SeenDispute,
    ) -> Result<Observed, Problem> {
        let (name, intent) = (account.to_owned(), seen.intent.clone());
        let payment = self.store().read(move |c| {
            let id = payments::find_by_gateway(c, &name, &intent)?;
            Ok::<_, Problem>(id.map(|id| payments::find(c, id)).transpose()?.flatten())
        });
        let Some(payment) = payment.await? else {
            return Ok(Observed::Foreign);
        };
        let terms = self.terms(&payment.tournament, payment.order).await?;
        let desk = self.clone();
        let stamp = self.stamp(
            &payment.tournament,
            &By::actor(Actor::Gateway(account.to_owned())),
        );
        let outcome = self.change(
            Lane::Settle,
            &payment.tournament,
            stamp,
            None,
            move |change| {
                let found = payments::find(change.conn()?, payment.id)?;
                let mut row = found.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
                let (payment, amount) = (row.id, seen.amount.amount);
                let lost = row.failure.as_deref() == Some(DISPUTE_LOST);
                let closed = |won| Event::DisputeClosed {
                    payment,
                    amount,
                    won,
                };
                let currency = row.came_in().currency;
                let mut news = Vec::new();
                if seen.won != Some(true) && row.disputed == 0 {
                    row.disputed = amount;
                    let gone = transfer(account_of(&row), Account::Disputes, amount, currency);
                    news.push((Event::DisputeOpened { payment, amount }, gone));
                }
                match seen.won {
                    // The money is gone already.
                    Some(false) if !lost => {
                        row.failure = Some(DISPUTE_LOST.into());
                        news.push((closed(false), Vec::new()));
                    }
                    Some(true) if row.disputed > 0 => {
                        row.disputed = 0;
                        row.failure = None;
                        let back = transfer(Account::Disputes, account_of(&row), amount, currency);
                        news.push((closed(true), back));
                    }
                    _ => {}
                }
                if news.is_empty() {
                    return Ok(Observed::Known);
                }
                change.save_payment(&row, row.status)?;
                for (event, postings) in &news {
                    change.record(Some(row.order), event, postings)?;
                }
                if row.disputed == 0 {
                    // Who left meanwhile gets back now what the clause said then.
                    let mut dossier = Dossier::load(change, row.order)?;
                    let opened = |event: &Event| matches!(event, Event::DisputeOpened { payment: id, .. } if *id == payment);
                    let left = left::since_or_last(change, &dossier, opened)?;
                    let terms = terms.now(change, &desk)?;
                    left::give_back(change, &desk, &terms, &mut dossier, &left)?;
                    dossier.save(change)?;
                }
                Ok(Observed::Known)
            },
        );
        outcome.await
    }
}

/// Whether the gateway made this one besides the refund of ours that it names, under a key that was given up.
fn is_second(refund: &Refund, seen: &SeenRefund) -> bool {
    let other = refund
        .reference
        .as_ref()
        .is_some_and(|known| *known != seen.reference);
    let failed = matches!(seen.state, RefundState::Failed(_));
    other && !failed && refund.method == RefundMethod::Card
}

fn by_hand(
    change: &Change<'_>,
    id: RefundId,
    paid: &payments::Payment,
    seen: &SeenRefund,
) -> Refund {
    Refund {
        id,
        tournament: paid.tournament.clone(),
        order: paid.order,
        payment: Some(paid.id),
        amount: seen.amount.amount,
        currency: seen.amount.currency,
        method: RefundMethod::Card,
        status: RefundStatus::Reserved,
        cause: RefundCause::Staff,
        rule: "gateway".into(),
        gateway_key: format!("by-hand-{}", seen.reference),
        reference: Some(seen.reference.clone()),
        failure: None,
        attempts: 0,
        next_at: change.stamp.wall,
        requested_at: change.stamp.at,
        updated_at: change.stamp.wall,
    }
}

/// Follows a refund to where the gateway shows it: sent, with the payer, or given back; `gateway` is the account that it
/// goes out of.
fn follow(
    change: &mut Change<'_>,
    row: &mut Refund,
    seen: &SeenRefund,
    gateway: Account,
) -> Result<(), Problem> {
    let was = row.status;
    row.reference.get_or_insert_with(|| seen.reference.clone());
    row.updated_at = change.stamp.wall;
    row.next_at = change.stamp.wall.plus_seconds(LOOK_AGAIN);
    match (&seen.state, was) {
        // What staff transferred instead stays as they wrote it.
        _ if row.method == RefundMethod::Transfer => Ok(()),
        (RefundState::Pending, RefundStatus::Reserved) => {
            row.status = RefundStatus::Sent;
            change.save_refund(row, was)?;
            change.record(Some(row.order), &Event::RefundSent { refund: row.id }, &[])?;
            Ok(())
        }
        (RefundState::Succeeded, RefundStatus::Reserved | RefundStatus::Sent) => {
            row.status = RefundStatus::Succeeded;
            change.save_refund(row, was)?;
            let postings = transfer(gateway, Account::RefundsPayable, row.amount, row.currency);
            let event = Event::RefundSucceeded {
                refund: row.id,
                amount: row.amount,
            };
            change.record(Some(row.order), &event, &postings)?;
            Ok(())
        }
        (RefundState::Failed(code), RefundStatus::Succeeded) => {
            row.status = RefundStatus::Failed;
            row.failure = Some(code.clone());
            change.save_refund(row, was)?;
            let postings = transfer(Account::RefundsPayable, gateway, row.amount, row.currency);
            let event = Event::RefundFailed {
                refund: row.id,
                amount: row.amount,
                code: code.clone(),
            };
            change.record(Some(row.order), &event, &postings)?;
            Ok(())
        }
        (RefundState::Failed(code), RefundStatus::Reserved | RefundStatus::Sent) => {
            fail(change, row, code)
        }
        _ => Ok(change.save_refund(row, was)?),
    }
}

/// The gateway could not give it back: the debt stays, and staff see it.
fn fail(change: &mut Change<'_>, row: &mut Refund, code: &str) -> Result<(), Problem> {
    let was = row.status;
    row.status = RefundStatus::Failed;
    row.failure = Some(code.to_owned());
    row.updated_at = change.stamp.wall;
    change.save_refund(row, was)?;
    let event = Event::RefundFailed {
        refund: row.id,
        amount: row.amount,
        code: code.to_owned(),
    };
    change.record(Some(row.order), &event, &[])?;
    Ok(())
}
