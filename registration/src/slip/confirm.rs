//! Staff look for the money of a slip or transfer on the account: they confirm it, or refuse it.

use domain::{Event, FieldFault, Money, PaymentId, PaymentStatus, Problem, Slug, TournamentId};
use jiff::civil::Date;
use rules::Regulation;
use serde::Serialize;
use store::change::Change;
use store::payments::{self, Payment};
use store::{Lane, journal};

use super::{DESK, dated_ahead, day_began};
use crate::admit::amount_mismatch;
use crate::desk::{By, Desk};
use crate::dossier::Dossier;
use crate::left;
use crate::settle::{self, Arrival};

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

impl Desk {
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
