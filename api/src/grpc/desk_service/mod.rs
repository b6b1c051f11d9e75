//! `enroc.registration.v1.DeskService`: what staff do, each act by a role, with who and why in the journal.

mod entries;
mod left;
mod money;
mod regulations;
mod tournaments;

use domain::{Cause, Problem, TournamentId};
use proto::registration::v1 as api;
use proto::registration::v1::desk_service_server::DeskService;
use registration::{By, Desk};
use tonic::{Request, Response, Status};

use super::convert::{Eyes, order};
use super::visit::Visit;
use crate::app::App;
use crate::auth::{Act, Subject};
use crate::wire::Read;

/// The service over the program.
pub struct Office {
    /// The desk.
    pub app: App,
}

impl Office {
    /// Does one act of staff to what it is about. Whose role does not allow it hears that before what is wrong with the
    /// message.
    async fn done<T, R>(
        &self,
        visit: &Visit,
        (subject, role): (&Subject, Act),
        asked: Read<T>,
        act: impl AsyncFnOnce(&Desk, &By, &TournamentId, T) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        let desk = &self.app.desk;
        let (caller, tournament) = visit.staff(desk, subject.clone(), role).await?;
        let (what, reason) = asked?;
        let by = visit.by(&caller, reason)?;
        act(desk, &by, &tournament, what).await
    }

    /// The same, and the order that it was about as it stands then.
    async fn shown<T, R>(
        &self,
        visit: &Visit,
        (subject, role): (&Subject, Act),
        asked: Read<T>,
        act: impl AsyncFnOnce(&Desk, &By, &TournamentId, T) -> Result<R, Problem>,
    ) -> Result<api::Order, Problem> {
        self.done(visit, (subject, role), asked, act).await?;
        let order = subject.order(&self.app.desk).await?;
        Ok(order::order(self.app.desk.order(order).await?, Eyes::Staff))
    }
}

