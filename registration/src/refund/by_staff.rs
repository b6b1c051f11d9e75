//! What staff give back: any sum that is left, a transfer that they made, money that was set aside.

use domain::{
    Event, Money, OrderId, PaymentId, PaymentStatus, Problem, RefundCause, RefundId, RefundMethod,
    RefundStatus, Slug, Text, TournamentId,
};
use serde::Serialize;
use store::change::{Account, Change, transfer};
use store::{Ask, Lane, payments, refunds};

use super::{Reserve, other_currency, reserve, reserve_foreign};
use crate::desk::{By, Desk};
use crate::dossier::Dossier;

/// A refund that staff decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct StaffRefund {
    /// How much; at most what is left of what was paid.
    pub amount: Money,
    /// How it goes back.
    pub method: RefundMethod,
}

impl Desk {
    /// Staff give back any sum up to what is left. It cancels nothing. What the organiser kept goes first, then what the
    /// order was overpaid, then its price.
    ///
    /// # Errors
    /// [`Slug::KeyMissing`], [`Slug::InvalidFields`] for a sum that is not above zero or in another currency, [`Slug::NothingLeft`].
    pub async fn refund_by_staff(
        &self,
        by: &By,
        tournament: &TournamentId,
        order: OrderId,
        ask: StaffRefund,
    ) -> Result<Vec<RefundId>, Problem> {
        keyed(by)?;
        if ask.amount.amount <= 0 {
            return Err(nothing_at_all());
        }
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "refund", tournament, &order.to_string(), &ask);
        let desk = self.clone();
        let ahead = Ask::of_order(tournament.clone(), order);
        let outcome = self.decide(Lane::Desk, ahead, stamp, once, move |change| {
            let mut dossier = Dossier::load(change, order)?;
            let left = Money::new(
                dossier.order.paid - dossier.order.refunded,
                dossier.order.currency,
            );
            if ask.amount.currency != left.currency {
                return Err(other_currency("amount.currency"));
            }
            let free = Money::new(left.amount - dossier.disputed(), left.currency);
            if ask.amount.amount > free.amount {
                let free = Money::new(free.amount.max(0), free.currency);
                return Err(nothing_left(&dossier, free));
            }
            let known = dossier.refunds.len();
            take(change, &desk, &mut dossier, &ask)?;
            dossier.save(change)?;
            Ok(dossier.refunds[known..].iter().map(|r| r.id).collect())
        });
        outcome.await
    }

    /// Staff note that a refund was transferred: one that was owed by transfer, or one that the card gave back; or that a credit was
    /// spent, with the reference of what it paid for.
    ///
    /// # Errors
    /// [`Slug::UnknownRefund`], [`Slug::IllegalMove`].
    pub async fn refund_transferred(
        &self,
        by: &By,
        tournament: &TournamentId,
        refund: RefundId,
        reference: String,
    ) -> Result<(), Problem> {
        let stamp = self.stamp(tournament, by);
        let once = self.once(
            by,
            "refund_transferred",
            tournament,
            &refund.to_string(),
            &reference,
        );
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let found = refunds::find(change.conn()?, refund)?
                .filter(|r| r.tournament == change.tournament.id);
            let mut row = found.ok_or_else(|| Problem::new(Slug::UnknownRefund))?;
            let was = row.status;
            if !matches!(was, RefundStatus::Owed | RefundStatus::Failed) {
                return Err(Problem::new(Slug::IllegalMove));
            }
            row.status = RefundStatus::Succeeded;
            if row.method == RefundMethod::Card {
                row.method = RefundMethod::Transfer;
            }
            row.reference = Some(reference.clone());
            row.updated_at = change.stamp.wall;
            change.save_refund(&row, was)?;
            let postings = transfer(
                Account::Bank,
                Account::RefundsPayable,
                row.amount,
                row.currency,
            );
            let paid = Event::RefundSucceeded {
                refund,
                amount: row.amount,
            };
            change.record(Some(row.order), &paid, &postings)?;
            Ok(())
        });
        outcome.await
    }

    /// Staff send money back that was set aside: all of it, to the card that it came from, in the currency in which it came.
    ///
    /// # Errors
    /// [`Slug::KeyMissing`], [`Slug::UnknownPayment`], [`Slug::IllegalMove`] where it is not set aside, or something of
    /// it went back by hand at the gateway.
    pub async fn return_payment(
        &self,
        by: &By,
        tournament: &TournamentId,
        payment: PaymentId,
    ) -> Result<(), Problem> {
        keyed(by)?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "return_payment", tournament, &payment.to_string(), &());
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let found = payments::find(change.conn()?, payment)?
                .filter(|p| p.tournament == change.tournament.id);
            let row = found.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
            let mut dossier = Dossier::load(change, row.order)?;
            let index = dossier.payments.iter().position(|p| p.id == payment);
            let row =
                &mut dossier.payments[index.ok_or_else(|| Problem::new(Slug::UnknownPayment))?];
            // In which currency it came was not always written down.
            let unknown = row.failure.as_deref() == Some("currency_mismatch")
                && row.received_currency.is_none();
            if row.status != PaymentStatus::Quarantined || unknown {
                return Err(Problem::new(Slug::IllegalMove));
            }
            if dossier.refunds.iter().any(|r| r.payment == Some(payment)) {
                return Err(Problem::new(Slug::IllegalMove));
            }
            row.status = PaymentStatus::Succeeded;
            change.save_payment(row, PaymentStatus::Quarantined)?;
            let (came_in, foreign) = (row.came_in(), row.received_currency.is_some());
            let whole = Reserve {
                amount: came_in.amount,
                kept: 0,
                method: RefundMethod::Card,
                cause: RefundCause::NoSeat,
                rule: "set_aside".into(),
                from: Account::Suspense,
                payment: Some(payment),
                entry: None,
            };
            if foreign {
                return reserve_foreign(change, &desk, &dossier, &whole, came_in);
            }
            dossier.order.paid += came_in.amount;
            reserve(change, &desk, &mut dossier, &whole)?;
            dossier.save(change)
        });
        outcome.await
    }
}

