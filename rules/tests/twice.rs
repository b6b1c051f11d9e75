//! Nobody enters twice, and no pupil plays in two teams of a school in one section.

mod support;

use domain::{Entrant, EntryId, EntryRequest, Standing};
use support::asking::{asked, one, told};
use support::people::{player, standing, team, team_request};
use support::regulation;

#[test]
fn the_same_pupil_in_two_teams_of_a_section_counts_also_among_those_that_stand() {
    let rojas = regulation("hermanos-rojas-2019");
    let mut request = asked(
        &rojas,
        "2019-02-10T12:00:00",
        vec![
            team_request("primario X a b c d"),
            team_request("primario X e d g h"),
        ],
    );
    assert_eq!(
        told(&rojas, &request),
        ["same_pupil_twice entries[1].team.roster[1].name"]
    );
    request.entries.remove(0);
    request.standing = vec![standing(1, "primario X a b c d", "")];
    assert_eq!(
        told(&rojas, &request),
        ["same_pupil_twice entries[0].team.roster[1].name"]
    );
    request.standing = vec![
        standing(1, "primario Y a b c d", ""),
        standing(2, "secundario X a b c d", ""),
    ];
    assert_eq!(told(&rojas, &request), [""; 0]);
}

#[test]
fn the_same_entrant_twice_is_told_within_the_scope_of_the_regulation() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let stands = |facts: &[&str]| Standing {
        entry: EntryId(1),
        section: Some("A".parse().unwrap()),
        entrant: Entrant::Player(player(facts, &barcelona)),
        price: 6_500,
        currency: None,
        promotions: Vec::new(),
    };
    for (there, here, twice) in [
        (vec!["fide 100"], vec!["fide 100"], true),
        (
            vec!["fide 100", "name Ana Pérez"],
            vec!["fide 101", "name Ana Pérez"],
            false,
        ),
        (
            vec!["fide 100", "name Ana Pérez"],
            vec!["name PEREZ, Ana"],
            true,
        ),
        (
            vec!["name Ana Pérez"],
            vec!["name Ana Pérez", "born 1991-05-01"],
            false,
        ),
        (
            vec!["name Ana Pérez"],
            vec!["name Ana Pérez", "federation ITA"],
            false,
        ),
        (vec![], vec![], false),
    ] {
        let mut request = asked(
            &barcelona,
            "2026-08-01T12:00:00",
            vec![one(&barcelona, Some("B"), &here)],
        );
        request.standing = vec![stands(&there)];
        let expected: &[&str] = if twice {
            &["already_entered entries[0].entrant"]
        } else {
            &[]
        };
        assert_eq!(told(&barcelona, &request), expected, "{there:?} {here:?}");
        request.standing.clear();
        request
            .entries
            .insert(0, one(&barcelona, Some("A"), &there));
        let expected: &[&str] = if twice {
            &["already_entered entries[1].entrant"]
        } else {
            &[]
        };
        assert_eq!(told(&barcelona, &request), expected, "{there:?} {here:?}");
    }
    let rojas = regulation("hermanos-rojas-2019");
    let (_, same) = team("primario X a b c d");
    let request = asked(
        &rojas,
        "2019-02-10T12:00:00",
        vec![
            team_request("primario X a b c d"),
            EntryRequest {
                section: Some("secundario".parse().unwrap()),
                entrant: Entrant::Team(same),
            },
        ],
    );
    assert_eq!(told(&rojas, &request), [""; 0]);
}
