//! A payment that the payer asks for: judged, and its row and key saved before the gateway is called.

use std::sync::Arc;

use domain::{
    Money, OrderId, PaymentId, PaymentKind, PaymentStatus, Problem, Slug, Text, TournamentId,
    UtcTime,
};
use serde::{Deserialize, Serialize};
use store::change::Change;
use store::payments::Payment;
use store::{Ask, Lane};

use crate::admit::amount_mismatch;
use crate::close::is_unsettled;
use crate::desk::{By, Desk, Judged};
use crate::dossier::Dossier;
use crate::reprice::{bring_up_to_date, if_due};
use crate::settle::buys_a_seat;
use crate::slip::{DESK, payable};

/// Stripe's hosted page lives from 30 minutes to 24 hours; a minute of margin on both sides.
const SHORTEST_PAGE: i64 = 31 * 60;
pub(crate) const LONGEST_PAGE: i64 = 24 * 3_600 - 60;

/// A payment that the payer asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpenPayment {
    /// [`PaymentKind::Session`] or [`PaymentKind::Intent`].
    pub method: PaymentKind,
    /// The sum that the payer was shown: another is refused.
    pub expected: Option<Money>,
    /// Where the page sends the payer back to.
    pub return_url: String,
}

/// A payment that may be paid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PaymentOpened {
    /// Which one.
    pub payment: PaymentId,
    /// How it is paid.
    pub method: PaymentKind,
    /// How much.
    pub amount: Money,
    /// The hosted page.
    pub url: Option<String>,
    /// What the payer's own form needs.
    pub client_secret: Option<String>,
    /// When the page closes, by the wall clock.
    pub expires_at: Option<UtcTime>,
}

impl Desk {
    /// Opens a payment for what an order owes. An open one of the same kind and sum is given again; another is closed
    /// first.
    ///
    /// # Errors
    /// [`Slug::NothingToPay`], [`Slug::IllegalMove`], [`Slug::HoldTooShort`], [`Slug::AmountMismatch`],
    /// [`Slug::MethodNotOffered`], [`Slug::PaymentRefused`], [`Slug::GatewayDown`].
    pub async fn open_payment(
        &self,
        by: &By,
        tournament: &TournamentId,
        order: OrderId,
        ask: OpenPayment,
    ) -> Result<PaymentOpened, Problem> {
        let gateway = self.gateway()?;
        let gateway_methods = [PaymentKind::Session, PaymentKind::Intent];
        if !self.regulation(tournament)?.payment_methods().card
            || !gateway_methods.contains(&ask.method)
        {
            return Err(Problem::new(Slug::MethodNotOffered));
        }
        let once = self.once(by, "open_payment", tournament, &order.to_string(), &ask);
        let stamp = self.stamp(tournament, by);
        let terms = self.terms(tournament, order).await?;
        let (wanted, desk, frozen) = (ask.clone(), self.clone(), Arc::clone(&terms.frozen));
        let judged = self.judge(tournament, &stamp, once.as_ref(), move |change| {
            let dossier = Dossier::load(change, order)?;
            let again = if_due(change, &desk, &frozen, &dossier)?;
            let due = dossier.due() + again.map_or(0, |again| again.difference(&dossier));
            payable_now(change, &dossier, due, &wanted)?;
            Ok(due)
        });
        if let Judged::New(due) = judged.await? {
            // What is asked for stays, also where the same request has opened it a moment ago.
            let (wanted, wall) = (ask.clone(), stamp.wall);
            let other = move |p: &Payment| !is_reusable(p, due, &wanted, wall);
            self.close_payments(order, other).await?;
        }
        let (fresh, account) = (PaymentId(self.number()), gateway.account().to_owned());
        let desk = self.clone();
        let ahead = Ask::of_order(tournament.clone(), order);
        let payment = self
            .decide(Lane::Desk, ahead, stamp, once, move |change| {
                let mut dossier = Dossier::load(change, order)?;
                bring_up_to_date(change, &desk, &terms, &mut dossier)?;
                payable_now(change, &dossier, dossier.due(), &ask)?;
                let present = desk.present(change)?;
                if !buys_a_seat(change, &present, &dossier)? {
                    return Err(full());
                }
                if let Some(open) = dossier
                    .payments
                    .iter()
                    .find(|p| is_reusable(p, dossier.due(), &ask, change.stamp.wall))
                {
                    return Ok(open.id);
                }
                if dossier
                    .payments
                    .iter()
                    .any(|p| p.account != DESK && is_unsettled(p))
                {
                    return Err(Problem::new(Slug::Raced));
                }
                dossier.order.attempts += 1;
                let row = new_row(change, &dossier, &ask, fresh, &account);
                change.add_payment(&row);
                dossier.save(change)?;
                Ok(row.id)
            })
            .await?;
        self.finish_opening(payment).await
    }
}

/// There is no seat that a payment could buy: it would go back at once.
fn full() -> Problem {
    let text = Text::new(
        "Ara no hi ha cap plaça lliure.",
        "Ahora no hay ninguna plaza libre.",
        "There is no free place now.",
    );
    Problem::new(Slug::Raced).field("order", "section_full", text)
}

/// Whether an open payment is what is asked for and can still be paid.
fn is_reusable(payment: &Payment, due: i64, ask: &OpenPayment, wall: UtcTime) -> bool {
    matches!(
        payment.status,
        PaymentStatus::Creating | PaymentStatus::Open
    ) && payment.method == ask.method
        && payment.amount == due
        && payment.return_url.as_deref() == Some(ask.return_url.as_str())
        && payment
            .expires_at
            .is_none_or(|end| wall.plus_seconds(60) < end)
}

fn payable_now(
    change: &Change<'_>,
    dossier: &Dossier,
    due: i64,
    ask: &OpenPayment,
) -> Result<(), Problem> {
    payable(dossier)?;
    if dossier
        .order
        .hold_until
        .is_some_and(|end| end <= change.stamp.at)
    {
        return Err(Problem::new(Slug::HoldTooShort));
    }
    let due = Money::new(due, dossier.order.currency);
    match ask.expected {
        Some(shown) if shown != due => Err(amount_mismatch("expected", shown, due)),
        _ => Ok(()),
    }
}

fn new_row(
    change: &Change<'_>,
    dossier: &Dossier,
    ask: &OpenPayment,
    id: PaymentId,
    account: &str,
) -> Payment {
    let (at, wall) = (change.stamp.at, change.stamp.wall);
    // Neither the seat nor the price holds longer.
    let ends = [dossier.order.hold_until, dossier.order.reprice_at];
    let left = ends
        .into_iter()
        .flatten()
        .min()
        .map_or(LONGEST_PAGE, |end| end.as_seconds() - at.as_seconds());
    Payment {
        id,
        tournament: dossier.order.tournament.clone(),
        order: dossier.order.id,
        account: account.to_owned(),
        method: ask.method,
        status: PaymentStatus::Creating,
        amount: dossier.due(),
        currency: dossier.order.currency,
        received: 0,
        received_currency: None,
        disputed: 0,
        gateway_key: format!("enroc-{id}"),
        reference: None,
        intent: None,
        url: None,
        client_secret: None,
        expires_at: Some(wall.plus_seconds(left.clamp(SHORTEST_PAGE, LONGEST_PAGE))),
        slip_number: None,
        slip_date: None,
        failure: None,
        return_url: Some(ask.return_url.clone()),
        charged_at: None,
        created_at: wall,
        updated_at: wall,
    }
}
