//! The page behind the link of a mail: an order as its payer sees it, to be paid or cancelled. It is drawn here and needs no
//! JavaScript.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use actix_web::web::{self, Query, ServiceConfig};
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use domain::{Language, Problem};
use serde::Deserialize;

use crate::fault;
use crate::measure::Pattern;
use payment::{Sheet, SlipForm};
use visitor::Visitor;

mod acts;
mod html;
mod leave;
mod order;
mod payment;
mod visitor;
mod words;

/// Mounts the pages; the desk is found where the REST door put it.
pub fn configure(config: &mut ServiceConfig) {
    let at = |path| web::resource(path).app_data(Pattern(path));
    let leaving = at("/orders/{order}/cancellation");
    config
        .service(at("/").route(web::get().to(home)))
        .service(at("/orders/page.css").route(web::get().to(style)))
        .service(at("/orders/{order}").route(web::get().to(show)))
        .service(at("/orders/{order}/payment").route(web::post().to(acts::pay)))
        .service(at("/orders/{order}/slip").route(web::post().to(acts::slip)))
        .service(
            leaving
                .route(web::get().to(acts::ask_leave))
                .route(web::post().to(acts::leave)),
        );
}

async fn home() -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((LOCATION, "/v1/docs/"))
        .finish()
}

async fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(include_str!("page.css"))
}

/// A page that nobody keeps, frames or learns the address of. Its forms lead to this door, and on to the gateway's page:
/// browsers hold the redirect after a form to the policy too, and a rehearsal's gateway speaks plain HTTP.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; \
                      form-action 'self' https: http://127.0.0.1:*";

fn html_page(status: StatusCode, language: Language, page: String) -> HttpResponse {
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((CONTENT_LANGUAGE, language.code()))
        .insert_header((REFERRER_POLICY, "no-referrer"))
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(page)
}

/// What stands after `?`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// The order's, in the link of a mail.
    token: Option<String>,
    /// The gateway's page sent the payer back.
    back: Option<String>,
}

async fn show(request: HttpRequest) -> actix_web::Result<HttpResponse> {
    let asked = Query::<Asked>::from_query(request.query_string());
    let asked = asked.map(Query::into_inner).unwrap_or_default();
    if let Some(token) = asked.token {
        return Ok(Visitor::by_link(&request, &token).await);
    }
    let visitor = Visitor::extract(&request).await?;
    if asked.back.is_some()
        && let Err(problem) = visitor.desk().look_at_payments(visitor.order).await
    {
        fault::log(&problem);
    }
    Ok(draw(&visitor, None, None).await)
}

/// The order as it stands now, with what was refused.
async fn draw(
    visitor: &Visitor,
    problem: Option<&Problem>,
    typed: Option<&SlipForm>,
) -> HttpResponse {
    if let Some(problem) = problem {
        fault::log(problem);
    }
    let desk = visitor.desk();
    let seen = desk.order(visitor.order).await;
    let (view, regulation) = match (seen, desk.regulation(&visitor.tournament)) {
        (Ok(view), Ok(regulation)) => (view, regulation),
        (Err(problem), _) | (_, Err(problem)) => return broken(&problem),
    };
    let sheet = Sheet {
        view: &view,
        regulation: &regulation,
        now: desk.clock().desk(&visitor.tournament),
        cards: regulation.payment_methods().card && desk.gateway().is_ok(),
        typed,
    };
    let page = order::draw(&sheet, problem);
    html_page(status(problem), view.language, page)
}

fn status(problem: Option<&Problem>) -> StatusCode {
    let code = problem.map(|problem| StatusCode::from_u16(fault::http(problem.slug)));
    code.map_or(StatusCode::OK, |code| {
        code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    })
}

/// The order could not be read, so nobody knows in which language: in all.
fn broken(problem: &Problem) -> HttpResponse {
    fault::log(problem);
    let alerts = Language::ALL.map(|language| order::alert(problem, language));
    let page = html::frame(Language::Ca, "Enroc", "Enroc", &alerts.concat());
    html_page(status(Some(problem)), Language::Ca, page)
}
