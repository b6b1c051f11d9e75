//! Two currencies side by side: which one an order is in, and that no sum of one meets one of the other.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{
    Currency, Entrant, EntryId, EntryRequest, FactName, Instants, Money, OrderId, QuoteRequest,
    RefundAsk, RefundCause,
};
use rules::check::{Limits, Severity, checked as checked_by};
use rules::diff::{Outcome, diff};
use rules::table::fee_table;
use rules::{Regulation, Remaining, better_refund, quote, remaining_price, show};
use support::asking::{asked, one, told};
use support::people::{checked, instant, player, standing, team, team_request};
use support::{small, whole};

const AT: &str = "2026-06-01T12:00:00";

/// Who is of Iceland pays in its crowns, everybody else in euros; both may pay in francs as juniors.
const THREE: &str = r#"currencies = ["ISK", "CHF"]
[fees]
[[fees.row]]
id   = "guest"
when = { not = { federation = "ISL" } }
amount = 60
[[fees.row]]
id       = "local"
when     = { federation = "ISL" }
currency = "ISK"
amount   = 8000
[[fees.row]]
id       = "junior"
when     = { age = { under = 18 } }
currency = "CHF"
amount   = "30.50"
[[fees.row]]
id       = "agreed"
currency = "CHF"
amount   = "agreed"
"#;

fn code(text: &str) -> Currency {
    text.parse().unwrap()
}

fn entries(regulation: &Regulation, people: &[&[&str]]) -> Vec<EntryRequest> {
    let people = people
        .iter()
        .map(|facts| one(regulation, Some("open"), facts));
    people.collect()
}

/// The currency and the total, or the reasons.
fn priced(currency: Option<&str>, people: &[&[&str]]) -> Result<String, Vec<String>> {
    let regulation = small(THREE);
    let request = QuoteRequest {
        currency: currency.map(code),
        ..asked(&regulation, AT, entries(&regulation, people))
    };
    let found = quote(&regulation, &request);
    if found.eligible {
        Ok(Money::new(found.total, found.currency).to_string())
    } else {
        Err(told(&regulation, &request))
    }
}

const GUEST: &[&str] = &["name Ana"];
const LOCAL: &[&str] = &["name Jon", "federation ISL"];
const CHILD: &[&str] = &["name Siv", "federation ISL", "born 2012-01-01"];
const VISITOR: &[&str] = &["name Eva", "born 2013-01-01"];

#[test]
fn an_order_is_in_the_currency_asked_for_or_the_first_that_all_have_a_price_in() {
    for (currency, people, expected) in [
        (None, vec![GUEST], "60.00 EUR"),
        (None, vec![LOCAL], "8000 ISK"),
        (None, vec![LOCAL, CHILD], "16000 ISK"),
        (None, vec![VISITOR, GUEST], "120.00 EUR"),
        // The crowns of the one and the euros of the other: only francs have both.
        (None, vec![CHILD, VISITOR], "61.00 CHF"),
        (Some("CHF"), vec![CHILD], "30.50 CHF"),
        (Some("EUR"), vec![VISITOR], "60.00 EUR"),
    ] {
        let found = priced(currency, &people);
        assert_eq!(found, Ok(expected.to_owned()), "{currency:?} {people:?}");
    }
}

#[test]
fn an_entry_whose_price_is_in_another_currency_is_named() {
    let lacks = |place: usize| format!("no_price_in_currency entries[{place}]");
    let refused = |currency, people: &[&[&str]]| priced(currency, people).unwrap_err();
    assert_eq!(refused(None, &[GUEST, LOCAL]), [lacks(1)]);
    // In euros the one lacks a price, in crowns two: the order is told what least is wanting.
    assert_eq!(refused(None, &[LOCAL, GUEST, VISITOR]), [lacks(0)]);
    assert_eq!(refused(Some("ISK"), &[LOCAL, GUEST]), [lacks(1)]);
    assert_eq!(
        refused(Some("USD"), &[GUEST]),
        ["currency_not_taken currency"]
    );
}

