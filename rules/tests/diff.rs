//! Whose price changes between two regulations.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use rules::check::Limits;
use rules::diff::{Diff, DiffError, Outcome, diff};
use support::{TOURNAMENTS, regulation, small};

const LIMITS: Limits = Limits {
    minimum_charge: 50,
    ..Limits::ANY_SUM
};

fn between(before: &str, after: &str) -> Diff {
    diff(&small(before), &small(after), &LIMITS).unwrap()
}

fn price(total: i64, rows: &[&str]) -> Outcome {
    let rows = rows.iter().map(|row| (*row).to_owned()).collect();
    Outcome::Price { total, rows }
}

/// What changes, and for whom.
fn told(diff: &Diff) -> Vec<(Outcome, Outcome, &str)> {
    let all = diff.differences.iter();
    all.map(|d| (d.before.clone(), d.after.clone(), d.example.as_str()))
        .collect()
}

const FEE: &str = r#"
[[question]]
id   = "member"
text = "Member?"
[fees]
[[fees.row]]
id     = "fee"
amount = 20
"#;

#[test]
fn nothing_changes_between_a_regulation_and_itself() {
    for id in TOURNAMENTS {
        let same = diff(&regulation(id), &regulation(id), &LIMITS).unwrap();
        assert_eq!(same.differences, [], "{id}");
        assert!(same.gone.is_empty() && same.new.is_empty());
    }
}

#[test]
fn who_pays_another_price_is_told_with_somebody_it_happens_to() {
    let reduced = format!(
        "{FEE}[[adjust]]\nid = \"member\"\nwhen = {{ answer = {{ member = true }} }}\namount = -5\n"
    );
    let found = between(FEE, &reduced);
    assert_eq!(
        told(&found),
        [(
            price(2_000, &["fee"]),
            price(1_500, &["fee", "member"]),
            "section open, member: yes, entered at 2026-08-01T11:59:59"
        )]
    );
    assert_eq!(between(&reduced, FEE).differences.len(), 1);
}

#[test]
fn who_is_let_in_and_until_when_is_told_too() {
    let strong = format!("{FEE}[[admits]]\nneeds = {{ rating = {{ from = 1500 }} }}\n");
    let found = between(FEE, &strong);
    let refused = (price(2_000, &["fee"]), Outcome::Refused);
    let changes: Vec<_> = found
        .differences
        .into_iter()
        .map(|d| (d.before, d.after))
        .collect();
    assert_eq!(changes, [refused]);

    let later = support::whole(FEE).replace("2026-08-01T12:00:00", "2026-08-01T15:00:00");
    let later = rules::Regulation::parse("later", &later, 2).unwrap();
    let found = diff(&small(FEE), &later, &LIMITS).unwrap();
    assert_eq!(
        told(&found),
        [(
            Outcome::Closed,
            price(2_000, &["fee"]),
            "section open, entered at 2026-08-01T12:00:00"
        )]
    );
}

#[test]
fn questions_and_codes_that_only_one_of_them_names_are_compared() {
    let clubs = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 20\n[[fees.row]]\nid = \"own\"\nwhen = { club = \"Enroc\", licence = \"FCE\" }\namount = 10\n";
    let asked = format!(
        "{FEE}[[fees.row]]\nid = \"own\"\nwhen = {{ answer = {{ member = true }}, licence = \"FEDA\" }}\namount = 10\n"
    );
    let found = between(clubs, &asked);
    let changes: Vec<_> = found
        .differences
        .iter()
        .map(|d| (d.before.clone(), d.after.clone()))
        .collect();
    let (full, own) = (price(2_000, &["fee"]), price(1_000, &["own"]));
    assert_eq!(changes, [(full.clone(), own.clone()), (own, full)]);
}

#[test]
fn sections_that_only_one_has_are_named_and_currencies_must_be_the_same() {
    let two = format!("[section.open]\nname = \"Open\"\n[section.blitz]\nname = \"Blitz\"\n{FEE}");
    let found = between(FEE, &two);
    let new: Vec<&str> = found.new.iter().map(|id| id.as_str()).collect();
    assert_eq!((new, found.gone.len()), (vec!["blitz"], 0));
    assert_eq!(between(&two, FEE).gone.len(), 1);

    let francs = support::whole(FEE).replace("\"EUR\"", "\"CHF\"");
    let francs = rules::Regulation::parse("francs", &francs, 1).unwrap();
    let refused = diff(&small(FEE), &francs, &LIMITS).unwrap_err();
    assert!(matches!(refused, DiffError::Currencies(..)), "{refused}");
}

