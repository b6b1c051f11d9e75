//! Who enters: players and teams, each with the facts that a rule may ask about.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    Answers, FactName, Federation, Grade, IdError, Level, Licence, Money, Sex, Title, fold_name,
};

/// One person who plays for himself or herself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Family name and given name; a quote needs none, an order does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The FIDE identity number, up to nine digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u32>,
    /// As FIDE's list has it.
    pub sex: Sex,
    /// Day of birth.
    pub birth_date: Date,
    /// The flag at FIDE.
    pub federation: Federation,
    /// The highest FIDE title, if any.
    #[serde(default)]
    pub title: Option<Title>,
    /// FIDE standard rating of the list in force; none for an unrated player.
    #[serde(default)]
    pub rating: Option<u16>,
    /// Licences in force.
    #[serde(default)]
    pub licences: BTreeSet<Licence>,
    /// A recognised disability.
    #[serde(default)]
    pub disability: bool,
    /// Invited by the organiser; never taken from the entrant's own word.
    #[serde(default)]
    pub invited: bool,
    /// Played an earlier edition.
    #[serde(default)]
    pub previous_participant: bool,
    /// A price agreed with the organiser, in minor units; never taken from the entrant's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed_price: Option<Money>,
    /// The club.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
    /// Answers to the organiser's own questions.
    #[serde(default, skip_serializing_if = "Answers::is_empty")]
    pub answers: Answers,
    /// Facts that are more than declared; a fact not named here is declared.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grades: BTreeMap<FactName, Grade>,
}

/// One member of a team's roster; the order of the roster is the order of the boards.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pupil {
    /// Family name and given name.
    pub name: String,
    /// As the school has it.
    pub sex: Sex,
    /// What he or she attends.
    pub level: Level,
}

/// A team with its roster and coach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// What the team calls itself (`A`).
    pub name: String,
    /// The school or club it plays for.
    pub institution: String,
    /// Coach or delegate.
    #[serde(default)]
    pub coach: Option<String>,
    /// The players in the order of their boards.
    pub roster: Vec<Pupil>,
    /// Answers to the organiser's own questions.
    #[serde(default, skip_serializing_if = "Answers::is_empty")]
    pub answers: Answers,
    /// Facts that are more than declared.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grades: BTreeMap<FactName, Grade>,
}

/// Who enters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Entrant {
    /// One player.
    #[serde(rename = "entrant")]
    Player(Player),
    /// A team.
    #[serde(rename = "team")]
    Team(Team),
}

impl Player {
    /// Who this is by the folded name with birth and federation, whatever the FIDE number says; none where there is no name.
    #[must_use]
    pub fn known_by_name(&self) -> Option<String> {
        let name = fold_name(self.name.as_deref()?);
        Some(format!(
            "name:{name}|{}|{}",
            self.birth_date, self.federation
        ))
    }
}

