//! The rules engine, asked. Nothing here changes anything.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Path;
use domain::{Problem, QuoteRequest, Slug, TournamentId, UtcTime};
use rules::Regulation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use super::refusal::{Answer, ProblemOut};
use super::show::{ByeAnswerOut, EligibilityOut, QuoteOut, RefundQuoteOut};
use super::visit::{Visit, id};
use crate::wire::{ByeIn, Faults, Question, QuoteIn, RefundQuoteIn, Rule, Word, read_byes};

/// What a question is about: under which rules, with whose word, and when.
struct Asked {
    regulation: Arc<Regulation>,
    word: Word,
    now: UtcTime,
}

impl Asked {
    async fn open(visit: &Visit, tournament: &str) -> Result<Asked, Problem> {
        let tournament: TournamentId = id(tournament, Slug::UnknownTournament)?;
        let regulation = visit.desk().regulation(&tournament)?;
        let word = visit
            .caller()
            .await?
            .word(visit.desk(), &tournament)
            .await?;
        let now = visit.desk().clock().desk(&tournament);
        Ok(Asked {
            regulation,
            word,
            now,
        })
    }

    /// The question, with what the desk knows about it. Whoever has the rules' word says alone what stands already.
    async fn complete(&self, visit: &Visit, asked: QuoteIn) -> Result<QuoteRequest, Problem> {
        let Question { request, codes } =
            asked.read(self.word, self.now, self.regulation.currencies())?;
        let desk = visit.desk();
        let request = desk.with_codes(&self.regulation, request, &codes).await?;
        match self.word {
            Word::Rules => Ok(request),
            Word::Anybody | Word::Entrant => desk.with_standing(&self.regulation, request).await,
        }
    }
}

/// Prices an order. One that the regulation does not admit is an answer too: `eligible` is false, with the reasons.
#[utoipa::path(post, path = "/v1/tournaments/{tournament}/quotes", tag = "rules",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = QuoteIn,
    responses(
        (status = 200, body = QuoteOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])))]
pub(super) async fn quote(visit: Visit, path: Path<String>, body: Body<QuoteIn>) -> Answer {
    let asked = Asked::open(&visit, &path).await?;
    let request = asked.complete(&visit, body.0).await?;
    let quote = rules::quote(&asked.regulation, &request);
    written(&QuoteOut::from(quote))
}

/// What a quote usually takes, with room: written into one buffer that need not grow.
const QUOTE_BYTES: usize = 2048;

fn written(quote: &QuoteOut) -> Answer {
    let mut body = Vec::with_capacity(QUOTE_BYTES);
    serde_json::to_writer(&mut body, quote).map_err(Problem::internal)?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(body))
}

/// Says who would be let in, without pricing.
#[utoipa::path(post, path = "/v1/tournaments/{tournament}/eligibility-checks", tag = "rules",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = QuoteIn,
    responses(
        (status = 200, body = EligibilityOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])))]
pub(super) async fn eligibility(visit: Visit, path: Path<String>, body: Body<QuoteIn>) -> Answer {
    let asked = Asked::open(&visit, &path).await?;
    let request = asked.complete(&visit, body.0).await?;
    let reasons = rules::eligibility(&asked.regulation, &request);
    Ok(HttpResponse::Ok().json(EligibilityOut {
        regulation: asked.regulation.reference().clone().into(),
        eligible: reasons.is_empty(),
        reasons: reasons.into_iter().map(Into::into).collect(),
    }))
}

/// Says what would come back and what would be kept.
#[utoipa::path(post, path = "/v1/tournaments/{tournament}/refund-quotes", tag = "rules",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = RefundQuoteIn,
    responses(
        (status = 200, body = RefundQuoteOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])))]
pub(super) async fn refund(visit: Visit, path: Path<String>, body: Body<RefundQuoteIn>) -> Answer {
    let asked = Asked::open(&visit, &path).await?;
    let ask = body.0.read(asked.word, asked.now, &asked.regulation)?;
    let quote = rules::refund(&asked.regulation, &ask);
    Ok(HttpResponse::Ok().json(RefundQuoteOut::of(quote, ask.currency)))
}

/// Byes that an entrant of a section would ask for.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ByeCheckIn {
    /// The section, as the regulation names it.
    section: Option<String>,
    /// The rounds asked off.
    requests: Vec<ByeIn>,
}

/// Says whether byes may be asked for.
#[utoipa::path(post, path = "/v1/tournaments/{tournament}/bye-checks", tag = "rules",
    params(("tournament" = String, Path, description = "The `id` of its regulation")),
    request_body = ByeCheckIn,
    responses(
        (status = 200, body = ByeAnswerOut),
        (status = "default", body = ProblemOut, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])))]
pub(super) async fn byes(visit: Visit, path: Path<String>, body: Body<ByeCheckIn>) -> Answer {
    let asked = Asked::open(&visit, &path).await?;
    let mut faults = Faults::default();
    let section = faults.required_parsed("section", body.0.section.as_deref(), Rule::NotAnId);
    let requests = read_byes(body.0.requests, &"requests", &mut faults);
    let section = faults.finish(section)?;
    let answer = rules::byes(&asked.regulation, &section, &requests);
    Ok(HttpResponse::Ok().json(ByeAnswerOut::from(answer)))
}
