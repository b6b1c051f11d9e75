//! Somebody whom a finding is about, in words.

use domain::{FactName, Level, UtcTime};

use crate::Regulation;
use crate::conditions::{FactSet, View};
use crate::terms::QuestionKind;
use crate::view::{Limit, OTHER, OTHER_LICENCE, UNANSWERED, level_bit};
use crate::walk::ground::fixed;

/// The facts of the view that are known.
pub(crate) fn of(regulation: &Regulation, section: usize, view: &View) -> String {
    let mut parts = vec![format!("section {}", regulation.sections[section].id)];
    let fixed = fixed(regulation.sections[section].kind);
    for fact in view.known[0].without(fixed).names() {
        let grade = grade(view, fact);
        parts.extend(said(regulation, view, fact).map(|said| said + grade));
    }
    for (of, act, at) in [
        (FactSet::REGISTERED, "entered", view.at.registered),
        (FactSet::PAID, "paid", view.at.paid),
        (FactSet::RECEIVED, "money received", view.at.received),
    ] {
        if view.known[0].has(of) {
            parts.push(format!("{act} at {}", local(regulation, at)));
        }
    }
    if view.known[0].has(FactSet::MEMBERS) {
        parts.push(format!("{} of the group", view.members));
    }
    if view.known[0].has(FactSet::IN_ORDER) {
        parts.push(format!("{} in the order", view.in_order));
    }
    if view.known[0].has(FactSet::PLACE) {
        parts.push(format!("number {} of the group", view.place));
    }
    if view.known[0].has(FactSet::PLACE_IN_ORDER) {
        parts.push(format!("number {} in the order", view.place_in_order));
    }
    for (place, limit) in (0..).zip(&regulation.vocabulary.limits) {
        if view.known[0].has(FactSet::of_limit(place)) {
            let Limit { rule, first } = limit;
            let left = view.spent & (1 << place) == 0;
            let said = if left { "among" } else { "after" };
            parts.push(format!("{said} the first {first} of {rule}"));
        }
    }
    parts.join(", ")
}

/// What is to be said of a fact that some row asks to be known better.
fn grade(view: &View, fact: FactName) -> &'static str {
    let fact = FactSet::of(fact).both(view.known[0]);
    match (view.known[1].has(fact), view.known[2].has(fact)) {
        (false, _) => " (declared)",
        (true, false) => " (not checked)",
        (true, true) => "",
    }
}

/// A local time of the venue.
pub(super) fn local(regulation: &Regulation, at: UtcTime) -> String {
    let zoned = at.timestamp().to_zoned(regulation.time_zone.clone());
    zoned.datetime().to_string()
}

fn said(regulation: &Regulation, view: &View, fact: FactName) -> Option<String> {
    let words = &regulation.vocabulary;
    let yes_no =
        |name: &str, value: bool| Some(format!("{}{name}", if value { "" } else { "not " }));
    match fact {
        FactName::Sex => Some(format!("sex {:?}", view.sex).to_lowercase()),
        FactName::BirthDate => Some(format!("born {}", view.birth)),
        FactName::Federation => Some(match words.federations.get(usize::from(view.federation)) {
            Some(code) => format!("federation {code}"),
            None => "another federation".to_owned(),
        }),
        FactName::Title => Some(match view.title {
            Some(title) => format!("title {title}"),
            None => "no title".to_owned(),
        }),
        FactName::Rating => Some(match view.rating {
            Some(rating) => format!("rating {rating}"),
            None => "unrated".to_owned(),
        }),
        FactName::Licences => Some(licences(regulation, view.licences)),
        FactName::Disability => yes_no("disabled", view.disability),
        FactName::Invited => match words.codes.get(usize::from(view.code)) {
            Some(code) => Some(format!("with the code {code}")),
            None => yes_no("invited", view.invited),
        },
        FactName::PreviousParticipant => yes_no("of an earlier edition", view.previous),
        FactName::AgreedPrice => Some(
            view.agreed
                .map_or("no agreed price", |_| "an agreed price")
                .to_owned(),
        ),
        FactName::Club => (view.club != OTHER)
            .then(|| words.clubs.get(usize::from(view.club)))
            .flatten()
            .map(|club| format!("club {club}")),
        FactName::Answers => Some(answers(regulation, view)),
        FactName::Coach => yes_no("with a coach", view.coach),
        FactName::Roster => Some(roster(view)),
        FactName::Institution => None,
    }
}

fn roster(view: &View) -> String {
    let levels = [
        (Level::Initial, "initial"),
        (Level::Primary, "primary"),
        (Level::Secondary, "secondary"),
    ];
    let held = levels.iter();
    let held = held.filter(|(level, _)| view.levels & level_bit(*level) != 0);
    let held: Vec<&str> = held.map(|(_, name)| *name).collect();
    let of = if held.is_empty() { "" } else { " of " };
    let (players, girls, levels) = (view.players, view.girls, held.join("+"));
    format!("{players} pupils, {girls} of them girls{of}{levels}")
}

fn answers(regulation: &Regulation, view: &View) -> String {
    let known = view.known[0].questions();
    let said = known.filter_map(|place| {
        let question = regulation.vocabulary.questions.get(usize::from(place))?;
        let answer = match (&question.kind, view.answers.to(place)) {
            (QuestionKind::YesNo, 1) => "yes".to_owned(),
            (QuestionKind::YesNo, _) => "no".to_owned(),
            (_, UNANSWERED) => "no answer".to_owned(),
            (QuestionKind::Number { .. }, number) => number.to_string(),
            (QuestionKind::Choice(choices), place) => {
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                choices
                    .get(place)
                    .map_or_else(String::new, |choice| choice.id.clone())
            }
        };
        Some(format!("{}: {answer}", question.id))
    });
    said.collect::<Vec<String>>().join(", ")
}

fn licences(regulation: &Regulation, held: u64) -> String {
    let named = regulation.vocabulary.licences.iter().enumerate();
    let mut codes: Vec<&str> = named
        .filter(|(place, _)| held & (1 << place) != 0)
        .map(|(_, licence)| licence.as_str())
        .collect();
    if held & OTHER_LICENCE != 0 {
        codes.push("another");
    }
    if codes.is_empty() {
        return "no licence".to_owned();
    }
    format!("licences {}", codes.join("+"))
}