#[test]
fn a_team_that_is_let_in_no_more_is_told_by_its_roster() {
    let team = |players: u32| {
        format!(
            "[section.one]\nname = \"One\"\nentrants = \"teams\"\nadmits = {{ players = {{ from = {players} }} }}\n\
             [fees]\n[[fees.row]]\nid = \"team\"\namount = 80\n"
        )
    };
    let found = between(&team(4), &team(5));
    let who = "section one, 4 pupils, 0 of them girls of initial, entered at 2026-08-01T11:59:59";
    let told = told(&found);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (&told[0].0, &told[0].1),
        (&price(8_000, &["team"]), &Outcome::Refused)
    );
    assert_eq!(told[0].2, who);
    assert_eq!(found.not_proved, []);
}

/// Many facts that prices read, and that the edits have nothing to do with.
const MANY: &str = r#"
[[question]]
id   = "member"
text = "Member?"
[[question]]
id     = "shirt"
text   = "Shirt?"
number = { from = 0, to = 9 }
[fees]
[[fees.row]]
id     = "fee"
amount = 60
[[fees.row]]
id     = "titled"
when   = { title = ["GM", "IM"] }
amount = 20
[[adjust]]
id     = "early"
when   = { registered = { before = 2026-06-01 } }
amount = -5
[[adjust]]
id     = "young"
when   = { age = { under = 16 } }
amount = -10
[[adjust]]
id     = "old"
when   = { age = { from = 65 } }
amount = -10
[[adjust]]
id     = "member"
when   = { answer = { member = true } }
amount = -3
[[adjust]]
id     = "shirts"
when   = { answer = { shirt = { from = 1 } } }
amount = 12
[[adjust]]
id     = "abroad"
when   = { not = { federation = "ESP" } }
amount = 4
"#;

#[test]
fn differences_of_one_kind_are_told_as_one_with_an_ordinary_entrant() {
    let edited = MANY
        .replace("amount = 60", "amount = 65")
        .replace("amount = -3", "amount = -4")
        .replace("amount = 12", "amount = 15");
    let found = between(MANY, &edited);
    let kinds: Vec<_> = found
        .differences
        .iter()
        .map(|one| (one.gone_rows.join("+"), one.new_rows.join("+"), one.classes))
        .collect();
    let all: Vec<&str> = kinds.iter().map(|(gone, ..)| gone.as_str()).collect();
    let fees = ["fee", "fee+member", "fee+shirts", "fee+member+shirts"];
    assert_eq!(
        all,
        [&fees[..], &["member", "shirts", "member+shirts"]].concat()
    );
    assert!(kinds.iter().all(|(gone, new, _)| gone == new), "{kinds:?}");
    // Three ages, two stretches of time, two federations; no shirt, or no answer to that.
    assert_eq!(kinds[0].2, 3 * 2 * 2 * 2);
    let first = &found.differences[0];
    assert_eq!(first.before, price(5_900, &["fee", "early", "abroad"]));
    assert_eq!(
        first.example,
        "section open, born 1961-08-02, another federation, no title, member: no, shirt: no answer, entered at 2026-05-31T23:59:59"
    );
}

#[test]
fn who_may_enter_longer_is_told_as_one_whatever_they_pay() {
    let longer = support::whole(MANY).replace("2026-08-01T12:00:00", "2026-08-01T15:00:00");
    let longer = rules::Regulation::parse("longer", &longer, 2).unwrap();
    let found = diff(&small(MANY), &longer, &LIMITS).unwrap();
    assert_eq!(found.differences.len(), 1);
    assert_eq!(found.differences[0].before, Outcome::Closed);
    assert_eq!(found.differences[0].after, price(6_400, &["fee", "abroad"]));
    assert!(found.differences[0].classes > 20);
}
