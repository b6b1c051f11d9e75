//! A regulation with an error is refused with file, line and reason; several errors are told at once.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use rules::Regulation;
use support::{read, whole};

/// The fault of the fragment: its line within the fragment, and its reason.
fn faults(fragment: &str) -> Vec<(usize, String)> {
    let text = whole(fragment);
    let before = text[..text.find(fragment).unwrap()].lines().count();
    match Regulation::parse("bases.toml", &text, 1) {
        Ok(_) => Vec::new(),
        Err(error) => {
            assert!(error.to_string().starts_with("bases.toml:"), "{error}");
            let faults = error.faults.into_iter();
            faults
                .map(|fault| (fault.line - before, fault.reason))
                .collect()
        }
    }
}

const FEES: &str = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n";

#[test]
fn the_smallest_regulation_is_read() {
    assert_eq!(faults(FEES), vec![]);
}

const ERRORS: [(&str, usize, &str); 39] = [
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[appeal]\nid = \"a\"\nwithin = \"1h\"\n",
        5,
        "appeal: there may be several of these: write [[appeal]], also where there is one",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[capacity]\nseats = 5\n",
        5,
        "capacity: there may be several of these: write [[capacity]], also where there is one",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[refund]\n[refund.tier]\nid = \"half\"\n",
        6,
        "refund.tier: there may be several of these: write [[refund.tier]], also where there is one",
    ),
    ("[fees]\nrow = []\n", 2, "fees.row: expected at least one"),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = {}\n",
        4,
        "fees.row.amount: expected at least one section",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[adjust]]\nid = \"less\"\npercent = {}\n",
        7,
        "adjust.percent: expected at least one section",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { title = [] }\n",
        5,
        "fees.row.when.title: expected at least one",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { federation = [] }\n",
        5,
        "fees.row.when.federation: expected at least one",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { levels = [] }\n",
        5,
        "fees.row.when.levels: expected at least one",
    ),
    (
        "[[admits]]\nsections = []\nneeds = { unrated = true }\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n",
        2,
        "admits.sections: expected at least one",
    ),
    (
        "[section.open]\nname = \"Open\"\nrounds = 0\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n",
        3,
        "section.open.rounds: expected at least one round",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhne = { unrated = true }\n",
        5,
        "fees.row.whne: there is no such key here; is it `when`?",
    ),
    (
        "[[admits]]\nneeds = { paid = { before = 2026-07-01 } }\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n",
        2,
        "admits.needs: who may enter cannot go by the payment or by others, who come later",
    ),
    (
        "[section.one]\nname = \"One\"\nentrants = \"teams\"\n[section.two]\nname = \"Two\"\nentrants = \"teams\"\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[adjust]]\nid = \"late\"\nwhen = { received = { from = 2026-07-01 } }\namount = 5\n[[promotion]]\nid = \"both\"\nsections = [\"one\", \"two\"]\nsame = \"institution\"\nshared_players = 1\ntogether = 90\n",
        15,
        "a price that goes by the payment or by others cannot have a [[promotion]]",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 32.50\n",
        4,
        "fees.row.amount: no binary fractions here: write a sum in whole units or a string, a number with decimals as a string (\"32.50\")",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = \"32.505\"\n",
        4,
        "fees.row.amount: EUR has 2 decimals, this has 3",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = \"32,50\"\n",
        4,
        "fees.row.amount: `32,50` is no number: write digits and a point (\"32.50\")",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = -5\n",
        4,
        "fees.row.amount: a sum here is not negative",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 9_000_000_000\n",
        4,
        "fees.row.amount: expected a whole number from -1000000000 to 1000000000",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = { X = 5 }\n",
        4,
        "fees.row.amount.X: there is no section `X`",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\n",
        2,
        "fees.row.amount is missing",
    ),
    (
        "[fees]\nchoose = \"cheapest\"\n[[fees.row]]\nid = \"fee\"\namount = 50\n",
        2,
        "fees.choose: `cheapest` is none of: lowest, first, only",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nammount = 5\n",
        5,
        "fees.row.ammount: there is no such key here",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = \"young\"\n",
        5,
        "fees.row.when: there is no `young` in [who] before this",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { ratign = { under = 5 } }\n",
        5,
        "fees.row.when.ratign: there is no such fact in language 1; is it `rating`?",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { rating = { from = 5, above = 4 } }\n",
        5,
        "fees.row.when.rating: from and above, or to and under, cannot stand together",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { rating = { from = 1800, under = 1800 } }\n",
        5,
        "fees.row.when.rating: nothing lies in this range",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { title = \"GMM\" }\n",
        5,
        "fees.row.when.title: `GMM` is none of: GM, IM, FM, CM, WGM, WIM, WFM, WCM, none",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { federation = \"esp\" }\n",
        5,
        "fees.row.when.federation: not a valid Federation: esp",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = {}\n",
        5,
        "fees.row.when: a condition names at least one fact",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { registered = { before = 2026-07-21T00:00:00+02:00 } }\n",
        5,
        "fees.row.when.registered.before: write the venue's local time, without an offset",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { registered = { before = 21 } }\n",
        5,
        "fees.row.when.registered.before: expected a date such as 2026-07-21 or a time such as 2026-07-21T14:00:00, found a whole number",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { registered = { from = 2026-07-21, before = 2026-07-21 } }\n",
        5,
        "fees.row.when.registered: it ends before it begins",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[fees.row]]\nid = \"fee\"\namount = 60\n",
        5,
        "two rows are called `fee`",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[adjust]]\nid = \"late\"\n",
        5,
        "adjust: expected either amount or percent",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[adjust]]\nid = \"late\"\namount = 5\nstage = \"x\"\n",
        5,
        "there is no [[stage]] `x`",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[refund]\n[[refund.tier]]\nid = \"half\"\nrequested = { until = 2026-07-01 }\nkeep = { percent = 120 }\n",
        9,
        "refund.tier.keep.percent: expected a percentage from 0 to 100",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[byes]\n[[byes.rule]]\npoints = \"full\"\nrounds = { from = 1, to = 2 }\n",
        7,
        "byes.rule.points: `full` is none of: half, zero",
    ),
    (
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[who]\nx = \n",
        6,
        "string values must be quoted, expected literal string",
    ),
];

