//! `docs/regulation.schema.json` and the parser know the same keys, table by table.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::collections::BTreeSet;

use rules::Regulation;
use serde_json::Value;
use support::markdown::{Part, parts};
use support::{project, read};

/// Every table of the language at least once: the page's, and what it tells in words only.
fn every_table() -> String {
    let blocks = parts(&read("docs/regulation-language.md"));
    let blocks = blocks.into_iter().filter_map(|part| match part {
        Part::Toml(text) => Some(text),
        Part::Table(_) => None,
    });
    let text: String = blocks.collect();
    let lines = text.lines().map(|line| line.split('#').next().unwrap());
    let text = lines.fold(String::new(), |text, line| text + line + "\n");
    text + "[[admits]]\nneeds = { born = { from = 2009 } }\n"
}

/// Where keys can be put into the text: at its head, after a header, and in a table within a line.
fn places(text: &str) -> Vec<usize> {
    let headers = text.match_indices("\n[").map(|(at, _)| {
        let line = text[at + 1..].find('\n').unwrap();
        at + 1 + line + 1
    });
    let in_lines = text.match_indices('{').map(|(at, _)| at + 1);
    std::iter::once(0).chain(headers).chain(in_lines).collect()
}

fn with(text: &str, at: usize, keys: &[&str]) -> String {
    let (before, after) = text.split_at(at);
    let end = if before.ends_with('{') { ',' } else { '\n' };
    let keys: String = keys.iter().map(|key| format!(" {key} = 0{end}")).collect();
    format!("{before}{keys}{after}")
}

/// The keys and positions that lead to the table with this key, and the table.
fn find<'v>(value: &'v toml::Value, key: &str) -> Option<(Vec<String>, &'v toml::Table)> {
    let members: Vec<(String, &toml::Value)> = match value {
        toml::Value::Table(table) if table.contains_key(key) => return Some((Vec::new(), table)),
        toml::Value::Table(table) => table.iter().map(|(name, v)| (name.clone(), v)).collect(),
        toml::Value::Array(list) => {
            let places = (0..list.len()).map(|place| place.to_string());
            places.zip(list).collect()
        }
        _ => return None,
    };
    members.into_iter().find_map(|(name, value)| {
        let (mut path, table) = find(value, key)?;
        path.insert(0, name);
        Some((path, table))
    })
}

/// What the schema says at the end of a path.
fn schema_at<'s>(root: &'s Value, schema: &'s Value, path: &[String]) -> &'s Value {
    if let Some(place) = schema["$ref"].as_str() {
        return schema_at(root, root.pointer(&place[1..]).unwrap(), path);
    }
    let Some((step, rest)) = path.split_first() else {
        return schema;
    };
    let named = schema["properties"].get(step);
    let position = step.parse::<usize>().ok();
    let listed = || position.and(schema.get("items"));
    let free = || match schema["patternProperties"].as_object() {
        Some(patterns) => patterns.values().next(),
        None => schema.get("additionalProperties"),
    };
    schema_at(root, named.or_else(listed).or_else(free).unwrap(), rest)
}

/// The keys of a table that takes no others.
fn closed(schema: &Value) -> Option<BTreeSet<&str>> {
    let open = schema["additionalProperties"] != false || schema["patternProperties"].is_object();
    let keys = schema["properties"].as_object().filter(|_| !open)?;
    Some(keys.keys().map(String::as_str).collect())
}

/// The keys of every such table in the schema.
fn all_closed(schema: &Value) -> BTreeSet<BTreeSet<&str>> {
    let members = schema.as_object().into_iter().flatten();
    let members = members.map(|(_, value)| value);
    let members = members.chain(schema.as_array().into_iter().flatten());
    members.flat_map(all_closed).chain(closed(schema)).collect()
}

/// The keys that the parser says it does not know.
fn unknown(text: &str) -> BTreeSet<String> {
    let Err(error) = Regulation::parse("x.toml", text, 1) else {
        return BTreeSet::new();
    };
    let names = error.faults.iter().filter_map(|fault| {
        let (name, reason) = fault.reason.split_once(": there is no such ")?;
        assert!(
            ["key here", "fact in language 1"].contains(&reason.split(';').next().unwrap()),
            "{reason}"
        );
        Some(name.rsplit('.').next().unwrap_or(name).to_owned())
    });
    names.collect()
}

/// The words in quotes of the parser's own code; every key that it reads is among them.
fn words() -> BTreeSet<String> {
    let files = std::fs::read_dir(project("rules/src/parse")).unwrap();
    let code = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let code: Vec<String> = code.collect();
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let words = code.iter().flat_map(|code| code.split('"'));
    let words = words.filter(|word| !word.is_empty() && word.bytes().all(letter));
    words.map(str::to_owned).collect()
}

#[test]
fn the_schema_and_the_parser_know_the_same_keys_in_every_table() {
    let schema: Value = serde_json::from_str(&read("docs/regulation.schema.json")).unwrap();
    let (text, words) = (every_table(), words());
    assert_eq!(Regulation::parse("x.toml", &text, 1).err(), None);
    let mut seen = BTreeSet::new();
    for at in places(&text) {
        let marked = toml::Value::Table(with(&text, at, &["marker"]).parse().unwrap());
        let (path, table) = find(&marked, "marker").unwrap();
        let Some(keys) = closed(schema_at(&schema, &schema, &path)) else {
            continue;
        };
        // A deadline is a window whose beginning the parser refuses in words of its own; so is an opening, with its end.
        let half = keys.contains("weekday");
        let of_window = |word: &str| {
            let beginning = matches!(word, "from" | "after");
            beginning || matches!(word, "before" | "until" | "before_start" | "until_start")
        };
        let others = words.iter().map(String::as_str);
        let others = others.filter(|word| !(keys.contains(word) || half && of_window(word)));
        let others: Vec<&str> = others.collect();
        let refused = unknown(&with(&text, at, &others));
        for word in others {
            assert!(refused.contains(word), "{path:?}: the schema lacks {word}");
        }
        let absent = keys.iter().filter(|key| !table.contains_key(**key));
        let absent: Vec<&str> = absent.copied().collect();
        if !seen.insert(keys.into_iter().map(str::to_owned).collect::<BTreeSet<_>>()) {
            continue;
        }
        for key in absent {
            let refused = unknown(&with(&text, at, &[key]));
            assert!(!refused.contains(key), "{path:?}: the parser lacks {key}");
        }
    }
    for keys in all_closed(&schema) {
        let keys: BTreeSet<String> = keys.into_iter().map(str::to_owned).collect();
        assert!(seen.contains(&keys), "no table with {keys:?} was looked at");
    }
}
