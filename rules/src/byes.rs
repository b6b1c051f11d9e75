//! Byes: whether an entrant may ask for them. The arbiter still decides.

use domain::{ByeAnswer, ByeRequest, Reason, SectionId};

use crate::clauses::ByeClause;
use crate::regulation::Regulation;
use crate::sentences;

/// Whether an entrant of a section may ask for these byes; those already granted are passed with the new ones.
#[must_use]
pub fn byes(regulation: &Regulation, section: &SectionId, asked: &[ByeRequest]) -> ByeAnswer {
    let clause = &regulation.byes;
    let mut reasons = Vec::new();
    let mut say = |code: &'static str, field: String| {
        reasons.push(Reason {
            code: code.to_owned(),
            field,
            article: clause.article.clone(),
            text: sentences::fixed(code),
        });
    };
    let Some(rounds) = regulation.section(section).map(|section| section.rounds) else {
        say("unknown_section", "section".to_owned());
        return ByeAnswer {
            allowed: false,
            reasons,
            unpaired: Vec::new(),
        };
    };
    for (place, bye) in asked.iter().enumerate() {
        if bye.round == 0 || bye.round > rounds {
            say("bye_round_unknown", format!("requests[{place}].round"));
            continue;
        }
        if asked[..place].iter().any(|other| other.round == bye.round) {
            say("bye_round_twice", format!("requests[{place}].round"));
        }
        if let Some((code, field)) = fault(clause, asked, place) {
            say(code, format!("requests[{place}].{field}"));
        }
    }
    ByeAnswer {
        allowed: reasons.is_empty(),
        reasons,
        unpaired: unpaired(clause, asked),
    }
}

/// What is wrong with one of the byes by the rules of its worth, and the field.
fn fault(
    clause: &ByeClause,
    asked: &[ByeRequest],
    place: usize,
) -> Option<(&'static str, &'static str)> {
    let bye = asked[place];
    let mut of_worth = clause.rules.iter().filter(|rule| rule.points == bye.points);
    if of_worth.clone().next().is_none() {
        return Some(("bye_not_offered", "points"));
    }
    let Some(rule) = of_worth.find(|rule| (rule.rounds.0..=rule.rounds.1).contains(&bye.round))
    else {
        return Some(("bye_not_in_this_round", "round"));
    };
    let so_far = asked[..=place]
        .iter()
        .filter(|other| other.points == rule.points)
        .filter(|other| (rule.rounds.0..=rule.rounds.1).contains(&other.round))
        .count();
    rule.most
        .is_some_and(|most| so_far > most as usize)
        .then_some(("too_many_byes", "points"))
}

/// Rounds that a bye leaves out besides itself.
fn unpaired(clause: &ByeClause, asked: &[ByeRequest]) -> Vec<u32> {
    let has_bye = |round: u32| asked.iter().any(|bye| bye.round == round);
    clause
        .unpaired
        .iter()
        .filter(|pair| has_bye(pair.bye_in) && !has_bye(pair.leaves_out))
        .map(|pair| pair.leaves_out)
        .collect()
}