#[test]
fn each_error_names_its_line_and_its_reason() {
    for (fragment, line, reason) in ERRORS {
        let found = faults(fragment);
        let wanted = vec![(line, reason.to_owned())];
        if reason.starts_with("string values") {
            // The TOML parser's own words may change; the line may not.
            assert_eq!(found.first().map(|fault| fault.0), Some(line), "{found:?}");
        } else {
            assert_eq!(found, wanted, "{fragment}");
        }
    }
}

#[test]
fn errors_of_the_head_name_their_line() {
    let text = whole(FEES);
    for (from, to, reason) in [
        (
            "language  = 1",
            "language  = 2",
            "language: this engine reads language 1",
        ),
        (
            "Europe/Madrid",
            "Europe/Sants",
            "time_zone: there is no IANA time zone `Europe/Sants`",
        ),
        (
            "\"EUR\"",
            "\"ECU\"",
            "currency: ECU is not an ISO 4217 currency",
        ),
        (
            "hold      = \"24h\"",
            "hold      = \"24\"",
            "entry.hold: expected a time such as \"30m\", \"24h\" or \"2d\"",
        ),
        (
            "begins = 2026-08-01T16:00:00",
            "begins = 2026-08-02T16:00:00",
            "play: the first round begins on another day than the first",
        ),
        (
            "last   = 2026-08-05",
            "last   = 2026-07-05",
            "play: the last day is before the first",
        ),
        (
            "[\"card\"]",
            "[\"card\", \"bizum\"]",
            "payment.methods: `bizum` is none of: card, transfer, slip; name what is not taken yet under `off`",
        ),
        (
            "before = 2026-08-01T12:00:00",
            "from = 2026-08-01T12:00:00",
            "entry.closes: expected before or until, and nothing else",
        ),
    ] {
        let altered = text.replacen(from, to, 1);
        assert_ne!(altered, text, "{from}");
        let error = Regulation::parse("x.toml", &altered, 1).unwrap_err();
        let line = text[..text.find(from).unwrap()].matches('\n').count() + 1;
        let found: Vec<&str> = error
            .faults
            .iter()
            .map(|fault| fault.reason.as_str())
            .collect();
        assert_eq!(found, [reason]);
        // What is wrong with a table as a whole is told at its head.
        let told = error.faults[0].line;
        let at_head = reason.starts_with("play: ") && told < line;
        assert!(told == line || at_head, "{error}, not {line}");
    }
}

