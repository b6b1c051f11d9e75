//! The desk's secret: whose it is.

use crate::commands::{bare, with};
use crate::served::{run, text};

#[test]
fn a_desk_knows_its_own_secret_again() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let (own, other) = ("0a".repeat(32), "0b".repeat(32));
    let run_with = |secret: Option<&str>, command: &[&str]| {
        let given: Vec<(&str, &str)> = secret
            .iter()
            .map(|hex| ("ENROC_DESK_SECRET", *hex))
            .collect();
        run(&with(&settings, &given), command)
    };
    assert_eq!(run_with(Some(&own), &["migrate"]).status.code(), Some(0));
    assert_eq!(run_with(Some(&own), &["audit"]).status.code(), Some(0));
    let file = data.path().join("backup.tar").display().to_string();
    for (secret, told) in [
        (
            Some(other.as_str()),
            "desk.secret: is not the secret with which",
        ),
        (None, "the desk's secret is missing"),
    ] {
        for command in [&["audit"][..], &["serve"], &["backup", &file]] {
            let refused = run_with(secret, command);
            assert_eq!(refused.status.code(), Some(2), "{command:?}");
            let said = text(&refused.stderr);
            assert!(said.contains(told), "{command:?}: {said}");
        }
        assert!(!data.path().join("secret").exists());
        assert!(!data.path().join("backup.tar").exists());
    }
    assert_eq!(
        run_with(Some(&own), &["backup", &file]).status.code(),
        Some(0)
    );
}
