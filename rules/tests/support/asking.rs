//! Requests, and the reasons that they are refused for.

use domain::{Entrant, EntryRequest, QuoteRequest};
use rules::{Regulation, eligibility, quote};

use super::people::{checked, instant, player};

pub fn asked(regulation: &Regulation, at: &str, entries: Vec<EntryRequest>) -> QuoteRequest {
    QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: domain::Taken::new(),
        others: domain::Others::default(),
        at: instant(regulation, at),
        entries,
        standing: Vec::new(),
    }
}

pub fn one(regulation: &Regulation, section: Option<&str>, facts: &[&str]) -> EntryRequest {
    EntryRequest {
        section: section.map(|id| id.parse().unwrap()),
        entrant: checked(Entrant::Player(player(facts, regulation))),
    }
}

/// `code field article` of each reason.
pub fn told(regulation: &Regulation, request: &QuoteRequest) -> Vec<String> {
    let reasons = eligibility(regulation, request);
    let answer = quote(regulation, request);
    assert_eq!(answer.eligible, reasons.is_empty());
    assert_eq!(answer.entries.len(), request.entries.len());
    if !answer.eligible {
        assert_eq!((answer.total, answer.lines.len()), (0, 0));
    }
    for reason in &reasons {
        let text = &reason.text;
        assert!(!text.ca.is_empty() && !text.es.is_empty() && !text.en.is_empty());
        assert!(text.ca != text.es && text.es != text.en, "{reason:?}");
        assert!(
            reason
                .code
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b == b'_')
        );
    }
    let line =
        |reason: &domain::Reason| format!("{} {} {}", reason.code, reason.field, reason.article);
    reasons
        .iter()
        .map(|reason| line(reason).trim_end().to_owned())
        .collect()
}
