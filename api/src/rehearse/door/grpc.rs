//! The gRPC door, through the client that the contract gives.

use async_trait::async_trait;
use domain::{ByePoints, FactName, Money, RefundMethod, UtcTime};
use proto::registration::v1 as reg;
use proto::registration::v1::desk_service_client::DeskServiceClient;
use proto::registration::v1::registration_service_client::RegistrationServiceClient;
use proto::rules::v1 as rules;
use proto::rules::v1::rules_service_client::RulesServiceClient;
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use super::contract::{back, missing, money, refused, seen, slip, wire};
use super::entrant::{fact, new_entry, request};
use super::{Answer, Asked, Back, Door, Payer, Quoted, Refused, Seen, Ticket, Told, fresh_key};

pub(in crate::rehearse) struct Grpc {
    channel: Channel,
    staff: String,
    rules: String,
}

impl Grpc {
    /// A client of the door at this address with keys for the back office and for the rules.
    pub(in crate::rehearse) async fn connect(
        address: &str,
        staff: String,
        rules: String,
    ) -> Answer<Grpc> {
        let endpoint = Channel::from_shared(address.to_owned()).map_err(Refused::transport)?;
        let channel = endpoint.connect().await.map_err(Refused::transport)?;
        Ok(Grpc {
            channel,
            staff,
            rules,
        })
    }

    fn payers(&self) -> RegistrationServiceClient<Channel> {
        RegistrationServiceClient::new(self.channel.clone())
    }

    fn desk(&self) -> DeskServiceClient<Channel> {
        DeskServiceClient::new(self.channel.clone())
    }

    /// A request of the back office, with the order of its answer left unread.
    fn by_staff<T>(&self, message: T) -> Request<T> {
        signed(message, &self.staff)
    }
}

/// A request with who makes it and a fresh key.
fn signed<T>(message: T, bearer: &str) -> Request<T> {
    let mut request = Request::new(message);
    let pairs = [
        ("authorization", format!("Bearer {bearer}")),
        ("idempotency-key", fresh_key()),
    ];
    for (name, text) in pairs {
        if let (false, Ok(value)) = (
            bearer.is_empty() && name == "authorization",
            MetadataValue::try_from(text),
        ) {
            request.metadata_mut().insert(name, value);
        }
    }
    request
}

/// Reads an answer; a refusal becomes its slug.
async fn read<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Answer<T> {
    call.await
        .map(Response::into_inner)
        .map_err(|status| refused(&status))
}

