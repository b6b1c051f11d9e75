//! Who enters in the tour. All of them are made up.

use std::collections::BTreeMap;

use domain::{Answers, Entrant, Level, Player, Pupil, Sex, Team};
use jiff::civil::date;

use super::Halt;
use crate::rehearse::door::{Asked, Payer};

const PLAYERS: &[&str] = &["bases", "images"];
const TEAMS: &[&str] = &["bases"];

/// A payer of a player's entry, who gives the consents that are asked for.
pub(super) const fn payer(
    name: &'static str,
    email: &'static str,
    language: &'static str,
) -> Payer {
    Payer {
        name,
        email,
        language,
        consents: PLAYERS,
    }
}

/// A school that pays for its teams.
pub(super) const fn school(name: &'static str, email: &'static str) -> Payer {
    Payer {
        name,
        email,
        language: "es",
        consents: TEAMS,
    }
}

/// A man with a flag, a rating and licences; born on 1 May 1990.
pub(super) fn player(
    name: &str,
    federation: &str,
    rating: u16,
    licences: &[&str],
) -> Result<Player, Halt> {
    Ok(Player {
        name: Some(name.to_owned()),
        fide_id: None,
        sex: Sex::Male,
        birth_date: date(1990, 5, 1),
        federation: federation.parse()?,
        title: None,
        rating: Some(rating),
        licences: licences
            .iter()
            .map(|code| code.parse())
            .collect::<Result<_, _>>()?,
        disability: false,
        invited: false,
        previous_participant: false,
        agreed_price: None,
        club: None,
        answers: Answers::default(),
        grades: BTreeMap::new(),
    })
}

/// One entry of a player; without a section the organiser is to place it.
pub(super) fn entry(section: Option<&'static str>, player: Player) -> Asked {
    Asked {
        section,
        who: Entrant::Player(player),
        code: None,
    }
}

/// A team of these pupils.
pub(super) fn team(
    section: &'static str,
    institution: &str,
    roster: &[(&str, Sex, Level)],
) -> Asked {
    let pupils = roster.iter().map(|(name, sex, level)| Pupil {
        name: (*name).to_owned(),
        sex: *sex,
        level: *level,
    });
    Asked {
        section: Some(section),
        who: Entrant::Team(Team {
            name: "A".to_owned(),
            institution: institution.to_owned(),
            coach: Some("Entrenadora de ejemplo".to_owned()),
            roster: pupils.collect(),
            answers: Answers::default(),
            grades: BTreeMap::new(),
        }),
        code: None,
    }
}
