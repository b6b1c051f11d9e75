//! Who enters, as a request says it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use domain::{Answers, Currency, Entrant, Level, Money, Player, Pupil, Sex, Team, Title};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::faults::{At, Faults, Rule};
use super::grades::{GradeIn, Word, grades};

/// A sum of money.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoneyIn {
    /// Minor units of `currency` (6000 EUR is sixty euros).
    pub amount: i64,
    /// ISO 4217 code, three capitals.
    pub currency: String,
}

impl MoneyIn {
    /// The sum.
    pub fn read(&self, path: impl Display, faults: &mut Faults) -> Option<Money> {
        let field = format_args!("{path}.currency");
        let code = Some(self.currency.as_str());
        let currency: Currency = faults.required_parsed(field, code, Rule::NotACurrency)?;
        Some(Money::new(self.amount, currency))
    }
}

/// One person who plays for himself or herself.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerIn {
    /// Family name and given name; a quote needs none, an order does.
    pub name: Option<String>,
    /// The FIDE identity number, up to nine digits.
    pub fide_id: Option<i64>,
    /// `m` or `f`, as FIDE's list has it.
    pub sex: Option<String>,
    /// Day of birth, `YYYY-MM-DD`.
    pub birth_date: Option<String>,
    /// The flag at FIDE: its code, three capitals (`ESP`).
    pub federation: Option<String>,
    /// The highest FIDE title (`GM`, `IM`, `FM`, `CM`, `WGM`, `WIM`, `WFM`, `WCM`), if any.
    pub title: Option<String>,
    /// FIDE standard rating of the list in force; none for an unrated player.
    pub rating: Option<i64>,
    /// Licences in force, each by the code of who issues it (`FIDE`, `FEDA`, `FCE`).
    #[serde(default)]
    pub licences: Vec<String>,
    /// A recognised disability.
    #[serde(default)]
    pub disability: bool,
    /// Invited by the organiser; counts only where it is checked.
    #[serde(default)]
    pub invited: bool,
    /// Played an earlier edition.
    #[serde(default)]
    pub previous_participant: bool,
    /// A price agreed with the organiser; counts only where it is checked.
    pub agreed_price: Option<MoneyIn>,
    /// The club.
    pub club: Option<String>,
    /// Answers to the organiser's own questions, by the question: `true`, `false`, a whole number or a choice.
    #[schema(value_type = BTreeMap<String, Value>, example = json!({"member": true, "editions": 5}))]
    #[serde(default)]
    pub answers: Answers,
    /// Facts that are more than declared, by their names. Needs a key with the role rules.
    #[schema(example = json!({"title": "declared", "rating": {"listed": {"list": "fide-standard", "period": "2026-07"}}, "birth_date": {"checked": {"by": "desk"}}}))]
    #[serde(default)]
    pub grades: BTreeMap<String, GradeIn>,
}

impl PlayerIn {
    /// The player.
    pub fn read(self, path: &dyn Display, word: Word, faults: &mut Faults) -> Option<Player> {
        let at = |field| At { path, field };
        let name = faults.name(at("name"), self.name);
        let fide_id = number(faults, at("fide_id"), self.fide_id, 1, 999_999_999);
        let sex = sex(faults, at("sex"), self.sex.as_deref());
        let birth_date = self.birth_date.filter(|d| !d.is_empty());
        let birth_date = faults.required(at("birth_date"), birth_date);
        let birth_date = birth_date.and_then(|text| faults.date(at("birth_date"), &text));
        let federation =
            faults.required_parsed(at("federation"), self.federation.as_deref(), Rule::NotACode);
        let title = self
            .title
            .as_deref()
            .and_then(|text| faults.parsed::<Title>(at("title"), text, Rule::UnknownValue));
        let rating = number(faults, at("rating"), self.rating, 1, 4_000);
        let licences = licences(faults, at("licences"), &self.licences);
        let agreed_price = self
            .agreed_price
            .and_then(|price| price.read(at("agreed_price"), faults));
        let club = faults.name(at("club"), self.club);
        let grades = grades(faults, at("grades"), self.grades, word);
        Some(Player {
            name,
            fide_id: fide_id.and_then(|n| u32::try_from(n).ok()),
            sex: sex?,
            birth_date: birth_date?,
            federation: federation?,
            title,
            rating: rating.and_then(|n| u16::try_from(n).ok()),
            licences,
            disability: self.disability,
            invited: self.invited,
            previous_participant: self.previous_participant,
            agreed_price,
            club,
            answers: self.answers,
            grades,
        })
    }
}

