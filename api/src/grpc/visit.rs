//! One call as a service sees it: who calls, under which key, and the answer in the caller's language.

use std::str::FromStr;

use domain::{OrderId, Problem, Slug, Text, TournamentId};
use registration::{By, Desk};
use tonic::metadata::MetadataMap;
use tonic::{Request, Response, Status};

use super::convert::Eyes;
use super::edge::Call;
use super::refusal;
use crate::auth::{Act, Caller, Subject};
use crate::fault::{self, Names};

const KEY: &str = "idempotency-key";
const LONGEST_KEY: usize = 255;

/// What the caller calls what a problem may be about; `subject` is the field that names what the call is about.
pub const fn names(subject: Option<&'static str>) -> Names<'static> {
    Names {
        authorization: "authorization",
        key: KEY,
        message: "message",
        subject,
    }
}

/// What the metadata of a call say.
pub struct Visit {
    /// Language and id.
    pub call: Call,
    subject: &'static str,
    authorization: Option<String>,
    key: Option<String>,
}

/// The text of a piece of metadata; one with other than visible characters is empty, and so refused like an empty one.
fn text(metadata: &MetadataMap, name: &str) -> Option<String> {
    let value = metadata.get(name)?;
    Some(value.to_str().unwrap_or_default().to_owned())
}

impl Visit {
    /// The visit of a request about a tournament, and its message.
    pub fn of<T>(request: Request<T>) -> (Visit, T) {
        Visit::about("tournament", request)
    }

    /// The visit of a request about what this field of its message names, and the message.
    pub fn about<T>(subject: &'static str, request: Request<T>) -> (Visit, T) {
        let (metadata, extensions, message) = request.into_parts();
        let call = extensions.get::<Call>().cloned().unwrap_or(Call {
            language: domain::Language::En,
            request_id: String::new(),
        });
        let visit = Visit {
            call,
            subject,
            authorization: text(&metadata, "authorization"),
            key: text(&metadata, KEY),
        };
        (visit, message)
    }

    /// Who calls.
    ///
    /// # Errors
    /// [`Slug::Unauthenticated`].
    pub async fn caller(&self, desk: &Desk) -> Result<Caller, Problem> {
        Caller::from_header(desk, self.authorization.as_deref()).await
    }

    /// Who changes something, why, and under which key.
    ///
    /// # Errors
    /// [`Slug::InvalidFields`] for a key that is too long or not plain.
    pub fn by(&self, caller: &Caller, reason: Option<String>) -> Result<By, Problem> {
        let plain = |key: &String| {
            (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
        };
        if !self.key.iter().all(plain) {
            let text = Text::new(
                "Entre 1 i 255 caràcters ASCII visibles.",
                "Entre 1 y 255 caracteres ASCII visibles.",
                "From 1 to 255 visible ASCII characters.",
            );
            return Err(Problem::new(Slug::InvalidFields).field(KEY, "not_a_key", text));
        }
        Ok(By {
            actor: caller.actor(),
            reason: reason.unwrap_or_default(),
            key: self.key.clone(),
        })
    }

    /// Opens an order for its payer, or for staff who may do this.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`], and those of [`Caller::open_order`].
    pub async fn open(&self, desk: &Desk, order: &str, act: Act) -> Result<Opened, Problem> {
        let caller = self.caller(desk).await?;
        let order: OrderId = id(order, Slug::UnknownOrder)?;
        let tournament = caller.open_order(desk, order, act).await?;
        Ok(Opened {
            caller,
            order,
            tournament,
        })
    }

    /// Staff who may do this to something of a tournament, with that tournament.
    ///
    /// # Errors
    /// Those of [`Caller::may_on`].
    pub async fn staff(
        &self,
        desk: &Desk,
        subject: Subject,
        act: Act,
    ) -> Result<(Caller, TournamentId), Problem> {
        let caller = self.caller(desk).await?;
        let tournament = caller.may_on(desk, subject, act).await?;
        Ok((caller, tournament))
    }

    /// The answer, or the status of the problem, which is logged.
    pub fn answer<T>(&self, outcome: Result<T, Problem>) -> Result<Response<T>, Status> {
        outcome.map(Response::new).map_err(|problem| {
            fault::log(&problem);
            let told = fault::told(&problem, &names(Some(self.subject)));
            let told = super::names::of_any(told);
            refusal::status(&told, self.call.language, &self.call.request_id)
        })
    }
}

/// An order that the caller may act on.
pub struct Opened {
    /// Who.
    pub caller: Caller,
    /// Which.
    pub order: OrderId,
    /// Of which tournament.
    pub tournament: TournamentId,
}

impl Opened {
    /// For whose eyes an answer is.
    pub fn eyes(&self) -> Eyes {
        eyes(&self.caller)
    }
}

/// For whose eyes an answer to this caller is.
pub fn eyes(caller: &Caller) -> Eyes {
    match caller {
        Caller::Staff(_) => Eyes::Staff,
        Caller::Payer(_) | Caller::Anonymous => Eyes::Payer,
    }
}

/// An id that names what a call is about; a text that cannot be an id names nothing.
///
/// # Errors
/// The problem that says that there is no such thing.
pub fn id<T: FromStr>(text: &str, unknown: Slug) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::new(unknown))
}
