//! `enroc.registration.v1.RegistrationService`: what a payer does at the desk.

use domain::{Cause, EntryId, PaymentId, Problem, Slug, TournamentId};
use proto::registration::v1 as api;
use proto::registration::v1::registration_service_server::RegistrationService;
use registration::Cancel;
use store::tournaments;
use tonic::metadata::MetadataValue;
use tonic::{Request, Response, Status};

use super::convert::{asked, order, rules as out, tournament};
use super::names;
use super::page::{self, Page};
use super::visit::{Opened, Visit, eyes, id};
use crate::app::App;
use crate::auth::{Act, Caller};
use crate::fault;
use crate::wire::{Faults, Rule, read_byes};

/// The service over the program.
pub struct Payers {
    /// The desk and its address.
    pub app: App,
}

/// A tournament as it stands.
pub async fn shown(app: &App, id: &TournamentId) -> Result<api::Tournament, Problem> {
    let regulation = app.desk.regulation(id)?;
    let seats = app.desk.seats(id).await?;
    let asked = id.clone();
    let found = app
        .desk
        .store()
        .read(move |c| Ok::<_, Problem>(tournaments::find(c, &asked)?));
    let row = found
        .await?
        .ok_or_else(|| Problem::new(Slug::UnknownTournament))?;
    let now = app.desk.clock().desk(id);
    Ok(tournament::tournament(&row, &regulation, &seats, now))
}

/// A payment of an order.
async fn payment(app: &App, of: &Opened, id: PaymentId) -> Result<api::Payment, Problem> {
    let view = app.desk.order(of.order).await?;
    let row = view.payments.into_iter().find(|payment| payment.id == id);
    row.map(|row| order::payment(row, of.eyes()))
        .ok_or_else(|| Problem::new(Slug::UnknownPayment))
}

impl Payers {
    async fn list(
        &self,
        asked: &api::ListTournamentsRequest,
    ) -> Result<api::ListTournamentsResponse, Problem> {
        let page: Page<TournamentId> = Page::of(asked.page_size, &asked.page_token, 50, 200)?;
        let served = self.app.desk.tournaments();
        let ends_a_page = |id: &TournamentId| served.iter().any(|one| one.tournament() == id);
        if !page.after.as_ref().is_none_or(ends_a_page) {
            let mut faults = Faults::default();
            faults.add("page_token", Rule::NotAnId);
            return faults.finish(None);
        }
        let mut found = Vec::new();
        for regulation in served {
            let id = regulation.tournament();
            if page.after.as_ref().is_none_or(|after| id > after) && found.len() < page.size {
                found.push(shown(&self.app, id).await?);
            }
        }
        let last = found.last().map(|one| one.id.clone());
        Ok(api::ListTournamentsResponse {
            next_page_token: page::next(found.len(), page.size, last),
            tournaments: found,
        })
    }

    async fn enter(
        &self,
        visit: &Visit,
        asked: api::RegisterRequest,
    ) -> Result<(api::RegisterResponse, String), Problem> {
        let desk = &self.app.desk;
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        desk.regulation(&tournament)?;
        let caller = visit.caller(desk).await?;
        // What staff enter is the staff's word, so it needs a role that may give it.
        if matches!(caller, Caller::Staff(_)) {
            caller.may(desk, &tournament, Act::Arbitrate).await?;
        }
        let command = asked::register(asked).read(tournament, visit.call.language)?;
        let by = visit.by(&caller, None)?;
        let registered = desk.register(&by, command).await?;
        let view = desk.order(registered.order).await?;
        let token = desk.secret().order_token(view.order, view.token_generation);
        let response = api::RegisterResponse {
            order: Some(order::order(view, eyes(&caller))),
        };
        Ok((response, token))
    }

