//! Slips and transfers: money that comes in beside the card, told by the payer, confirmed or refused by staff.

use domain::{
    Cause, Event, FieldFault, Instants, Money, OrderId, PaymentId, PaymentKind, PaymentStatus,
    Problem, Slug, Status, Text, TournamentId, UtcTime,
};
use jiff::civil::Date;
use rules::Regulation;
use serde::Serialize;
use store::Lane;
use store::change::{Account, Change, transfer};
use store::journal;
use store::orders::Order;
use store::payments::{self, Payment};

use crate::admit::amount_mismatch;
use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::left;
use crate::reprice::{Repriced, bring_up_to_date};
use crate::settle::{self, Arrival};

/// The account of payments that the desk records.
pub(crate) const DESK: &str = "desk";

/// A slip paid at a counter, or a transfer, as the payer or staff tell it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Slip {
    /// [`PaymentKind::Slip`] or [`PaymentKind::Transfer`].
    pub method: PaymentKind,
    /// Its number.
    pub number: String,
    /// The day on it.
    pub date: Option<Date>,
    /// The sum on it.
    pub amount: Money,
}

/// What staff found of a slip or transfer on the account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Confirmation {
    /// The sum that came in.
    pub received: Money,
    /// The day on the slip, where it is another than the payer told.
    pub date: Option<Date>,
    /// The day on which the money came to the account; today where none is said.
    pub received_on: Option<Date>,
}

/// Writes a slip's number down: a payment in processing until staff accept or refuse it.
pub(crate) fn report(
    change: &mut Change<'_>,
    order: &Order,
    slip: &Slip,
    id: i64,
) -> Result<PaymentId, Problem> {
    let payment = Payment {
        id: PaymentId(id),
        tournament: order.tournament.clone(),
        order: order.id,
        account: DESK.into(),
        method: slip.method,
        status: PaymentStatus::Processing,
        amount: slip.amount.amount,
        currency: order.currency,
        received: 0,
        received_currency: None,
        disputed: 0,
        gateway_key: PaymentId(id).to_string(),
        reference: None,
        intent: None,
        url: None,
        client_secret: None,
        expires_at: None,
        slip_number: Some(slip.number.trim().to_owned()),
        slip_date: slip.date.map(|d| d.to_string()),
        failure: None,
        return_url: None,
        charged_at: None,
        created_at: change.stamp.wall,
        updated_at: change.stamp.wall,
    };
    payments::insert(change.conn()?, &payment).map_err(|error| match error {
        store::StoreError::Duplicate => slip_twice(),
        other => other.into(),
    })?;
    let opened = Event::PaymentOpened {
        payment: payment.id,
        method: payment.method,
        amount: payment.amount,
    };
    change.record(Some(order.id), &opened, &[])?;
    Ok(payment.id)
}

fn slip_in_check() -> Problem {
    let text = Text::new(
        "L'organització encara comprova un comprovant d'aquesta comanda.",
        "La organización aún comprueba un comprobante de este pedido.",
        "A slip of this order is still being checked.",
    );
    Problem::new(Slug::IllegalMove).field("slip", "slip_in_check", text)
}

fn slip_twice() -> Problem {
    Problem::new(Slug::SlipUsed).field("slip.number", "slip_used", Slug::SlipUsed.title())
}

/// No money is paid or comes in on a day that the venue has not reached yet.
pub(crate) fn dated_ahead(
    regulation: &Regulation,
    (field, date): (&str, Option<Date>),
    at: UtcTime,
) -> Option<FieldFault> {
    let today = at
        .timestamp()
        .to_zoned(regulation.time_zone().clone())
        .date();
    date.filter(|date| *date > today).map(|_| FieldFault {
        field: field.into(),
        rule: "in_the_future".into(),
        text: Text::new(
            "Aquest dia encara no ha arribat.",
            "Ese día aún no ha llegado.",
            "That day has not come yet.",
        ),
    })
}

