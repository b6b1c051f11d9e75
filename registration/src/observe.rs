//! What the gateway shows of a payment, brought to the payment that it belongs to.
//!
//! A call may have had its effect though it brought no answer, and its key may have been given up since. What such a call
//! opened is a stray: it is closed where it is open, and where money comes in on it all the same, it is a payment of its
//! own.

use domain::{Actor, Event, PaymentId, PaymentKind, PaymentStatus, Problem, Slug};
use serde::{Deserialize, Serialize};
use store::change::Change;
use store::payments::{self, Payment};
use store::{Ask, Lane};

use crate::desk::{By, Desk};
use crate::dossier::{Dossier, Terms};
use crate::gateway::{Seen, SeenState};
use crate::settle::{Arrival, close_payment, money_in};

/// Whether what the gateway shows is ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Observed {
    /// It is, and everything that follows from it is written.
    Known,
    /// It names something of ours that is not here yet: to be looked at again.
    NotYet,
    /// It names nothing of ours.
    Foreign,
}

impl Desk {
    /// Takes what the gateway shows of a payment: from a webhook, a look of ours, or the answer to a call. Harmless when
    /// repeated or out of order.
    ///
    /// # Errors
    /// [`Slug::GatewayDown`] where a stray is open and does not close; [`Problem`] when the database fails.
    pub async fn observe_payment(
        &self,
        account: &str,
        mut seen: Seen,
    ) -> Result<Observed, Problem> {
        let Some(payment) = self.whose(account, &seen).await? else {
            let ours = seen.payment.is_some() || seen.order.is_some();
            return Ok(if ours {
                Observed::NotYet
            } else {
                Observed::Foreign
            });
        };
        if is_stray(&payment, &seen) {
            if matches!(seen.state, SeenState::Open | SeenState::Refused(_)) {
                let closed = self.gateway()?.close(&seen.reference).await;
                seen = closed.map_err(|error| Problem {
                    source: Some(error.into()),
                    ..Problem::new(Slug::GatewayDown)
                })?;
            }
            if seen.state == SeenState::Closed {
                return Ok(Observed::Known);
            }
        }
        let terms = self.terms(&payment.tournament, payment.order).await?;
        let stamp = self.stamp(
            &payment.tournament,
            &By::actor(Actor::Gateway(account.to_owned())),
        );
        let (desk, fresh) = (self.clone(), PaymentId(self.number()));
        let ask = Ask::of_order(payment.tournament.clone(), payment.order);
        let outcome = self.decide(Lane::Settle, ask, stamp, None, move |change| {
            let mut dossier = Dossier::load(change, payment.order)?;
            let known = dossier.payments.iter().position(|p| knows(p, &seen));
            let named = dossier.payments.iter().position(|p| p.id == payment.id);
            let index = match (known, named) {
                (Some(index), _) => index,
                (None, Some(index)) if is_stray(&dossier.payments[index], &seen) => {
                    take_in(change, &mut dossier, index, fresh, &seen)?
                }
                (None, Some(index)) => index,
                (None, None) => return Err(Problem::new(Slug::UnknownPayment)),
            };
            let terms = terms.now(change, &desk)?;
            observe(change, &desk, &terms, &mut dossier, index, &seen)?;
            Ok(Observed::Known)
        });
        outcome.await
    }

    async fn whose(&self, account: &str, seen: &Seen) -> Result<Option<Payment>, Problem> {
        let (account, seen) = (account.to_owned(), seen.clone());
        self.store()
            .read(move |c| {
                let mut known = payments::find_by_gateway(c, &account, &seen.reference)?;
                if let (None, Some(intent)) = (known, &seen.intent) {
                    known = payments::find_by_gateway(c, &account, intent)?;
                }
                let Some(id) = known.or(seen.payment) else {
                    return Ok(None);
                };
                let Some(payment) = payments::find(c, id)?.filter(|p| p.account == account) else {
                    return Ok(None);
                };
                let claimed = seen.order.is_none_or(|order| order == payment.order);
                Ok(claimed.then_some(payment))
            })
            .await
    }
}

