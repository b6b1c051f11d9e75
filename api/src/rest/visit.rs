//! What every request brings besides path and body: who asks, in which language, under which idempotency key.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use domain::{Language, OrderId, Problem, Slug, Text, TournamentId};
use registration::{By, Desk};

use super::door::language;
use super::refusal::Refusal;
use crate::app::App;
use crate::auth::{Act, Caller, Subject};

/// The header with the idempotency key.
pub(super) const KEY: &str = "Idempotency-Key";
const LONGEST_KEY: usize = 255;

/// A request, as far as headers go.
pub(super) struct Visit {
    /// The language that was asked for.
    pub language: Language,
    app: Data<App>,
    authorization: Option<String>,
    key: Option<String>,
}

impl FromRequest for Visit {
    type Error = Refusal;
    type Future = Ready<Result<Visit, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Visit::read(request))
    }
}

impl Visit {
    fn read(request: &HttpRequest) -> Result<Visit, Refusal> {
        let app = request
            .app_data::<Data<App>>()
            .cloned()
            .ok_or_else(|| Problem::internal("the door was opened without its desk"))?;
        let headers = request.headers();
        let authorization = match headers.get(AUTHORIZATION).map(|value| value.to_str()) {
            None => None,
            Some(Ok(text)) => Some(text.to_owned()),
            Some(Err(_)) => return Err(Slug::Unauthenticated.into()),
        };
        Ok(Visit {
            language: language(headers),
            key: key(headers)?,
            authorization,
            app,
        })
    }

    /// The desk, and what stands around it.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The use cases.
    pub fn desk(&self) -> &Desk {
        &self.app.desk
    }

    /// Who asks.
    pub async fn caller(&self) -> Result<Caller, Problem> {
        Caller::from_header(self.desk(), self.authorization.as_deref()).await
    }

    /// Who acts, with the request's key.
    pub fn by(&self, caller: &Caller, reason: Option<String>) -> By {
        By {
            actor: caller.actor(),
            reason: reason.unwrap_or_default(),
            key: self.key.clone(),
        }
    }

    /// Opens an order for its payer, or for staff who may do this.
    pub async fn open(&self, order: &str, act: Act) -> Result<Opened, Problem> {
        let caller = self.caller().await?;
        let order: OrderId = id(order, Slug::UnknownOrder)?;
        let tournament = caller.open_order(self.desk(), order, act).await?;
        Ok(Opened {
            caller,
            order,
            tournament,
        })
    }

    /// Staff who may do this to something of a tournament, with that tournament.
    pub async fn staff(
        &self,
        subject: Subject,
        act: Act,
    ) -> Result<(Caller, TournamentId), Problem> {
        let caller = self.caller().await?;
        let tournament = caller.may_on(self.desk(), subject, act).await?;
        Ok((caller, tournament))
    }
}

/// An order that the caller may act on.
pub(super) struct Opened {
    /// Who.
    pub caller: Caller,
    /// Which.
    pub order: OrderId,
    /// Of which tournament.
    pub tournament: TournamentId,
}

/// An id in a path; one that cannot be an id names nothing.
pub(super) fn id<T: FromStr>(text: &str, unknown: Slug) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::new(unknown))
}

fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut given = headers.get_all(KEY);
    let Some(value) = given.next() else {
        return Ok(None);
    };
    let plain = |text: &&str| {
        (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
    };
    match value.to_str().ok().filter(plain) {
        Some(text) if given.next().is_none() => Ok(Some(text.to_owned())),
        _ => {
            let text = Text::new(
                "Entre 1 i 255 caràcters ASCII visibles, una sola vegada.",
                "Entre 1 y 255 caracteres ASCII visibles, una sola vez.",
                "From 1 to 255 visible ASCII characters, once.",
            );
            Err(Problem::new(Slug::InvalidFields).field(KEY, "not_a_key", text))
        }
    }
}
