//! The list of recipes holds: each has its test under the name of its kind, and each test here is in the list.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const KINDS: [&str; 8] = [
    "oversell",
    "holds",
    "late_payment",
    "webhook",
    "refund_race",
    "idempotency",
    "waiting_list",
    "expiry",
];

/// The thread that it was learned from, its kind, and the file and name of its test.
struct Recipe {
    thread: &'static str,
    kind: &'static str,
    file: &'static str,
    test: &'static str,
}

fn recipes() -> Vec<Recipe> {
    let lines = include_str!("recipes.csv").lines().skip(1);
    let read = lines.map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [thread, kind, place] = fields[..] else {
            panic!("{line}")
        };
        let (file, test) = place.split_once("::").unwrap();
        Recipe {
            thread,
            kind,
            file,
            test,
        }
    });
    read.collect()
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn tests_of(text: &str) -> impl Iterator<Item = &str> {
    let functions = text.split("async fn ").skip(1);
    functions.filter_map(|rest| rest.split_once('(').map(|(name, _)| name))
}

#[test]
fn every_recipe_has_its_test_under_its_kind() {
    let mut threads = BTreeSet::new();
    for Recipe {
        thread,
        kind,
        file,
        test,
    } in recipes()
    {
        assert!(threads.insert(thread), "{thread} is there twice");
        let (repository, number) = thread.split_once('#').unwrap();
        assert!(
            repository.contains('/') && number.parse::<u32>().is_ok(),
            "{thread}"
        );
        assert!(KINDS.contains(&kind), "{kind}");
        let named = |text: &str| text.contains(kind);
        assert!(
            named(file) || named(test),
            "{thread}: {file}::{test} does not say {kind}"
        );
        let text = fs::read_to_string(project().join(file)).unwrap();
        assert!(
            tests_of(&text).any(|name| name == test),
            "{file} has no {test}"
        );
    }
    assert_eq!(threads.len(), 51);
}

#[test]
fn every_test_here_is_of_a_recipe() {
    let recipes = recipes();
    for kind in KINDS {
        let file = format!("registration/tests/it/faults/{kind}.rs");
        let text = fs::read_to_string(project().join(&file)).unwrap();
        let (_, tests) = text.split_once("store::both! {").unwrap();
        for name in tests_of(tests) {
            let listed = recipes.iter().any(|r| r.file == file && r.test == name);
            assert!(listed, "{file}::{name} is of no recipe");
        }
    }
}