    async fn pay(
        &self,
        visit: &Visit,
        asked: api::OpenPaymentRequest,
    ) -> Result<api::OpenPaymentResponse, Problem> {
        let desk = &self.app.desk;
        let of = visit.open(desk, &asked.order, Act::Money).await?;
        let ask = asked::open_payment(asked).read(&self.app.back_to(of.order))?;
        let by = visit.by(&of.caller, None)?;
        let opened = desk
            .open_payment(&by, &of.tournament, of.order, ask)
            .await?;
        Ok(api::OpenPaymentResponse {
            payment: Some(payment(&self.app, &of, opened.payment).await?),
        })
    }

    async fn slip(
        &self,
        visit: &Visit,
        asked: api::ReportSlipRequest,
    ) -> Result<api::ReportSlipResponse, Problem> {
        let desk = &self.app.desk;
        let of = visit.open(desk, &asked.order, Act::Money).await?;
        let mut faults = Faults::default();
        let slip = asked::slip(asked.method, asked.slip.unwrap_or_default());
        let slip = slip.read(&"slip", &mut faults);
        let slip = faults.finish(slip)?;
        let by = visit.by(&of.caller, None)?;
        let reported = desk
            .report_slip(&by, &of.tournament, of.order, slip)
            .await?;
        Ok(api::ReportSlipResponse {
            payment: Some(payment(&self.app, &of, reported).await?),
        })
    }

    async fn preview(
        &self,
        visit: &Visit,
        asked: &api::PreviewCancellationRequest,
    ) -> Result<api::PreviewCancellationResponse, Problem> {
        let desk = &self.app.desk;
        let of = visit.open(desk, &asked.order, Act::Read).await?;
        let by = registration::By::actor(of.caller.actor());
        let what = leaving(asked.entry.as_deref(), asked.credit)?;
        let field = asked.entry.as_ref().map_or("order", |_| "entry");
        let preview = desk.preview_cancellation(&by, &of.tournament, of.order, what);
        let preview = preview.await.map_err(|p| fault::about(p, field))?;
        Ok(api::PreviewCancellationResponse {
            refund_quote: order::cancellation(preview),
        })
    }

    async fn cancelled(
        &self,
        visit: &Visit,
        asked: &str,
        entry: Option<&str>,
        credit: bool,
    ) -> Result<api::CancelOrderResponse, Problem> {
        let desk = &self.app.desk;
        let of = visit.open(desk, asked, Act::Money).await?;
        let what = leaving(entry, credit)?;
        let by = visit.by(&of.caller, None)?;
        let cancellation = desk.cancel(&by, &of.tournament, of.order, what).await?;
        let moved = cancellation.refund != 0 || cancellation.kept != 0;
        Ok(api::CancelOrderResponse {
            order: Some(order::order(desk.order(of.order).await?, of.eyes())),
            refund_quote: order::cancellation(cancellation).filter(|_| moved),
        })
    }

    async fn byes(
        &self,
        visit: &Visit,
        asked: api::RequestByesRequest,
    ) -> Result<api::RequestByesResponse, Problem> {
        let desk = &self.app.desk;
        let of = visit.open(desk, &asked.order, Act::Arbitrate).await?;
        let mut faults = Faults::default();
        let entry = faults.required_parsed("entry", Some(&asked.entry), Rule::NotAnId);
        let byes = read_byes(asked::byes(asked.byes), &"requests", &mut faults);
        let entry: EntryId = faults.finish(entry)?;
        let view = desk.order(of.order).await?;
        if view.entries.iter().all(|one| one.entry != entry) {
            return Err(Problem::new(Slug::UnknownEntry));
        }
        let by = visit.by(&of.caller, None)?;
        let answer = desk.request_byes(&by, &of.tournament, entry, byes).await?;
        Ok(api::RequestByesResponse {
            answer: Some(out::bye_answer(answer)),
            order: Some(order::order(desk.order(of.order).await?, of.eyes())),
        })
    }
}

