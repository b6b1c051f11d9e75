//! Facts as text, for the quote that used them.

use domain::{Entrant, FactName, Player, Sex, Team};

use crate::conditions::FactSet;

/// The facts that an entrant of this kind has.
pub(crate) fn of_kind(entrant: &Entrant) -> FactSet {
    let facts = entrant.facts().iter();
    facts.fold(FactSet::EMPTY, |all, fact| all.union(FactSet::of(*fact)))
}

/// The value of a fact. Of a roster only its size is told, of a coach only that there is one.
pub(crate) fn value(entrant: &Entrant, fact: FactName) -> String {
    match entrant {
        Entrant::Player(player) => of_player(player, fact),
        Entrant::Team(team) => of_team(team, fact),
    }
}

fn of_player(player: &Player, fact: FactName) -> String {
    match fact {
        FactName::Sex => match player.sex {
            Sex::Male => "m".to_owned(),
            Sex::Female => "f".to_owned(),
        },
        FactName::BirthDate => player.birth_date.to_string(),
        FactName::Federation => player.federation.to_string(),
        FactName::Title => or_none(player.title),
        FactName::Rating => or_none(player.rating),
        FactName::Licences => {
            let codes: Vec<&str> = player.licences.iter().map(|code| code.as_str()).collect();
            codes.join(",")
        }
        FactName::Disability => player.disability.to_string(),
        FactName::Invited => player.invited.to_string(),
        FactName::PreviousParticipant => player.previous_participant.to_string(),
        FactName::AgreedPrice => or_none(player.agreed_price),
        FactName::Club => or_none(player.club.as_deref()),
        FactName::Answers => player.answers.to_string(),
        FactName::Institution | FactName::Coach | FactName::Roster => String::new(),
    }
}

fn of_team(team: &Team, fact: FactName) -> String {
    match fact {
        FactName::Institution => team.institution.clone(),
        FactName::Coach => team.coach.is_some().to_string(),
        FactName::Roster => team.roster.len().to_string(),
        FactName::Answers => team.answers.to_string(),
        _ => String::new(),
    }
}

fn or_none(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}
