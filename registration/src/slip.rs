//! Slips and transfers: money that comes in beside the card, told by the payer, confirmed or refused by staff.

mod confirm;

use domain::{
    Cause, Event, FieldFault, Instants, Money, OrderId, PaymentId, PaymentKind, PaymentStatus,
    Problem, Slug, Status, Text, TournamentId, UtcTime,
};
use jiff::civil::Date;
use rules::Regulation;
use serde::Serialize;
use store::Lane;
use store::change::{Account, Change, transfer};
use store::entries::Entry;
use store::orders::Order;
use store::payments::{self, Payment};

pub use self::confirm::Confirmation;
use crate::admit::amount_mismatch;
use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::reprice::{Repriced, bring_up_to_date};

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
            may_pay(&dossier.entries, dues[0], dossier.order.paid).map_err(Problem::new)?;
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

/// Refuses to take money for an order that owes none or has no seat.
pub(crate) fn payable(dossier: &Dossier) -> Result<(), Problem> {
    may_pay(&dossier.entries, dossier.due(), dossier.order.paid).map_err(Problem::new)
}

/// Whether an order of these entries may be paid; else what is in the way. Sums in minor units.
pub(crate) fn may_pay(entries: &[Entry], due: i64, paid: i64) -> Result<(), Slug> {
    let live = entries.iter().filter(|e| e.status.is_live());
    // Who waits with the money may pay what the price has risen by.
    let in_vain = |e: &Entry| e.status == Status::Waitlisted && e.waiting_since.is_none();
    if live.clone().next().is_none() || live.clone().any(in_vain) {
        return Err(Slug::IllegalMove);
    }
    let live: Vec<Status> = live.map(|e| e.status).collect();
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