#[test]
fn a_misspelt_key_is_named_beside_the_one_that_is_missing() {
    let text = whole(FEES);
    for (from, to, missing, there) in [
        (
            "hold ",
            "hodl ",
            "entry.hold is missing",
            "entry.hodl: there is no such key here; is it `hold`?",
        ),
        (
            "[entry]",
            "[entri]",
            "entry is missing",
            "entri: there is no such key here; is it `entry`?",
        ),
        (
            "first ",
            "frist ",
            "play.first is missing",
            "play.frist: there is no such key here; is it `first`?",
        ),
        (
            "amount =",
            "price =",
            "fees.row.amount is missing",
            "fees.row.price: there is no such key here",
        ),
        ("methods =", "method  =", "payment.methods is missing", ""),
    ] {
        let altered = text.replacen(from, to, 1);
        let error = Regulation::parse("x.toml", &altered, 1).unwrap_err();
        let mut wanted = vec![missing, there];
        wanted.retain(|reason| !reason.is_empty());
        let found: Vec<&str> = error.faults.iter().map(|fault| &*fault.reason).collect();
        assert_eq!(found, wanted);
    }
}

#[test]
fn a_duration_is_a_plain_number() {
    let text = whole(FEES);
    for wrong in [
        "+24h", "024h", "0h", "-1h", "24", "h", "", "24w", "24 h", "70000m",
    ] {
        let altered = text.replace("\"24h\"", &format!("\"{wrong}\""));
        let error = Regulation::parse("x.toml", &altered, 1).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("entry.hold: expected a time such as \"30m\", \"24h\" or \"2d\""),
            "{wrong}: {error}"
        );
    }
}

#[test]
fn an_age_needs_the_day_on_which_it_counts() {
    let text =
        whole("[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\nwhen = { age = { under = 18 } }\n");
    let text = text.replace("[ages]\non = \"first day\"\n", "");
    let error = Regulation::parse("x.toml", &text, 1).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("no day is said on which ages count: [ages] on, or `on` here")
    );
}

#[test]
fn several_errors_are_told_at_once_in_the_order_of_the_lines() {
    let text = read("regulations/ciutat-barcelona-2026.toml")
        .replace("amount  = { A = 0 }", "amount  = { A = 0.5 }")
        .replace("licence = \"FEDA\"", "licence = \"feda\"")
        .replace("most   = 2", "mots   = 2");
    let error = Regulation::parse("b.toml", &text, 1).unwrap_err();
    let lines: Vec<usize> = error.faults.iter().map(|fault| fault.line).collect();
    let expected: Vec<usize> = ["licence = \"feda\"", "A = 0.5", "mots   = 2"]
        .iter()
        .map(|part| text[..text.find(part).unwrap()].matches('\n').count() + 1)
        .collect();
    assert_eq!(lines, expected, "{error}");
    assert_eq!(error.to_string().lines().count(), 3);
}

#[test]
fn the_hash_is_that_of_the_text_and_the_version_is_the_one_given() {
    let text = whole(FEES);
    let reference = Regulation::parse("x.toml", &text, 7)
        .unwrap()
        .reference()
        .clone();
    assert_eq!((reference.version, reference.language), (7, 1));
    assert_eq!(reference.hash.len(), 64);
    let other = Regulation::parse("x.toml", &(text + "\n"), 7).unwrap();
    assert_ne!(other.reference().hash, reference.hash);
}

#[test]
fn money_waits_for_a_seat_only_where_money_gives_it() {
    for (order, expected) in [
        ("\"payment\"\nwhen_full = \"wait\"", None),
        (
            "\"form\"\nwhen_full = \"wait\"",
            Some("entry.when_full: only where seats go by the payments: order = \"payment\""),
        ),
        (
            "\"payment\"\nwhen_full = \"queue\"",
            Some("entry.when_full: `queue` is none of: give back, wait"),
        ),
    ] {
        let text = whole(FEES).replace("\"form\"", order);
        let found = Regulation::parse("w.toml", &text, 1).err();
        let reason = found.map(|error| error.faults[0].reason.clone());
        assert_eq!(reason.as_deref(), expected, "{order}");
    }
}