fn leaving(entry: Option<&str>, credit: bool) -> Result<Cancel, Problem> {
    let mut faults = Faults::default();
    let entry: Option<EntryId> = entry.and_then(|text| faults.parsed("entry", text, Rule::NotAnId));
    faults.finish(Some(Cancel {
        entries: entry.into_iter().collect(),
        cause: Cause::CancelByPlayer,
        credit,
    }))
}

#[tonic::async_trait]
impl RegistrationService for Payers {
    async fn list_tournaments(
        &self,
        request: Request<api::ListTournamentsRequest>,
    ) -> Result<Response<api::ListTournamentsResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.list(&asked).await)
    }

    async fn get_tournament(
        &self,
        request: Request<api::GetTournamentRequest>,
    ) -> Result<Response<api::GetTournamentResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let found = async {
            let id = id(&asked.tournament, Slug::UnknownTournament)?;
            shown(&self.app, &id).await
        };
        visit.answer(found.await.map(|found| api::GetTournamentResponse {
            tournament: Some(found),
        }))
    }

    async fn register(
        &self,
        request: Request<api::RegisterRequest>,
    ) -> Result<Response<api::RegisterResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let entered = self.enter(&visit, asked).await.map_err(names::of_order);
        let registered = entered.and_then(|(answer, token)| {
            let token = MetadataValue::try_from(token).map_err(Problem::internal)?;
            Ok((answer, token))
        });
        let (answer, token) = visit.answer(registered)?.into_inner();
        let mut response = Response::new(answer);
        response.metadata_mut().insert("order-token", token);
        Ok(response)
    }

    async fn get_order(
        &self,
        request: Request<api::GetOrderRequest>,
    ) -> Result<Response<api::GetOrderResponse>, Status> {
        let (visit, asked) = Visit::about("order", request);
        let found = async {
            let of = visit.open(&self.app.desk, &asked.order, Act::Read).await?;
            let view = self.app.desk.order(of.order).await?;
            Ok(order::order(view, of.eyes()))
        };
        visit.answer(
            found
                .await
                .map(|order| api::GetOrderResponse { order: Some(order) }),
        )
    }

    async fn open_payment(
        &self,
        request: Request<api::OpenPaymentRequest>,
    ) -> Result<Response<api::OpenPaymentResponse>, Status> {
        let (visit, asked) = Visit::about("order", request);
        visit.answer(self.pay(&visit, asked).await)
    }

    async fn report_slip(
        &self,
        request: Request<api::ReportSlipRequest>,
    ) -> Result<Response<api::ReportSlipResponse>, Status> {
        let (visit, asked) = Visit::about("order", request);
        visit.answer(self.slip(&visit, asked).await)
    }

    async fn preview_cancellation(
        &self,
        request: Request<api::PreviewCancellationRequest>,
    ) -> Result<Response<api::PreviewCancellationResponse>, Status> {
        let (visit, asked) = Visit::about("order", request);
        visit.answer(self.preview(&visit, &asked).await)
    }

    async fn cancel_order(
        &self,
        request: Request<api::CancelOrderRequest>,
    ) -> Result<Response<api::CancelOrderResponse>, Status> {
        let (visit, asked) = Visit::about("order", request);
        visit.answer(
            self.cancelled(&visit, &asked.order, None, asked.credit)
                .await,
        )
    }

    async fn cancel_entry(
        &self,
        request: Request<api::CancelEntryRequest>,
    ) -> Result<Response<api::CancelEntryResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        let ended = self.cancelled(&visit, &asked.order, Some(&asked.entry), asked.credit);
        visit.answer(ended.await.map(|ended| api::CancelEntryResponse {
            order: ended.order,
            refund_quote: ended.refund_quote,
        }))
    }

    async fn request_byes(
        &self,
        request: Request<api::RequestByesRequest>,
    ) -> Result<Response<api::RequestByesResponse>, Status> {
        let (visit, asked) = Visit::about("entry", request);
        visit.answer(self.byes(&visit, asked).await)
    }
}
