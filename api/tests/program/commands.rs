//! Commands: what they print, and the exit codes that scripts go by.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::served::{Served, enroc, file, run, text};

/// Settings of a desk without cards in a fresh folder.
pub fn bare(data: &tempfile::TempDir) -> Vec<(&'static str, String)> {
    vec![
        ("ENROC_DATA", data.path().display().to_string()),
        (
            "ENROC_REGULATIONS",
            file("../regulations/hermanos-rojas-2019.toml"),
        ),
        ("ENROC_REST_ADDRESS", "127.0.0.1:0".to_owned()),
        ("ENROC_GRPC_ADDRESS", "127.0.0.1:0".to_owned()),
        (
            "ENROC_MAIL_FOLDER",
            data.path().join("mails").display().to_string(),
        ),
        ("ENROC_MAIL_FROM", "desk@example.org".to_owned()),
        ("ENROC_CARDS", "off".to_owned()),
        ("ENROC_NOTICE_SECONDS", "0".to_owned()),
    ]
}

pub fn with<'a>(
    settings: &'a [(&'static str, String)],
    more: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    settings
        .iter()
        .map(|(k, v)| (*k, v.as_str()))
        .chain(more.iter().copied())
        .collect()
}

#[test]
fn serve_refuses_to_start_half_configured_and_says_all_of_it() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().display().to_string();
    let settings = [
        ("ENROC_DATA", folder.as_str()),
        ("ENROC_STRIPE_KEY", "sk_live_TELLTALE"),
        ("ENROC_STRIPE_ADDRESS", "http://127.0.0.1:9/"),
    ];
    let refused = run(&settings, &["serve"]);
    let told = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    for setting in [
        "mail.smtp",
        "mail.from",
        "stripe.webhook_secrets",
        "stripe.address: is not Stripe's though the key is live",
    ] {
        assert!(told.contains(setting), "{setting} in {told}");
    }
    assert!(!told.contains("TELLTALE"), "{told}");
    assert!(
        std::fs::read_dir(data.path()).unwrap().next().is_none(),
        "it made files"
    );
}

#[test]
fn a_regulation_with_an_error_is_refused_with_file_line_and_reason() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("wrong.toml");
    let good = std::fs::read_to_string(file("tests/program/always-open.toml")).unwrap();
    std::fs::write(
        &path,
        good.replace("rounds = 9", "rounds = 9\ncolour = \"red\""),
    )
    .unwrap();
    let path = path.display().to_string();
    let settings = bare(&data);
    let refused = run(
        &with(&settings, &[("ENROC_REGULATIONS", &path)]),
        &["serve"],
    );
    let told = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(
        told.contains("wrong.toml:18: ") && told.contains("colour"),
        "{told}"
    );

    let checked = run(&[], &["regulation", "check", &path, "--json"]);
    assert_eq!(checked.status.code(), Some(1));
    let findings: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(findings["findings"][0]["line"], 18, "{findings}");
}

#[test]
fn a_tournament_that_takes_cards_is_not_served_without_them() {
    let data = tempfile::tempdir().unwrap();
    let (settings, open) = (bare(&data), file("tests/program/always-open.toml"));
    let refused = run(
        &with(&settings, &[("ENROC_REGULATIONS", &open)]),
        &["serve"],
    );
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr)
            .contains("cards: is off, yet always-open takes cards (from ENROC_CARDS)"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_others() {
    let data = tempfile::tempdir().unwrap();
    let odd = data.path().join("odd.toml").display().to_string();
    std::fs::write(&odd, b"name = \"\xff\xfe\"\n").unwrap();
    let missing = data.path().join("missing.toml").display().to_string();
    let good = file("../regulations/hermanos-rojas-2019.toml");
    let files = [missing.as_str(), &odd, &good];
    let arguments = |more: &[&'static str]| -> Vec<String> {
        let command = ["regulation", "check"].iter().chain(&files).chain(more);
        command.map(|word| (*word).to_owned()).collect()
    };
    let checked = enroc(&[], &[]).args(arguments(&[])).output().unwrap();
    let told = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(2), "{told}");
    for part in [
        format!("{missing}: error: No such file"),
        format!("{odd}: error: stream did not contain valid UTF-8"),
        format!("{good}: every class of entrant has one price"),
    ] {
        assert!(told.contains(&part), "{part} in {told}");
    }
    assert_eq!(text(&checked.stderr), "enroc: 2 files could not be read\n");
    let checked = enroc(&[], &[])
        .args(arguments(&["--json"]))
        .output()
        .unwrap();
    let told = text(&checked.stdout);
    let lines = told.lines().map(|line| serde_json::from_str(line).unwrap());
    let ok: Vec<_> = lines.map(|line: Value| line["ok"].as_bool()).collect();
    assert_eq!(ok, [Some(false), Some(false), Some(true)], "{told}");
}

