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
    let files = files.map(|file| file.unwrap().path());
    files
        .chain([project("rules/tests/fixtures/packages.toml")])
        .collect()
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

#[test]
fn what_is_wrong_is_refused_by_both() {
    let edits = instance(&read("rules/tests/fixtures/wrong-edits.toml"));
    let validators = validators();
    for (file, edits) in edits.as_object().unwrap() {
        let text = match file.as_str() {
            PAGE => blocks(PAGE).concat(),
            file => read(file),
        };
        assert!(parse(&text).is_ok());
        for edit in edits.as_array().unwrap() {
            let [from, to, at] = ["from", "to", "at"].map(|key| edit[key].as_str().unwrap());
            let wrong = text.replacen(from, to, 1);
            assert_ne!(wrong, text, "{edit}");
            assert!(parse(&wrong).is_err(), "{edit}");
            for validator in &validators {
                let refusals = refusals(validator, &wrong);
                let there = refusals.iter().any(|(place, _)| place == at);
                assert!(there, "{edit}: {refusals:?}");
            }
        }
    }
}

/// A string has characters, the parser counts bytes; names are of ASCII where they are that long.
#[test]
fn too_much_of_something_is_refused_by_both() {
    let times = |count: usize, one: &str| -> String {
        let numbered = (0..count).map(|n| one.replace('#', &n.to_string()));
        numbered.collect()
    };
    let row = "[[fees.row]]\nid = \"r#\"\namount = 5\n";
    let section = "[section.s#]\nname = \"S\"\n";
    let promotion = "[[promotion]]\nid = \"p#\"\nsections = [\"s0\", \"s1\"]\nsame = \"institution\"\nshared_players = 1\ntogether = 5\n";
    let fees = format!("[fees]\n{}", times(1, row));
    let name = |length: usize| format!("[who]\n{} = {{ sex = \"m\" }}\n{fees}", "x".repeat(length));
    let files: [(&str, [String; 2]); 4] = [
        (
            "/fees/row",
            [500, 501].map(|count| format!("[fees]\n{}", times(count, row))),
        ),
        (
            "/section",
            [64, 65].map(|count| times(count, section) + &fees),
        ),
        (
            "/promotion",
            [500, 501].map(|count| times(2, section) + &fees + &times(count, promotion)),
        ),
        ("/who", [64, 65].map(name)),
    ];
    for (at, [most, more]) in files {
        assert!(parse(&whole(&most)).is_ok(), "{at}");
        assert!(parse(&whole(&more)).is_err(), "{at}");
        for validator in validators() {
            assert_eq!(refusals(&validator, &whole(&most)), [], "{at}");
            let refusals = refusals(&validator, &whole(&more));
            let there = refusals.iter().any(|(place, _)| place.starts_with(at));
            assert!(there, "{at}: {refusals:?}");
        }
    }
}
