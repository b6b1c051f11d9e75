//! What a payer does on the page: pays, tells of a slip, leaves. Each form is answered by a redirect, so that looking again
//! does nothing twice, or by the page with what was refused.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::web::Form;
use domain::{Cause, Language, Money, PaymentKind, Problem, Slug, Text};
use registration::{Cancel, Cancellation, OpenPayment};
use serde::Deserialize;

use super::payment::SlipForm;
use super::visitor::Visitor;
use super::{draw, html_page, leave, words};
use crate::wire::{Faults, MoneyIn, SlipIn};

fn see(path: String) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, path))
        .finish()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PayForm {
    /// What the payer was shown, minor units.
    due: Option<i64>,
}

/// On to the gateway's page.
pub(super) async fn pay(visitor: Visitor, form: Form<PayForm>) -> HttpResponse {
    match open_payment(&visitor, form.due).await {
        Ok(url) => see(url),
        Err(problem) => draw(&visitor, Some(&problem), None).await,
    }
}

async fn open_payment(visitor: &Visitor, due: Option<i64>) -> Result<String, Problem> {
    let desk = visitor.desk();
    let currency = desk.order(visitor.order).await?.currency;
    let ask = OpenPayment {
        method: PaymentKind::Session,
        expected: due.map(|due| Money::new(due, currency)),
        return_url: visitor.app.back_to(visitor.order),
    };
    let by = Visitor::by("");
    let opened = desk.open_payment(&by, &visitor.tournament, visitor.order, ask);
    let url = opened.await?.url;
    url.ok_or_else(|| Problem::internal("the gateway opened a page without an address"))
}

/// A slip or transfer was paid.
pub(super) async fn slip(visitor: Visitor, form: Form<SlipForm>) -> HttpResponse {
    match report_slip(&visitor, &form).await {
        Ok(()) => see(visitor.home()),
        Err(problem) => draw(&visitor, Some(&problem), Some(&form)).await,
    }
}

async fn report_slip(visitor: &Visitor, form: &SlipForm) -> Result<(), Problem> {
    let desk = visitor.desk();
    let currency = desk.order(visitor.order).await?.currency;
    let amount = Money::typed(&form.amount, currency).ok_or_else(|| {
        let [ca, es, en] = Language::ALL.map(|language| words::NOT_A_SUM.say(language));
        Problem::new(Slug::InvalidFields).field("slip.amount", "not_a_sum", Text::new(ca, es, en))
    })?;
    let told = SlipIn {
        method: Some(form.method.clone()),
        number: form.number.clone(),
        date: Some(form.date.clone()),
        amount: Some(MoneyIn {
            amount: amount.amount,
            currency: currency.to_string(),
        }),
    };
    let mut faults = Faults::default();
    let slip = told.read(&"slip", &mut faults);
    let slip = faults.finish(slip)?;
    let by = Visitor::by(&form.key);
    let reported = desk.report_slip(&by, &visitor.tournament, visitor.order, slip);
    reported.await.map(drop)
}

/// What would come back, and whether to go on.
pub(super) async fn ask_leave(visitor: Visitor) -> HttpResponse {
    match preview(&visitor).await {
        Ok((language, page)) => html_page(StatusCode::OK, language, page),
        Err(problem) => draw(&visitor, Some(&problem), None).await,
    }
}

async fn preview(visitor: &Visitor) -> Result<(Language, String), Problem> {
    let (desk, by) = (visitor.desk(), Visitor::by(""));
    let (tournament, order) = (&visitor.tournament, visitor.order);
    let preview = desk.preview_cancellation(&by, tournament, order, all(false));
    let (preview, view) = (preview.await?, desk.order(order).await?);
    let regulation = desk.regulation(tournament)?;
    let credit = desk.preview_cancellation(&by, tournament, order, all(true));
    let offered = |credit: &Cancellation| credit.refund > 0 && credit.entries != preview.entries;
    let credit = Some(credit.await?).filter(offered);
    Ok((
        view.language,
        leave::draw(&view, regulation.name(), &preview, credit.as_ref()),
    ))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LeaveForm {
    key: String,
    credit: bool,
}

/// The player leaves.
pub(super) async fn leave(visitor: Visitor, form: Form<LeaveForm>) -> HttpResponse {
    let by = Visitor::by(&form.key);
    let (tournament, order) = (&visitor.tournament, visitor.order);
    let ask = all(form.credit);
    match visitor.desk().cancel(&by, tournament, order, ask).await {
        Ok(_) => see(visitor.home()),
        Err(problem) => draw(&visitor, Some(&problem), None).await,
    }
}

/// Every live entry of the order, by its player, who would rather have a credit, or money.
fn all(credit: bool) -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit,
    }
}