#[async_trait]
impl Door for Grpc {
    fn name(&self) -> &'static str {
        "gRPC"
    }

    async fn quote(
        &self,
        tournament: &str,
        at: Option<UtcTime>,
        entries: &[Asked],
    ) -> Answer<Quoted> {
        let message = rules::QuoteRequest {
            tournament: tournament.to_owned(),
            at: at.map(|at| prost_types::Timestamp {
                seconds: at.as_seconds(),
                nanos: 0,
            }),
            entries: entries.iter().map(request).collect(),
            ..Default::default()
        };
        let bearer = if at.is_some() {
            self.rules.as_str()
        } else {
            ""
        };
        let mut client = RulesServiceClient::new(self.channel.clone());
        let answer = read(client.quote(signed(message, bearer))).await?;
        let quote = answer.quote.ok_or_else(|| missing("quote"))?;
        Ok(Quoted {
            total: quote
                .eligible
                .then(|| money(quote.total, "total"))
                .transpose()?,
            reasons: quote
                .reasons
                .into_iter()
                .map(|reason| reason.code)
                .collect(),
        })
    }

    async fn register(
        &self,
        tournament: &str,
        payer: Payer,
        entries: &[Asked],
        told: Option<Told>,
    ) -> Answer<Ticket> {
        let language =
            reg::Language::from_str_name(&format!("LANGUAGE_{}", payer.language.to_uppercase()));
        let message = reg::RegisterRequest {
            tournament: tournament.to_owned(),
            payer: Some(reg::Payer {
                name: payer.name.to_owned(),
                email: payer.email.to_owned(),
                language: language.unwrap_or_default().into(),
                address: None,
            }),
            entries: entries.iter().map(new_entry).collect(),
            consents: payer.consents.iter().map(ToString::to_string).collect(),
            slip: told.map(slip),
            expected_total: None,
            currency: None,
        };
        let response = self
            .payers()
            .register(signed(message, ""))
            .await
            .map_err(|s| refused(&s))?;
        let token = response
            .metadata()
            .get("order-token")
            .and_then(|t| t.to_str().ok())
            .map(str::to_owned);
        Ok(Ticket {
            token: token.ok_or_else(|| missing("order-token"))?,
            order: response
                .into_inner()
                .order
                .ok_or_else(|| missing("order"))?
                .id,
        })
    }

    async fn order(&self, ticket: &Ticket) -> Answer<Seen> {
        let message = reg::GetOrderRequest {
            order: ticket.order.clone(),
        };
        let answer = read(self.payers().get_order(signed(message, &ticket.token))).await?;
        seen(answer.order.ok_or_else(|| missing("order"))?)
    }

    async fn pay(&self, ticket: &Ticket) -> Answer<String> {
        let message = reg::OpenPaymentRequest {
            order: ticket.order.clone(),
            method: reg::PaymentKind::Session.into(),
            return_url: None,
            expected: None,
        };
        let answer = read(self.payers().open_payment(signed(message, &ticket.token))).await?;
        answer
            .payment
            .and_then(|payment| payment.page)
            .ok_or_else(|| missing("page"))
    }

    async fn preview(&self, ticket: &Ticket) -> Answer<Back> {
        let message = reg::PreviewCancellationRequest {
            order: ticket.order.clone(),
            entry: None,
            credit: false,
        };
        let answer = read(
            self.payers()
                .preview_cancellation(signed(message, &ticket.token)),
        )
        .await?;
        back(answer.refund_quote, None)
    }

    async fn cancel(&self, ticket: &Ticket) -> Answer<Back> {
        let message = reg::CancelOrderRequest {
            order: ticket.order.clone(),
            credit: false,
        };
        let answer = read(self.payers().cancel_order(signed(message, &ticket.token))).await?;
        back(answer.refund_quote, answer.order)
    }

    async fn ask_byes(
        &self,
        ticket: &Ticket,
        entry: &str,
        byes: &[(u32, ByePoints)],
    ) -> Answer<()> {
        let points = |points: ByePoints| match points {
            ByePoints::Half => rules::ByePoints::Half,
            ByePoints::Zero => rules::ByePoints::Zero,
        };
        let one = |(round, of): &(u32, ByePoints)| rules::ByeRequest {
            round: *round,
            points: points(*of).into(),
        };
        let message = reg::RequestByesRequest {
            order: ticket.order.clone(),
            entry: entry.to_owned(),
            byes: byes.iter().map(one).collect(),
        };
        read(self.payers().request_byes(signed(message, &ticket.token)))
            .await
            .map(drop)
    }

    async fn open(&self, tournament: &str, capacity: i64) -> Answer<()> {
        let message = reg::OpenTournamentRequest {
            tournament: tournament.to_owned(),
            capacity,
            reason: "rehearsal".to_owned(),
        };
        read(self.desk().open_tournament(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn issue_code(&self, tournament: &str, label: &str, uses: i32) -> Answer<String> {
        let message = reg::IssueCodeRequest {
            tournament: tournament.to_owned(),
            label: label.to_owned(),
            uses,
            agreed_price: None,
            reason: "rehearsal".to_owned(),
        };
        read(self.desk().issue_code(self.by_staff(message)))
            .await
            .map(|answer| answer.code)
    }

    async fn approve(&self, entry: &str) -> Answer<()> {
        let message = reg::ApproveEntryRequest {
            entry: entry.to_owned(),
            reason: String::new(),
        };
        read(self.desk().approve_entry(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn reject(&self, entry: &str, reason: &str) -> Answer<()> {
        let message = reg::RejectEntryRequest {
            entry: entry.to_owned(),
            reason: reason.to_owned(),
        };
        read(self.desk().reject_entry(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn cancel_by_organiser(&self, _order: &str, entry: &str, reason: &str) -> Answer<()> {
        let message = reg::CancelByOrganiserRequest {
            entry: entry.to_owned(),
            reason: reason.to_owned(),
        };
        read(self.desk().cancel_by_organiser(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn place(&self, entry: &str, section: &str) -> Answer<()> {
        let message = reg::PlaceEntryRequest {
            entry: entry.to_owned(),
            section: section.to_owned(),
            reason: "rehearsal".to_owned(),
        };
        read(self.desk().place_entry(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn uphold(&self, entry: &str, name: FactName) -> Answer<()> {
        let message = reg::CheckFactRequest {
            entry: entry.to_owned(),
            fact: fact(name),
            upheld: true,
            corrected: None,
            reason: "document seen".to_owned(),
        };
        read(self.desk().check_fact(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn grant_byes(&self, entry: &str) -> Answer<()> {
        let message = reg::DecideByesRequest {
            entry: entry.to_owned(),
            granted: true,
            reason: String::new(),
        };
        read(self.desk().decide_byes(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn confirm_slip(&self, payment: &str, received: Money) -> Answer<()> {
        let message = reg::ConfirmPaymentRequest {
            received_on: None,
            payment: payment.to_owned(),
            amount: Some(wire(received)),
            date: None,
            reason: "on the account".to_owned(),
        };
        read(self.desk().confirm_payment(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn refund(
        &self,
        order: &str,
        amount: Money,
        method: RefundMethod,
        reason: &str,
    ) -> Answer<()> {
        let method = match method {
            RefundMethod::Card => rules::RefundMethod::Card,
            RefundMethod::Transfer => rules::RefundMethod::Transfer,
            RefundMethod::Credit => rules::RefundMethod::Credit,
        };
        let message = reg::RefundByStaffRequest {
            order: order.to_owned(),
            amount: Some(wire(amount)),
            method: method.into(),
            reason: reason.to_owned(),
        };
        read(self.desk().refund_by_staff(self.by_staff(message)))
            .await
            .map(drop)
    }

    async fn refund_sent(&self, refund: &str, reference: &str) -> Answer<()> {
        let message = reg::MarkRefundSentRequest {
            refund: refund.to_owned(),
            reference: reference.to_owned(),
            reason: String::new(),
        };
        read(self.desk().mark_refund_sent(self.by_staff(message)))
            .await
            .map(drop)
    }
}
