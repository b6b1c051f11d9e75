//! `enroc regulation new`: flags, lines and defaults, and that nothing is written where an answer is missing.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::served::{enroc, run, text};

/// Runs it with these lines on standard input.
fn answering(arguments: &[&str], lines: &str) -> Output {
    let mut child = enroc(&[], arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = child.stdin.take().unwrap();
    // It may end before it has read all of them.
    drop(answers.write_all(lines.as_bytes()));
    drop(answers);
    child.wait_with_output().unwrap()
}

#[test]
fn flags_answer_and_the_defaults_do_the_rest() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("open-2027.toml").display().to_string();
    let mut asked = vec!["regulation", "new", &file, "--yes"];
    asked.extend(["--name", "Obert \"2027\"", "--first", "2027-07-03"]);
    asked.extend(["--section", "A", "--section", "B:1800"]);
    asked.extend(["--fee", "60", "--fee", "B:45.50", "--titled", "GM,WGM"]);
    asked.extend(["--early", "2027-05-31:5", "--juniors", "16:50%"]);
    let made = run(&[], &asked);
    let told = text(&made.stdout);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(text(&made.stderr), "");
    for next in ["check", "show", "table"] {
        let command = format!("enroc regulation {next} {file}");
        assert!(told.contains(&command), "{command} in {told}");
    }
    assert!(told.contains("enroc tournament open open-2027"), "{told}");

    let checked = run(&[], &["regulation", "check", &file]);
    let told = text(&checked.stdout);
    assert!(checked.status.success(), "{told}");
    assert!(
        told.contains("article_missing: ") && told.contains(", 10 in all"),
        "{told}"
    );
    let table = text(&run(&[], &["regulation", "table", &file]).stdout);
    for part in ["Obert \"2027\"", "60.00", "45.50", "-5.00", "-50"] {
        assert!(table.contains(part), "{part} in {table}");
    }

    let written = std::fs::read_to_string(&file).unwrap();
    let again = run(&[], &asked);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
}

#[test]
fn lines_answer_and_a_wrong_one_is_asked_again() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("rapid.toml").display().to_string();
    // Name, first and last day, zone, start, rounds, currency, section, fee, closing, early, juniors, titles, seats,
    // payment, cancelling.
    let lines = "Rapid\n2027-05-32\n2027-05-01\n2027-05-01\n\n9:30\n7\n\nopen\n10 EUR\n2027-05-01\n2027-04-20 12\n\
                 2027-04-20 2,50\n\n\n80\ncard transfer\n2027-04-24 50 %\n2027-04-24 50%\n";
    let made = answering(&["regulation", "new", &file], lines);
    let told = text(&made.stderr);
    assert!(made.status.success(), "{told}");
    for part in [
        "First day of play [",
        "  2027-05-32: expected a day such as 2027-07-03",
        "Last day of play [2027-05-09]:",
        "Time zone of the venue [Europe/Madrid]:",
        "Fee of section open [50.00 EUR]:",
        "Last day of entry [2027-04-30]:",
        "  2027-04-20 12: The reduction is larger than the fee that it is taken from.",
        "  2027-04-24 50 %: expected two things",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let written = std::fs::read_to_string(&file).unwrap();
    for part in [
        "ca = \"Rapid\"",
        "begins = 2027-05-01T09:30:00",
        "rounds = 7",
        "closes    = { before = 2027-05-01T09:30:00, weekday = \"saturday\" }",
        "methods = [\"card\", \"transfer\"]",
        "amount  = \"-2.50\"",
        "seats   = 80",
        "keep    = { percent = 50 }",
    ] {
        assert!(written.contains(part), "{part} in {written}");
    }
    assert!(run(&[], &["regulation", "check", &file]).status.success());
}

#[test]
fn nothing_is_written_where_an_answer_is_missing_or_wrong() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("open.toml").display().to_string();
    let ended = answering(&["regulation", "new", &file, "--name", "Open"], "\n\n");
    let told = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{told}");
    assert!(
        told.contains("enroc: the answers end before --zone; nothing was written"),
        "{told}"
    );
    for (flag, answer, why) in [
        ("--name", "\u{200b}", "a letter or a digit"),
        ("--first", "3 July", "a day such as"),
        ("--last", "2020-01-01", "play begins on"),
        ("--zone", "Madrid", "IANA"),
        ("--begins", "25:00", "a time such as"),
        ("--rounds", "0", "from 1 to 99"),
        ("--currency", "EURO", "ISO 4217"),
        ("--section", "A,A", "twice"),
        ("--section", "A:strong", "a whole number"),
        ("--fee", "C:10", "there is no section C"),
        ("--fee", "0.20", "less than the gateway can charge"),
        ("--closes", "2199-01-01", "play begins on"),
        ("--early", "2199-01-01:5", "entry ends on"),
        ("--juniors", "16", "such as 16 50%"),
        ("--juniors", "16:101%", "from 0% to 100%"),
        ("--titled", "GM,DR", "DR is none of: GM"),
        ("--seats", "many", "a whole number"),
        ("--pay", "bizum", "card, transfer"),
        ("--cancel", "2026-01-01:5", "a percentage"),
    ] {
        let refused = run(&[], &["regulation", "new", &file, "--yes", flag, answer]);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{flag} {answer}: {told}");
        assert!(told.starts_with(&format!("enroc: {flag} ")), "{told}");
        assert!(told.contains(why), "{why} in {told}");
    }
    let nowhere = data.path().join("no/open.toml").display().to_string();
    let refused = run(&[], &["regulation", "new", &nowhere, "--yes"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("there is no folder"));
    let made = std::fs::read_dir(data.path()).unwrap().next();
    assert!(made.is_none(), "it made files");
}
