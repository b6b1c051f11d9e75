//! Byes: what may be asked for, why not, and the rounds that a bye leaves out.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{ByePoints, ByeRequest};
use rules::byes;
use support::regulation;

fn ask(
    tournament: &str,
    section: &str,
    asked: &[(u32, ByePoints)],
) -> (bool, Vec<String>, Vec<u32>) {
    let asked: Vec<ByeRequest> = asked
        .iter()
        .map(|(round, points)| ByeRequest {
            round: *round,
            points: *points,
        })
        .collect();
    let answer = byes(&regulation(tournament), &section.parse().unwrap(), &asked);
    assert_eq!(answer.allowed, answer.reasons.is_empty());
    let reasons = answer.reasons.iter();
    let reasons = reasons.map(|reason| format!("{} {}", reason.code, reason.field));
    (answer.allowed, reasons.collect(), answer.unpaired)
}

#[test]
fn byes_are_told_what_is_wrong_with_each() {
    use ByePoints::{Half, Zero};
    let llobregat = "ellobregat-2026";
    let barcelona = "ciutat-barcelona-2026";
    for (tournament, section, asked, reasons, unpaired) in [
        (llobregat, "A", vec![], vec![], vec![]),
        (
            llobregat,
            "A",
            vec![(1, Half), (5, Half), (3, Zero), (7, Zero)],
            vec![],
            vec![],
        ),
        (llobregat, "A", vec![(8, Zero)], vec![], vec![9]),
        (llobregat, "A", vec![(8, Zero), (9, Zero)], vec![], vec![]),
        (
            llobregat,
            "A",
            vec![(6, Half)],
            vec!["bye_not_in_this_round requests[0].round"],
            vec![],
        ),
        (
            llobregat,
            "A",
            vec![(1, Half), (2, Half), (3, Half)],
            vec!["too_many_byes requests[2].points"],
            vec![],
        ),
        (
            llobregat,
            "A",
            vec![(2, Half), (2, Zero)],
            vec!["bye_round_twice requests[1].round"],
            vec![],
        ),
        (
            llobregat,
            "A",
            vec![(0, Zero), (10, Zero)],
            vec![
                "bye_round_unknown requests[0].round",
                "bye_round_unknown requests[1].round",
            ],
            vec![],
        ),
        (barcelona, "B", vec![(1, Zero), (9, Zero)], vec![], vec![]),
        (
            barcelona,
            "B",
            vec![(2, Half)],
            vec!["bye_not_offered requests[0].points"],
            vec![],
        ),
        (
            barcelona,
            "Z",
            vec![],
            vec!["unknown_section section"],
            vec![],
        ),
        (
            "hermanos-rojas-2019",
            "primario",
            vec![(1, Zero)],
            vec!["bye_not_offered requests[0].points"],
            vec![],
        ),
    ] {
        let reasons: Vec<String> = reasons.into_iter().map(str::to_owned).collect();
        let expected = (reasons.is_empty(), reasons, unpaired);
        assert_eq!(
            ask(tournament, section, &asked),
            expected,
            "{tournament} {asked:?}"
        );
    }
}