#[test]
fn a_key_has_a_label_that_can_be_seen() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let settings = with(&settings, &[]);
    assert!(run(&settings, &["migrate"]).status.success());
    for label in ["", "  ", "\u{200b}", "a\nb", "a\u{202e}b", &"x".repeat(301)] {
        let refused = run(
            &settings,
            &["key", "add", "--label", label, "--role", "viewer"],
        );
        assert_eq!(refused.status.code(), Some(2), "{label:?}");
        assert!(text(&refused.stderr).contains("--label"), "{label:?}");
    }
    let list = run(&settings, &["key", "list", "--json"]);
    assert_eq!(text(&list.stdout).trim(), "[]");
}

#[test]
fn a_reader_that_has_read_enough_ends_a_command_quietly() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let cases = file("../rules/tests/fixtures/seed-cases.jsonl");
    let rojas = file("../regulations/hermanos-rojas-2019.toml");
    let regulations = file("../regulations");
    let settings = with(&settings, &[("ENROC_REGULATIONS", &regulations)]);
    assert!(run(&settings, &["migrate"]).status.success());
    for command in [
        vec!["migrate"],
        vec!["migrate", "--json"],
        vec!["openapi"],
        vec!["regulation", "check", &rojas],
        vec!["regulation", "check", &rojas, "--json"],
        vec!["regulation", "check", "no-such-file.toml"],
        vec!["regulation", "table", &rojas],
        vec!["quote", "--batch", &cases],
        vec!["key", "add", "--label", "x", "--role", "viewer"],
        vec!["key", "list"],
        vec!["key", "list", "--json"],
        vec!["tournament", "list"],
        vec!["audit"],
        vec!["audit", "--json"],
        vec!["rehearse", "--tour"],
        vec!["rehearse", "--tour", "--json"],
        vec!["--help"],
    ] {
        for both in [false, true] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let mut child = enroc(&settings, &command);
            if both {
                child.stderr(writer.try_clone().unwrap());
            } else {
                child.stderr(std::process::Stdio::piped());
            }
            let ended = child.stdout(writer).spawn().unwrap().wait_with_output();
            let ended = ended.unwrap();
            let told = text(&ended.stderr);
            assert_eq!(ended.status.code(), Some(0), "{command:?}: {told}");
            assert!(!told.contains("panicked"), "{command:?}: {told}");
        }
    }
    // A full disk is no reader that has read enough.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    if let Ok(full) = full {
        let ended = enroc(&settings, &["openapi"])
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(2));
        assert!(text(&ended.stderr).contains("standard output: "));
    }
}

