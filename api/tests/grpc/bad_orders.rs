//! Bad orders: each gets its code, its name and its fields, and changes nothing.

use proto::registration::v1 as desk;
use proto::rules::v1 as engine;
use tonic::Code;

use crate::facts::{checked, entry, money, order, player, team, team_entry};
use crate::stand::{BARCELONA, ELLOBREGAT, ROJAS, Row, Stand, assert_fields_of, row_of, signed};

fn slip(amount: engine::Money) -> desk::Slip {
    desk::Slip {
        number: "0012345".to_owned(),
        date: "2019-02-09".to_owned(),
        amount: Some(amount),
    }
}

fn with(
    tournament: &str,
    entries: Vec<engine::EntryRequest>,
    change: impl FnOnce(&mut desk::RegisterRequest),
) -> desk::RegisterRequest {
    let mut order = order(tournament, entries);
    change(&mut order);
    order
}

fn one(section: &str, change: impl FnOnce(&mut engine::Player)) -> desk::RegisterRequest {
    let mut someone = player("Some One");
    change(&mut someone);
    order(BARCELONA, vec![entry(section, someone)])
}

fn school(change: impl FnOnce(&mut engine::Team)) -> desk::RegisterRequest {
    let mut some = team("A", "School One");
    change(&mut some);
    with(ROJAS, vec![team_entry("primario", some)], |order| {
        order.slip = Some(slip(money(6_000, "PEN")));
    })
}

/// Orders that are refused, each with its refusal.
#[expect(clippy::too_many_lines, reason = "a table")]
fn orders() -> Vec<(&'static str, desk::RegisterRequest, Row<'static>)> {
    const BAD: Code = Code::InvalidArgument;
    vec![
        (
            "unknown tournament",
            order("no-such", vec![]),
            (
                Code::NotFound,
                "unknown-tournament",
                &["tournament: unknown_tournament"],
            ),
        ),
        (
            "a tournament that cannot be",
            order("../x", vec![]),
            (
                Code::NotFound,
                "unknown-tournament",
                &["tournament: unknown_tournament"],
            ),
        ),
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
            "a slip's number that breaks",
            with(
                ROJAS,
                vec![team_entry("primario", team("B", "School Two"))],
                |o| {
                    o.slip = Some(desk::Slip {
                        number: "00\n1".into(),
                        ..slip(money(8_000, "PEN"))
                    })
                },
            ),
            (BAD, "invalid-fields", &["slip.number: not_one_line"]),
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
            "another slip's sum",
            with(
                ROJAS,
                vec![team_entry("primario", team("B", "School Two"))],
                |o| o.slip = Some(slip(money(1, "PEN"))),
            ),
            (
                Code::Aborted,
                "amount-mismatch",
                &["slip.amount: amount_mismatch"],
            ),
        ),
        (
            "no slip",
            order(ROJAS, vec![team_entry("primario", team("B", "School Two"))]),
            (BAD, "invalid-fields", &["slip.number: slip_missing"]),
        ),
        (
            "another sum",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.expected_total = Some(money(100, "EUR"))
            }),
            (
                Code::Aborted,
                "amount-mismatch",
                &["expected_total: amount_mismatch"],
            ),
        ),
        (
            "another currency",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.expected_total = Some(money(6_500, "PEN"))
            }),
            (
                Code::Aborted,
                "amount-mismatch",
                &["expected_total: amount_mismatch"],
            ),
        ),
        (
            "no currency",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.expected_total = Some(money(6_500, "euros"))
            }),
            (
                BAD,
                "invalid-fields",
                &["expected_total.currency: not_a_currency"],
            ),
        ),
        (
            "no consent",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.consents = vec!["images".into()]
            }),
            (BAD, "invalid-fields", &["consents: consent_missing"]),
        ),
        (
            "nobody pays",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.payer = None
            }),
            (
                BAD,
                "invalid-fields",
                &["payer.name: required", "payer.email: required"],
            ),
        ),
        (
            "no address",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.payer = Some(desk::Payer {
                    email: "a b@c".into(),
                    ..crate::facts::payer()
                })
            }),
            (BAD, "invalid-fields", &["payer.email: not_an_address"]),
        ),
        (
            "a code that nobody gave out",
            with(BARCELONA, vec![entry("A", player("Some One"))], |o| {
                o.entries[0].code = Some("ABCD".into())
            }),
            (BAD, "invalid-fields", &["entries[0].code: unknown_code"]),
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

#[tokio::test]
async fn every_bad_order_has_its_name_and_changes_nothing() {
    let stand = Stand::new().await;
    let rows = stand.journal_rows().await;
    let mut wrong = Vec::new();
    for (place, (name, order, row)) in orders().into_iter().enumerate() {
        let key = format!("bad-{place}");
        let (code, slug, fields) = row;
        let expected = format!("{code:?} {slug} {fields:?}");
        let found = match stand.payers().register(signed(order, "", &key)).await {
            Ok(_) => "taken".to_owned(),
            Err(status) => {
                assert_fields_of("enroc.registration.v1.RegisterRequest", &status);
                row_of(&status)
            }
        };
        if found != expected {
            wrong.push(format!("{name}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(stand.journal_rows().await, rows);
}
