//! The one table of both doors: a kind of problem with its HTTP status, its gRPC code, and whether another try helps.

use domain::{Kind, Problem, Slug};
use tonic::Code;

/// How a kind of problem is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The kind, as the docs call it.
    pub name: &'static str,
    /// Status at the REST door.
    pub http: u16,
    /// Code at the gRPC door.
    pub grpc: Code,
    /// Whether the same request may succeed a moment later.
    pub retryable: bool,
}

const fn row(name: &'static str, http: u16, grpc: Code) -> Row {
    Row {
        name,
        http,
        grpc,
        retryable: false,
    }
}

/// The row of a kind.
#[must_use]
pub const fn of(kind: Kind) -> Row {
    match kind {
        Kind::Malformed => row("malformed", 400, Code::InvalidArgument),
        Kind::Invalid => row("invalid", 422, Code::InvalidArgument),
        Kind::Unauthenticated => row("unauthenticated", 401, Code::Unauthenticated),
        Kind::Denied => row("denied", 403, Code::PermissionDenied),
        Kind::NotFound => row("not found", 404, Code::NotFound),
        Kind::Conflict => row("conflict", 409, Code::Aborted),
        Kind::IllegalState => row("illegal state", 409, Code::FailedPrecondition),
        Kind::PaymentRefused => row("payment refused", 402, Code::FailedPrecondition),
        Kind::TooLarge => row("too large", 413, Code::ResourceExhausted),
        Kind::Overload => Row {
            retryable: true,
            ..row("overload", 503, Code::Unavailable)
        },
        Kind::Internal => row("internal", 500, Code::Internal),
    }
}

/// The HTTP status of a problem: its kind's, but that HTTP has a status of its own for a method that an address does not
/// take (RFC 9110, 15.5.6).
#[must_use]
pub fn http(slug: Slug) -> u16 {
    match slug {
        Slug::UnknownMethod => 405,
        _ => of(slug.kind()).http,
    }
}

/// The gRPC code of a problem: its kind's, but that gRPC has a code of its own for a service or method that is not there.
#[must_use]
pub fn grpc(slug: Slug) -> Code {
    match slug {
        Slug::UnknownPath | Slug::UnknownMethod => Code::Unimplemented,
        _ => of(slug.kind()).grpc,
    }
}

/// The name of a problem at both doors: `urn:enroc:problem:<slug>`.
#[must_use]
pub fn urn(slug: Slug) -> String {
    format!("urn:enroc:problem:{}", slug.as_str())
}

/// What the callers of a door call what any problem may be about.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The header or piece of metadata that says who asks.
    pub authorization: &'static str,
    /// The header or piece of metadata with the idempotency key.
    pub key: &'static str,
    /// All that was sent.
    pub message: &'static str,
    /// The path parameter or field that names what is asked about.
    pub subject: Option<&'n str>,
}

/// A problem as a door tells it: without its cause, and with a field at fault. What refuses deep inside does not know how
/// the caller names what it is about, so the door says it; only what no change of the request can mend names no field.
#[must_use]
pub fn told(problem: &Problem, names: &Names<'_>) -> Problem {
    let copy = Problem {
        slug: problem.slug,
        fields: problem.fields.clone(),
        detail: problem.detail.clone(),
        retry_after: problem.retry_after,
        source: None,
    };
    match field(problem.slug, names) {
        Some(field) => naming(copy, field),
        None => copy,
    }
}

/// The same problem naming this field, where it names none and is about what was asked: who asks and under which key is no
/// field of it.
#[must_use]
pub fn about(problem: Problem, field: &str) -> Problem {
    let of_the_head = matches!(
        problem.slug,
        Slug::Unauthenticated
            | Slug::Denied
            | Slug::WrongToken
            | Slug::KeyReused
            | Slug::KeyMissing
    );
    if of_the_head {
        return problem;
    }
    naming(problem, field)
}

fn naming(problem: Problem, field: &str) -> Problem {
    let slug = problem.slug;
    let ours = matches!(slug.kind(), Kind::Overload | Kind::Internal);
    if ours || !problem.fields.is_empty() {
        return problem;
    }
    let rule = match slug {
        Slug::KeyReused => "another_request".to_owned(),
        _ => slug.as_str().replace('-', "_"),
    };
    problem.field(field, rule, slug.title())
}

