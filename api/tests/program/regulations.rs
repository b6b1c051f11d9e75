//! `enroc regulation`: what it prints, and its exit codes.

use serde_json::Value;

use crate::served::{file, run, text};

#[test]
fn two_regulations_are_compared() {
    let barcelona = file("../regulations/ciutat-barcelona-2026.toml");
    let same = run(&[], &["regulation", "diff", &barcelona, &barcelona]);
    assert_eq!(same.status.code(), Some(0));
    assert_eq!(text(&same.stdout), "nobody's price changes\n");

    let data = tempfile::tempdir().unwrap();
    let dearer = data.path().join("dearer.toml");
    let now = std::fs::read_to_string(&barcelona).unwrap();
    std::fs::write(&dearer, now.replace("A = 65, B = 55", "A = 70, B = 55")).unwrap();
    let dearer = dearer.display().to_string();
    let differ = run(&[], &["regulation", "diff", &barcelona, &dearer]);
    assert_eq!(differ.status.code(), Some(1));
    let told = text(&differ.stdout);
    assert!(
        told.contains("A: 65.00 EUR (general) -> 70.00 EUR (general)\n    for example: section A"),
        "{told}"
    );
    assert!(!told.contains("B: "), "{told}");
    let differ = run(&[], &["regulation", "diff", &barcelona, &dearer, "--json"]);
    let told: Value = serde_json::from_slice(&differ.stdout).unwrap();
    assert_eq!(told["differences"][0]["section"], "A");

    let rojas = file("../regulations/hermanos-rojas-2019.toml");
    let refused = run(&[], &["regulation", "diff", &barcelona, &rojas]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("one is in EUR, the other in PEN"));
}

#[test]
fn a_regulation_is_shown_with_what_it_leaves_out() {
    let llobregat = file("../regulations/ellobregat-2026.toml");
    let shown = run(&[], &["regulation", "show", &llobregat]);
    assert_eq!(shown.status.code(), Some(0));
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("  taken: until 2026-12-03T16:59:59\n"),
        "{shown}"
    );
    assert!(
        shown.contains("  half: until 2026-09-15T23:59:59: 50 % is kept; by transfer\n"),
        "{shown}"
    );
}

#[test]
fn a_fee_table_is_written_in_each_format() {
    let barcelona = file("../regulations/ciutat-barcelona-2026.toml");
    for (format, begins) in [
        ("text", "Obert"),
        ("markdown", "# Obert"),
        ("html", "<table lang=\"ca\">"),
    ] {
        let asked = [
            "regulation",
            "table",
            &barcelona,
            "--language",
            "ca",
            "--format",
            format,
        ];
        let table = text(&run(&[], &asked).stdout);
        assert!(table.contains("65.00"), "{table}");
        let first = table.lines().next().unwrap_or_default();
        assert!(
            first.starts_with(begins) || first.contains("Barcelona"),
            "{table}"
        );
    }
}
