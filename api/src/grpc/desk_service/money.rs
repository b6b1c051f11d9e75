//! What treasurers record about money.

use domain::{Money, OrderId, PaymentId, Problem, RefundId, RefundMethod, Slug};
use proto::registration::v1 as api;
use proto::rules::v1 as engine;
use registration::StaffRefund;
use store::{payments, refunds};

use super::Office;
use crate::auth::{Act, Subject};
use crate::grpc::convert::{Eyes, asked, order, words};
use crate::grpc::visit::{Visit, id};
use crate::wire::{Faults, MoneyIn, Rule};

/// A sum that must be there.
fn sum(faults: &mut Faults, field: &str, money: Option<engine::Money>) -> Option<Money> {
    let money: MoneyIn = asked::money(faults.required(field, money)?);
    money.read(field, faults)
}

impl Office {
    async fn payment_order(&self, payment: PaymentId) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let row = desk
            .store()
            .read(move |c| Ok::<_, Problem>(payments::find(c, payment)?))
            .await?;
        let row = row.ok_or_else(|| Problem::new(Slug::UnknownPayment))?;
        Ok(order::order(desk.order(row.order).await?, Eyes::Staff))
    }

    pub(super) async fn give_back(
        &self,
        visit: &Visit,
        asked: api::RefundByStaffRequest,
    ) -> Result<api::RefundByStaffResponse, Problem> {
        let desk = &self.app.desk;
        let id: OrderId = id(&asked.order, Slug::UnknownOrder)?;
        let (caller, tournament) = visit.staff(desk, Subject::Order(id), Act::Money).await?;
        let by = visit.by(&caller, asked.reason)?;
        let mut faults = Faults::default();
        let amount = sum(&mut faults, "amount", asked.amount);
        let method = match words::refund_method(asked.method).as_deref() {
            None => Some(RefundMethod::Card),
            Some(word) => RefundMethod::from_word(word),
        };
        if method.is_none() {
            faults.add("method", Rule::UnknownValue);
        }
        let ask = amount.zip(method);
        let ask = faults.finish(ask.map(|(amount, method)| StaffRefund { amount, method }))?;
        let made = desk.refund_by_staff(&by, &tournament, id, ask).await?;
        let view = desk.order(id).await?;
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
        let desk = &self.app.desk;
        let payment: PaymentId = id(&asked.payment, Slug::UnknownPayment)?;
        let of = visit
            .staff(desk, Subject::Payment(payment), Act::Money)
            .await;
        let (caller, tournament) = of?;
        let by = visit.by(&caller, asked.reason)?;
        let mut faults = Faults::default();
        let received = sum(&mut faults, "received", asked.amount);
        let received = faults.finish(received)?;
        desk.confirm_slip(&by, &tournament, payment, received)
            .await?;
        self.payment_order(payment).await
    }

    pub(super) async fn refuse(
        &self,
        visit: &Visit,
        asked: api::RefusePaymentRequest,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let payment: PaymentId = id(&asked.payment, Slug::UnknownPayment)?;
        let of = visit
            .staff(desk, Subject::Payment(payment), Act::Money)
            .await;
        let (caller, tournament) = of?;
        let by = visit.by(&caller, asked.reason)?;
        desk.refuse_slip(&by, &tournament, payment).await?;
        self.payment_order(payment).await
    }

    pub(super) async fn return_money(
        &self,
        visit: &Visit,
        asked: api::ReturnPaymentRequest,
    ) -> Result<api::Order, Problem> {
        let desk = &self.app.desk;
        let payment: PaymentId = id(&asked.payment, Slug::UnknownPayment)?;
        let of = visit
            .staff(desk, Subject::Payment(payment), Act::Money)
            .await;
        let (caller, tournament) = of?;
        let by = visit.by(&caller, asked.reason)?;
        desk.return_payment(&by, &tournament, payment).await?;
        self.payment_order(payment).await
    }

    pub(super) async fn sent(
        &self,
        visit: &Visit,
        asked: api::MarkRefundSentRequest,
    ) -> Result<api::Refund, Problem> {
        let desk = &self.app.desk;
        let refund: RefundId = id(&asked.refund, Slug::UnknownRefund)?;
        let of = visit.staff(desk, Subject::Refund(refund), Act::Money).await;
        let (caller, tournament) = of?;
        let by = visit.by(&caller, asked.reason)?;
        let mut faults = Faults::default();
        let reference = faults.text("reference", Some(asked.reference));
        let reference = faults.required("reference", reference);
        let reference = faults.finish(reference)?;
        desk.refund_transferred(&by, &tournament, refund, reference)
            .await?;
        let row = desk
            .store()
            .read(move |c| Ok::<_, Problem>(refunds::find(c, refund)?));
        row.await?
            .map(|row| order::refund(row, Eyes::Staff))
            .ok_or_else(|| Problem::new(Slug::UnknownRefund))
    }
}
