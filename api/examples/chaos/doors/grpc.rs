//! The gRPC door.

use std::net::SocketAddr;
use std::time::Duration;

use proto::registration::v1 as reg;
use proto::registration::v1::desk_service_client::DeskServiceClient;
use proto::registration::v1::registration_service_client::RegistrationServiceClient;
use proto::rules::v1 as rules;
use tonic::metadata::MetadataValue;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_types::StatusExt;

use crate::Result;
use crate::command::{Act, Answer, Asked, Done, Person};

/// One process's.
pub struct Grpc {
    channel: Channel,
    staff: String,
    patience: Duration,
}

impl Grpc {
    pub fn new(address: SocketAddr, staff: &str, patience: Duration) -> Result<Grpc> {
        let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
        Ok(Grpc {
            channel: endpoint.connect_timeout(patience).connect_lazy(),
            staff: staff.to_owned(),
            patience,
        })
    }

    pub async fn ask(&self, asked: &Asked) -> Answer {
        match tokio::time::timeout(self.patience, self.call(asked)).await {
            Err(_) => Answer::Again("no answer".to_owned()),
            Ok(Err(status)) => refused(&status),
            Ok(Ok(None)) => Answer::Broken("an answer that says nothing".to_owned()),
            Ok(Ok(Some((done, page)))) => Answer::Done(done, page),
        }
    }

    async fn call(
        &self,
        asked: &Asked,
    ) -> std::result::Result<Option<(Done, Option<String>)>, Status> {
        let mut payers = RegistrationServiceClient::new(self.channel.clone());
        let key = &asked.key;
        match &asked.act {
            Act::Register { tournament, people } => {
                let message = registration(tournament, people);
                let answer = payers.register(signed(message, "", key)?).await?;
                let token = answer.metadata().get("order-token");
                let token = token.and_then(|token| Some(token.to_str().ok()?.to_owned()));
                let order = answer.into_inner().order;
                Ok(token.zip(order).map(|(token, order)| {
                    let entries = order.entries.into_iter();
                    let done = Done::Registered {
                        order: order.id,
                        token,
                        entries: entries.map(|entry| (entry.id, entry.form_number)).collect(),
                    };
                    (done, None)
                }))
            }
            Act::Pay(ticket) => {
                let message = reg::OpenPaymentRequest {
                    order: ticket.order.clone(),
                    method: reg::PaymentKind::Session.into(),
                    return_url: None,
                    expected: None,
                };
                let asked = signed(message, &ticket.token, key)?;
                let answer = payers.open_payment(asked).await?.into_inner();
                Ok(answer
                    .payment
                    .map(|payment| (Done::Opened(payment.id), payment.page)))
            }
            Act::Cancel(ticket) => {
                let message = reg::CancelOrderRequest {
                    order: ticket.order.clone(),
                };
                let asked = signed(message, &ticket.token, key)?;
                let answer = payers.cancel_order(asked).await?.into_inner();
                let cents = |money: Option<rules::Money>| money.map_or(0, |money| money.amount);
                let quote = answer.refund_quote.unwrap_or_default();
                let done = Done::Cancelled(cents(quote.refund), cents(quote.kept));
                Ok(Some((done, None)))
            }
            Act::Refund(ticket, cents) => {
                let message = reg::RefundByStaffRequest {
                    order: ticket.order.clone(),
                    amount: Some(rules::Money {
                        amount: *cents,
                        currency: "EUR".to_owned(),
                    }),
                    method: rules::RefundMethod::Card.into(),
                    reason: "chaos".to_owned(),
                };
                let mut desk = DeskServiceClient::new(self.channel.clone());
                let asked = signed(message, &self.staff, key)?;
                let answer = desk.refund_by_staff(asked).await?.into_inner();
                Ok(answer.order.map(|order| (Done::Refunded(order.id), None)))
            }
        }
    }
}

fn signed<T>(message: T, bearer: &str, key: &str) -> std::result::Result<Request<T>, Status> {
    let mut request = Request::new(message);
    let text = |text: String| {
        MetadataValue::try_from(text).map_err(|error| Status::internal(error.to_string()))
    };
    request
        .metadata_mut()
        .insert("idempotency-key", text(key.to_owned())?);
    if !bearer.is_empty() {
        request
            .metadata_mut()
            .insert("authorization", text(format!("Bearer {bearer}"))?);
    }
    Ok(request)
}

fn registration(tournament: &str, people: &[Person]) -> reg::RegisterRequest {
    let first = people.first().map_or(0, |person| person.number);
    let entry = |person: &Person| reg::NewEntry {
        entry: Some(rules::EntryRequest {
            section: Some(person.section.to_owned()),
            who: Some(rules::entry_request::Who::Entrant(rules::Player {
                name: Some(format!("Puig, Aina {}", person.number)),
                fide_id: Some(person.number),
                sex: rules::Sex::Female.into(),
                birth_date: "1990-05-01".to_owned(),
                federation: "ESP".to_owned(),
                rating: Some(1900),
                licences: vec!["FIDE".to_owned()],
                ..rules::Player::default()
            })),
        }),
        code: None,
        answers: Vec::new(),
    };
    reg::RegisterRequest {
        tournament: tournament.to_owned(),
        payer: Some(reg::Payer {
            name: "Puig, Marta".to_owned(),
            email: format!("payer{first}@example.org"),
            language: reg::Language::Ca.into(),
            address: None,
        }),
        entries: people.iter().map(entry).collect(),
        consents: Vec::new(),
        slip: None,
        expected_total: None,
    }
}

/// A problem by its slug; what has none did not come from the desk.
fn refused(status: &Status) -> Answer {
    match status.get_details_error_info() {
        Some(info) => Answer::problem(&info.reason.to_lowercase().replace('_', "-")),
        None => Answer::Again(format!("{:?}: {}", status.code(), status.message())),
    }
}
