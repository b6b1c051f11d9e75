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
        told.starts_with("A: 60.00 EUR (general, early) -> 65.00 EUR (general, early)\n    for example: section A")
            && told.contains("; and ") && told.contains(" more like it\n"),
        "{told}"
    );
    assert!(!told.contains("B: "), "{told}");
    assert!(
        told.contains("  fees, general:\n      - A 65.00 EUR, B 55.00 EUR, C 55.00 EUR"),
        "{told}"
    );
    assert!(
        told.contains("\n      + A 70.00 EUR, B 55.00 EUR, C 55.00 EUR"),
        "{told}"
    );
    let differ = run(&[], &["regulation", "diff", &barcelona, &dearer, "--json"]);
    let told: Value = serde_json::from_slice(&differ.stdout).unwrap();
    assert_eq!(told["differences"][0]["section"], "A");
    assert_eq!(told["clauses"][0]["name"], "general");

    // What is no price is told as well.
    std::fs::write(
        &dearer,
        now.replace("within  = \"30m\"", "within  = \"1h\""),
    )
    .unwrap();
    let differ = run(&[], &["regulation", "diff", &barcelona, &dearer]);
    assert_eq!(differ.status.code(), Some(1));
    let told = text(&differ.stdout);
    assert!(
        told.starts_with(
            "nobody's price changes\n\nWhat the second one says otherwise:\n  appeals, appeal:\n"
        ),
        "{told}"
    );
    assert!(text(&differ.stderr).ends_with("different: 1 clause\n"));

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
        shown.contains("  half: until 2026-09-15T23:59:59: 50 % is kept; back by transfer\n"),
        "{shown}"
    );
}

#[test]
fn what_is_not_the_files_own_is_marked_where_that_is_asked() {
    let rojas = file("../regulations/hermanos-rojas-2019.toml");
    let shown = text(&run(&[], &["regulation", "show", &rojas]).stdout);
    for line in [
        "  paid to: account in soles at the Banco de la Nación",
        "  appeal: within 5 minutes, a deposit of 50.00 PEN: In writing",
        "  bases: required: We accept the regulations of the tournament.",
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    assert!(!shown.contains("[default]"), "{shown}");
    let resolved = run(&[], &["regulation", "show", "--resolved", &rojas]);
    let resolved = text(&resolved.stdout);
    assert!(
        resolved.contains("  seats: no limit [default]\n"),
        "{resolved}"
    );
    assert!(resolved.contains("  approval: none\n"), "{resolved}");
}

#[test]
fn a_folder_is_checked_file_by_file_and_the_worst_decides() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().display().to_string();
    let check = |more: &[&str]| {
        let asked = [&["regulation", "check", &folder], more].concat();
        let checked = run(&[], &asked);
        let (code, told) = (checked.status.code(), text(&checked.stdout));
        (code, told, text(&checked.stderr))
    };
    let (code, told, summary) = check(&[]);
    assert_eq!(code, Some(2));
    assert_eq!(
        told,
        format!("{folder}: error: no file in it ends in .toml\n")
    );
    assert_eq!(summary, "enroc: 1 file could not be read\n");

    let rojas = std::fs::read_to_string(file("../regulations/hermanos-rojas-2019.toml")).unwrap();
    let put = |name: &str, text: &str| std::fs::write(data.path().join(name), text).unwrap();
    put("b.toml", &rojas);
    put("notes.txt", "no regulation");
    let (code, told, summary) = check(&[]);
    let clean = format!("{folder}/b.toml: every class of entrant has one price\n");
    assert_eq!((code, told, summary), (Some(0), clean, String::new()));

    put(
        "a.toml",
        &rojas.replace("together       = 140", "together = 200"),
    );
    let (code, told, _) = check(&[]);
    assert_eq!(code, Some(0), "a warning does not fail");
    assert!(
        told.contains("a.toml:82: warning: promotion_idle [both-levels]: "),
        "{told}"
    );
    assert!(
        told.contains("\n    for example: at most 160.00 PEN one by one\n"),
        "{told}"
    );

    put("c.toml", &rojas.replace("hold  ", "hodl  "));
    let (code, told, summary) = check(&["--json"]);
    assert_eq!((code, summary), (Some(1), "enroc: 2 errors\n".to_owned()));
    let lines: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ok: Vec<bool> = lines.iter().map(|line| line["ok"] == true).collect();
    assert_eq!(ok, [true, true, false], "{told}");
    assert_eq!(lines[0]["findings"][0]["code"], "promotion_idle");
    let reasons: Vec<&str> = lines[2]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["message"].as_str().unwrap())
        .collect();
    let misspelt = "entry.hodl: there is no such key here; is it `hold`?";
    assert_eq!(reasons, ["entry.hold is missing", misspelt]);

    put("d.toml", "\u{feff}\0");
    std::fs::write(data.path().join("e.toml"), b"\xff").unwrap();
    let (code, _, summary) = check(&[]);
    assert_eq!(
        (code, summary),
        (Some(2), "enroc: 1 file could not be read\n".to_owned())
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
