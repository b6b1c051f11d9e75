//! `enroc.rules.v1.RulesService`: the rules engine asked. Nothing here changes anything.

use std::sync::Arc;

use domain::{Problem, QuoteRequest as Ask, Slug, TournamentId, UtcTime};
use proto::rules::v1 as api;
use proto::rules::v1::rules_service_server::RulesService;
use registration::Desk;
use rules::Regulation;
use tonic::{Request, Response, Status};

use super::convert::{asked, regulation, rules as out};
use super::names;
use super::visit::{Visit, id};
use crate::auth::Act;
use crate::wire::{Faults, QuoteIn, RegulationTextIn, Rule, Word, looked_at, read_byes};

/// The service over a desk.
pub struct Rules {
    /// Whose regulations are asked.
    pub desk: Desk,
}

/// A question's tournament: its regulation, whose word facts have, and now by its clock.
struct Asked {
    regulation: Arc<Regulation>,
    word: Word,
    now: UtcTime,
}

impl Rules {
    async fn asked(&self, visit: &Visit, tournament: &str) -> Result<Asked, Problem> {
        let tournament: TournamentId = id(tournament, Slug::UnknownTournament)?;
        let regulation = self.desk.regulation(&tournament)?;
        Ok(Asked {
            word: visit
                .caller(&self.desk)
                .await?
                .word(&self.desk, &tournament)
                .await?,
            now: self.desk.clock().desk(&tournament),
            regulation,
        })
    }

    async fn ask(
        &self,
        visit: &Visit,
        tournament: &str,
        ask: QuoteIn,
    ) -> Result<(Arc<Regulation>, Ask), Problem> {
        let of = self.asked(visit, tournament).await?;
        let asked = ask.read(of.word, of.now, of.regulation.currencies())?;
        let (question, codes) = (asked.request, asked.codes);
        let known = self.desk.with_codes(&of.regulation, question, &codes);
        let ask = known.await.map_err(names::of_question)?;
        // Whoever has the rules' word says alone what stands already.
        let ask = match of.word {
            Word::Rules => ask,
            Word::Anybody | Word::Entrant => self.desk.with_standing(&of.regulation, ask).await?,
        };
        Ok((of.regulation, ask))
    }

    async fn refund(
        &self,
        visit: &Visit,
        asked: api::QuoteRefundRequest,
    ) -> Result<api::QuoteRefundResponse, Problem> {
        let of = self.asked(visit, &asked.tournament).await?;
        let ask = asked::refund_quote(asked);
        let ask = ask.read(of.word, of.now, &of.regulation)?;
        let quote = rules::refund(&of.regulation, &ask);
        Ok(api::QuoteRefundResponse {
            refund_quote: Some(out::refund_quote(quote, ask.currency)),
        })
    }

    async fn byes(
        &self,
        visit: &Visit,
        asked: api::CheckByesRequest,
    ) -> Result<api::CheckByesResponse, Problem> {
        let of = self.asked(visit, &asked.tournament).await?;
        let mut faults = Faults::default();
        if asked.at.is_some() && of.word != Word::Rules {
            faults.forbid("at", of.word);
        }
        let section = faults.required_parsed("section", asked.section.as_deref(), Rule::NotAnId);
        let byes = read_byes(asked::byes(asked.byes), &"requests", &mut faults);
        let section = faults.finish(section)?;
        Ok(api::CheckByesResponse {
            answer: Some(out::bye_answer(rules::byes(
                &of.regulation,
                &section,
                &byes,
            ))),
        })
    }
}

impl Rules {
    async fn check(
        &self,
        visit: &Visit,
        asked: api::CheckRegulationRequest,
    ) -> Result<api::CheckRegulationResponse, Problem> {
        let caller = visit.caller(&self.desk).await?;
        caller.may_in_general(Act::AskRules)?;
        let text = RegulationTextIn {
            source: Some(asked.source),
        };
        let (source, _) = text.read()?;
        let (good, tournament, found) = looked_at(self.desk.check_text(source).await?);
        Ok(api::CheckRegulationResponse {
            good,
            tournament: tournament.map(|id| id.to_string()).unwrap_or_default(),
            findings: regulation::findings(found),
        })
    }

    async fn describe(
        &self,
        asked: &api::DescribeRegulationRequest,
    ) -> Result<api::DescribeRegulationResponse, Problem> {
        let tournament: TournamentId = id(&asked.tournament, Slug::UnknownTournament)?;
        let version = match asked.version {
            0 => self.desk.regulation(&tournament)?.reference().version,
            version => version,
        };
        let found = self.desk.published_version(&tournament, version).await?;
        Ok(api::DescribeRegulationResponse {
            regulation: Some(regulation::whole(tournament.as_str(), found)),
        })
    }
}

#[tonic::async_trait]
impl RulesService for Rules {
    async fn quote(
        &self,
        request: Request<api::QuoteRequest>,
    ) -> Result<Response<api::QuoteResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let tournament = asked.tournament.clone();
        let ask = self.ask(&visit, &tournament, asked::quote(asked)).await;
        visit.answer(ask.map(|(regulation, ask)| api::QuoteResponse {
            quote: Some(out::quote(rules::quote(&regulation, &ask))),
        }))
    }

    async fn check_eligibility(
        &self,
        request: Request<api::CheckEligibilityRequest>,
    ) -> Result<Response<api::CheckEligibilityResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        let tournament = asked.tournament.clone();
        let ask = asked::eligibility(asked);
        let ask = self.ask(&visit, &tournament, ask).await;
        visit.answer(ask.map(|(regulation, ask)| {
            let reasons = rules::eligibility(&regulation, &ask);
            api::CheckEligibilityResponse {
                eligible: reasons.is_empty(),
                reasons: out::reasons(reasons),
                regulation: Some(out::regulation(regulation.reference())),
            }
        }))
    }

    async fn quote_refund(
        &self,
        request: Request<api::QuoteRefundRequest>,
    ) -> Result<Response<api::QuoteRefundResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.refund(&visit, asked).await)
    }

    async fn check_byes(
        &self,
        request: Request<api::CheckByesRequest>,
    ) -> Result<Response<api::CheckByesResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.byes(&visit, asked).await)
    }

    async fn check_regulation(
        &self,
        request: Request<api::CheckRegulationRequest>,
    ) -> Result<Response<api::CheckRegulationResponse>, Status> {
        let (visit, asked) = Visit::about("source", request);
        visit.answer(self.check(&visit, asked).await)
    }

    async fn describe_regulation(
        &self,
        request: Request<api::DescribeRegulationRequest>,
    ) -> Result<Response<api::DescribeRegulationResponse>, Status> {
        let (visit, asked) = Visit::of(request);
        visit.answer(self.describe(&asked).await)
    }
}
