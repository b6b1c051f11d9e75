//! Entrants as the worked tables and the tests write them.

use domain::{
    Entrant, EntryId, EntryRequest, FactName, Grade, Level, Money, Player, Pupil, SectionId, Sex,
    Standing, Team, UtcTime,
};
use jiff::civil::DateTime;
use rules::Regulation;

/// A man born in 1990 of the federation FRA with the licence FIDE, unless something else is said.
pub fn player(facts: &[&str], regulation: &Regulation) -> Player {
    let mut player = Player {
        name: None,
        fide_id: None,
        sex: Sex::Male,
        birth_date: "1990-05-01".parse().unwrap(),
        federation: "FRA".parse().unwrap(),
        title: None,
        rating: None,
        licences: ["FIDE".parse().unwrap()].into(),
        disability: false,
        invited: false,
        previous_participant: false,
        agreed_price: None,
        club: None,
        answers: Default::default(),
        grades: Default::default(),
    };
    for fact in facts {
        match fact.split_once(' ').unwrap_or((fact, "")) {
            ("woman", _) => player.sex = Sex::Female,
            ("born", day) => player.birth_date = day.parse().unwrap(),
            ("federation", code) => player.federation = code.parse().unwrap(),
            ("title", title) => player.title = Some(title.parse().unwrap()),
            ("rating", rating) => player.rating = Some(rating.parse().unwrap()),
            ("licences", codes) => {
                let codes = codes.split(' ').filter(|code| *code != "–");
                player.licences = codes.map(|code| code.parse().unwrap()).collect();
            }
            ("disability", _) => player.disability = true,
            ("invited", _) => player.invited = true,
            ("previous", _) => player.previous_participant = true,
            ("agreed", sum) => {
                player.agreed_price = Some(Money::new(minor(sum), regulation.currency()));
            }
            ("name", name) => player.name = Some(name.to_owned()),
            ("answers", answers) => player.answers = answers.parse().unwrap(),
            ("club", club) => player.club = Some(club.to_owned()),
            ("fide", id) => player.fide_id = Some(id.parse().unwrap()),
            other => panic!("{other:?} is no fact of these tables"),
        }
    }
    player
}

/// Every fact as checked.
pub fn checked(mut entrant: Entrant) -> Entrant {
    for fact in FactName::ALL {
        let by = "tests".to_owned();
        entrant.grades_mut().insert(fact, Grade::Checked { by });
    }
    entrant
}

/// `primario X a b c d`: section, institution and pupils; the first is a girl.
pub fn team(text: &str) -> (SectionId, Team) {
    let mut words = text.trim_end_matches('*').split(' ');
    let section = words.next().unwrap().parse().unwrap();
    let institution = words.next().unwrap().to_owned();
    let roster: Vec<Pupil> = words
        .enumerate()
        .map(|(place, name)| Pupil {
            name: name.to_owned(),
            sex: if place == 0 { Sex::Female } else { Sex::Male },
            level: Level::Primary,
        })
        .collect();
    let team = Team {
        name: roster.iter().map(|pupil| pupil.name.as_str()).collect(),
        institution,
        coach: Some("C. Rojas".to_owned()),
        roster,
        answers: Default::default(),
        grades: Default::default(),
    };
    (section, team)
}

pub fn team_request(text: &str) -> EntryRequest {
    let (section, team) = team(text);
    EntryRequest {
        section: Some(section),
        entrant: checked(Entrant::Team(team)),
    }
}

/// A team that stands, at 80 or, where it serves a promotion (`*`), at 70.
pub fn standing(number: i64, text: &str, promotion: &str) -> Standing {
    let (section, team) = team(text);
    let served = text.ends_with('*');
    Standing {
        entry: EntryId(number),
        section: Some(section),
        entrant: Entrant::Team(team),
        price: if served { 7_000 } else { 8_000 },
        currency: None,
        promotions: if served {
            vec![promotion.to_owned()]
        } else {
            Vec::new()
        },
    }
}

/// A local time of the venue.
pub fn instant(regulation: &Regulation, local: &str) -> UtcTime {
    let local: DateTime = local.parse().unwrap();
    let zoned = local.to_zoned(regulation.time_zone().clone()).unwrap();
    zoned.timestamp().into()
}

/// `-5.00` in minor units of two decimals.
pub fn minor(sum: &str) -> i64 {
    let (whole, part) = sum.split_once('.').unwrap();
    assert_eq!(part.len(), 2, "{sum}");
    format!("{whole}{part}").parse().unwrap()
}
