//! Problems as `google.rpc` statuses: the code of the one table, the slug as reason, the fields as violations.

use std::time::Duration;

use domain::{Language, Problem};
use tonic::Status;
use tonic_types::{ErrorDetails, FieldViolation, LocalizedMessage, StatusExt};

use crate::fault;

/// The domain of every reason, in `google.rpc.ErrorInfo`.
const DOMAIN: &str = "enroc";
/// Seconds after which another try makes sense, where the problem does not say.
const TRY_AGAIN: u32 = 2;

/// The status of a problem, in the caller's language.
pub fn status(problem: &Problem, language: Language, request_id: &str) -> Status {
    let row = fault::of(problem.kind());
    let sentence = problem.sentence(language);
    let mut details = ErrorDetails::new();
    details
        .set_error_info(problem.slug.as_str(), DOMAIN, [])
        .set_request_info(request_id, "")
        .set_localized_message(language.code(), sentence.clone());
    if !problem.fields.is_empty() {
        let violations: Vec<FieldViolation> = problem
            .fields
            .iter()
            .map(|fault| {
                let text = fault.text.in_language(language);
                FieldViolation {
                    field: fault.field.clone(),
                    description: text.to_owned(),
                    reason: fault.rule.clone(),
                    localized_message: Some(LocalizedMessage::new(language.code(), text)),
                }
            })
            .collect();
        details.set_bad_request(violations);
    }
    if row.retryable {
        let seconds = problem.retry_after.unwrap_or(TRY_AGAIN);
        details.set_retry_info(Some(Duration::from_secs(seconds.into())));
    }
    Status::with_error_details(fault::grpc(problem.slug), sentence, details)
}

#[cfg(test)]
mod tests {
    use domain::{Slug, Text};
    use tonic::Code;

    use super::*;

    #[test]
    fn every_slug_is_the_reason_under_the_code_of_its_kind() {
        for slug in Slug::ALL {
            let status = status(&Problem::new(*slug), Language::Ca, "r-1");
            let details = status.get_error_details();
            let info = details.error_info().unwrap();
            assert_eq!(
                (info.reason.as_str(), info.domain.as_str()),
                (slug.as_str(), "enroc")
            );
            assert_eq!(status.code(), fault::grpc(*slug), "{slug:?}");
            assert_eq!(status.message(), &*slug.title().ca, "{slug:?}");
            assert_eq!(details.request_info().unwrap().request_id, "r-1");
            assert_eq!(
                details.retry_info().is_some(),
                status.code() == Code::Unavailable
            );
        }
    }

    #[test]
    fn fields_are_violations_with_their_rule_in_the_callers_language() {
        let problem = Problem::new(Slug::InvalidFields).field(
            "entries[0]",
            "required",
            Text::new("a", "b", "c"),
        );
        let status = status(&problem, Language::Es, "r");
        let details = status.get_error_details();
        let violation = &details.bad_request().unwrap().field_violations[0];
        assert_eq!(violation.field, "entries[0]");
        assert_eq!(violation.reason, "required");
        assert_eq!(violation.description, "b");
    }

    #[test]
    fn an_internal_cause_stays_inside() {
        let status = status(&Problem::internal("the password is x"), Language::En, "r");
        assert!(!status.message().contains("password"));
        assert!(!String::from_utf8_lossy(status.details()).contains("password"));
    }
}
