//! Orders refused for whom they enter.

use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::bad_orders::{one, school, with};
use crate::facts::{checked, entry, order, player};
use crate::stand::{BARCELONA, ELLOBREGAT, Row};

/// Each with its refusal.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn orders() -> Vec<(&'static str, desk::RegisterRequest, Row<'static>)> {
    const BAD: Code = Code::InvalidArgument;
    vec![
        (
            "unknown section",
            one("Z", |_| {}),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.section: unknown_section"],
            ),
        ),
        (
            "a section that cannot be",
            one("a b", |_| {}),
            (
                BAD,
                "invalid-fields",
                &["entries[0].entry.section: not_an_id"],
            ),
        ),
        (
            "wrong rating",
            one("B", |p| p.rating = Some(1_950)),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.entrant.rating: rating_too_high"],
            ),
        ),
        (
            "missing licence",
            one("A", |p| p.licences.clear()),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.entrant.licences: licence_missing"],
            ),
        ),
        (
            "no such day",
            one("A", |p| p.birth_date = "2011-02-29".into()),
            (
                BAD,
                "invalid-fields",
                &["entries[0].entry.entrant.birth_date: not_a_date"],
            ),
        ),
        (
            "several at once",
            one("A", |p| {
                p.birth_date = "29/2/2012".into();
                p.sex = 0;
                p.federation = "Spain".into();
                p.title = 99;
                p.rating = Some(70_000);
                p.licences = vec!["FIDE".into(), "f".into()];
            }),
            (
                BAD,
                "invalid-fields",
                &[
                    "entries[0].entry.entrant.sex: required",
                    "entries[0].entry.entrant.birth_date: not_a_date",
                    "entries[0].entry.entrant.federation: not_a_code",
                    "entries[0].entry.entrant.title: unknown_value",
                    "entries[0].entry.entrant.rating: out_of_range",
                    "entries[0].entry.entrant.licences[1]: not_a_code",
                ],
            ),
        ),
        (
            "names that nobody sees, or of signs alone",
            with(
                BARCELONA,
                vec![
                    entry("A", player("\u{200b}\u{2060}")),
                    entry("A", player(".")),
                ],
                |o| {
                    o.payer = Some(desk::Payer {
                        name: "\u{3164}".into(),
                        ..crate::facts::payer()
                    })
                },
            ),
            (
                BAD,
                "invalid-fields",
                &["entries[1].entry.entrant.name: not_a_name"],
            ),
        ),
        (
            "names that nobody sees",
            with(
                BARCELONA,
                vec![entry("A", player("\u{200b}\u{2060}"))],
                |o| {
                    o.payer = Some(desk::Payer {
                        name: "\u{3164}".into(),
                        ..crate::facts::payer()
                    })
                },
            ),
            (
                BAD,
                "invalid-fields",
                &[
                    "payer.name: required",
                    "entries[0].entry.entrant.name: required",
                ],
            ),
        ),
        (
            "a team of signs alone",
            school(|t| {
                t.institution = "-".into();
                t.roster[0].name = "'".into();
            }),
            (
                BAD,
                "invalid-fields",
                &[
                    "entries[0].entry.team.institution: not_a_name",
                    "entries[0].entry.team.roster[0].name: not_a_name",
                ],
            ),
        ),
        (
            "too long a name, and that only",
            one("A", |p| p.name = Some("x".repeat(301))),
            (
                BAD,
                "invalid-fields",
                &["entries[0].entry.entrant.name: too_long"],
            ),
        ),
        (
            "lines that break or turn",
            with(BARCELONA, vec![entry("A", player("Some\nOne"))], |o| {
                o.payer = Some(desk::Payer {
                    name: "Some \u{202e}enO".into(),
                    address: Some("Carrer Major 1\n08001 \u{2066}Barcelona".into()),
                    ..crate::facts::payer()
                })
            }),
            (
                BAD,
                "invalid-fields",
                &[
                    "payer.name: not_one_line",
                    "payer.address: not_one_line",
                    "entries[0].entry.entrant.name: not_one_line",
                ],
            ),
        ),
        (
            "one name with and without apostrophe and stroke",
            order(
                BARCELONA,
                vec![
                    entry("A", player("O'Neil, Łukasz")),
                    entry("A", player("Lukasz O’Neil")),
                ],
            ),
            (
                BAD,
                "ineligible",
                &["entries[1].entry.entrant: already_entered"],
            ),
        ),
        (
            "nobody",
            with(BARCELONA, vec![engine::EntryRequest::default()], |_| {}),
            (
                BAD,
                "invalid-fields",
                &["entries[0].entry.entrant: required"],
            ),
        ),
        (
            "the same player twice",
            order(
                BARCELONA,
                vec![
                    entry("A", player("Two Times")),
                    entry("A", player("Times Two")),
                ],
            ),
            (
                BAD,
                "ineligible",
                &["entries[1].entry.entrant: already_entered"],
            ),
        ),
        (
            "short of a player",
            school(|t| drop(t.roster.pop())),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.team.roster: team_size"],
            ),
        ),
        (
            "short of a girl",
            school(|t| t.roster[1].sex = engine::Sex::Male.into()),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.team.roster: team_needs_girl"],
            ),
        ),
        (
            "a question that nobody asked",
            one("A", |p| {
                p.answers.insert("shirt".into(), "XL".into());
            }),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.entrant.answers: question_unknown"],
            ),
        ),
        (
            "a payer's own word for the desk's",
            one("A", |p| p.grades = checked()),
            (
                Code::PermissionDenied,
                "denied",
                &["entries[0].entry.entrant.grades: needs_rules_role"],
            ),
        ),
        (
            "no fees, no entry",
            order(ELLOBREGAT, vec![entry("B", player("Some One"))]),
            (
                BAD,
                "ineligible",
                &["entries[0].entry.section: section_has_no_fees"],
            ),
        ),
    ]
}
