//! Words that are numbers at this door: the values of enums, in and out.

use domain::{
    ByePoints, Cause, FactName, Language, LineKind, PaymentKind, PaymentStatus, RefundCause,
    RefundMethod, RefundStatus, Status,
};
use proto::{registration::v1 as desk, rules::v1 as engine};

/// The word of an enum's number, as JSON and SQL have it, made from its name in the contract: none where it is not said;
/// the number itself, which is nobody's word, where the contract has no such value.
pub fn word<E: TryFrom<i32>>(
    number: i32,
    prefix: &str,
    name: impl Fn(E) -> &'static str,
) -> Option<String> {
    if number == 0 {
        return None;
    }
    let Ok(value) = E::try_from(number) else {
        return Some(number.to_string());
    };
    let name = name(value);
    Some(name.strip_prefix(prefix).unwrap_or(name).to_lowercase())
}

pub fn sex(number: i32) -> Option<String> {
    match engine::Sex::try_from(number) {
        Ok(engine::Sex::Unspecified) => None,
        Ok(engine::Sex::Male) => Some("m".to_owned()),
        Ok(engine::Sex::Female) => Some("f".to_owned()),
        Err(_) => Some(number.to_string()),
    }
}

pub fn title(number: i32) -> Option<String> {
    word(number, "TITLE_", |t: engine::Title| t.as_str_name()).map(|t| t.to_uppercase())
}

pub fn level(number: i32) -> Option<String> {
    word(number, "LEVEL_", |l: engine::Level| l.as_str_name())
}

pub fn fact(number: i32) -> Option<String> {
    word(number, "FACT_NAME_", |f: engine::FactName| f.as_str_name())
}

pub fn points(number: i32) -> Option<String> {
    word(number, "BYE_POINTS_", |p: engine::ByePoints| {
        p.as_str_name()
    })
}

pub fn refund_cause(number: i32) -> Option<String> {
    word(number, "REFUND_CAUSE_", |c: engine::RefundCause| {
        c.as_str_name()
    })
}

pub fn refund_method(number: i32) -> Option<String> {
    word(number, "REFUND_METHOD_", |m: engine::RefundMethod| {
        m.as_str_name()
    })
}

pub fn payment_kind(number: i32) -> Option<String> {
    word(number, "PAYMENT_KIND_", |k: desk::PaymentKind| {
        k.as_str_name()
    })
}

pub fn language(number: i32) -> Option<String> {
    word(number, "LANGUAGE_", |l: desk::Language| l.as_str_name())
}

pub fn status(number: i32) -> Option<String> {
    word(number, "STATUS_", |s: desk::Status| s.as_str_name())
}

pub fn of_fact(fact: FactName) -> i32 {
    use engine::FactName as Out;
    let out = match fact {
        FactName::Sex => Out::Sex,
        FactName::BirthDate => Out::BirthDate,
        FactName::Federation => Out::Federation,
        FactName::Title => Out::Title,
        FactName::Rating => Out::Rating,
        FactName::Licences => Out::Licences,
        FactName::Disability => Out::Disability,
        FactName::Invited => Out::Invited,
        FactName::PreviousParticipant => Out::PreviousParticipant,
        FactName::AgreedPrice => Out::AgreedPrice,
        FactName::Club => Out::Club,
        FactName::Institution => Out::Institution,
        FactName::Coach => Out::Coach,
        FactName::Roster => Out::Roster,
        FactName::Answers => Out::Answers,
    };
    out.into()
}

pub fn of_line_kind(kind: LineKind) -> i32 {
    let out = match kind {
        LineKind::Base => engine::LineKind::Base,
        LineKind::Adjustment => engine::LineKind::Adjustment,
        LineKind::AddOn => engine::LineKind::AddOn,
        LineKind::Promotion => engine::LineKind::Promotion,
    };
    out.into()
}

pub fn of_points(points: ByePoints) -> i32 {
    let out = match points {
        ByePoints::Half => engine::ByePoints::Half,
        ByePoints::Zero => engine::ByePoints::Zero,
    };
    out.into()
}

/// The arbiter's word on a bye, which the store keeps as text.
pub fn of_bye_status(status: &str) -> i32 {
    let out = match status {
        "asked" => engine::ByeStatus::Asked,
        "granted" => engine::ByeStatus::Granted,
        "refused" => engine::ByeStatus::Refused,
        _ => engine::ByeStatus::Unspecified,
    };
    out.into()
}

pub fn of_refund_cause(cause: RefundCause) -> i32 {
    let out = match cause {
        RefundCause::Player => engine::RefundCause::Player,
        RefundCause::Organiser => engine::RefundCause::Organiser,
        RefundCause::Rejected => engine::RefundCause::Rejected,
        RefundCause::NoSeat => engine::RefundCause::NoSeat,
        RefundCause::Price => engine::RefundCause::Price,
        RefundCause::Staff => engine::RefundCause::Staff,
        RefundCause::Finished => engine::RefundCause::Finished,
    };
    out.into()
}