/// What sends money out at staff's word has a key: a repeat without one would send it twice.
fn keyed(by: &By) -> Result<(), Problem> {
    match by.key {
        Some(_) => Ok(()),
        None => Err(Problem::new(Slug::KeyMissing)),
    }
}

fn nothing_at_all() -> Problem {
    let text = Text::new(
        "Ha de ser més que zero.",
        "Tiene que ser más que cero.",
        "It must be more than zero.",
    );
    Problem::new(Slug::InvalidFields).field("amount", "not_above_zero", text)
}

/// Refuses more than is left, and says what is in the way of it.
fn nothing_left(dossier: &Dossier, left: Money) -> Problem {
    let text = Text::new(
        format!("En queden {left}."),
        format!("Quedan {left}."),
        format!("{left} are left."),
    );
    let mut problem = Problem::new(Slug::NothingLeft).field("amount", "more_than_left", text);
    if dossier.disputed() > 0 {
        let sum = Money::new(dossier.disputed(), left.currency);
        let text = Text::new(
            format!("El titular de la targeta en disputa {sum}: mentrestant no es poden tornar."),
            format!(
                "El titular de la tarjeta disputa {sum}: mientras tanto no se pueden devolver."
            ),
            format!("The card holder disputes {sum}: meanwhile they cannot be refunded."),
        );
        problem = problem.field("amount", "disputed", text);
    }
    for refund in dossier
        .refunds
        .iter()
        .filter(|r| r.status == RefundStatus::Failed)
    {
        let (id, sum) = (refund.id, Money::new(refund.amount, refund.currency));
        let text = Text::new(
            format!(
                "La devolució {id} de {sum} ha fallat i encara es deu: feu-ne una transferència i anoteu-la (transfer)."
            ),
            format!(
                "La devolución {id} de {sum} ha fallado y aún se debe: haga una transferencia y anótela (transfer)."
            ),
            format!(
                "The refund {id} of {sum} failed and is still owed: make a transfer and note it (transfer)."
            ),
        );
        problem = problem.field("amount", "refund_failed", text);
    }
    problem
}

/// Takes a staff refund from what was kept, then from what was overpaid, then from the price.
fn take(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
    ask: &StaffRefund,
) -> Result<(), Problem> {
    let amount = ask.amount.amount;
    let from_kept = amount.min(dossier.order.kept);
    let overpaid = (-dossier.due()).max(0).min(amount - from_kept);
    let waived = amount - from_kept - overpaid;
    if from_kept > 0 {
        dossier.order.kept -= from_kept;
        let back = transfer(
            Account::EntryFees,
            Account::Administration,
            from_kept,
            dossier.order.currency,
        );
        let kept = Event::FeesKept {
            amount: -from_kept,
            cause: RefundCause::Staff,
            rule: "staff".into(),
            entry: None,
        };
        dossier.record(change, &kept, &back)?;
    }
    if waived > 0 {
        dossier.order.total = (dossier.order.total - waived).max(0);
        dossier.record(change, &Event::PriceWaived { amount: waived }, &[])?;
    }
    let what = Reserve {
        amount,
        kept: 0,
        method: ask.method,
        cause: RefundCause::Staff,
        rule: "staff".into(),
        from: Account::EntryFees,
        payment: None,
        entry: None,
    };
    reserve(change, desk, dossier, &what)
}