#[test]
fn a_price_agreed_in_one_currency_counts_in_no_other() {
    let regulation = small(THREE);
    let mut guest = player(&[], &regulation);
    guest.agreed_price = Some(Money::new(1_250, code("CHF")));
    let total = |currency: Option<&str>, grade: fn(Entrant) -> Entrant| {
        let entrant = grade(Entrant::Player(guest.clone()));
        let section = Some("open".parse().unwrap());
        let request = QuoteRequest {
            currency: currency.map(code),
            ..asked(&regulation, AT, vec![EntryRequest { section, entrant }])
        };
        let found = quote(&regulation, &request);
        found.eligible.then_some((found.total, found.currency))
    };
    assert_eq!(total(Some("CHF"), checked), Some((1_250, code("CHF"))));
    assert_eq!(total(Some("CHF"), |declared| declared), None);
    assert_eq!(total(None, checked), Some((6_000, code("EUR"))));
}

/// What lowers a price is looked for among the rows of its currency.
#[test]
fn a_fact_is_to_be_checked_where_it_lowers_the_price_in_the_currency_of_the_order() {
    let regulation = small(
        "currencies = [\"CHF\"]\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 60\n[[fees.row]]\nid = \"francs\"\ncurrency = \"CHF\"\namount = 70\n[[fees.row]]\nid = \"francs-young\"\nwhen = { age = { under = 18 } }\ncurrency = \"CHF\"\namount = 40\n",
    );
    for (currency, flagged) in [("EUR", vec![]), ("CHF", vec![FactName::BirthDate])] {
        let entrant = Entrant::Player(player(&["born 2012-01-01"], &regulation));
        let section = Some("open".parse().unwrap());
        let request = QuoteRequest {
            currency: Some(code(currency)),
            ..asked(&regulation, AT, vec![EntryRequest { section, entrant }])
        };
        let found = quote(&regulation, &request);
        assert_eq!(found.entries[0].to_check, flagged, "{currency}");
    }
}

const TEAMS: &str = r#"currencies = ["CHF"]
[section.one]
name     = "One"
entrants = "teams"
[section.two]
name     = "Two"
entrants = "teams"
[fees]
[[fees.row]]
id     = "team"
amount = 80
[[fees.row]]
id       = "team-francs"
currency = "CHF"
amount   = 90
[[promotion]]
id             = "both"
sections       = ["one", "two"]
same           = "institution"
shared_players = 2
together       = 140
[[promotion]]
id             = "both-francs"
sections       = ["one", "two"]
same           = "institution"
shared_players = 2
currency       = "CHF"
together       = 150
"#;

#[test]
fn a_promotion_pairs_entries_of_its_own_currency() {
    let regulation = small(TEAMS);
    for (stands_in, asked_in, expected) in [
        (None, None, 6_000),
        (None, Some("CHF"), 9_000),
        (Some("CHF"), Some("CHF"), 7_000),
        (Some("CHF"), None, 8_000),
    ] {
        let mut there = standing(1, "one X a b c", "both");
        there.currency = stands_in.map(code);
        let request = QuoteRequest {
            currency: asked_in.map(code),
            standing: vec![there],
            ..asked(&regulation, AT, vec![team_request("two X a b d")])
        };
        let total = quote(&regulation, &request).total;
        assert_eq!(total, expected, "{stands_in:?} {asked_in:?}");
    }
    let teams = ["one X a b c", "two X a b d"].map(team);
    let entrants = teams.clone().map(|(_, team)| Entrant::Team(team));
    let remain = |currencies: [&str; 2]| -> Vec<_> {
        let both = teams.iter().zip(&entrants).zip(currencies).zip(1..);
        let both: Vec<Remaining<'_>> = both
            .map(|((((section, _), entrant), currency), number)| Remaining {
                entry: EntryId(number),
                order: OrderId(1),
                at: Instants::of(instant(&regulation, AT), None, None),
                currency: code(currency),
                section: Some(section),
                entrant,
                claims: &[],
            })
            .collect();
        let prices = remaining_price(&regulation, &both);
        prices.iter().map(|price| price.total.unwrap()).collect()
    };
    assert_eq!(remain(["EUR", "EUR"]), [8_000, 6_000]);
    assert_eq!(remain(["CHF", "CHF"]), [9_000, 6_000]);
    assert_eq!(remain(["EUR", "CHF"]), [8_000, 9_000]);
}