/// One member of a team's roster.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PupilIn {
    /// Family name and given name.
    #[serde(default)]
    pub name: String,
    /// `m` or `f`, as the school has it.
    pub sex: Option<String>,
    /// `initial`, `primary` or `secondary`.
    pub level: Option<String>,
}

impl PupilIn {
    fn read(self, path: &dyn Display, faults: &mut Faults) -> Option<Pupil> {
        let at = |field| At { path, field };
        let sex = sex(faults, at("sex"), self.sex.as_deref());
        let level = faults.required(at("level"), self.level.filter(|l| !l.is_empty()));
        let level = level.and_then(|word| match word.as_str() {
            "initial" => Some(Level::Initial),
            "primary" => Some(Level::Primary),
            "secondary" => Some(Level::Secondary),
            _ => {
                faults.add(at("level"), Rule::UnknownValue);
                None
            }
        });
        Some(Pupil {
            name: faults.name(at("name"), Some(self.name)).unwrap_or_default(),
            sex: sex?,
            level: level?,
        })
    }
}

/// A team with its roster and coach.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamIn {
    /// What the team calls itself (`A`).
    #[serde(default)]
    pub name: String,
    /// The school or club it plays for.
    #[serde(default)]
    pub institution: String,
    /// Coach or delegate.
    pub coach: Option<String>,
    /// The players in the order of their boards.
    #[serde(default)]
    pub roster: Vec<PupilIn>,
    /// Answers to the organiser's own questions, by the question: `true`, `false`, a whole number or a choice.
    #[schema(value_type = BTreeMap<String, Value>, example = json!({"member": true, "editions": 5}))]
    #[serde(default)]
    pub answers: Answers,
    /// Facts that are more than declared, by their names. Needs a key with the role rules.
    #[schema(example = json!({"title": "declared", "rating": {"listed": {"list": "fide-standard", "period": "2026-07"}}, "birth_date": {"checked": {"by": "desk"}}}))]
    #[serde(default)]
    pub grades: BTreeMap<String, GradeIn>,
}

impl TeamIn {
    /// The team.
    pub fn read(self, path: &dyn Display, word: Word, faults: &mut Faults) -> Team {
        let at = |field| At { path, field };
        let name = faults.name(at("name"), Some(self.name));
        let institution = faults.name(at("institution"), Some(self.institution));
        let coach = faults.name(at("coach"), self.coach);
        let roster: Vec<Pupil> = self
            .roster
            .into_iter()
            .enumerate()
            .filter_map(|(place, pupil)| {
                pupil.read(&format_args!("{path}.roster[{place}]"), faults)
            })
            .collect();
        let grades = grades(faults, at("grades"), self.grades, word);
        Team {
            name: name.unwrap_or_default(),
            institution: institution.unwrap_or_default(),
            coach,
            roster,
            answers: self.answers,
            grades,
        }
    }
}

/// Who enters: one of the two.
pub fn read_entrant(
    player: Option<PlayerIn>,
    team: Option<TeamIn>,
    path: &dyn Display,
    word: Word,
    faults: &mut Faults,
) -> Option<Entrant> {
    match (player, team) {
        (Some(player), None) => player
            .read(&format_args!("{path}.entrant"), word, faults)
            .map(Entrant::Player),
        (None, Some(team)) => {
            let team = team.read(&format_args!("{path}.team"), word, faults);
            Some(Entrant::Team(team))
        }
        (None, None) => {
            faults.add(format_args!("{path}.entrant"), Rule::Required);
            None
        }
        (Some(_), Some(_)) => {
            faults.add(format_args!("{path}.entrant"), Rule::OneOfTwo);
            None
        }
    }
}

fn sex(faults: &mut Faults, field: At<'_>, word: Option<&str>) -> Option<Sex> {
    match faults.required(field, word.filter(|w| !w.is_empty()))? {
        "m" => Some(Sex::Male),
        "f" => Some(Sex::Female),
        _ => {
            faults.add(field, Rule::UnknownValue);
            None
        }
    }
}

fn number(
    faults: &mut Faults,
    field: At<'_>,
    value: Option<i64>,
    least: i64,
    most: i64,
) -> Option<i64> {
    let value = value?;
    if (least..=most).contains(&value) {
        return Some(value);
    }
    faults.add(field, Rule::OutOfRange);
    None
}

fn licences(faults: &mut Faults, field: At<'_>, codes: &[String]) -> BTreeSet<domain::Licence> {
    codes
        .iter()
        .enumerate()
        .filter_map(|(place, code)| {
            faults.parsed(format_args!("{field}[{place}]"), code, Rule::NotACode)
        })
        .collect()
}
