//! Who looks at a page: the link of a mail brings the order's token once, and a cookie keeps it from then on.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_LANGUAGE, COOKIE, LOCATION, SET_COOKIE};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use domain::{Actor, Language, OrderId, Problem, Slug, TournamentId};
use registration::{By, Desk};

use super::html::{frame, paragraph};
use super::{html_page, words};
use crate::app::App;
use crate::auth::{Act, Caller};

const NAME: &str = "enroc_order";

/// Somebody who may see the order in the path.
pub(super) struct Visitor {
    pub app: Data<App>,
    pub order: OrderId,
    pub tournament: TournamentId,
}

/// By the cookie; else the page that tells how to come in.
impl FromRequest for Visitor {
    type Error = actix_web::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Visitor, actix_web::Error>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let token = cookie(&request).unwrap_or_default();
            let visitor = Visitor::of(&request, &token).await;
            visitor.map_err(|problem| {
                let why = problem.slug.as_str();
                InternalError::from_response(why, closed(&request)).into()
            })
        })
    }
}

impl Visitor {
    /// Trades the token of a link for a cookie, and leads to the address without it.
    pub async fn by_link(request: &HttpRequest, token: &str) -> HttpResponse {
        let Ok(visitor) = Visitor::of(request, token).await else {
            return closed(request);
        };
        let path = visitor.home();
        // Lax: it comes along when the gateway's page sends the payer back, and not with forms of other sites.
        let https = visitor.app.public_url.starts_with("https:");
        let secure = if https { "; Secure" } else { "" };
        let kept = format!("{NAME}={token}; Path={path}; HttpOnly; SameSite=Lax{secure}");
        HttpResponse::SeeOther()
            .insert_header((LOCATION, path))
            .insert_header((SET_COOKIE, kept))
            .insert_header(("Referrer-Policy", "no-referrer"))
            .insert_header(("Cache-Control", "no-store"))
            .finish()
    }

    async fn of(request: &HttpRequest, token: &str) -> Result<Visitor, Problem> {
        let app = request.app_data::<Data<App>>().cloned();
        let app = app.ok_or_else(|| Problem::internal("the pages were opened without a desk"))?;
        let unknown = |_| Problem::new(Slug::UnknownOrder);
        let order: OrderId = request
            .match_info()
            .query("order")
            .parse()
            .map_err(unknown)?;
        let caller = Caller::Payer(token.to_owned());
        let tournament = caller.open_order(&app.desk, order, Act::Read).await?;
        Ok(Visitor {
            app,
            order,
            tournament,
        })
    }

    /// The use cases.
    pub fn desk(&self) -> &Desk {
        &self.app.desk
    }

    /// The path of the order's page.
    pub fn home(&self) -> String {
        format!("/orders/{}", self.order)
    }

    /// The payer, with the key of a form so that sending it twice is one act.
    pub fn by(key: &str) -> By {
        let plain = (1..=64).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
        By {
            key: plain.then(|| key.to_owned()),
            ..By::actor(Actor::Payer)
        }
    }
}

fn cookie(request: &HttpRequest) -> Option<String> {
    let lines = request.headers().get_all(COOKIE);
    let mut pairs = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, token) = pairs.find(|(name, _)| *name == NAME)?;
    Some(token.to_owned())
}

/// The same whether there is no such order, no token or a wrong one.
fn closed(request: &HttpRequest) -> HttpResponse {
    let accepted = request.headers().get(ACCEPT_LANGUAGE);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    let language = accepted.map_or(Language::Ca, Language::accepted);
    let body = paragraph(words::OPEN_FROM_MAIL.say(language));
    let page = frame(language, "Enroc", words::CLOSED.say(language), &body);
    html_page(StatusCode::FORBIDDEN, language, page)
}