pub fn of_refund_method(method: RefundMethod) -> i32 {
    let out = match method {
        RefundMethod::Card => engine::RefundMethod::Card,
        RefundMethod::Transfer => engine::RefundMethod::Transfer,
        RefundMethod::Credit => engine::RefundMethod::Credit,
    };
    out.into()
}

pub fn of_refund_status(status: RefundStatus) -> i32 {
    let out = match status {
        RefundStatus::Reserved => desk::RefundStatus::Reserved,
        RefundStatus::Sent => desk::RefundStatus::Sent,
        RefundStatus::Succeeded => desk::RefundStatus::Succeeded,
        RefundStatus::Failed => desk::RefundStatus::Failed,
        RefundStatus::Owed => desk::RefundStatus::Owed,
    };
    out.into()
}

pub fn of_payment_kind(kind: PaymentKind) -> i32 {
    let out = match kind {
        PaymentKind::Session => desk::PaymentKind::Session,
        PaymentKind::Intent => desk::PaymentKind::Intent,
        PaymentKind::Slip => desk::PaymentKind::Slip,
        PaymentKind::Transfer => desk::PaymentKind::Transfer,
    };
    out.into()
}

pub fn of_payment_status(status: PaymentStatus) -> i32 {
    let out = match status {
        PaymentStatus::Creating => desk::PaymentStatus::Creating,
        PaymentStatus::Open => desk::PaymentStatus::Open,
        PaymentStatus::Processing => desk::PaymentStatus::Processing,
        PaymentStatus::Succeeded => desk::PaymentStatus::Succeeded,
        PaymentStatus::Failed => desk::PaymentStatus::Failed,
        PaymentStatus::Cancelled => desk::PaymentStatus::Cancelled,
        PaymentStatus::Quarantined => desk::PaymentStatus::Quarantined,
    };
    out.into()
}

pub fn of_status(status: Status) -> i32 {
    let out = match status {
        Status::New => desk::Status::New,
        Status::Waitlisted => desk::Status::Waitlisted,
        Status::Held => desk::Status::Held,
        Status::PendingApproval => desk::Status::PendingApproval,
        Status::Confirmed => desk::Status::Confirmed,
        Status::Expired => desk::Status::Expired,
        Status::CancelledByPlayer => desk::Status::CancelledByPlayer,
        Status::CancelledByOrganiser => desk::Status::CancelledByOrganiser,
        Status::Rejected => desk::Status::Rejected,
        Status::Withdrawn => desk::Status::Withdrawn,
    };
    out.into()
}

pub fn of_cause(cause: Cause) -> i32 {
    let out = match cause {
        Cause::Hold => desk::Cause::Hold,
        Cause::Wait => desk::Cause::Wait,
        Cause::AskApproval => desk::Cause::AskApproval,
        Cause::Confirm => desk::Cause::Confirm,
        Cause::Expire => desk::Cause::Expire,
        Cause::CancelByPlayer => desk::Cause::CancelByPlayer,
        Cause::CancelByOrganiser => desk::Cause::CancelByOrganiser,
        Cause::Reject => desk::Cause::Reject,
        Cause::Withdraw => desk::Cause::Withdraw,
    };
    out.into()
}

pub fn of_language(language: Language) -> i32 {
    let out = match language {
        Language::Ca => desk::Language::Ca,
        Language::Es => desk::Language::Es,
        Language::En => desk::Language::En,
    };
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_out_comes_in_as_the_same_word() {
        for known in Status::ALL {
            assert_eq!(status(of_status(known)).as_deref(), Some(known.as_str()));
        }
        for kind in [
            PaymentKind::Session,
            PaymentKind::Intent,
            PaymentKind::Slip,
            PaymentKind::Transfer,
        ] {
            assert_eq!(
                payment_kind(of_payment_kind(kind)).as_deref(),
                Some(kind.as_str())
            );
        }
        for number in 1..=14 {
            let name = fact(number).and_then(|word| crate::wire::fact_name(&word));
            assert_eq!(name.map(of_fact), Some(number));
        }
        for spoken in Language::ALL {
            assert_eq!(
                language(of_language(spoken)).as_deref(),
                Some(spoken.code())
            );
        }
        assert_eq!(points(of_points(ByePoints::Half)).as_deref(), Some("half"));
        let no_seat = refund_cause(of_refund_cause(RefundCause::NoSeat));
        assert_eq!(no_seat.as_deref(), Some("no_seat"));
        for number in 1..=8 {
            assert!(title(number).unwrap().parse::<domain::Title>().is_ok());
        }
    }

    #[test]
    fn a_number_that_the_contract_does_not_have_is_nobodys_word() {
        assert_eq!(title(0), None);
        assert_eq!(title(99).as_deref(), Some("99"));
        assert_eq!(sex(3).as_deref(), Some("3"));
    }
}