#[test]
fn a_present_version_without_the_currency_decides_no_refund_in_it() {
    let clause = |currencies: &str, keep: &str| {
        small(&format!(
            "{currencies}[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[refund.tier]]\nid = \"t\"\nrequested = {{ until = 2026-07-01 }}\nkeep = {{ amount = {keep} }}\n"
        ))
    };
    let frozen = clause("currencies = [\"CHF\"]\n", "{ EUR = 5, CHF = 20 }");
    let ask = |currency| RefundAsk {
        paid: 5_000,
        currency: code(currency),
        requested_at: instant(&frozen, AT),
        cause: RefundCause::Player,
        approved: true,
        section: None,
        rows: [].into(),
        credit: false,
        proof: None,
    };
    let euros = clause("", "1");
    assert_eq!(better_refund(&frozen, &euros, &ask("CHF")).refund, 3_000);
    assert_eq!(better_refund(&frozen, &euros, &ask("EUR")).refund, 4_900);
}

fn codes(text: &str, minimum_charge: impl Fn(Currency) -> i64) -> Vec<&'static str> {
    let limits = |currency| Limits {
        minimum_charge: minimum_charge(currency),
        ..Limits::ANY_SUM
    };
    let findings = checked_by(&small(text), &limits).findings.into_iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.code).collect()
}

#[test]
fn only_whoever_has_no_price_in_any_currency_falls_into_a_hole() {
    assert_eq!(codes(THREE, |_| 1), [""; 0]);
    let adults = THREE.replace("not = { federation = \"ISL\" }", "age = { from = 18 }");
    // A child from abroad may pay in francs; without them there is nothing for it.
    assert_eq!(codes(&adults, |_| 1), [""; 0]);
    let (without, _) = adults
        .split_once("[[fees.row]]\nid       = \"junior\"")
        .unwrap();
    assert_eq!(codes(without, |_| 1), ["hole"]);
}

#[test]
fn each_total_is_held_against_what_the_gateway_charges_in_its_currency() {
    let least = |currency: Currency| match currency.code() {
        "EUR" => 6_000,
        "ISK" => 8_000,
        _ => 3_051,
    };
    assert_eq!(codes(THREE, least), ["total_too_small"]);
}

#[test]
fn the_table_and_the_plain_words_say_each_sum_with_its_currency() {
    let text = format!(
        "{THREE}[[adjust]]\nid = \"late\"\ncurrency = \"ISK\"\namount = 500\n[[adjust]]\nid = \"woman\"\nwhen = {{ sex = \"f\" }}\npercent = -50\n[[adjust]]\nid = \"unrated\"\nwhen = {{ unrated = true }}\ncurrency = \"CHF\"\npercent = 10\n"
    );
    let table = fee_table(&small(&text)).to_text(domain::Language::En);
    for cell in [
        "EUR, ISK, CHF",
        "60.00 EUR",
        "8000 ISK",
        "30.50 CHF",
        "+500 ISK",
        "-50 %",
    ] {
        assert!(table.contains(cell), "{cell} in\n{table}");
    }
    let shown = show(&small(&text));
    for line in [
        "  currency: EUR, ISK, CHF",
        "  local: 8000 ISK, for: federation ISL",
        "  late: 500 ISK",
        "  woman: -50 %, for: women",
        "  unrated: 10 % in CHF, for: unrated",
        "  a percentage comes to a multiple of: 0.01 EUR or 1 ISK or 0.01 CHF",
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line} in\n{shown}"
        );
    }
}