/// Whether a payment has this page or intent for its own.
fn knows(row: &Payment, seen: &Seen) -> bool {
    let has = |id: &String| row.reference.as_ref() == Some(id) || row.intent.as_ref() == Some(id);
    has(&seen.reference) || seen.intent.as_ref().is_some_and(has)
}

/// Whether what is seen is the intent of a payment whose reference is, or will be, its page's.
fn is_of_page(row: &Payment, seen: &Seen) -> bool {
    row.method == PaymentKind::Session && seen.intent.as_ref() == Some(&seen.reference)
}

/// Whether what is seen names a payment but was opened by another call than the one that the payment goes by.
fn is_stray(row: &Payment, seen: &Seen) -> bool {
    if knows(row, seen) {
        return false;
    }
    if seen.key.as_ref().is_some_and(|key| *key != row.gateway_key) {
        return true;
    }
    if is_of_page(row, seen) {
        row.intent.is_some()
    } else {
        row.reference.is_some()
    }
}

/// Makes a stray that brings money a payment of its own, beside the one that it names.
fn take_in(
    change: &mut Change<'_>,
    dossier: &mut Dossier,
    named: usize,
    id: PaymentId,
    seen: &Seen,
) -> Result<usize, Problem> {
    let wall = change.stamp.wall;
    let row = Payment {
        id,
        status: PaymentStatus::Open,
        received: 0,
        received_currency: None,
        disputed: 0,
        gateway_key: format!("stray-{}", seen.reference),
        reference: None,
        intent: None,
        url: None,
        client_secret: None,
        failure: None,
        charged_at: None,
        created_at: wall,
        updated_at: wall,
        ..dossier.payments[named].clone()
    };
    change.add_payment(&row);
    let opened = Event::PaymentOpened {
        payment: id,
        method: row.method,
        amount: row.amount,
    };
    dossier.record(change, &opened, &[])?;
    dossier.payments.push(row);
    Ok(dossier.payments.len() - 1)
}

fn observe(
    change: &mut Change<'_>,
    desk: &Desk,
    terms: &Terms,
    dossier: &mut Dossier,
    index: usize,
    seen: &Seen,
) -> Result<(), Problem> {
    let was = dossier.payments[index].status;
    if matches!(was, PaymentStatus::Succeeded | PaymentStatus::Quarantined) {
        return Ok(());
    }
    let wall = change.stamp.wall;
    let row = &mut dossier.payments[index];
    remember_references(row, seen);
    row.updated_at = wall;
    match &seen.state {
        SeenState::Succeeded {
            received,
            charged_at,
        } => {
            let charged_at = Desk::desk_time(change.stamp, *charged_at);
            let arrival = Arrival {
                received: *received,
                charged_at,
                paid_at: charged_at,
                arrived_at: charged_at,
            };
            return money_in(change, desk, terms, dossier, index, &arrival);
        }
        // What was closed or refused for good stays so; only money changes that.
        _ if matches!(was, PaymentStatus::Cancelled | PaymentStatus::Failed) => {}
        SeenState::Open if was == PaymentStatus::Processing => {}
        // It came before the answer that tells where to pay, which is still to be saved.
        SeenState::Open | SeenState::Refused(_) if was == PaymentStatus::Creating => {}
        SeenState::Open => row.status = PaymentStatus::Open,
        SeenState::Processing => row.status = PaymentStatus::Processing,
        SeenState::Refused(code) => {
            row.status = PaymentStatus::Open;
            row.failure = Some(code.clone());
        }
        SeenState::Closed => return close_payment(change, dossier, index),
    }
    change.save_payment(&dossier.payments[index], was)?;
    Ok(())
}

fn remember_references(row: &mut Payment, seen: &Seen) {
    if !is_of_page(row, seen) {
        row.reference.get_or_insert_with(|| seen.reference.clone());
    }
    if row.intent.is_none() {
        row.intent.clone_from(&seen.intent);
    }
}