impl Desk {
    /// Writes down the number of a slip or transfer for an order that is held.
    ///
    /// # Errors
    /// [`Slug::MethodNotOffered`], [`Slug::NothingToPay`], [`Slug::AmountMismatch`], [`Slug::SlipUsed`],
    /// [`Slug::IllegalMove`], [`Slug::InvalidFields`] for a day to come.
    pub async fn report_slip(
        &self,
        by: &By,
        tournament: &TournamentId,
        order: OrderId,
        slip: Slip,
    ) -> Result<PaymentId, Problem> {
        let (id, desk) = (self.number(), self.clone());
        let terms = self.terms(tournament, order).await?;
        let once = self.once(by, "report_slip", tournament, &order.to_string(), &slip);
        let stamp = self.stamp(tournament, by);
        self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let terms = terms.now(change, &desk)?;
            let methods = terms.present.payment_methods();
            let offered = match slip.method {
                PaymentKind::Slip => methods.slip,
                PaymentKind::Transfer => methods.transfer,
                PaymentKind::Session | PaymentKind::Intent => false,
            };
            if !offered {
                return Err(Problem::new(Slug::MethodNotOffered));
            }
            let mut dossier = Dossier::load(change, order)?;
            bring_up_to_date(change, &desk, &terms, &mut dossier)?;
            let dated = ("slip.date", slip.date);
            if let Some(fault) = dated_ahead(&terms.present, dated, change.stamp.at) {
                return Err(Problem {
                    fields: vec![fault],
                    ..Problem::new(Slug::InvalidFields)
                });
            }
            if dossier
                .payments
                .iter()
                .any(|p| p.account == DESK && p.status == PaymentStatus::Processing)
            {
                return Err(slip_in_check());
            }
            let dues = dues(change, &desk, &terms.frozen, &dossier, &slip)?;
            may_pay(
                dossier.entries.iter().map(|e| e.status),
                dues[0],
                dossier.order.paid,
            )
            .map_err(Problem::new)?;
            let currency = dossier.order.currency;
            if dues
                .iter()
                .all(|due| slip.amount != Money::new(*due, currency))
            {
                let due = Money::new(dues[0], currency);
                return Err(amount_mismatch("slip.amount", slip.amount, due));
            }
            report(change, &dossier.order, &slip, id)
        })
        .await
    }

    /// Staff confirm that the money of a slip or transfer is in. For an entry that left while it was in check, it goes by the
    /// clause as if it had been confirmed before.
    ///
    /// # Errors
    /// [`Slug::UnknownPayment`], [`Slug::IllegalMove`] where it is not in processing, [`Slug::AmountMismatch`],
    /// [`Slug::InvalidFields`] for a day to come.
    pub async fn confirm_slip(
        &self,
        by: &By,
        tournament: &TournamentId,
        payment: PaymentId,
        found: Confirmation,
    ) -> Result<(), Problem> {
        let row = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::find(c, payment)?))
            .await?;
        let of = row.filter(|p| p.tournament == *tournament && p.account == DESK);
        let of = of.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
        let terms = self.terms(tournament, of.order).await?;
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "confirm_slip", tournament, &payment.to_string(), &found);
        let desk = self.clone();
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (mut dossier, index) = slip_in_processing(change, payment)?;
            let asked = Money::new(
                dossier.payments[index].amount,
                dossier.payments[index].currency,
            );
            if found.received != asked {
                return Err(amount_mismatch("received", found.received, asked));
            }
            let terms = terms.now(change, &desk)?;
            let arrival = arrived(change, &terms.present, &dossier.payments[index], &found)?;
            let told = |event: &Event| matches!(event, Event::PaymentOpened { payment: id, .. } if *id == payment);
            let left = left::since(change, &dossier, told)?;
            let (desk, terms, dossier) = (&desk, &terms, &mut dossier);
            if left.is_empty() {
                settle::money_in(change, desk, terms, dossier, index, &arrival)
            } else {
                settle::money_in_after_leaving(
                    change, desk, terms, dossier, index, &arrival, &left,
                )
            }
        });
        outcome.await
    }

    /// Staff refuse a slip: no such money came in. The order is held as before, until its hold ends.
    ///
    /// # Errors
    /// [`Slug::UnknownPayment`], [`Slug::IllegalMove`] where it is not in processing.
    pub async fn refuse_slip(
        &self,
        by: &By,
        tournament: &TournamentId,
        payment: PaymentId,
    ) -> Result<(), Problem> {
        let stamp = self.stamp(tournament, by);
        let once = self.once(by, "refuse_slip", tournament, &payment.to_string(), &());
        let outcome = self.change(Lane::Desk, tournament, stamp, once, move |change| {
            let (mut dossier, index) = slip_in_processing(change, payment)?;
            let row = &mut dossier.payments[index];
            row.status = PaymentStatus::Failed;
            row.failure = Some("refused_by_staff".into());
            row.updated_at = change.stamp.wall;
            change.save_payment(row, PaymentStatus::Processing)?;
            let failed = Event::PaymentFailed {
                payment,
                code: "refused_by_staff".into(),
            };
            dossier.record(change, &failed, &[])?;
            Ok(())
        });
        outcome.await
    }
}

