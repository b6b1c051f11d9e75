//! Who enters, with how sure each fact is.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Answers, Entrant, FactName, Federation, Grade, Level, Licence, Player, Pupil, Sex, Team, Title,
};
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::money::MoneyOut;

/// Whose eyes an answer is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// The payer: no label of a code, no name of a key.
    Payer,
    /// Somebody of the organiser.
    Staff,
}

/// How sure a fact is.
#[derive(Debug, Serialize, ToSchema)]
pub struct GradeOut {
    /// `declared`, `listed` or `checked`.
    pub grade: &'static str,
    /// Which list, where it is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Which period of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// Who checked it; shown to staff only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl GradeOut {
    pub(in crate::rest) fn of(grade: Grade, eyes: Eyes) -> Self {
        let bare = |grade| GradeOut {
            grade,
            list: None,
            period: None,
            by: None,
        };
        match grade {
            Grade::Declared => bare("declared"),
            Grade::Listed { list, period } => GradeOut {
                list: Some(list),
                period: Some(period),
                ..bare("listed")
            },
            Grade::Checked { by } => GradeOut {
                by: Some(by).filter(|_| eyes == Eyes::Staff),
                ..bare("checked")
            },
        }
    }
}

type Grades = BTreeMap<&'static str, GradeOut>;

fn grades(grades: BTreeMap<FactName, Grade>, eyes: Eyes) -> Grades {
    grades
        .into_iter()
        .map(|(fact, grade)| (fact.as_str(), GradeOut::of(grade, eyes)))
        .collect()
}

/// One person who plays for himself or herself.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerOut {
    /// Family name and given name.
    pub name: Option<String>,
    /// The FIDE identity number.
    pub fide_id: Option<u32>,
    /// `m` or `f`.
    #[schema(value_type = String)]
    pub sex: Sex,
    /// Day of birth.
    #[schema(value_type = String, format = Date)]
    pub birth_date: Date,
    /// The flag at FIDE.
    #[schema(value_type = String)]
    pub federation: Federation,
    /// The highest FIDE title.
    #[schema(value_type = Option<String>)]
    pub title: Option<Title>,
    /// FIDE standard rating.
    pub rating: Option<u16>,
    /// Licences in force.
    #[schema(value_type = Vec<String>)]
    pub licences: BTreeSet<Licence>,
    /// A recognised disability.
    pub disability: bool,
    /// Invited by the organiser.
    pub invited: bool,
    /// Played an earlier edition.
    pub previous_participant: bool,
    /// A price agreed with the organiser.
    pub agreed_price: Option<MoneyOut>,
    /// The club.
    pub club: Option<String>,
    /// Answers to the organiser's own questions, as text.
    #[schema(value_type = BTreeMap<String, String>)]
    pub answers: Answers,
    /// Facts that are more than declared, by their names.
    #[schema(value_type = BTreeMap<String, GradeOut>)]
    pub grades: Grades,
}

impl PlayerOut {
    fn of(player: Player, eyes: Eyes) -> Self {
        PlayerOut {
            name: player.name,
            fide_id: player.fide_id,
            sex: player.sex,
            birth_date: player.birth_date,
            federation: player.federation,
            title: player.title,
            rating: player.rating,
            licences: player.licences,
            disability: player.disability,
            invited: player.invited,
            previous_participant: player.previous_participant,
            agreed_price: player.agreed_price.map(MoneyOut::from),
            club: player.club,
            answers: player.answers,
            grades: grades(player.grades, eyes),
        }
    }
}

/// One member of a team's roster.
#[derive(Debug, Serialize, ToSchema)]
pub struct PupilOut {
    /// Family name and given name.
    pub name: String,
    /// `m` or `f`.
    #[schema(value_type = String)]
    pub sex: Sex,
    /// `initial`, `primary` or `secondary`.
    #[schema(value_type = String)]
    pub level: Level,
}

impl From<Pupil> for PupilOut {
    fn from(pupil: Pupil) -> Self {
        PupilOut {
            name: pupil.name,
            sex: pupil.sex,
            level: pupil.level,
        }
    }
}

/// A team with its roster and coach.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamOut {
    /// What the team calls itself.
    pub name: String,
    /// The school or club it plays for.
    pub institution: String,
    /// Coach or delegate.
    pub coach: Option<String>,
    /// The players in the order of their boards.
    pub roster: Vec<PupilOut>,
    /// Answers to the organiser's own questions, as text.
    #[schema(value_type = BTreeMap<String, String>)]
    pub answers: Answers,
    /// Facts that are more than declared, by their names.
    #[schema(value_type = BTreeMap<String, GradeOut>)]
    pub grades: Grades,
}

impl TeamOut {
    fn of(team: Team, eyes: Eyes) -> Self {
        TeamOut {
            name: team.name,
            institution: team.institution,
            coach: team.coach,
            roster: team.roster.into_iter().map(PupilOut::from).collect(),
            answers: team.answers,
            grades: grades(team.grades, eyes),
        }
    }
}

/// A player or a team, whichever it is.
pub(super) fn either(entrant: Option<Entrant>, eyes: Eyes) -> (Option<PlayerOut>, Option<TeamOut>) {
    match entrant {
        Some(Entrant::Player(player)) => (Some(PlayerOut::of(player, eyes)), None),
        Some(Entrant::Team(team)) => (None, Some(TeamOut::of(team, eyes))),
        None => (None, None),
    }
}
