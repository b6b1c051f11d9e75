//! What the rules engine answers, as messages.

use domain::{
    ByeAnswer, ByeRequest, Currency, Entrant, FactName, Grade, Level, Money, Player, Quote, Reason,
    RefundQuote, RegulationRef, Sex, Team, Text, Title, UtcTime,
};
use prost_types::Timestamp;
use proto::rules::v1 as engine;

use super::{Eyes, words};
use crate::grpc::names;

pub fn timestamp(instant: UtcTime) -> Timestamp {
    let micros = instant.as_micros().rem_euclid(1_000_000);
    Timestamp {
        seconds: instant.as_seconds(),
        nanos: i32::try_from(micros * 1_000).unwrap_or(0),
    }
}

pub fn money(money: Money) -> engine::Money {
    sum(money.amount, money.currency)
}

/// A sum in minor units of a currency.
pub fn sum(amount: i64, currency: Currency) -> engine::Money {
    engine::Money {
        amount,
        currency: currency.code().to_owned(),
    }
}

pub fn text(text: Text) -> engine::Text {
    engine::Text {
        ca: text.ca.to_string(),
        es: text.es.to_string(),
        en: text.en.to_string(),
    }
}

pub fn regulation(reference: &RegulationRef) -> engine::RegulationRef {
    engine::RegulationRef {
        tournament: reference.tournament.to_string(),
        version: reference.version,
        hash: reference.hash.to_string(),
        language: reference.language,
    }
}

pub fn reasons(reasons: Vec<Reason>) -> Vec<engine::Reason> {
    let one = |reason: Reason| engine::Reason {
        code: reason.code,
        field: reason.field,
        article: reason.article,
        text: Some(text(reason.text)),
    };
    reasons.into_iter().map(one).collect()
}

fn grade(grade: Grade) -> engine::Grade {
    use engine::grade::{Checked, Declared, Grade as Out, Listed};
    let grade = match grade {
        Grade::Declared => Out::Declared(Declared {}),
        Grade::Listed { list, period } => Out::Listed(Listed { list, period }),
        Grade::Checked { by } => Out::Checked(Checked { by }),
    };
    engine::Grade { grade: Some(grade) }
}

pub fn facts(names: &[FactName]) -> Vec<i32> {
    names.iter().map(|name| words::of_fact(*name)).collect()
}

