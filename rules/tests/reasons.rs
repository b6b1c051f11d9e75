//! Everything that fails is told, each with its code, its field, its article and three sentences.

mod support;

use domain::{Entrant, EntryRequest, Level, Pupil, Sex, Team};
use rules::eligibility;
use support::asking::{asked, one, told};
use support::people::team_request;
use support::{regulation, small};

#[test]
fn all_that_fails_is_told_not_only_the_first() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let request = asked(
        &barcelona,
        "2026-08-20T14:00:00",
        vec![
            one(
                &barcelona,
                Some("C"),
                &["rating 1700", "federation ESP", "licences –"],
            ),
            one(&barcelona, Some("Z"), &[]),
        ],
    );
    assert_eq!(
        told(&barcelona, &request),
        [
            "entry_closed at Inscripció",
            "rating_too_high entries[0].entrant.rating Sistema de joc",
            "licence_missing entries[0].entrant.licences Participants",
            "licence_missing entries[0].entrant.licences Participants",
            "unknown_section entries[1].section",
        ]
    );
    let sentences = eligibility(&barcelona, &request);
    assert_eq!(&*sentences[1].text.en, "The rating has to be below 1650.");
    assert_eq!(
        &*sentences[3].text.ca,
        "Cal una d'aquestes llicències en vigor: FEDA."
    );
}

#[test]
fn the_wrong_kind_of_entrant_a_section_without_fees_and_no_entry_at_all() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let llobregat = regulation("ellobregat-2026");
    let rojas = regulation("hermanos-rojas-2019");
    let mut as_team = team_request("A X a b c d");
    assert_eq!(
        told(
            &barcelona,
            &asked(&barcelona, "2026-08-01T12:00:00", vec![as_team.clone()])
        ),
        ["wrong_entrant_kind entries[0].team"]
    );
    as_team.section = None;
    assert_eq!(
        told(
            &barcelona,
            &asked(&barcelona, "2026-08-01T12:00:00", vec![as_team])
        ),
        ["wrong_entrant_kind entries[0].team"]
    );
    let in_primario = one(&rojas, Some("primario"), &[]);
    assert_eq!(
        told(
            &rojas,
            &asked(&rojas, "2019-02-10T12:00:00", vec![in_primario])
        ),
        ["wrong_entrant_kind entries[0].entrant"]
    );
    let nowhere = one(&llobregat, None, &["rating 2300"]);
    let in_b = one(&llobregat, Some("B"), &["rating 1800"]);
    assert_eq!(
        told(
            &llobregat,
            &asked(&llobregat, "2026-11-15T10:00:00", vec![nowhere, in_b])
        ),
        [
            "section_missing entries[0].section",
            "section_has_no_fees entries[1].section"
        ]
    );
    assert_eq!(
        told(
            &llobregat,
            &asked(&llobregat, "2026-11-15T10:00:00", Vec::new())
        ),
        ["no_entries entries"]
    );
}

#[test]
fn a_team_is_told_everything_that_it_lacks() {
    let rojas = regulation("hermanos-rojas-2019");
    let pupil = |name: &str, level| Pupil {
        name: name.to_owned(),
        sex: Sex::Male,
        level,
    };
    let short = Team {
        name: "A".to_owned(),
        institution: " ".to_owned(),
        coach: Some(" ".to_owned()),
        roster: vec![
            pupil("Ana María", Level::Primary),
            pupil("maria ANA", Level::Secondary),
            pupil("", Level::Primary),
        ],
        answers: Default::default(),
        grades: Default::default(),
    };
    let request = asked(
        &rojas,
        "2019-02-10T12:00:00",
        vec![EntryRequest {
            section: Some("primario".parse().unwrap()),
            entrant: Entrant::Team(short),
        }],
    );
    assert_eq!(
        told(&rojas, &request),
        [
            "level_too_high entries[0].team.roster[1].level 2.3",
            "team_size entries[0].team.roster 4.3",
            "team_needs_girl entries[0].team.roster 4.3",
            "coach_missing entries[0].team.coach 4.8",
            "institution_missing entries[0].team.institution",
            "name_missing entries[0].team.roster[2].name",
            "same_pupil_twice entries[0].team.roster[1].name",
        ]
    );
}