fn field<'n>(slug: Slug, names: &Names<'n>) -> Option<&'n str> {
    match slug {
        Slug::MalformedBody | Slug::TooLarge => Some(names.message),
        Slug::Unauthenticated | Slug::Denied | Slug::WrongToken => Some(names.authorization),
        Slug::KeyReused | Slug::KeyMissing => Some(names.key),
        Slug::UnknownTournament => Some("tournament"),
        Slug::UnknownOrder => Some("order"),
        Slug::UnknownEntry => Some("entry"),
        Slug::UnknownPayment => Some("payment"),
        Slug::UnknownRefund => Some("refund"),
        Slug::UnknownVersion => Some("version"),
        Slug::UnknownPath => Some("path"),
        Slug::UnknownMethod | Slug::MethodNotOffered => Some("method"),
        Slug::BadSignature => Some("Stripe-Signature"),
        Slug::InvalidFields
        | Slug::Ineligible
        | Slug::AlreadyEntered
        | Slug::CodeUsedUp
        | Slug::SlipUsed
        | Slug::Raced
        | Slug::IllegalMove
        | Slug::NotOpen
        | Slug::NothingToPay
        | Slug::HoldTooShort
        | Slug::NothingLeft
        | Slug::AmountMismatch
        | Slug::PaymentRefused => names.subject,
        Slug::Overload | Slug::DatabaseDown | Slug::GatewayDown | Slug::Internal => None,
    }
}

/// Logs a problem once, at the edge: a fault of ours with its cause, a passing one as a warning, anything else for those
/// who look closely. No field's value is logged, since a value may be personal data.
pub fn log(problem: &Problem) {
    let slug = problem.slug.as_str();
    let cause = problem
        .source
        .as_ref()
        .map(|source| domain::chain(source.as_ref()));
    let cause = cause.as_deref().unwrap_or_default();
    match problem.kind() {
        Kind::Internal => tracing::error!(problem = slug, cause, "failed"),
        Kind::Overload => tracing::warn!(problem = slug, cause, "put off"),
        _ => {
            let fields: Vec<&str> = problem.fields.iter().map(|f| f.rule.as_str()).collect();
            tracing::debug!(problem = slug, rules = ?fields, "refused");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docs;

    fn page() -> String {
        let mut page = String::from(
            "# Problems\n\n\
             What the doors answer when something is refused or fails. At the REST door the body is \
             `application/problem+json` (RFC 9457)\nand `type` is `urn:enroc:problem:<slug>`; at the gRPC door the slug is the \
             reason of `google.rpc.ErrorInfo`, and fields\nare `google.rpc.BadRequest` violations. Only the problems marked so \
             may pass by themselves: their answer says when to try again.\n\n\
             A problem names the fields at fault, each with the rule that it breaks. Where nothing more exact is known, the \
             field is the one\nof the table, and the rule is the slug with `_`\n(`another_request` for a key used again). *subject* is what the request is about: the \
             path parameter (`entry`), or the\nmessage's field of that name.\n\n\
             This page is printed by a test from `api/src/fault.rs` and `domain/src/slug.rs`; `UPDATE_DOCS=1 cargo test -p \
             api` writes it anew.\n\n\
             | slug | kind | HTTP | gRPC | try again | field | sentence |\n|---|---|---|---|---|---|---|\n",
        );
        let names = Names {
            authorization: "`Authorization`",
            key: "`Idempotency-Key`",
            message: "`body`",
            subject: Some("*subject*"),
        };
        for slug in Slug::ALL {
            let row = of(slug.kind());
            let field = field(*slug, &names).unwrap_or_default();
            let field = if field.is_empty() || field.starts_with(['`', '*']) {
                field.to_owned()
            } else {
                format!("`{field}`")
            };
            page += &format!(
                "| `{}` | {} | {} | {} | {} | {field} | {} |\n",
                slug.as_str(),
                row.name,
                http(*slug),
                code_name(grpc(*slug)),
                if row.retryable { "yes" } else { "" },
                slug.title().en,
            );
        }
        page
    }

    fn code_name(code: Code) -> String {
        let mut name = String::new();
        for letter in format!("{code:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(letter.to_uppercase());
        }
        name
    }

    #[test]
    fn the_page_of_problems_is_the_table() {
        docs::assert_page("problems.md", &page());
    }

    #[test]
    fn a_problem_that_the_caller_can_mend_names_a_field() {
        let names = Names {
            authorization: "authorization",
            key: "idempotency-key",
            message: "message",
            subject: Some("entry"),
        };
        for slug in Slug::ALL {
            let bare = told(&Problem::new(*slug), &names);
            let ours = matches!(slug.kind(), Kind::Overload | Kind::Internal);
            assert_eq!(bare.fields.is_empty(), ours, "{slug:?}");
            let text = slug.title();
            let exact = Problem::new(*slug).field("received", "amount_mismatch", text);
            let fields: Vec<_> = told(&exact, &names).fields;
            assert_eq!(
                (fields.len(), fields[0].field.as_str()),
                (1, "received"),
                "{slug:?}"
            );
        }
    }

    #[test]
    fn only_overload_asks_for_another_try() {
        for slug in Slug::ALL {
            assert_eq!(of(slug.kind()).retryable, http(*slug) == 503, "{slug:?}");
        }
    }
}
