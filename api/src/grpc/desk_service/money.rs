//! What treasurers record about money.

use domain::{Money, OrderId, PaymentId, Problem, RefundId, RefundMethod, Slug};
use proto::registration::v1 as api;
use proto::rules::v1 as engine;
use registration::{Confirmation, StaffRefund};
use store::refunds;

use super::Office;
use super::entries::grounds;
use crate::auth::{Act, Subject};
use crate::fault;
use crate::grpc::convert::{Eyes, asked, order, words};
use crate::grpc::visit::{Visit, id};
use crate::wire::{Faults, MoneyIn, Read, Rule};

/// A sum that must be there.
fn sum(faults: &mut Faults, field: &str, money: Option<engine::Money>) -> Option<Money> {
    let money: MoneyIn = asked::money(faults.required(field, money)?);
    money.read(field, faults)
}

/// The sum to give back, and how.
fn refund(asked: api::RefundByStaffRequest) -> Read<StaffRefund> {
    let mut faults = Faults::default();
    let amount = sum(&mut faults, "amount", asked.amount);
    let method = match words::refund_method(asked.method).as_deref() {
        None => Some(RefundMethod::Card),
        Some(word) => RefundMethod::from_word(word),
    };
    if method.is_none() {
        faults.add("method", Rule::UnknownValue);
    }
    let reason = faults.reason(Some(asked.reason));
    let ask = amount.zip(method);
    faults.finish(ask.map(|(amount, method)| (StaffRefund { amount, method }, reason)))
}

impl Office {
    pub(super) async fn give_back(
        &self,
        visit: &Visit,
        asked: api::RefundByStaffRequest,
    ) -> Result<api::RefundByStaffResponse, Problem> {
        let id: OrderId = id(&asked.order, Slug::UnknownOrder)?;
        let of = (&Subject::Order(id), Act::Money);
        let made = self.done(
            visit,
            of,
            refund(asked),
            async |desk, by, tournament, ask| {
                let made = desk.refund_by_staff(by, tournament, id, ask).await;
                made.map_err(|problem| fault::about(problem, "amount"))
            },
        );
        let made = made.await?;
        let view = self.app.desk.order(id).await?;
        let refund = view.refunds.iter().find(|row| made.contains(&row.id));
        Ok(api::RefundByStaffResponse {
            refund: refund.cloned().map(|row| order::refund(row, Eyes::Staff)),
            order: Some(order::order(view, Eyes::Staff)),
        })
    }

    pub(super) async fn confirm(
        &self,
        visit: &Visit,
        asked: api::ConfirmPaymentRequest,
    ) -> Result<api::Order, Problem> {
        let payment: PaymentId = id(&asked.payment, Slug::UnknownPayment)?;
        let of = (&Subject::Payment(payment), Act::Money);
        let mut faults = Faults::default();
        let received = sum(&mut faults, "received", asked.amount);
        let date = asked.date.and_then(|day| faults.date("date", &day));
        let received_on = asked
            .received_on
            .and_then(|day| faults.date("received_on", &day));
        let reason = faults.text("reason", Some(asked.reason));
        let found = received.map(|received| Confirmation {
            received,
            date,
            received_on,
        });
        let asked = faults.finish(found.map(|found| (found, reason)));
        self.shown(visit, of, asked, async |desk, by, tournament, found| {
            desk.confirm_slip(by, tournament, payment, found).await
        })
        .await
    }

    pub(super) async fn refuse(
        &self,
        visit: &Visit,
        asked: api::RefusePaymentRequest,
    ) -> Result<api::Order, Problem> {
        let payment: PaymentId = id(&asked.payment, Slug::UnknownPayment)?;
        let of = (&Subject::Payment(payment), Act::Money);
        self.shown(
            visit,
            of,
            grounds(asked.reason),
            async |desk, by, tournament, ()| desk.refuse_slip(by, tournament, payment).await,
        )
        .await
    }

    pub(super) async fn return_money(
        &self,
        visit: &Visit,
        asked: api::ReturnPaymentRequest,
    ) -> Result<api::Order, Problem> {
        let payment: PaymentId = id(&asked.payment, Slug::UnknownPayment)?;
        let of = (&Subject::Payment(payment), Act::Money);
        self.shown(
            visit,
            of,
            grounds(asked.reason),
            async |desk, by, tournament, ()| desk.return_payment(by, tournament, payment).await,
        )
        .await
    }

    pub(super) async fn sent(
        &self,
        visit: &Visit,
        asked: api::MarkRefundSentRequest,
    ) -> Result<api::Refund, Problem> {
        let refund: RefundId = id(&asked.refund, Slug::UnknownRefund)?;
        let of = (&Subject::Refund(refund), Act::Money);
        let mut faults = Faults::default();
        let reference = faults.text("reference", Some(asked.reference));
        let reference = faults.required("reference", reference);
        let reason = faults.text("reason", Some(asked.reason));
        let asked = faults.finish(reference.map(|reference| (reference, reason)));
        self.done(visit, of, asked, async |desk, by, tournament, reference| {
            desk.refund_transferred(by, tournament, refund, reference)
                .await
        })
        .await?;
        let store = self.app.desk.store();
        let row = store.read(move |c| Ok::<_, Problem>(refunds::find(c, refund)?));
        row.await?
            .map(|row| order::refund(row, Eyes::Staff))
            .ok_or_else(|| Problem::new(Slug::UnknownRefund))
    }
}
