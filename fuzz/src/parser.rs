//! Any text is a regulation or is refused with reasons; what is a regulation can be checked, shown, drawn and compared.

use domain::Language;
use rules::check::{Limits, check};
use rules::diff::diff;
use rules::table::fee_table;
use rules::{Regulation, show};

/// Few, so that an input is quick; a budget is kept or not whatever it is.
const LIMITS: Limits = Limits {
    minimum_charge: 50,
    classes: 200,
    ..Limits::ANY_SUM
};

/// Reads the bytes as a regulation and looks at it in every way there is.
pub fn parser(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Regulation::parse("x.toml", text, 1) {
        Ok(regulation) => accepted(text, &regulation),
        Err(error) => {
            assert!(!error.faults.is_empty(), "refused without a reason");
            let lines = text.split('\n').count();
            for fault in &error.faults {
                assert!((1..=lines).contains(&fault.line), "{fault:?} of {lines}");
                assert!(!fault.reason.is_empty());
            }
        }
    }
}

fn accepted(text: &str, regulation: &Regulation) {
    nothing_is_passed_over(text, regulation);
    for finding in check(regulation, &LIMITS) {
        assert!(!finding.message.en.is_empty(), "{finding:?}");
    }
    assert!(!show(regulation).is_empty());
    let table = fee_table(regulation);
    for language in Language::ALL {
        let drawn = [
            table.to_text(language),
            table.to_markdown(language),
            table.to_html(language),
        ];
        assert!(drawn.iter().all(|table| !table.is_empty()));
    }
    match diff(regulation, regulation, &LIMITS) {
        Ok(itself) => assert_eq!(itself.differences, [], "differs from itself"),
        Err(error) => panic!("cannot be compared with itself: {error}"),
    }
}

/// Every row of a list of the file is there: none is dropped in silence.
fn nothing_is_passed_over(text: &str, regulation: &Regulation) {
    let Ok(file) = text.parse::<toml::Table>() else {
        panic!("it was read as TOML")
    };
    let count = |value: Option<&toml::Value>| match value {
        None => 0,
        Some(toml::Value::Array(list)) => list.len(),
        Some(_) => 1,
    };
    let rows = file.get("fees").and_then(|fees| fees.get("row"));
    let written = count(rows) + count(file.get("adjust")) + count(file.get("promotion"));
    assert_eq!(fee_table(regulation).rows.len(), written, "rows of prices");
    let kept = [
        ("capacity", regulation.capacity().len()),
        ("question", regulation.questions().len()),
        ("consent", regulation.consents().len()),
        ("appeal", regulation.appeals().len()),
    ];
    for (key, kept) in kept {
        assert_eq!(kept, count(file.get(key)), "{key}");
    }
    let sections = file.get("section").and_then(toml::Value::as_table);
    let sections = sections.map_or(0, toml::Table::len);
    assert_eq!(regulation.sections().count(), sections, "sections");
}
