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
use crate::command::{Act, Answer, Asked, Deed, Done, Means, Person};

/// One process's.
pub struct Grpc {
    channel: Channel,
    staff: String,
    patience: Duration,
}

/// What was done, and for a payment where it is paid; nothing where the answer says nothing.
type Said = std::result::Result<Option<(Done, Option<String>)>, Status>;

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
        let call = async {
            match &asked.act {
                Act::Staff(deed) => self.of_staff(deed, &asked.key).await,
                act => self.of_payer(act, &asked.key).await,
            }
        };
        match tokio::time::timeout(self.patience, call).await {
            Err(_) => Answer::Again("no answer".to_owned()),
            Ok(Err(status)) => refused(&status),
            Ok(Ok(None)) => Answer::Broken("an answer that says nothing".to_owned()),
            Ok(Ok(Some((done, page)))) => Answer::Done(done, page),
        }
    }

    async fn register(&self, tournament: &str, people: &[Person], key: &str) -> Said {
        let mut payers = RegistrationServiceClient::new(self.channel.clone());
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

    async fn of_payer(&self, act: &Act, key: &str) -> Said {
        let mut payers = RegistrationServiceClient::new(self.channel.clone());
        match act {
            Act::Register { tournament, people } => self.register(tournament, people, key).await,
            Act::Pay(ticket, means) => {
                let method = match means {
                    Means::Page => reg::PaymentKind::Session,
                    Means::Form => reg::PaymentKind::Intent,
                };
                let message = reg::OpenPaymentRequest {
                    order: ticket.order.clone(),
                    method: method.into(),
                    return_url: None,
                    expected: None,
                };
                let asked = signed(message, &ticket.token, key)?;
                let answer = payers.open_payment(asked).await?.into_inner();
                Ok(answer.payment.map(|payment| {
                    let page = payment.page.or(payment.client_secret);
                    (Done::Opened(payment.id), page)
                }))
            }
            Act::Slip(ticket, number, cents) => {
                let message = reg::ReportSlipRequest {
                    order: ticket.order.clone(),
                    method: reg::PaymentKind::Slip.into(),
                    slip: Some(reg::Slip {
                        number: number.clone(),
                        date: String::new(),
                        amount: Some(euros(*cents)),
                    }),
                };
                let asked = signed(message, &ticket.token, key)?;
                let answer = payers.report_slip(asked).await?.into_inner();
                Ok(answer
                    .payment
                    .map(|payment| (Done::Reported(payment.id), None)))
            }
            Act::Byes(ticket, entry, rounds) => {
                let bye = |round: &u32| rules::ByeRequest {
                    round: *round,
                    points: rules::ByePoints::Half.into(),
                };
                let message = reg::RequestByesRequest {
                    order: ticket.order.clone(),
                    entry: entry.clone(),
                    byes: rounds.iter().map(bye).collect(),
                };
                let asked = signed(message, &ticket.token, key)?;
                let answer = payers.request_byes(asked).await?.into_inner().answer;
                let allowed = answer.is_some_and(|answer| answer.allowed);
                Ok(allowed.then_some((Done::Nothing, None)))
            }
            Act::Cancel(ticket) => {
                let message = reg::CancelOrderRequest {
                    order: ticket.order.clone(),
                    credit: false,
                };
                let asked = signed(message, &ticket.token, key)?;
                let answer = payers.cancel_order(asked).await?.into_inner();
                let cents = |money: Option<rules::Money>| money.map_or(0, |money| money.amount);
                let quote = answer.refund_quote.unwrap_or_default();
                let done = Done::Cancelled(cents(quote.refund), cents(quote.kept));
                Ok(Some((done, None)))
            }
            Act::Staff(deed) => self.of_staff(deed, key).await,
        }
    }

    async fn of_staff(&self, deed: &Deed, key: &str) -> Said {
        let mut desk = DeskServiceClient::new(self.channel.clone());
        let (staff, reason) = (&self.staff, "chaos".to_owned());
        let order = match deed.clone() {
            Deed::Refund(order, cents) => {
                let message = reg::RefundByStaffRequest {
                    order,
                    amount: Some(euros(cents)),
                    method: rules::RefundMethod::Card.into(),
                    reason,
                };
                let asked = signed(message, staff, key)?;
                desk.refund_by_staff(asked).await?.into_inner().order
            }
            Deed::Confirm(payment, cents) => {
                let message = reg::ConfirmPaymentRequest {
                    received_on: None,
                    payment,
                    amount: Some(euros(cents)),
                    date: None,
                    reason,
                };
                let asked = signed(message, staff, key)?;
                desk.confirm_payment(asked).await?.into_inner().order
            }
            Deed::Refuse(payment) => {
                let message = reg::RefusePaymentRequest { payment, reason };
                let asked = signed(message, staff, key)?;
                desk.refuse_payment(asked).await?.into_inner().order
            }
            Deed::Transferred(refund, reference) => {
                let message = reg::MarkRefundSentRequest {
                    refund,
                    reference,
                    reason,
                };
                let answer = desk.mark_refund_sent(signed(message, staff, key)?).await?;
                return Ok(answer.into_inner().refund.map(|_| (Done::Nothing, None)));
            }
            Deed::Approve(_) | Deed::Reject(_) | Deed::Move(..) | Deed::Byes(..) => {
                return self.on_entry(deed, key).await;
            }
            Deed::Issue(tournament, uses) => {
                let message = reg::IssueCodeRequest {
                    tournament: tournament.to_owned(),
                    label: "chaos".to_owned(),
                    uses,
                    agreed_price: None,
                    reason,
                };
                let answer = desk.issue_code(signed(message, staff, key)?).await?;
                return Ok(Some((Done::Issued(answer.into_inner().code), None)));
            }
        };
        Ok(order.map(|_| (Done::Nothing, None)))
    }

    async fn on_entry(&self, deed: &Deed, key: &str) -> Said {
        let mut desk = DeskServiceClient::new(self.channel.clone());
        let (staff, reason) = (&self.staff, "chaos".to_owned());
        let order = match deed.clone() {
            Deed::Approve(entry) => {
                let message = reg::ApproveEntryRequest { entry, reason };
                let asked = signed(message, staff, key)?;
                desk.approve_entry(asked).await?.into_inner().order
            }
            Deed::Reject(entry) => {
                let message = reg::RejectEntryRequest { entry, reason };
                let asked = signed(message, staff, key)?;
                desk.reject_entry(asked).await?.into_inner().order
            }
            Deed::Move(entry, section) => {
                let message = reg::PlaceEntryRequest {
                    entry,
                    section: section.to_owned(),
                    reason,
                };
                let asked = signed(message, staff, key)?;
                desk.place_entry(asked).await?.into_inner().order
            }
            Deed::Byes(entry, granted) => {
                let message = reg::DecideByesRequest {
                    entry,
                    granted,
                    reason,
                };
                let asked = signed(message, staff, key)?;
                desk.decide_byes(asked).await?.into_inner().order
            }
            _ => None,
        };
        Ok(order.map(|_| (Done::Nothing, None)))
    }
}

fn euros(cents: i64) -> rules::Money {
    rules::Money {
        amount: cents,
        currency: "EUR".to_owned(),
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
        code: person.code.clone(),
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
        currency: None,
    }
}

/// A problem by its slug; what has none did not come from the desk.
fn refused(status: &Status) -> Answer {
    match status.get_details_error_info() {
        Some(info) => Answer::problem(&info.reason.to_lowercase().replace('_', "-")),
        None => Answer::Again(format!("{:?}: {}", status.code(), status.message())),
    }
}