#[test]
fn every_setting_that_only_looks_right_is_told_at_once() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let refused = run(
        &with(
            &settings,
            &[
                ("ENROC_CARDS", "stripe"),
                ("ENROC_STRIPE_KEY", "sk_test_"),
                ("ENROC_STRIPE_WEBHOOK_SECRETS", "TELLTALE"),
                ("ENROC_PUBLIC_URL", "https://desk.example.org/#top"),
                ("ENROC_PAIRING_TARGETS", "nowhere=http://127.0.0.1:9"),
                ("ENROC_MAIL_FROM", "nobody"),
            ],
        ),
        &["serve"],
    );
    let told = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    for variable in [
        "STRIPE_KEY",
        "STRIPE_WEBHOOK_SECRETS",
        "PUBLIC_URL",
        "PAIRING_TARGETS",
        "MAIL_FROM",
    ] {
        assert!(
            told.contains(&format!("(from ENROC_{variable})")),
            "{variable} in {told}"
        );
    }
    assert!(!told.contains("TELLTALE"), "{told}");
    let made = std::fs::read_dir(data.path()).unwrap().next();
    assert!(made.is_none(), "it made files");
}

#[test]
fn every_seed_case_comes_out_of_the_batch() {
    let cases = file("../rules/tests/fixtures/seed-cases.jsonl");
    let regulations = [("ENROC_REGULATIONS", file("../regulations"))];
    let answered = run(&with(&regulations, &[]), &["quote", "--batch", &cases]);
    assert!(answered.status.success(), "{}", text(&answered.stderr));
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let answers: BTreeMap<String, Value> = text(&answered.stdout)
        .lines()
        .map(read)
        .map(|a| (a["id"].to_string(), a))
        .collect();
    let all = std::fs::read_to_string(&cases).unwrap();
    let mut looked_at = 0;
    for case in all.lines().map(read) {
        let answer = &answers[&case["id"].to_string()];
        for (field, wanted) in case["expect"].as_object().unwrap() {
            assert_eq!(&answer[field], wanted, "{field} of {}", case["id"]);
        }
        looked_at += 1;
    }
    assert!(looked_at > 50, "{looked_at} cases");

    let broken = run(&[], &["quote", "--batch", &file("Cargo.toml")]);
    assert_eq!(broken.status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_open_the_door_until_they_are_revoked() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    // The same text, with a figure left to the organiser.
    let mut text_of = std::fs::read_to_string(&settings[1].1).unwrap();
    text_of.push_str("\n[[capacity]]\nseats   = \"organiser\"\narticle = \"2.5\"\n");
    let left_open = data.path().join("left-open.toml").display().to_string();
    std::fs::write(&left_open, text_of).unwrap();
    let settings = with(&settings, &[("ENROC_REGULATIONS", &left_open)]);
    let served = Served::start(&settings);
    let made = run(
        &settings,
        &[
            "key",
            "add",
            "--label",
            "federation",
            "--role",
            "viewer",
            "--json",
        ],
    );
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
    let opened = run(
        &settings,
        &[
            "tournament",
            "open",
            "hermanos-rojas-2019",
            "--capacity",
            "12",
            "--reason",
            "hall B",
        ],
    );
    assert!(opened.status.success(), "{}", text(&opened.stderr));
    let path = "/v1/staff/tournaments/hermanos-rojas-2019/journal";
    let journal = served.get(path, key).await.to_string();
    assert!(
        journal.contains("tournament_opened") && journal.contains("hall B"),
        "{journal}"
    );

    let list = text(&run(&settings, &["key", "list"]).stdout);
    assert!(
        list.contains(id) && list.contains("valid") && !list.contains(key),
        "{list}"
    );
    assert!(run(&settings, &["key", "revoke", id]).status.success());
    let refused = served.get(path, key).await;
    assert_eq!(
        refused["type"], "urn:enroc:problem:unauthenticated",
        "{refused}"
    );
    assert_eq!(
        run(&settings, &["key", "revoke", id]).status.code(),
        Some(1)
    );
}

#[test]
fn an_audit_of_nothing_is_not_all_well() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    for command in [
        vec!["audit"],
        vec!["explain", "7K3M-9QXA-42"],
        vec!["key", "list"],
    ] {
        let looked = run(&with(&settings, &[]), &command);
        assert_eq!(looked.status.code(), Some(2), "{command:?}");
        assert!(
            text(&looked.stderr).contains("there is no database"),
            "{command:?}"
        );
    }
}