impl Entrant {
    /// The facts that an entrant of this kind has.
    #[must_use]
    pub fn facts(&self) -> &'static [FactName] {
        use FactName as F;
        match self {
            Entrant::Player(_) => &[
                F::Sex,
                F::BirthDate,
                F::Federation,
                F::Title,
                F::Rating,
                F::Licences,
                F::Disability,
                F::Invited,
                F::PreviousParticipant,
                F::AgreedPrice,
                F::Club,
                F::Answers,
            ],
            Entrant::Team(_) => &[F::Institution, F::Coach, F::Roster, F::Answers],
        }
    }

    /// How sure one fact is.
    #[must_use]
    pub fn grade(&self, fact: FactName) -> &Grade {
        const DECLARED: &Grade = &Grade::Declared;
        self.grades().get(&fact).unwrap_or(DECLARED)
    }

    /// The facts that are more than declared.
    #[must_use]
    pub fn grades(&self) -> &BTreeMap<FactName, Grade> {
        match self {
            Entrant::Player(player) => &player.grades,
            Entrant::Team(team) => &team.grades,
        }
    }

    /// The same, to set one.
    pub fn grades_mut(&mut self) -> &mut BTreeMap<FactName, Grade> {
        match self {
            Entrant::Player(player) => &mut player.grades,
            Entrant::Team(team) => &mut team.grades,
        }
    }

    /// Sets a fact of a player to a value that staff found; with none, as if the fact were not there.
    ///
    /// # Errors
    /// [`IdError`] where the value is not one that the fact can have, or the fact cannot be missing.
    pub fn correct(&mut self, fact: FactName, value: Option<&str>) -> Result<(), IdError> {
        let refuse = || IdError {
            kind: fact.as_str(),
            text: value.unwrap_or_default().chars().take(40).collect(),
        };
        let Entrant::Player(player) = self else {
            return Err(refuse());
        };
        let yes = || match value {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(refuse()),
        };
        match fact {
            FactName::Title => player.title = value.map(str::parse).transpose()?,
            FactName::Rating => {
                player.rating = value.map(str::parse).transpose().map_err(|_| refuse())?
            }
            FactName::BirthDate => {
                player.birth_date = value.and_then(|v| v.parse().ok()).ok_or_else(refuse)?;
            }
            FactName::Federation => player.federation = value.ok_or_else(refuse)?.parse()?,
            FactName::Licences => {
                let codes = value
                    .unwrap_or_default()
                    .split(',')
                    .filter(|c| !c.is_empty());
                player.licences = codes.map(str::parse).collect::<Result<_, _>>()?;
            }
            FactName::Disability => player.disability = yes()?,
            FactName::Invited => player.invited = yes()?,
            FactName::PreviousParticipant => player.previous_participant = yes()?,
            FactName::Sex => {
                player.sex = match value {
                    Some("m") => Sex::Male,
                    Some("f") => Sex::Female,
                    _ => return Err(refuse()),
                }
            }
            FactName::Club => player.club = value.map(str::to_owned),
            FactName::Answers => player.answers = value.unwrap_or_default().parse()?,
            _ => return Err(refuse()),
        }
        Ok(())
    }

    /// Takes the value of one of a player's facts from another; a team's facts cannot be corrected, so they stay.
    pub fn take_fact(&mut self, fact: FactName, from: &Entrant) {
        let (Entrant::Player(to), Entrant::Player(from)) = (self, from) else {
            return;
        };
        match fact {
            FactName::Sex => to.sex = from.sex,
            FactName::BirthDate => to.birth_date = from.birth_date,
            FactName::Federation => to.federation.clone_from(&from.federation),
            FactName::Title => to.title = from.title,
            FactName::Rating => to.rating = from.rating,
            FactName::Licences => to.licences.clone_from(&from.licences),
            FactName::Disability => to.disability = from.disability,
            FactName::Invited => to.invited = from.invited,
            FactName::PreviousParticipant => to.previous_participant = from.previous_participant,
            FactName::AgreedPrice => to.agreed_price = from.agreed_price,
            FactName::Club => to.club.clone_from(&from.club),
            FactName::Answers => to.answers.clone_from(&from.answers),
            FactName::Institution | FactName::Coach | FactName::Roster => {}
        }
    }

    /// The answers to the organiser's own questions.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        match self {
            Entrant::Player(player) => &player.answers,
            Entrant::Team(team) => &team.answers,
        }
    }

    /// What a list or a mail calls the entrant; empty where a quote gave no name.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Entrant::Player(player) => player.name.clone().unwrap_or_default(),
            Entrant::Team(team) => format!("{} ({})", team.name, team.institution),
        }
    }

    /// Who this is, for *the same player twice*: the FIDE number where given, else the folded name with birth and
    /// federation; for a team its folded institution and name. `None` where there is no name to tell by.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        match self {
            Entrant::Player(Player {
                fide_id: Some(id), ..
            }) => Some(format!("fide:{id}")),
            Entrant::Player(player) => player.known_by_name(),
            Entrant::Team(team) => Some(format!(
                "team:{}|{}",
                fold_name(&team.institution),
                fold_name(&team.name)
            )),
        }
    }
}
