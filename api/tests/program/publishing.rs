//! `enroc regulation publish` beside a desk that is served.

use std::process::Output;

use serde_json::{Value, json};

use crate::commands::bare;
use crate::served::{Served, file, run, text};

const PATH: &str = "/v1/tournaments/always-open";

fn order(name: &str) -> Value {
    json!({
        "payer": {"name": "P. Payer", "email": "payer@example.org", "language": "ca", "consents": []},
        "entries": [{"section": "A", "entrant": {
            "name": name, "sex": "f", "birth_date": "1990-05-01", "federation": "FRA", "licences": [],
        }}],
    })
}

/// A served desk with one tournament and one entry, and texts that may become its next version.
struct Stage {
    data: tempfile::TempDir,
    settings: Vec<(&'static str, String)>,
}

impl Stage {
    fn new() -> Stage {
        let data = tempfile::tempdir().unwrap();
        let mut stage = Stage {
            settings: bare(&data),
            data,
        };
        let first = stage.text("first.toml", "", "");
        stage.read(first);
        stage
    }

    /// The files that a start reads.
    fn read(&mut self, file: String) {
        self.settings
            .retain(|(name, _)| *name != "ENROC_REGULATIONS");
        self.settings.push(("ENROC_REGULATIONS", file));
    }

    /// The tournament's text with these words in the place of those.
    fn text(&self, name: &str, from: &str, to: &str) -> String {
        let known = std::fs::read_to_string(file("tests/program/always-open.toml")).unwrap();
        let known = known.replace("methods = [\"card\"]", "methods = [\"transfer\"]");
        assert!(known.contains(from), "{from}");
        let known = if from.is_empty() {
            known
        } else {
            known.replace(from, to)
        };
        let path = self.data.path().join(name);
        std::fs::write(&path, known).unwrap();
        path.display().to_string()
    }

    fn dearer(&self) -> String {
        self.text("dearer.toml", "{ A = 30 }", "{ A = 35 }")
    }

    fn settings(&self) -> Vec<(&str, &str)> {
        let settings = self.settings.iter();
        settings
            .map(|(name, value)| (*name, value.as_str()))
            .collect()
    }

    async fn serve(&self) -> Served {
        let served = Served::start(&self.settings());
        served
            .post(&format!("{PATH}/orders"), "", &order("Abans"))
            .await;
        served
    }

    fn regulation(&self, arguments: &[&str]) -> Output {
        run(&self.settings(), &[&["regulation"], arguments].concat())
    }

    fn publish(&self, arguments: &[&str]) -> Output {
        self.regulation(&[&["publish"], arguments].concat())
    }
}

#[tokio::test]
async fn a_command_says_whom_a_text_touches_and_publishes_nothing_unasked() {
    let stage = Stage::new();
    let dearer = stage.dearer();
    let gone = stage.text(
        "gone.toml",
        "[section.A]",
        "[section.B]\nname = \"B\"\nfees = \"none\"\n[section.Z]",
    );
    let before = stage.publish(&[&dearer, "--dry-run"]);
    assert_eq!(before.status.code(), Some(2), "there is no database yet");
    let served = stage.serve().await;
    let told = stage.publish(&[&dearer, "--dry-run"]);
    let shown = text(&told.stdout);
    assert_eq!(told.status.code(), Some(0), "{shown}");
    for line in [
        "version 1 is published; this would be version 2",
        "  A: 30.00 EUR (general) -> 35.00 EUR (general)\n",
        "  1 entries in 1 orders keep their price: 1 that of version 1\n",
        "  1 would have paid more by this text, 5.00 EUR in all:\n      form 1 in A, ent_",
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    let rojas = file("../regulations/hermanos-rojas-2019.toml");
    for (arguments, code, why) in [
        (&[&*dearer][..], 2, "--reason"),
        (&[&dearer, "--reason", " "], 2, "say why"),
        (
            &[&dearer, "--reason", "x", "--dry-run", "--yes"],
            2,
            "cannot be used with",
        ),
        (&[&dearer, "--reason", "x"], 2, "say --yes"),
        (
            &[&dearer, "--reason", "x", "--yes", "--replaces", "3"],
            1,
            "version 1 is published, not 3",
        ),
        (&[&gone, "--reason", "x", "--yes"], 1, ""),
        (
            &["nowhere.toml", "--reason", "x", "--yes"],
            2,
            "nowhere.toml",
        ),
        (&[&rojas, "--reason", "x", "--yes"], 2, "no such tournament"),
    ] {
        let refused = stage.publish(arguments);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(why), "{why} in {told}");
    }
    let listed = text(&stage.regulation(&["versions", "always-open"]).stdout);
    assert_eq!(listed.lines().count(), 1, "{listed}");
    assert_eq!(served.terminate(), Some(0));
}

#[tokio::test]
async fn a_command_publishes_while_the_desk_is_served() {
    let mut stage = Stage::new();
    let (first, dearer) = (stage.text("first.toml", "", ""), stage.dearer());
    let served = stage.serve().await;
    let done = stage.publish(&[
        &dearer,
        "--reason",
        "printed wrong",
        "--replaces",
        "1",
        "--yes",
    ]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let shown = text(&done.stdout);
    assert!(
        shown.ends_with("always-open: version 2 counts for every order from now on.\n"),
        "{shown}"
    );
    // The served desk decides by it at once, and answers questions by it a moment later.
    let after = served
        .post(&format!("{PATH}/orders"), "", &order("Després"))
        .await;
    assert_eq!(after["total"]["amount"], 3_500);
    let again = stage.publish(&[&dearer, "--reason", "printed wrong", "--yes", "--json"]);
    let told: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(
        (&told["same"], &told["published"]),
        (&json!(true), &Value::Null)
    );
    let back = stage.publish(&[&first, "--reason", "right after all", "--yes", "--json"]);
    let told: Value = serde_json::from_slice(&back.stdout).unwrap();
    assert_eq!(
        (&told["published"], &told["touched"]["versions"]),
        (&json!(3), &json!({"1": 1, "2": 1}))
    );
    served
        .until(PATH, "", |shown| shown["regulation"]["version"] == 3)
        .await;

    let lines = text(&stage.regulation(&["versions", "always-open"]).stdout);
    assert!(lines.contains("operator  printed wrong\n"), "{lines}");
    let listed = stage.regulation(&["versions", "always-open", "--json"]);
    let told: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(told[2]["reason"], "right after all");
    let second = stage.regulation(&["versions", "always-open", "--text", "2"]);
    assert_eq!(
        text(&second.stdout),
        std::fs::read_to_string(&dearer).unwrap()
    );
    let none = stage.regulation(&["versions", "always-open", "--text", "9"]);
    assert_eq!(none.status.code(), Some(2));
    assert_eq!(run(&stage.settings(), &["audit"]).status.code(), Some(0));
    assert_eq!(served.terminate(), Some(0));
    // A file that differs from what is published is not served.
    stage.read(dearer);
    let served = Served::start(&stage.settings());
    assert_eq!(served.get(PATH, "").await["regulation"]["version"], 3);
    assert_eq!(served.terminate(), Some(0));
}
