//! `docs/regulation.schema.json` says of a file what the parser says, as far as a schema can.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::path::PathBuf;

use jsonschema::Validator;
use rules::{Regulation, RegulationError};
use serde_json::{Value, json};
use support::markdown::{Part, parts};
use support::{project, read, whole};

const PAGE: &str = "docs/regulation-language.md";

fn schema() -> Value {
    serde_json::from_str(&read("docs/regulation.schema.json")).unwrap()
}

/// The schema as it calls itself, and as taplo reads it: by the seventh draft, where nothing beside a `$ref` counts.
fn validators() -> [Validator; 2] {
    let mut schema = schema();
    let latest = jsonschema::draft202012::new(&schema).unwrap();
    schema.as_object_mut().unwrap().remove("$schema");
    [latest, jsonschema::draft7::new(&schema).unwrap()]
}

/// A file as editors hand it to a schema: dates are text.
fn instance(text: &str) -> Value {
    fn of(value: &toml::Value) -> Value {
        match value {
            toml::Value::Table(table) => {
                let entries = table.iter().map(|(key, value)| (key.clone(), of(value)));
                Value::Object(entries.collect())
            }
            toml::Value::Array(members) => members.iter().map(of).collect(),
            toml::Value::Datetime(instant) => json!(instant.to_string()),
            other => serde_json::to_value(other).unwrap(),
        }
    }
    of(&toml::Value::Table(text.parse().unwrap()))
}

/// Where the schema refuses a file, each place by its JSON pointer, and why.
fn refusals(validator: &Validator, text: &str) -> Vec<(String, String)> {
    let instance = instance(text);
    let errors = validator.iter_errors(&instance);
    errors
        .map(|error| (error.instance_path().to_string(), error.to_string()))
        .collect()
}

fn parse(text: &str) -> Result<Regulation, RegulationError> {
    Regulation::parse("x.toml", text, 1)
}

fn blocks(page: &str) -> Vec<String> {
    let blocks = parts(&read(page))
        .into_iter()
        .filter_map(|part| match part {
            Part::Toml(text) => Some(text),
            Part::Table(_) => None,
        });
    blocks.collect()
}

