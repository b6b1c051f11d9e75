//! Entrants and orders as messages, the smallest that are admitted, and those of the seed cases.

use proto::registration::v1 as desk;
use proto::rules::v1::{self as engine, entry_request::Who};
use serde_json::Value;

/// Every fact checked.
pub fn checked() -> Vec<engine::FactGrade> {
    let by = "cases".to_owned();
    let grade = engine::grade::Grade::Checked(engine::grade::Checked { by });
    (1..=14)
        .map(|fact| engine::FactGrade {
            fact,
            grade: Some(engine::Grade {
                grade: Some(grade.clone()),
            }),
        })
        .collect()
}

/// A French player of 2100 with FIDE's licence: 65 euros in Barcelona's A.
pub fn player(name: &str) -> engine::Player {
    engine::Player {
        name: Some(name.to_owned()),
        sex: engine::Sex::Male.into(),
        birth_date: "1990-05-01".to_owned(),
        federation: "FRA".to_owned(),
        rating: Some(2_100),
        licences: vec!["FIDE".to_owned()],
        ..engine::Player::default()
    }
}

/// Four pupils of primary school, one of them a girl.
pub fn team(name: &str, institution: &str) -> engine::Team {
    let pupil = |(place, sex): (usize, engine::Sex)| engine::Pupil {
        name: format!("{institution} {name} {place}"),
        sex: sex.into(),
        level: engine::Level::Primary.into(),
    };
    let sexes = [
        engine::Sex::Male,
        engine::Sex::Female,
        engine::Sex::Male,
        engine::Sex::Male,
    ];
    engine::Team {
        name: name.to_owned(),
        institution: institution.to_owned(),
        coach: Some("Coach One".to_owned()),
        roster: sexes.into_iter().enumerate().map(pupil).collect(),
        answers: Default::default(),
        grades: Vec::new(),
    }
}

pub fn entry(section: &str, player: engine::Player) -> engine::EntryRequest {
    engine::EntryRequest {
        section: Some(section.to_owned()),
        who: Some(Who::Entrant(player)),
    }
}

pub fn team_entry(section: &str, team: engine::Team) -> engine::EntryRequest {
    engine::EntryRequest {
        section: Some(section.to_owned()),
        who: Some(Who::Team(team)),
    }
}

pub fn money(amount: i64, currency: &str) -> engine::Money {
    engine::Money {
        amount,
        currency: currency.to_owned(),
    }
}

pub fn payer() -> desk::Payer {
    desk::Payer {
        name: "Payer One".to_owned(),
        email: "payer@example.org".to_owned(),
        ..desk::Payer::default()
    }
}

/// An order with every consent that the three tournaments ask for.
pub fn order(tournament: &str, entries: Vec<engine::EntryRequest>) -> desk::RegisterRequest {
    let images = tournament != super::stand::ROJAS;
    let consents = [("bases", true), ("images", images)];
    desk::RegisterRequest {
        tournament: tournament.to_owned(),
        payer: Some(payer()),
        entries: entries
            .into_iter()
            .map(|entry| desk::NewEntry {
                entry: Some(entry),
                ..desk::NewEntry::default()
            })
            .collect(),
        consents: consents
            .iter()
            .filter(|(_, asked)| *asked)
            .map(|(id, _)| (*id).to_owned())
            .collect(),
        slip: None,
        expected_total: None,
        currency: None,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn sex(value: &Value) -> i32 {
    match value.as_str() {
        Some("m") => engine::Sex::Male.into(),
        Some("f") => engine::Sex::Female.into(),
        _ => 0,
    }
}

/// An entry of a seed case, its facts checked.
pub fn of_case(case: &Value) -> engine::EntryRequest {
    let who = if let Some(team) = case.get("team") {
        let pupil = |pupil: &Value| engine::Pupil {
            name: text(&pupil["name"]),
            sex: sex(&pupil["sex"]),
            level: engine::Level::from_str_name(&format!(
                "LEVEL_{}",
                text(&pupil["level"]).to_uppercase()
            ))
            .unwrap()
            .into(),
        };
        Who::Team(engine::Team {
            name: text(&team["name"]),
            institution: text(&team["institution"]),
            coach: team["coach"].as_str().map(str::to_owned),
            roster: team["roster"]
                .as_array()
                .unwrap()
                .iter()
                .map(pupil)
                .collect(),
            answers: Default::default(),
            grades: checked(),
        })
    } else {
        let one = &case["entrant"];
        let flag = |name: &str| one[name].as_bool().unwrap_or_default();
        let title = one["title"]
            .as_str()
            .map(|title| engine::Title::from_str_name(&format!("TITLE_{title}")).unwrap());
        Who::Entrant(engine::Player {
            sex: sex(&one["sex"]),
            birth_date: text(&one["birth_date"]),
            federation: text(&one["federation"]),
            title: title.unwrap_or_default().into(),
            rating: one["rating"].as_u64().and_then(|r| u32::try_from(r).ok()),
            licences: one["licences"]
                .as_array()
                .map(|codes| codes.iter().map(text).collect())
                .unwrap_or_default(),
            disability: flag("disability"),
            invited: flag("invited"),
            previous_participant: flag("previous_participant"),
            agreed_price: one
                .get("agreed_price")
                .filter(|p| !p.is_null())
                .map(|price| {
                    money(
                        price["amount"].as_i64().unwrap(),
                        price["currency"].as_str().unwrap(),
                    )
                }),
            club: one["club"].as_str().map(str::to_owned),
            grades: checked(),
            ..engine::Player::default()
        })
    };
    engine::EntryRequest {
        section: case["section"].as_str().map(str::to_owned),
        who: Some(who),
    }
}
