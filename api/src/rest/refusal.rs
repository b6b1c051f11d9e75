//! A problem as the REST door answers it: `application/problem+json` (RFC 9457) in the language that was asked for.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use domain::{Language, Problem, Slug};
use serde::Serialize;
use store::StoreError;
use utoipa::ToSchema;

use crate::fault;

/// A problem on its way out; the door around every handler writes its body.
#[derive(Debug)]
pub struct Refusal(pub Problem);

/// What a handler answers.
pub type Answer = Result<HttpResponse, Refusal>;

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Refusal(problem)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Refusal(error.into())
    }
}

impl From<Slug> for Refusal {
    fn from(slug: Slug) -> Self {
        Refusal(Problem::new(slug))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.slug.as_str())
    }
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(fault::http(self.0.slug)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status_code())
    }
}

/// One field that is wrong.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldOut<'a> {
    /// Path of the field.
    #[schema(example = "entries[0].entrant.birth_date")]
    pub field: &'a str,
    /// Stable code of the rule that it breaks.
    #[schema(example = "not_a_date")]
    pub rule: &'a str,
    /// The same for people, in the language that was asked for.
    pub detail: &'a str,
}

/// What went wrong (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemOut<'a> {
    /// Which problem: `urn:enroc:problem:<slug>`.
    #[serde(rename = "type")]
    #[schema(example = "urn:enroc:problem:invalid-fields")]
    pub name: String,
    /// The problem's own sentence.
    pub title: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// What exactly.
    pub detail: String,
    /// The fields at fault, where fields are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldOut<'a>>,
    /// Tell it when you ask for help.
    pub request_id: &'a str,
}

/// The answer to a problem.
pub(super) fn render(problem: &Problem, language: Language, request_id: &str) -> HttpResponse {
    let title = problem.slug.title();
    let status = fault::http(problem.slug);
    let body = ProblemOut {
        name: fault::urn(problem.slug),
        title: title.in_language(language),
        status,
        detail: problem.sentence(language),
        fields: problem
            .fields
            .iter()
            .map(|fault| FieldOut {
                field: &fault.field,
                rule: &fault.rule,
                detail: fault.text.in_language(language),
            })
            .collect(),
        request_id,
    };
    let code = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = HttpResponse::build(code);
    answer.insert_header(("Content-Language", language.code()));
    if code == StatusCode::UNAUTHORIZED {
        answer.insert_header((WWW_AUTHENTICATE, "Bearer realm=\"enroc\""));
    }
    if code == StatusCode::SERVICE_UNAVAILABLE {
        let seconds = problem
            .retry_after
            .unwrap_or_else(|| rand::random_range(1..=5));
        answer.insert_header((RETRY_AFTER, seconds));
    }
    let text = serde_json::to_vec(&body).unwrap_or_default();
    answer
        .insert_header((CONTENT_TYPE, "application/problem+json"))
        .body(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::MessageBody;

    fn said(problem: &Problem) -> (HttpResponse<()>, String) {
        let (head, body) = render(problem, Language::En, "r-1").into_parts();
        let bytes = body.try_into_bytes().unwrap();
        (head, String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[test]
    fn an_internal_cause_stays_inside() {
        let (head, body) = said(&Problem::internal("the disk of desk7 is full"));
        assert_eq!(head.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!body.contains("desk7"), "{body}");
    }

    fn seconds(problem: &Problem) -> u32 {
        let (head, _) = said(problem);
        assert_eq!(head.status(), StatusCode::SERVICE_UNAVAILABLE);
        let value = head.headers().get(RETRY_AFTER).unwrap();
        value.to_str().unwrap().parse().unwrap()
    }

    #[test]
    fn overload_says_when_to_come_back() {
        let mut problem = Problem::new(Slug::Overload);
        problem.retry_after = Some(3);
        assert_eq!(seconds(&problem), 3);
        problem.retry_after = None;
        assert!((1..=5).contains(&seconds(&problem)));
    }
}
