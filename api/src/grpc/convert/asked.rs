//! What comes in: protobuf messages into the plain structs that both doors read.

use std::collections::{BTreeMap, HashMap};

use domain::Answers;
use prost_types::Timestamp;
use proto::{registration::v1 as desk, rules::v1 as engine};

use super::words;
use crate::wire::{
    ByeIn, EntryIn, GradeIn, MoneyIn, OpenPaymentIn, OthersIn, PayerIn, PlayerIn, PupilIn, QuoteIn,
    RefundQuoteIn, RegisterIn, SlipIn, StandingIn, TeamIn,
};

/// An instant as text; one out of range becomes a text that is no instant.
pub fn instant(timestamp: Timestamp) -> String {
    jiff::Timestamp::new(timestamp.seconds, timestamp.nanos)
        .ok()
        .filter(|_| (0..1_000_000_000).contains(&timestamp.nanos))
        .map_or_else(|| format!("{}s", timestamp.seconds), |t| t.to_string())
}

pub fn money(money: engine::Money) -> MoneyIn {
    MoneyIn {
        amount: money.amount,
        currency: money.currency,
    }
}

fn grades(named: Vec<engine::FactGrade>) -> BTreeMap<String, GradeIn> {
    let grade = |grade: Option<engine::Grade>| match grade.and_then(|g| g.grade) {
        None | Some(engine::grade::Grade::Declared(_)) => GradeIn::Declared,
        Some(engine::grade::Grade::Listed(listed)) => GradeIn::Listed {
            list: listed.list,
            period: listed.period,
        },
        Some(engine::grade::Grade::Checked(checked)) => GradeIn::Checked { by: checked.by },
    };
    named
        .into_iter()
        .map(|one| {
            let fact = words::fact(one.fact);
            (
                fact.unwrap_or_else(|| "unspecified".to_owned()),
                grade(one.grade),
            )
        })
        .collect()
}

fn answers(given: HashMap<String, String>) -> Answers {
    Answers(given.into_iter().collect())
}

pub fn player(player: engine::Player) -> PlayerIn {
    PlayerIn {
        name: player.name,
        fide_id: player.fide_id.map(i64::from),
        sex: words::sex(player.sex),
        birth_date: Some(player.birth_date),
        federation: Some(player.federation),
        title: words::title(player.title),
        rating: player.rating.map(i64::from),
        licences: player.licences,
        disability: player.disability,
        invited: player.invited,
        previous_participant: player.previous_participant,
        agreed_price: player.agreed_price.map(money),
        club: player.club,
        answers: answers(player.answers),
        grades: grades(player.grades),
    }
}

pub fn team(team: engine::Team) -> TeamIn {
    let pupil = |pupil: engine::Pupil| PupilIn {
        name: pupil.name,
        sex: words::sex(pupil.sex),
        level: words::level(pupil.level),
    };
    TeamIn {
        name: team.name,
        institution: team.institution,
        coach: team.coach,
        roster: team.roster.into_iter().map(pupil).collect(),
        answers: answers(team.answers),
        grades: grades(team.grades),
    }
}

pub fn entrant(entrant: engine::Entrant) -> (Option<PlayerIn>, Option<TeamIn>) {
    match entrant.who {
        Some(engine::entrant::Who::Entrant(one)) => (Some(player(one)), None),
        Some(engine::entrant::Who::Team(one)) => (None, Some(team(one))),
        None => (None, None),
    }
}

pub fn entry(entry: engine::EntryRequest) -> EntryIn {
    let (entrant, team) = match entry.who {
        Some(engine::entry_request::Who::Entrant(one)) => (Some(player(one)), None),
        Some(engine::entry_request::Who::Team(one)) => (None, Some(team(one))),
        None => (None, None),
    };
    EntryIn {
        section: entry.section,
        entrant,
        team,
        code: None,
    }
}

/// The entries of a question, with the codes that some bring, by their places.
fn entries(asked: Vec<engine::EntryRequest>, mut codes: HashMap<u32, String>) -> Vec<EntryIn> {
    let with_code = |(place, asked)| EntryIn {
        code: codes.remove(&place),
        ..entry(asked)
    };
    (0..).zip(asked).map(with_code).collect()
}

fn standing(standing: engine::Standing) -> StandingIn {
    let (entrant, team) = standing.entrant.map(entrant).unwrap_or_default();
    StandingIn {
        entry: standing.entry,
        section: standing.section,
        entrant,
        team,
        price: standing.price.map(money),
        promotions: standing.promotions,
    }
}

pub fn quote(asked: engine::QuoteRequest) -> QuoteIn {
    QuoteIn {
        at: asked.at.map(instant),
        paid_at: asked.paid_at.map(instant),
        received_at: asked.received_at.map(instant),
        currency: asked.currency,
        entries: entries(asked.entries, asked.codes),
        standing: asked.standing.into_iter().map(standing).collect(),
        taken: asked.taken.into_iter().collect(),
        others: asked.others.map(|others| OthersIn {
            by_group: others.by_group.into_iter().collect(),
            in_order: others.in_order,
            later_by_group: others.later_by_group.into_iter().collect(),
            later_in_order: others.later_in_order,
        }),
    }
}

/// A check of eligibility asks what a quote does, of the form alone.
pub fn eligibility(asked: engine::CheckEligibilityRequest) -> QuoteIn {
    QuoteIn {
        at: asked.at.map(instant),
        currency: asked.currency,
        entries: entries(asked.entries, asked.codes),
        standing: asked.standing.into_iter().map(standing).collect(),
        ..QuoteIn::default()
    }
}

pub fn refund_quote(asked: engine::QuoteRefundRequest) -> RefundQuoteIn {
    RefundQuoteIn {
        paid: asked.paid.map(money),
        requested_at: asked.requested_at.map(instant),
        cause: words::refund_cause(asked.cause),
        approved: asked.approved,
        section: asked.section,
        rows: asked.rows.into_iter().collect(),
        credit: asked.credit,
        proof: asked.proof,
    }
}

pub fn byes(byes: Vec<engine::ByeRequest>) -> Vec<ByeIn> {
    let bye = |bye: engine::ByeRequest| ByeIn {
        round: bye.round.into(),
        points: words::points(bye.points),
    };
    byes.into_iter().map(bye).collect()
}

pub fn slip(method: i32, slip: desk::Slip) -> SlipIn {
    SlipIn {
        method: words::payment_kind(method),
        number: slip.number,
        date: Some(slip.date),
        amount: slip.amount.map(money),
    }
}

pub fn register(asked: desk::RegisterRequest) -> RegisterIn {
    let payer = asked.payer.unwrap_or_default();
    let new_entry = |new: desk::NewEntry| {
        let entry = new.entry.map(entry).unwrap_or_default();
        EntryIn {
            code: new.code,
            ..entry
        }
    };
    RegisterIn {
        payer: PayerIn {
            name: payer.name,
            email: payer.email,
            address: payer.address,
            language: words::language(payer.language),
            consents: asked.consents,
        },
        entries: asked.entries.into_iter().map(new_entry).collect(),
        currency: asked.currency,
        slip: asked.slip.map(|one| slip(0, one)),
        expected_total: asked.expected_total.map(money),
    }
}

pub fn open_payment(asked: desk::OpenPaymentRequest) -> OpenPaymentIn {
    OpenPaymentIn {
        method: words::payment_kind(asked.method),
        expected: asked.expected.map(money),
        return_url: asked.return_url,
    }
}