/// A position or a count; those of a request that fits in 1 MiB always fit.
fn position(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub fn line(line: domain::Line, currency: Currency) -> engine::Line {
    engine::Line {
        entry: position(line.entry),
        kind: words::of_line_kind(line.kind),
        rule: line.rule.to_string(),
        article: line.article.to_string(),
        text: Some(text(line.text)),
        amount: Some(sum(line.amount, currency)),
        with: line.with.map(|entry| entry.to_string()),
    }
}

pub fn quote(quote: Quote) -> engine::Quote {
    let currency = quote.currency;
    let entry = |entry: domain::EntryQuote| engine::EntryQuote {
        section: entry.section.map(|s| s.to_string()),
        total: Some(sum(entry.total, currency)),
        to_check: facts(&entry.to_check),
        needs_approval: entry.needs_approval,
    };
    let claim = |claim: domain::Claim| engine::Claim {
        entry: position(claim.entry),
        rule: claim.rule,
        limit: claim.limit,
    };
    let fact = |used: domain::FactUse| engine::FactUse {
        entry: position(used.entry),
        fact: words::of_fact(used.fact),
        value: used.value,
        grade: Some(grade(used.grade)),
    };
    engine::Quote {
        regulation: Some(regulation(&quote.regulation)),
        at: Some(timestamp(quote.at)),
        eligible: quote.eligible,
        reasons: reasons(quote.reasons),
        total: Some(sum(quote.total, currency)),
        entries: quote.entries.into_iter().map(entry).collect(),
        lines: quote.lines.into_iter().map(|l| line(l, currency)).collect(),
        claims: quote.claims.into_iter().map(claim).collect(),
        facts: quote.facts.into_iter().map(fact).collect(),
        valid_until: quote.valid_until.map(timestamp),
        paid_at: quote.paid_at.map(timestamp),
        received_at: quote.received_at.map(timestamp),
        taken: quote.taken.into_iter().collect(),
        others: (!quote.others.is_empty()).then(|| engine::Others {
            by_group: quote.others.by_group.into_iter().collect(),
            in_order: quote.others.in_order,
            later_by_group: quote.others.later_by_group.into_iter().collect(),
            later_in_order: quote.others.later_in_order,
        }),
    }
}

pub fn refund_quote(quote: RefundQuote, currency: Currency) -> engine::RefundQuote {
    let part = |part: domain::RefundPart| engine::RefundPart {
        rows: part.rows,
        refund: Some(sum(part.refund, currency)),
        kept: Some(sum(part.kept, currency)),
        method: words::of_refund_method(part.method),
        rule: part.rule,
        article: part.article,
        text: Some(text(part.text)),
    };
    engine::RefundQuote {
        refund: Some(sum(quote.refund, currency)),
        kept: Some(sum(quote.kept, currency)),
        method: words::of_refund_method(quote.method),
        rule: quote.rule,
        article: quote.article,
        text: Some(text(quote.text)),
        parts: quote.parts.into_iter().map(part).collect(),
    }
}

pub fn bye(bye: ByeRequest) -> engine::ByeRequest {
    engine::ByeRequest {
        round: bye.round,
        points: words::of_points(bye.points),
    }
}

pub fn bye_answer(answer: ByeAnswer) -> engine::ByeAnswer {
    engine::ByeAnswer {
        allowed: answer.allowed,
        reasons: reasons(answer.reasons)
            .into_iter()
            .map(|reason| engine::Reason {
                field: names::field(&reason.field),
                ..reason
            })
            .collect(),
        unpaired: answer.unpaired,
    }
}

fn sex(sex: Sex) -> i32 {
    let out = match sex {
        Sex::Male => engine::Sex::Male,
        Sex::Female => engine::Sex::Female,
    };
    out.into()
}

fn title(title: Title) -> i32 {
    let out = match title {
        Title::Gm => engine::Title::Gm,
        Title::Im => engine::Title::Im,
        Title::Fm => engine::Title::Fm,
        Title::Cm => engine::Title::Cm,
        Title::Wgm => engine::Title::Wgm,
        Title::Wim => engine::Title::Wim,
        Title::Wfm => engine::Title::Wfm,
        Title::Wcm => engine::Title::Wcm,
    };
    out.into()
}

fn level(level: Level) -> i32 {
    let out = match level {
        Level::Initial => engine::Level::Initial,
        Level::Primary => engine::Level::Primary,
        Level::Secondary => engine::Level::Secondary,
    };
    out.into()
}

fn grades(entrant: &Entrant, eyes: Eyes) -> Vec<engine::FactGrade> {
    let seen = |known: &Grade| match known {
        Grade::Checked { .. } if eyes == Eyes::Payer => Grade::Checked { by: String::new() },
        known => known.clone(),
    };
    let named = entrant.grades().iter();
    named
        .map(|(fact, known)| engine::FactGrade {
            fact: words::of_fact(*fact),
            grade: Some(grade(seen(known))),
        })
        .collect()
}

pub fn entrant(entrant: Entrant, eyes: Eyes) -> engine::Entrant {
    let grades = grades(&entrant, eyes);
    let who = match entrant {
        Entrant::Player(one) => engine::entrant::Who::Entrant(player(one, grades)),
        Entrant::Team(one) => engine::entrant::Who::Team(team(one, grades)),
    };
    engine::Entrant { who: Some(who) }
}

fn player(player: Player, grades: Vec<engine::FactGrade>) -> engine::Player {
    engine::Player {
        name: player.name,
        fide_id: player.fide_id,
        sex: sex(player.sex),
        birth_date: player.birth_date.to_string(),
        federation: player.federation.to_string(),
        title: player.title.map(title).unwrap_or_default(),
        rating: player.rating.map(u32::from),
        licences: player.licences.iter().map(ToString::to_string).collect(),
        disability: player.disability,
        invited: player.invited,
        previous_participant: player.previous_participant,
        agreed_price: player.agreed_price.map(money),
        club: player.club,
        answers: player.answers.0.into_iter().collect(),
        grades,
    }
}

fn team(team: Team, grades: Vec<engine::FactGrade>) -> engine::Team {
    let pupil = |pupil: domain::Pupil| engine::Pupil {
        name: pupil.name,
        sex: sex(pupil.sex),
        level: level(pupil.level),
    };
    engine::Team {
        name: team.name,
        institution: team.institution,
        coach: team.coach,
        roster: team.roster.into_iter().map(pupil).collect(),
        answers: team.answers.0.into_iter().collect(),
        grades,
    }
}