/// What entry needs, the facts, the code with its fact, and the sentence.
const LIMITS: [(&str, &str, &str, &str); 13] = [
    (
        "{ rating = { from = 1950 } }",
        "rating 1949",
        "rating_too_low rating",
        "The rating has to be 1950 or more.",
    ),
    (
        "{ unrated = false }",
        "",
        "rating_missing rating",
        "A rating is needed.",
    ),
    (
        "{ unrated = true }",
        "rating 1949",
        "must_be_unrated rating",
        "Only unrated players may enter.",
    ),
    (
        "{ age = { under = 18 } }",
        "",
        "age_not_admitted birth_date",
        "The entrant has to be under 18.",
    ),
    (
        "{ age = { from = 50 } }",
        "",
        "age_not_admitted birth_date",
        "The entrant has to be 50 or older.",
    ),
    (
        "{ born = { from = 2010 } }",
        "",
        "age_not_admitted birth_date",
        "The entrant has to be born between 2010-01-01 and ….",
    ),
    (
        "{ title = [\"GM\", \"WGM\"] }",
        "",
        "title_missing title",
        "One of these titles is needed: GM, WGM.",
    ),
    (
        "{ title = \"none\" }",
        "title IM",
        "title_not_admitted title",
        "Players of this title are not admitted.",
    ),
    (
        "{ licence = \"any\" }",
        "licences –",
        "licence_missing licences",
        "A federation's licence in force is needed.",
    ),
    (
        "{ invited = true }",
        "",
        "invitation_missing invited",
        "An invitation by the organiser is needed.",
    ),
    (
        "{ sex = \"f\" }",
        "",
        "not_admitted sex",
        "The regulations do not admit this entrant to this section.",
    ),
    (
        "{ not = { title = \"any\" } }",
        "title IM",
        "not_admitted title",
        "The regulations do not admit this entrant to this section.",
    ),
    (
        "{ any = [{ rating = { from = 1700 } }, { club = \"Sants\" }] }",
        "rating 1650",
        "rating_too_low rating",
        "The rating has to be 1700 or more.",
    ),
];

#[test]
fn limits_of_every_kind_have_their_code() {
    let fees = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n";
    for (needs, facts, code, sentence) in LIMITS {
        let open = small(&format!("{fees}[[admits]]\nneeds = {needs}\n"));
        let facts: Vec<&str> = facts.split("; ").filter(|fact| !fact.is_empty()).collect();
        let request = asked(
            &open,
            "2026-07-01T12:00:00",
            vec![one(&open, Some("open"), &facts)],
        );
        let reasons = eligibility(&open, &request);
        assert_eq!(reasons.len(), 1, "{needs}: {reasons:?}");
        let (code, fact) = code.split_once(' ').unwrap();
        assert_eq!(reasons[0].code, code, "{needs}");
        assert_eq!(reasons[0].field, format!("entries[0].entrant.{fact}"));
        assert_eq!(&*reasons[0].text.en, sentence);
    }
}

#[test]
fn a_hole_is_no_price_and_a_row_may_have_a_code_of_its_own() {
    let holed = small(
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { rating = { from = 2001 } }\n\
         [[admits]]\nneeds = { club = \"Sants\" }\ncode = \"members_only\"\ntext = { ca = \"a\", es = \"b\", en = \"c\" }\narticle = \"7\"\n",
    );
    let mut member = one(&holed, Some("open"), &[]);
    let request = |entry: &EntryRequest| asked(&holed, "2026-07-01T12:00:00", vec![entry.clone()]);
    assert_eq!(
        told(&holed, &request(&member)),
        ["members_only entries[0].entrant.club 7"]
    );
    if let Entrant::Player(player) = &mut member.entrant {
        player.club = Some("SANTS".to_owned());
    }
    assert_eq!(told(&holed, &request(&member)), ["no_price entries[0]"]);
}

/// What only pupils of a wrong level are named for, where none is of a wrong one.
#[test]
fn a_team_is_kept_out_with_a_reason_also_where_no_pupil_is_to_blame() {
    let school = |row: &str| {
        small(&format!(
            "[section.open]\nname = \"Open\"\nentrants = \"teams\"\n[[admits]]\n{row}\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 5\n"
        ))
    };
    let told_of = |row: &str, believed: bool| {
        let regulation = school(row);
        let mut team = team_request("open X a b c d");
        if !believed {
            team.entrant.grades_mut().clear();
        }
        told(
            &regulation,
            &asked(&regulation, "2026-06-01T12:00:00", vec![team]),
        )
    };
    let other = "needs = { not = { levels = \"primary\" } }";
    assert_eq!(told_of(other, true), ["not_admitted entries[0].team"]);
    let listed = "needs = { levels = \"primary\" }\naccepts = \"listed\"";
    assert_eq!(told_of(listed, false), ["not_admitted entries[0].team"]);
    assert_eq!(told_of(listed, true), [""; 0]);
    let own = format!(
        "{listed}\ncode = \"levels_unproved\"\narticle = \"4\"\ntext = {{ ca = \"a\", es = \"b\", en = \"c\" }}"
    );
    assert_eq!(told_of(&own, false), ["levels_unproved entries[0].team 4"]);
}