/// What an order owes: now; or by the day on its slip, whether the money arrived on that day or is still to be found. Where
/// no price goes by the payment, these are one. Minor units.
fn dues(
    change: &mut Change<'_>,
    desk: &Desk,
    frozen: &Regulation,
    dossier: &Dossier,
    slip: &Slip,
) -> Result<Vec<i64>, Problem> {
    let (registered, now) = (dossier.order.priced_at, change.stamp.at);
    let mut dues = vec![dossier.due()];
    let began = slip.date.and_then(|day| day_began(frozen, day));
    for received in [began, Some(now)] {
        let at = Instants::of(registered, began, received);
        let again = Repriced::of(change, desk, frozen, dossier, at)?;
        dues.push(dossier.due() + again.difference(dossier));
    }
    Ok(dues)
}

/// The first instant of a day at the venue.
pub(crate) fn day_began(regulation: &Regulation, day: Date) -> Option<UtcTime> {
    let zoned = day.to_zoned(regulation.time_zone().clone()).ok()?;
    Some(zoned.timestamp().into())
}

/// The money of a slip: paid when the day on it began, or when it was told where that was before or no day is known; arrived
/// when the day began on which staff found it, or now.
fn arrived(
    change: &mut Change<'_>,
    regulation: &Regulation,
    row: &Payment,
    found: &Confirmation,
) -> Result<Arrival, Problem> {
    let now = change.stamp.at;
    let days = [("date", found.date), ("received_on", found.received_on)];
    let faults = days.map(|dated| dated_ahead(regulation, dated, now));
    let fields: Vec<FieldFault> = faults.into_iter().flatten().collect();
    if !fields.is_empty() {
        return Err(Problem {
            fields,
            ..Problem::new(Slug::InvalidFields)
        });
    }
    let began = |day: Date| day_began(regulation, day);
    let told = journal::of_order(change.conn()?, row.order)?
        .into_iter()
        .find(
            |told| matches!(told.event, Event::PaymentOpened { payment, .. } if payment == row.id),
        )
        .map_or(now, |told| told.at);
    let said = row.slip_date.as_ref().and_then(|day| day.parse().ok());
    let paid_at = found.date.or(said).and_then(began);
    Ok(Arrival {
        received: found.received,
        charged_at: now,
        paid_at: paid_at.map_or(told, |paid| paid.min(told)),
        arrived_at: found.received_on.and_then(began).unwrap_or(now),
    })
}

fn slip_in_processing(
    change: &mut Change<'_>,
    payment: PaymentId,
) -> Result<(Dossier, usize), Problem> {
    let found = payments::find(change.conn()?, payment)?.filter(|p| p.account == DESK);
    let row = found.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
    let dossier = Dossier::load(change, row.order)?;
    let index = dossier.payments.iter().position(|p| p.id == payment);
    let index = index.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
    if dossier.payments[index].status != PaymentStatus::Processing {
        return Err(Problem::new(Slug::IllegalMove));
    }
    Ok((dossier, index))
}

/// Refuses to take money for an order that owes none or has no seat.
pub(crate) fn payable(dossier: &Dossier) -> Result<(), Problem> {
    let statuses = dossier.entries.iter().map(|e| e.status);
    may_pay(statuses, dossier.due(), dossier.order.paid).map_err(Problem::new)
}

/// Whether an order whose entries stand so may be paid; else what is in the way. Sums in minor units.
pub(crate) fn may_pay(
    statuses: impl Iterator<Item = Status>,
    due: i64,
    paid: i64,
) -> Result<(), Slug> {
    let seated = |s: &Status| {
        matches!(
            s,
            Status::Held | Status::Confirmed | Status::PendingApproval
        )
    };
    let live: Vec<Status> = statuses.filter(|s| s.is_live()).collect();
    if live.is_empty() || !live.iter().all(seated) {
        return Err(Slug::IllegalMove);
    }
    if due <= 0 {
        return Err(Slug::NothingToPay);
    }
    let unapproved = live.contains(&Status::PendingApproval) && !live.contains(&Status::Held);
    if unapproved && paid == 0 {
        return Err(Slug::IllegalMove);
    }
    Ok(())
}

/// Where the money of a payment stands in the ledger.
pub(crate) fn account_of(payment: &Payment) -> Account {
    match payment.account.as_str() {
        DESK => Account::Bank,
        gateway => Account::Gateway(gateway.to_owned()),
    }
}

/// Books a sum that came in as entry fees.
pub(crate) fn earned(payment: &Payment) -> Vec<store::change::Posting> {
    transfer(
        Account::EntryFees,
        account_of(payment),
        payment.received,
        payment.currency,
    )
}

/// The cause by which entries that were paid for go on.
pub(crate) fn after_payment(approved: bool) -> Cause {
    if approved {
        Cause::Confirm
    } else {
        Cause::AskApproval
    }
}