#[tonic::async_trait]
impl DeskService for Office {
    async fn open_tournament(
        &self,
        request: Request<api::OpenTournamentRequest>,
    ) -> Result<Response<api::OpenTournamentResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.open(&visit, asked).await)
    }

    async fn approve_entry(
        &self,
        request: Request<api::ApproveEntryRequest>,
    ) -> Result<Response<api::ApproveEntryResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self.approve(&visit, asked).await;
        visit.answer(order.map(|order| api::ApproveEntryResponse { order: Some(order) }))
    }

    async fn reject_entry(
        &self,
        request: Request<api::RejectEntryRequest>,
    ) -> Result<Response<api::RejectEntryResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self
            .end(
                &visit,
                (asked.entry, asked.reason),
                Cause::Reject,
                Act::Arbitrate,
            )
            .await;
        visit.answer(order.map(|order| api::RejectEntryResponse { order: Some(order) }))
    }

    async fn cancel_by_organiser(
        &self,
        request: Request<api::CancelByOrganiserRequest>,
    ) -> Result<Response<api::CancelByOrganiserResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self
            .end(
                &visit,
                (asked.entry, asked.reason),
                Cause::CancelByOrganiser,
                Act::Administer,
            )
            .await;
        visit.answer(order.map(|order| api::CancelByOrganiserResponse { order: Some(order) }))
    }

    async fn place_entry(
        &self,
        request: Request<api::PlaceEntryRequest>,
    ) -> Result<Response<api::PlaceEntryResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self.place(&visit, asked).await;
        visit.answer(order.map(|order| api::PlaceEntryResponse { order: Some(order) }))
    }

    async fn check_fact(
        &self,
        request: Request<api::CheckFactRequest>,
    ) -> Result<Response<api::CheckFactResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self.check(&visit, asked).await;
        visit.answer(order.map(|order| api::CheckFactResponse { order: Some(order) }))
    }

    async fn decide_byes(
        &self,
        request: Request<api::DecideByesRequest>,
    ) -> Result<Response<api::DecideByesResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self.decide(&visit, asked).await;
        visit.answer(order.map(|order| api::DecideByesResponse { order: Some(order) }))
    }

    async fn refund_by_staff(
        &self,
        request: Request<api::RefundByStaffRequest>,
    ) -> Result<Response<api::RefundByStaffResponse>, Status> {
        let (visit, asked) = Visit::about("order", request);
        visit.answer(self.give_back(&visit, asked).await)
    }

    async fn confirm_payment(
        &self,
        request: Request<api::ConfirmPaymentRequest>,
    ) -> Result<Response<api::ConfirmPaymentResponse>, Status> {
        let (visit, asked) = Visit::about("payment", request);
        let order = self.confirm(&visit, asked).await;
        visit.answer(order.map(|order| api::ConfirmPaymentResponse { order: Some(order) }))
    }

    async fn refuse_payment(
        &self,
        request: Request<api::RefusePaymentRequest>,
    ) -> Result<Response<api::RefusePaymentResponse>, Status> {
        let (visit, asked) = Visit::about("payment", request);
        let order = self.refuse(&visit, asked).await;
        visit.answer(order.map(|order| api::RefusePaymentResponse { order: Some(order) }))
    }

    async fn return_payment(
        &self,
        request: Request<api::ReturnPaymentRequest>,
    ) -> Result<Response<api::ReturnPaymentResponse>, Status> {
        let (visit, asked) = Visit::about("payment", request);
        let order = self.return_money(&visit, asked).await;
        visit.answer(order.map(|order| api::ReturnPaymentResponse { order: Some(order) }))
    }

    async fn prove_cancellation(
        &self,
        request: Request<api::ProveCancellationRequest>,
    ) -> Result<Response<api::ProveCancellationResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        visit.answer(self.prove(&visit, asked).await)
    }

    async fn give_deposit_back(
        &self,
        request: Request<api::GiveDepositBackRequest>,
    ) -> Result<Response<api::GiveDepositBackResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let order = self.deposit(&visit, asked).await;
        visit.answer(order.map(|order| api::GiveDepositBackResponse { order: Some(order) }))
    }

    async fn give_deposits_back(
        &self,
        request: Request<api::GiveDepositsBackRequest>,
    ) -> Result<Response<api::GiveDepositsBackResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.deposits(&visit, asked).await)
    }

    async fn mark_refund_sent(
        &self,
        request: Request<api::MarkRefundSentRequest>,
    ) -> Result<Response<api::MarkRefundSentResponse>, Status> {
        let (visit, asked) = Visit::about("refund", request);
        let refund = self.sent(&visit, asked).await;
        visit.answer(refund.map(|refund| api::MarkRefundSentResponse {
            refund: Some(refund),
        }))
    }

    async fn publish_regulation(
        &self,
        request: Request<api::PublishRegulationRequest>,
    ) -> Result<Response<api::PublishRegulationResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.publish(&visit, asked).await)
    }

    async fn preview_regulation(
        &self,
        request: Request<api::PreviewRegulationRequest>,
    ) -> Result<Response<api::PreviewRegulationResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.preview(&visit, asked).await)
    }

    async fn list_regulation_versions(
        &self,
        request: Request<api::ListRegulationVersionsRequest>,
    ) -> Result<Response<api::ListRegulationVersionsResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.versions(&visit, asked).await)
    }

    async fn issue_code(
        &self,
        request: Request<api::IssueCodeRequest>,
    ) -> Result<Response<api::IssueCodeResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.issue(&visit, asked).await)
    }

    async fn list_orders(
        &self,
        request: Request<api::ListOrdersRequest>,
    ) -> Result<Response<api::ListOrdersResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.list(&visit, asked).await)
    }

    async fn get_journal(
        &self,
        request: Request<api::GetJournalRequest>,
    ) -> Result<Response<api::GetJournalResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.journal(&visit, &asked).await)
    }
}