fn files() -> Vec<PathBuf> {
    let folders = ["regulations", "rules/tests/fixtures/regulations"];
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(project(folder)).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn the_schema_is_one_and_describes_each_key() {
    fn look(schema: &Value, place: &str) {
        for (key, value) in schema.as_object().into_iter().flatten() {
            if key == "not" {
                continue;
            }
            let place = format!("{place}/{key}");
            for (name, property) in value.as_object().into_iter().flatten() {
                let told = property["description"].as_str().unwrap_or_default();
                let of_keys = key == "properties" || key == "$defs";
                assert!(!of_keys || told.ends_with('.'), "{place}/{name}: {told:?}");
            }
            look(value, &place);
            for member in value.as_array().into_iter().flatten() {
                look(member, &place);
            }
        }
    }
    let schema = schema();
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    look(&schema, "");
}

#[test]
fn every_file_of_the_project_is_valid() {
    let files = files();
    assert!(files.len() > 12, "{files:?}");
    for validator in validators() {
        for file in &files {
            let text = std::fs::read_to_string(file).unwrap();
            assert_eq!(refusals(&validator, &text), [], "{}", file.display());
        }
    }
}

#[test]
fn the_page_is_valid_as_a_whole_and_block_by_block() {
    for validator in validators() {
        assert_eq!(refusals(&validator, &blocks(PAGE).concat()), []);
        for block in blocks(PAGE) {
            let of_tables: Vec<_> = refusals(&validator, &block)
                .into_iter()
                .filter(|(place, _)| !place.is_empty())
                .collect();
            assert_eq!(of_tables, [], "{block}");
        }
    }
}

#[test]
fn the_worked_examples_are_valid() {
    for page in ["docs/pricing.md", "docs/refunds.md"] {
        let blocks = blocks(page);
        assert!(!blocks.is_empty(), "{page}");
        for validator in validators() {
            for block in &blocks {
                assert_eq!(refusals(&validator, &whole(block)), [], "{block}");
            }
        }
    }
}

#[test]
fn a_time_is_taken_however_an_editor_writes_it() {
    let mut regulation = instance(&read("regulations/ciutat-barcelona-2026.toml"));
    for validator in validators() {
        for (time, valid) in [
            ("2026-08-21T16:30:00", true),
            ("2026-08-21T16:30", true),
            ("2026-08-21 16:30:00", true),
            ("2026-08-21 9:30:00.0", true), // taplo
            ("2026-08-21", false),
            ("2026-08-21T16:30:00Z", false),
            ("2026-08-21T16:30:00+02:00", false),
            ("2026-08-21T16:30:00.5", false),
            ("16:30:00", false),
            ("tomorrow", false),
        ] {
            regulation["play"]["begins"] = json!(time);
            assert_eq!(validator.is_valid(&regulation), valid, "{time}");
        }
    }
}

/// An edit that makes a file wrong: what is replaced, by what, and where the schema sees it.
type Edit = (&'static str, &'static str, &'static str);

const CIUTAT: [Edit; 32] = [
    ("language  = 1", "language  = 2", "/language"),
    ("id        = \"ciutat-barcelona-2026\"", "", ""),
    ("\"ciutat-barcelona-2026\"", "\"ciutat barcelona\"", "/id"),
    ("time_zone =", "timezone =", ""),
    ("\"EUR\"", "\"euro\"", "/currency"),
    ("prevails  = \"ca\"", "prevails  = \"fr\"", "/prevails"),
    ("[name]\nca =", "[name]\nfr =", "/name"),
    ("[play] ", "[plays] ", ""),
    (
        "first  = 2026-08-21",
        "first  = 2026-08-21T00:00:00",
        "/play/first",
    ),
    (
        "begins = 2026-08-21T16:30:00",
        "begins = 2026-08-21",
        "/play/begins",
    ),
    (
        "begins = 2026-08-21T16:30:00",
        "begins = 2026-08-21T16:30:00Z",
        "/play/begins",
    ),
    ("rounds = 10", "rounds = \"10\"", "/play/rounds"),
    ("rounds = 10", "rounds = 0", "/play/rounds"),
    ("on = \"first day\"", "on = \"second day\"", "/ages/on"),
    (
        "closes    = { before = 2026-08-20T14:00:00,",
        "closes    = { from = 2026-08-20T14:00:00,",
        "/entry/closes",
    ),
    (
        "weekday = \"thursday\"",
        "weekday = \"Thursday\"",
        "/entry/closes/weekday",
    ),
    ("hold      = \"24h\"", "hold      = \"24\"", "/entry/hold"),
    ("hold      = \"24h\"", "hold      = 24", "/entry/hold"),
    (
        "order     = \"form\"",
        "order     = \"forms\"",
        "/entry/order",
    ),
    ("effective = \"paid\"", "", "/entry"),
    (
        "[\"annul\", \"place\"]",
        "[\"annul\", \"move\"]",
        "/entry/organiser_may",
    ),
    (
        "methods = [\"card\"]",
        "methods = [\"card\", \"bizum\"]",
        "/payment/methods",
    ),
    (
        "seats   = \"organiser\"",
        "seats   = \"many\"",
        "/capacity/0/seats",
    ),
    ("under = 16", "undr = 16", "/who/reduced/any/0/age"),
    (
        "{ disability = true }",
        "{ disability = \"yes\" }",
        "/who/reduced/any/1/disability",
    ),
    (
        "{ rating = { under = 1950 } }",
        "{ ratign = { under = 1950 } }",
        "/section/B/admits",
    ),
    (
        "{ under = 1650 }",
        "{ under = 1650, to = 1650 }",
        "/section/C/admits/rating",
    ),
    (
        "needs   = { licence = \"FEDA\" }",
        "needs   = { licence = \"feda\" }",
        "/admits/1/needs/licence",
    ),
    (
        "amount  = { A = 0 }",
        "amount  = { A = 0.5 }",
        "/fees/row/3/amount/A",
    ),
    (
        "accepts = \"checked\"",
        "accepts = \"proved\"",
        "/fees/row/4/accepts",
    ),
    (
        "points = \"zero\"",
        "points = \"none\"",
        "/byes/rule/0/points",
    ),
    (
        "within  = \"30m\"",
        "within  = \"half an hour\"",
        "/appeal/0/within",
    ),
];

const OF_THE_PAGE: [Edit; 44] = [
    (
        "opens     = { from = 2026-03-01 }",
        "opens     = { from = 2026-03-01, after = 2026-03-01 }",
        "/entry/opens",
    ),
    (
        "opens     = { from = 2026-03-01 }",
        "opens     = 2026-03-01",
        "/entry/opens",
    ),
    (
        "opens     = { from = 2026-03-01 }",
        "opens     = {}",
        "/entry/opens",
    ),
    (
        "approval  = \"none\"",
        "approval  = \"after\"",
        "/entry/approval",
    ),
    (
        "once_per  = \"tournament\"",
        "once_per  = \"group\"",
        "/entry/once_per",
    ),
    ("methods = [\"card\"]", "", "/payment"),
    ("off     = [\"bizum\"]", "off     = [1]", "/payment/off/0"),
    (
        "# slip_with_entry = true",
        "slip_with_entry = \"yes\"",
        "/payment/slip_with_entry",
    ),
    (
        "# pay_to = { ca = \"...\", es = \"...\", en = \"...\" }",
        "pay_to = { ca = \"...\" }",
        "/payment/pay_to",
    ),
    ("seats    = 220", "", "/capacity/0"),
    ("warn_at  = 180", "warn_at  = -1", "/capacity/0/warn_at"),
    (
        "number = { from = 0, to = 60 }",
        "number = { from = 0 }",
        "/question/1/number",
    ),
    (
        "choices  = [{ id = \"s\", text = \"S\" }, ",
        "number = { from = 0, to = 1 }\nchoices  = [{ id = \"s\", text = \"S\" }, ",
        "/question/2",
    ),
    (
        "[{ id = \"s\", text = \"S\" }, { id = \"m\", text = \"M\" }, ",
        "[",
        "/question/2/choices",
    ),
    (
        "id      = \"member\"                    #",
        "required = true\nid = \"member\" #",
        "/question/0",
    ),
    (
        "{ title = [\"GM\", \"IM\", \"WGM\"] }",
        "{ title = [\"GM\", \"GMM\"] }",
        "/who/titled/title",
    ),
    (
        "{ not = { federation = \"ESP\" } }",
        "{ not = { federation = \"esp\" } }",
        "/who/abroad/not/federation",
    ),
    (
        "{ answer = { member = true } }",
        "{ answer = {} }",
        "/who/member/answer",
    ),
    (
        "{ editions = { from = 5 } }",
        "{ editions = { form = 5 } }",
        "/who/loyal/answer/editions",
    ),
    (
        "guest    = { rating = { above = 2400 }, invited = true }",
        "guest    = {}",
        "/who/guest",
    ),
    (
        "guest    = { rating = { above = 2400 }, invited = true }",
        "guest    = { born = { from = 1800 } }",
        "/who/guest/born/from",
    ),
    (
        "guest    = { rating = { above = 2400 }, invited = true }",
        "guest    = { age = { on = 2026-01-01 } }",
        "/who/guest/age",
    ),
    (
        "guest    = { rating = { above = 2400 }, invited = true }",
        "guest    = { sex = \"w\" }",
        "/who/guest/sex",
    ),
    (
        "guest    = { rating = { above = 2400 }, invited = true }",
        "guest    = { levels = [\"tertiary\"] }",
        "/who/guest/levels",
    ),
    (
        "guest    = { rating = { above = 2400 }, invited = true }",
        "guest    = { all = [] }",
        "/who/guest/all",
    ),
    (
        "[section.B]\nname    = { ca = \"Grup B\", es = \"Grupo B\", en = \"Group B\" }",
        "[section.B]",
        "/section/B",
    ),
    ("[section.blitz]", "[section.\"blitz 1\"]", "/section"),
    (
        "entrants = \"teams\"   ",
        "entrants = \"team\"   ",
        "/section/school/entrants",
    ),
    ("fees     = \"none\"", "fees     = 0", "/section/blitz/fees"),
    (
        "needs    = { licence = \"FIDE\" }",
        "need     = { licence = \"FIDE\" }",
        "/admits/0",
    ),
    (
        "choose = \"lowest\"",
        "choose = \"cheapest\"",
        "/fees/choose",
    ),
    (
        "round_to = \"0.50\"",
        "round_to = \"0,50\"",
        "/fees/round_to",
    ),
    (
        "ends   = [\"reductions\"]",
        "ends   = [\"all reductions\"]",
        "/fees/row/2/ends/0",
    ),
    ("combine = \"sum\"", "combine = \"add\"", "/stage/0/combine"),
    ("of      = \"base\"", "off     = \"base\"", "/stage/0"),
    ("amount = -5\n", "amount = -5\npercent = -5\n", "/adjust/0"),
    (
        "percent = { A = -50 }",
        "percent = { A = -5000 }",
        "/adjust/1/percent/A",
    ),
    (
        "same           = \"institution\"",
        "same           = \"school\"",
        "/promotion/0/same",
    ),
    (
        "sections       = [\"school\", \"college\"]",
        "sections       = [\"school\"]",
        "/promotion/0/sections",
    ),
    (
        "keep      = { percent = 50,",
        "keep      = { percent = 120,",
        "/refund/tier/0/keep/percent",
    ),
    (
        "until_start = \"21d\"",
        "until_start = \"3w\"",
        "/refund/tier/0/requested/until_start",
    ),
    (
        "rounds = { from = 1, to = 5 }",
        "rounds = { from = 0, to = 5 }",
        "/byes/rule/0/rounds/from",
    ),
    ("leaves_out = 9", "leave_out = 9", "/byes/unpaired/0"),
    (
        "required = true\ntext     = { ca = \"Accepto",
        "text     = { ca = \"Accepto",
        "/consent/0",
    ),
];

#[test]
fn what_is_wrong_is_refused_by_both() {
    let ciutat = read("regulations/ciutat-barcelona-2026.toml");
    let page = blocks(PAGE).concat();
    let of_ciutat = CIUTAT.iter().map(|edit| (&ciutat, edit));
    let of_page = OF_THE_PAGE.iter().map(|edit| (&page, edit));
    let validators = validators();
    for (text, (from, to, place)) in of_ciutat.chain(of_page) {
        assert!(parse(text).is_ok());
        let wrong = text.replacen(from, to, 1);
        assert_ne!(&wrong, text, "{from}");
        assert!(parse(&wrong).is_err(), "{from}: {to}");
        for validator in &validators {
            let refusals = refusals(validator, &wrong);
            let there = refusals.iter().any(|(found, _)| found == place);
            assert!(there, "{from}: {to}: {place}: {refusals:?}");
        }
    }
}
