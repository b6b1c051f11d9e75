//! Entrants as the gRPC contract writes them.

use domain::{Entrant, FactName, Grade, Level, Player, Sex, Team, Title};
use proto::registration::v1::NewEntry;
use proto::rules::v1 as rules;
use rules::entry_request::Who;

use super::Asked;

pub(super) fn new_entry(asked: &Asked) -> NewEntry {
    NewEntry {
        entry: Some(request(asked)),
        code: asked.code.clone(),
    }
}

pub(super) fn request(asked: &Asked) -> rules::EntryRequest {
    rules::EntryRequest {
        section: asked.section.map(str::to_owned),
        who: Some(match &asked.who {
            Entrant::Player(player) => Who::Entrant(of_player(player)),
            Entrant::Team(team) => Who::Team(of_team(team)),
        }),
    }
}

fn of_player(player: &Player) -> rules::Player {
    rules::Player {
        name: player.name.clone(),
        fide_id: player.fide_id,
        sex: sex(player.sex),
        birth_date: player.birth_date.to_string(),
        federation: player.federation.to_string(),
        title: player.title.map_or(0, title),
        rating: player.rating.map(u32::from),
        licences: player.licences.iter().map(ToString::to_string).collect(),
        disability: player.disability,
        invited: player.invited,
        previous_participant: player.previous_participant,
        agreed_price: None,
        club: player.club.clone(),
        answers: player.answers.0.clone().into_iter().collect(),
        grades: player
            .grades
            .iter()
            .map(|(fact, grade)| graded(*fact, grade))
            .collect(),
    }
}

fn of_team(team: &Team) -> rules::Team {
    rules::Team {
        name: team.name.clone(),
        institution: team.institution.clone(),
        coach: team.coach.clone(),
        roster: team
            .roster
            .iter()
            .map(|pupil| rules::Pupil {
                name: pupil.name.clone(),
                sex: sex(pupil.sex),
                level: match pupil.level {
                    Level::Initial => rules::Level::Initial,
                    Level::Primary => rules::Level::Primary,
                    Level::Secondary => rules::Level::Secondary,
                }
                .into(),
            })
            .collect(),
        answers: team.answers.0.clone().into_iter().collect(),
        grades: team
            .grades
            .iter()
            .map(|(fact, grade)| graded(*fact, grade))
            .collect(),
    }
}

fn sex(sex: Sex) -> i32 {
    match sex {
        Sex::Male => rules::Sex::Male,
        Sex::Female => rules::Sex::Female,
    }
    .into()
}

fn title(title: Title) -> i32 {
    rules::Title::from_str_name(&format!("TITLE_{title}"))
        .unwrap_or_default()
        .into()
}

pub(super) fn fact(fact: FactName) -> i32 {
    let name = format!("FACT_NAME_{}", fact.as_str().to_uppercase());
    rules::FactName::from_str_name(&name)
        .unwrap_or_default()
        .into()
}

fn graded(name: FactName, grade: &Grade) -> rules::FactGrade {
    use rules::grade::{Checked, Declared, Grade as Of, Listed};
    let grade = match grade.clone() {
        Grade::Declared => Of::Declared(Declared {}),
        Grade::Listed { list, period } => Of::Listed(Listed { list, period }),
        Grade::Checked { by } => Of::Checked(Checked { by }),
    };
    rules::FactGrade {
        fact: fact(name),
        grade: Some(rules::Grade { grade: Some(grade) }),
    }
}
