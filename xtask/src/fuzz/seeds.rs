//! What the parser's target starts from besides files: the words of the language, and the regulation that its page is.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::{Result, project};

/// The keys and words of the language as the schema of regulations has them, one in quotes a line.
pub fn dictionary() -> Result<String> {
    let schema = fs::read_to_string(project::root().join("docs/regulation.schema.json"))?;
    let mut words = BTreeSet::new();
    collect(&serde_json::from_str(&schema)?, &mut words);
    let plain = words.iter().filter(|word| {
        let mut bytes = word.bytes();
        bytes.all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
    });
    Ok(plain.map(|word| format!("\"{word}\"\n")).collect())
}

fn collect(schema: &Value, words: &mut BTreeSet<String>) {
    match schema {
        Value::Array(members) => members.iter().for_each(|member| collect(member, words)),
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value) {
                    ("properties", Value::Object(keys)) => words.extend(keys.keys().cloned()),
                    ("enum", Value::Array(all)) => {
                        let all = all.iter().filter_map(Value::as_str);
                        words.extend(all.map(str::to_owned));
                    }
                    ("const", Value::String(word)) => {
                        words.insert(word.clone());
                    }
                    _ => {}
                }
                collect(value, words);
            }
        }
        _ => {}
    }
}

/// The blocks of the language's page, which together use every table.
pub fn page() -> Result<String> {
    let page = fs::read_to_string(project::root().join("docs/regulation-language.md"))?;
    let blocks = page.split("```toml\n").skip(1);
    Ok(blocks
        .filter_map(|block| block.split("```").next())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_has_keys_and_words() {
        let words = dictionary().unwrap();
        for word in ["closes", "round_to", "slip given", "promotion"] {
            assert!(
                words.lines().any(|line| line == format!("\"{word}\"")),
                "{word}"
            );
        }
    }

    #[test]
    fn the_page_is_a_regulation() {
        let page = page().unwrap();
        assert!(page.contains("[[promotion]]") && !page.contains("```"));
    }
}
