//! Refunds: a sum is decided and reserved together with the change that causes it, and sent later.

use domain::{
    Event, Money, OrderId, PaymentId, PaymentStatus, Problem, RefundCause, RefundId, RefundMethod,
    RefundStatus, Slug, Text, TournamentId,
};
use serde::Serialize;
use store::change::{Account, Change, transfer};
use store::payments;
use store::refunds::{self, Refund};
use store::{Ask, Lane};

use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::slip::DESK;

/// A sum to be reserved. Minor units of the order's currency.
pub(crate) struct Reserve {
    /// Goes back.
    pub amount: i64,
    /// The organiser keeps.
    pub kept: i64,
    /// How it goes back; what no card can take goes by transfer.
    pub method: RefundMethod,
    /// Why.
    pub cause: RefundCause,
    /// The row of the regulation that decided.
    pub rule: String,
    /// The account that it is taken from.
    pub from: Account,
    /// The payment that it goes back on; any of the order's where none is named.
    pub payment: Option<PaymentId>,
}

/// Reserves a refund: rows for what goes to cards and for what staff will transfer, the order's sums, the ledger.
pub(crate) fn reserve(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &mut Dossier,
    what: &Reserve,
) -> Result<(), Problem> {
    let currency = dossier.order.currency;
    dossier.order.refunded += what.amount;
    dossier.order.kept += what.kept;
    if what.amount == 0 {
        if what.kept > 0 {
            let kept = Event::FeesKept {
                amount: what.kept,
                cause: what.cause,
                rule: what.rule.clone(),
            };
            let postings = transfer(
                Account::Administration,
                what.from.clone(),
                what.kept,
                currency,
            );
            dossier.record(change, &kept, &postings)?;
        }
        return Ok(());
    }
    let mut kept = what.kept;
    for (payment, amount) in split(dossier, what)? {
        let row = new_row(
            change,
            desk,
            dossier,
            what,
            payment,
            Money::new(amount, currency),
        );
        change.add_refund(&row)?;
        let mut postings = transfer(Account::RefundsPayable, what.from.clone(), amount, currency);
        postings.extend(transfer(
            Account::Administration,
            what.from.clone(),
            kept,
            currency,
        ));
        let reserved = Event::RefundReserved {
            refund: row.id,
            amount,
            kept,
            method: row.method,
            cause: row.cause,
            rule: row.rule.clone(),
        };
        dossier.record(change, &reserved, &postings)?;
        dossier.refunds.push(row);
        kept = 0;
    }
    Ok(())
}

fn new_row(
    change: &Change<'_>,
    desk: &Desk,
    dossier: &Dossier,
    what: &Reserve,
    payment: Option<PaymentId>,
    amount: Money,
) -> Refund {
    let id = RefundId(desk.number());
    let (method, status) = match payment {
        Some(_) => (RefundMethod::Card, RefundStatus::Reserved),
        None => (RefundMethod::Transfer, RefundStatus::Owed),
    };
    Refund {
        id,
        tournament: change.tournament.id.clone(),
        order: dossier.order.id,
        payment,
        amount: amount.amount,
        currency: amount.currency,
        method,
        status,
        cause: what.cause,
        rule: what.rule.clone(),
        gateway_key: format!("enroc-{id}"),
        reference: None,
        failure: None,
        attempts: 0,
        next_at: change.stamp.wall,
        requested_at: change.stamp.at,
        updated_at: change.stamp.wall,
    }
}

/// Reserves what came in in another currency than the order's, on the payment that brought it: it never was the order's.
fn reserve_foreign(
    change: &mut Change<'_>,
    desk: &Desk,
    dossier: &Dossier,
    what: &Reserve,
    came_in: Money,
) -> Result<(), Problem> {
    let row = new_row(change, desk, dossier, what, what.payment, came_in);
    change.add_refund(&row)?;
    let postings = transfer(
        Account::RefundsPayable,
        what.from.clone(),
        came_in.amount,
        came_in.currency,
    );
    let reserved = Event::RefundReserved {
        refund: row.id,
        amount: row.amount,
        kept: 0,
        method: row.method,
        cause: row.cause,
        rule: row.rule,
    };
    dossier.record(change, &reserved, &postings)?;
    Ok(())
}

/// Which payment gives how much back: the newest first; `None` for what has to be transferred.
fn split(dossier: &Dossier, what: &Reserve) -> Result<Vec<(Option<PaymentId>, i64)>, Problem> {
    let mut parts = Vec::new();
    let mut left = what.amount;
    if what.method == RefundMethod::Card {
        for payment in dossier.payments.iter().rev() {
            let asked = what.payment.is_none_or(|id| id == payment.id);
            let own = payment.account != DESK && payment.received_currency.is_none();
            if !asked || !own || payment.status != PaymentStatus::Succeeded {
                continue;
            }
            let part = left.min(refundable(dossier, payment.id));
            if part > 0 {
                parts.push((Some(payment.id), part));
                left -= part;
            }
        }
    }
    if left > 0 {
        parts.push((None, left));
    }
    let received: i64 = dossier
        .payments
        .iter()
        .filter(|p| p.received_currency.is_none())
        .map(|p| p.received - p.disputed)
        .sum();
    let currency = dossier.order.currency;
    let going = dossier.refunds.iter().filter(|r| r.currency == currency);
    let going: i64 = going.map(|r| r.amount).sum();
    if going + what.amount > received {
        Err(Problem::new(Slug::NothingLeft))
    } else {
        Ok(parts)
    }
}

/// What a payment can still give back: received, less disputed, less every refund on it that did not fail.
fn refundable(dossier: &Dossier, payment: PaymentId) -> i64 {
    let received = dossier
        .payments
        .iter()
        .find(|p| p.id == payment)
        .map_or(0, |p| p.received - p.disputed);
    let on_it = |r: &&Refund| r.payment == Some(payment) && r.status != RefundStatus::Failed;
    received
        - dossier
            .refunds
            .iter()
            .filter(on_it)
            .map(|r| r.amount)
            .sum::<i64>()
}

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

    /// Staff note that a refund was transferred: one that was owed by transfer, or one that the card gave back.
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
            row.method = RefundMethod::Transfer;
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
}

impl Desk {
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

/// A sum that is not in the tournament's currency.
pub(crate) fn other_currency(field: &str) -> Problem {
    let text = Text::new(
        "No és la moneda del torneig.",
        "No es la moneda del torneo.",
        "It is not the tournament's currency.",
    );
    Problem::new(Slug::InvalidFields).field(field, "other_currency", text)
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
    };
    reserve(change, desk, dossier, &what)
}
