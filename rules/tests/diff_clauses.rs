//! What two regulations say otherwise, whatever it is of.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::ops::Range;

use rules::Regulation;
use rules::diff::clauses;
use support::{read, small};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The lines that change, as `part, name: before -> after`.
fn said(before: &Regulation, after: &Regulation) -> Vec<String> {
    let or_nothing = |said: Option<String>| said.unwrap_or_else(|| "nothing".to_owned());
    let changes = clauses(before, after).into_iter();
    let told = changes.map(|one| {
        let (before, after) = (or_nothing(one.before), or_nothing(one.after));
        format!("{}, {}: {before} -> {after}", one.part, one.name)
    });
    told.collect()
}

#[test]
fn clauses_that_are_no_price_are_told_too() {
    let clean = read("rules/tests/fixtures/clean.toml");
    let parsed = |text: &str| Regulation::parse("x.toml", text, 1).unwrap();
    for (from, to, told) in [
        (
            "keep      = { percent = 50 }",
            "keep = { percent = 60 }",
            "refunds to who cancels, half: until 2026-07-15T23:59:59: 50 % is kept; back by card -> until 2026-07-15T23:59:59: 60 % is kept; back by card",
        ),
        (
            "to = 9 }",
            "to = 5 }",
            "byes, half a point: any number, in rounds 1 to 9 -> any number, in rounds 1 to 5",
        ),
        (
            "[[consent]]",
            "[[appeal]]\nid = \"appeal\"\nwithin = \"1h\"\n[[consent]]",
            "appeals, none: with a time or a deposit -> nothing|appeals, appeal: nothing -> within 1 hour, no deposit",
        ),
        (
            "required = false",
            "required = true",
            "consents, images: freely given: I consent. -> required: I consent.",
        ),
        (
            "\"I consent.\"",
            "{ ca = \"Hi consento.\", es = \"Consiento.\", en = \"I consent.\" }",
            "consents, images: “I consent.” -> “Hi consento.”, “Consiento.”, “I consent.”",
        ),
        (
            "seats   = 100",
            "seats = 120",
            "entry, seats: 100 in all sections, warned at 90 -> 120 in all sections, warned at 90",
        ),
        (
            "pay_by    = { before = 2026-08-01T12:00:00 }",
            "",
            "entry, paid: until 2026-08-01T11:59:59 -> as long as the seat is held",
        ),
        (
            "methods = [\"card\"]",
            "methods = [\"card\"]\noff = [\"bizum\"]",
            "payment, named and not taken: nothing -> bizum",
        ),
        (
            "article        = \"3\"",
            "article = \"4\"",
            "promotions, both: article 3 -> article 4",
        ),
        (
            "choose = \"lowest\"",
            "choose = \"first\"",
            "fees, : fees: the lowest row that applies -> fees: the first row that applies",
        ),
    ] {
        let edited = clean.replacen(from, to, 1);
        assert_ne!(clean, edited, "{from}");
        let found = said(&parsed(&clean), &parsed(&edited));
        assert_eq!(found.join("|"), told);
    }
}

#[test]
fn a_row_that_moves_is_told_as_one() {
    let row = |id: &str| format!("[[fees.row]]\nid = \"{id}\"\namount = 20\n");
    let file = |ids: [&str; 3]| {
        small(&format!(
            "[fees]\nchoose = \"first\"\n{}",
            ids.map(row).concat()
        ))
    };
    assert_eq!(
        said(&file(["a", "b", "c"]), &file(["b", "c", "a"])),
        ["fees, a: 20.00 EUR -> 20.00 EUR"]
    );
}

/// The text with one thing of it otherwise, once for each thing: a value changed, a line gone, a table gone.
fn edits(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let document = DeTable::parse(text).unwrap();
    values("", document.get_ref(), &mut |path, span, value| {
        let edited = format!("{}{value}{}", &text[..span.start], &text[span.end..]);
        found.push((format!("{path} = {value}"), edited));
    });
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &str| line.starts_with('[') && line.ends_with(']');
    for (place, line) in lines.iter().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let length = if is_head(line) {
            let end = lines[place + 1..].iter().position(|line| is_head(line));
            end.map_or(lines.len() - place, |end| end + 1)
        } else {
            1
        };
        let rest = [&lines[..place], &lines[place + length..]].concat();
        found.push((format!("without {line}"), rest.join("\n")));
    }
    found
}

/// Every value that has no others in it, with another one of its kind.
fn values(path: &str, table: &DeTable<'_>, tell: &mut dyn FnMut(&str, Range<usize>, String)) {
    for (key, value) in table {
        value_of(&format!("{path}{}.", key.get_ref()), value, tell);
    }
}

fn value_of(
    path: &str,
    value: &Spanned<DeValue<'_>>,
    tell: &mut dyn FnMut(&str, Range<usize>, String),
) {
    let other = match value.get_ref() {
        DeValue::Table(table) => return values(path, table, tell),
        DeValue::Array(list) => return list.iter().for_each(|value| value_of(path, value, tell)),
        DeValue::String(text) => format!("{:?}", format!("{text}1")),
        DeValue::Integer(number) => (number.as_str().parse::<i64>().unwrap() + 1).to_string(),
        DeValue::Boolean(flag) => (!flag).to_string(),
        DeValue::Datetime(at) => {
            let mut at = *at;
            if let Some(date) = &mut at.date {
                date.day = if date.day > 1 { date.day - 1 } else { 2 };
            }
            at.to_string()
        }
        DeValue::Float(_) => return,
    };
    tell(path.trim_end_matches('.'), value.span(), other);
}

/// What says nothing of its own: what is so anyway, the sections where a condition of entry is about facts that only those have, what only keeps `check` from asking, the article of a section that admits all.
const SILENT: [&str; 13] = [
    "approval  = \"none\"",
    "once_per  = \"tournament\"",
    "fees     = \"none\"",
    "choose = \"lowest\"",
    "combine = \"sum\"",
    "of      = \"base\"",
    "stage  = \"charges\"",
    "method = \"card\"",
    "[byes]",
    "[fees]",
    "[[stage]]",
    "stage.id",
    "sections = [\"school\", \"college\"]",
];

#[test]
fn whichever_clause_is_edited_it_is_told() {
    let page = read("docs/regulation-language.md");
    let blocks = page.split("```toml\n").skip(1);
    let page = blocks
        .filter_map(|block| block.split("```").next())
        .collect();
    let files: [String; 2] = [page, read("rules/tests/fixtures/clean.toml")];
    let (mut silent, mut tried) = (Vec::new(), 0);
    for text in files {
        let before = Regulation::parse("x.toml", &text, 1).unwrap();
        for (edit, text) in edits(&text) {
            let Ok(after) = Regulation::parse("x.toml", &text, 1) else {
                continue;
            };
            tried += 1;
            let says_nothing = SILENT.iter().any(|part| edit.contains(part));
            if clauses(&before, &after).is_empty() && !says_nothing {
                silent.push(format!("{}: {edit}", before.tournament()));
            }
        }
    }
    assert!(tried > 300, "{tried}");
    assert_eq!(silent, [""; 0]);
}
