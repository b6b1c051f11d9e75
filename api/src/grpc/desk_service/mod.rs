//! `enroc.registration.v1.DeskService`: what staff do, each act by a role, with who and why in the journal.

mod entries;
mod money;
mod tournaments;

use domain::Cause;
use proto::registration::v1 as api;
use proto::registration::v1::desk_service_server::DeskService;
use tonic::{Request, Response, Status};

use super::visit::Visit;
use crate::app::App;
use crate::auth::Act;

/// The service over the program.
pub struct Office {
    /// The desk.
    pub app: App,
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
        let (visit, asked) = Visit::of(request);
        let order = self.approve(&visit, asked).await;
        visit.answer(order.map(|order| api::ApproveEntryResponse { order: Some(order) }))
    }

    async fn reject_entry(
        &self,
        request: Request<api::RejectEntryRequest>,
    ) -> Result<Response<api::RejectEntryResponse>, Status> {
        let (visit, asked) = Visit::of(request);
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
        let (visit, asked) = Visit::of(request);
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
        let (visit, asked) = Visit::of(request);
        let order = self.place(&visit, asked).await;
        visit.answer(order.map(|order| api::PlaceEntryResponse { order: Some(order) }))
    }

    async fn check_fact(
        &self,
        request: Request<api::CheckFactRequest>,
    ) -> Result<Response<api::CheckFactResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let order = self.check(&visit, asked).await;
        visit.answer(order.map(|order| api::CheckFactResponse { order: Some(order) }))
    }

    async fn decide_byes(
        &self,
        request: Request<api::DecideByesRequest>,
    ) -> Result<Response<api::DecideByesResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let order = self.decide(&visit, asked).await;
        visit.answer(order.map(|order| api::DecideByesResponse { order: Some(order) }))
    }

    async fn refund_by_staff(
        &self,
        request: Request<api::RefundByStaffRequest>,
    ) -> Result<Response<api::RefundByStaffResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.give_back(&visit, asked).await)
    }

    async fn confirm_payment(
        &self,
        request: Request<api::ConfirmPaymentRequest>,
    ) -> Result<Response<api::ConfirmPaymentResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let order = self.confirm(&visit, asked).await;
        visit.answer(order.map(|order| api::ConfirmPaymentResponse { order: Some(order) }))
    }

    async fn refuse_payment(
        &self,
        request: Request<api::RefusePaymentRequest>,
    ) -> Result<Response<api::RefusePaymentResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let order = self.refuse(&visit, asked).await;
        visit.answer(order.map(|order| api::RefusePaymentResponse { order: Some(order) }))
    }

    async fn return_payment(
        &self,
        request: Request<api::ReturnPaymentRequest>,
    ) -> Result<Response<api::ReturnPaymentResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let order = self.return_money(&visit, asked).await;
        visit.answer(order.map(|order| api::ReturnPaymentResponse { order: Some(order) }))
    }

    async fn mark_refund_sent(
        &self,
        request: Request<api::MarkRefundSentRequest>,
    ) -> Result<Response<api::MarkRefundSentResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let refund = self.sent(&visit, asked).await;
        visit.answer(refund.map(|refund| api::MarkRefundSentResponse {
            refund: Some(refund),
        }))
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