#[test]
fn two_files_are_compared_in_the_currencies_that_both_have() {
    let before = small(THREE);
    let after = THREE.replace("\"ISK\", \"CHF\"", "\"CHF\", \"ISK\"");
    let same = diff(&before, &small(&after), &LIMITS).unwrap();
    assert_eq!(same.differences, []);
    let dearer = small(&after.replace("8000", "9000"));
    let found = diff(&before, &dearer, &LIMITS).unwrap();
    let told = found.differences.iter();
    let told: Vec<_> = told
        .map(|d| (d.currency.code(), &d.before, &d.after))
        .collect();
    let price = |total| Outcome::Price {
        total,
        rows: vec!["local".to_owned()],
    };
    assert_eq!(told, [("ISK", &price(8_000), &price(9_000))]);
    let euros = small("[fees]\n[[fees.row]]\nid = \"fee\"\namount = 60\n");
    let found = diff(&euros, &before, &LIMITS).unwrap();
    let new: Vec<&str> = found.new_currencies.iter().map(|new| new.code()).collect();
    assert_eq!(new, ["ISK", "CHF"]);
    assert!(found.gone_currencies.is_empty());
    assert!(
        found
            .differences
            .iter()
            .all(|one| one.currency.code() == "EUR")
    );
    let back = diff(&before, &euros, &LIMITS).unwrap();
    assert_eq!(back.gone_currencies, found.new_currencies);
}

const LIMITS: Limits = Limits::ANY_SUM;

#[test]
fn what_cannot_be_said_is_refused() {
    let fees = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n";
    for (text, reason) in [
        ("currencies = [\"EUR\"]\n", "currencies: EUR is named twice"),
        (
            "currencies = [\"XXY\"]\n",
            "currencies: XXY is not an ISO 4217 currency",
        ),
        (
            "currencies = [\"CHF\", \"ISK\", \"TND\", \"CZK\"]\n",
            "currencies: a file may have 4 currencies",
        ),
        (
            "currencies = [\"ISK\"]\n[[appeal]]\nid = \"a\"\nwithin = \"1h\"\ndeposit = 50\n",
            "appeal.deposit: expected a sum in each of EUR, ISK",
        ),
        (
            "currencies = [\"ISK\"]\n[[appeal]]\nid = \"a\"\nwithin = \"1h\"\ndeposit = { EUR = 50 }\n",
            "appeal.deposit.ISK is missing",
        ),
        (
            "currencies = [\"ISK\"]\n[[appeal]]\nid = \"a\"\nwithin = \"1h\"\ndeposit = { EUR = 50, ISK = \"7000.50\" }\n",
            "appeal.deposit.ISK: ISK has 0 decimals, this has 2",
        ),
        (
            "currencies = [\"ISK\"]\n[[stage]]\nid = \"reductions\"\nleast = { open = 5 }\n",
            "stage.least.open: expected a sum in each of EUR, ISK",
        ),
        (
            "currencies = [\"ISK\"]\n[[adjust]]\nid = \"a\"\ncurrency = \"CHF\"\npercent = 5\n",
            "adjust.currency: CHF is no currency of this file: EUR, ISK",
        ),
        (
            "currencies = [\"ISK\"]\n[[adjust]]\nid = \"a\"\ncurrency = \"ISK\"\namount = \"5.50\"\n",
            "adjust.amount: ISK has 0 decimals, this has 2",
        ),
    ] {
        let (first, rest) = text.split_once('\n').unwrap();
        let text = whole(&format!("{first}\n{fees}{rest}"));
        let faults = Regulation::parse("x", &text, 1).unwrap_err().faults;
        let reasons: Vec<&str> = faults.iter().map(|fault| &*fault.reason).collect();
        assert_eq!(reasons, [reason], "{text}");
    }
}
