use super::*;

fn from(
    file: &str,
    environment: &[(&str, &str)],
) -> Result<(DeskSettings, ServiceSettings), SettingsError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("enroc.toml");
    std::fs::write(&path, file).unwrap();
    let environment = environment
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    for_service(Some(&path), environment)
}

const GOOD: &str = r#"
data = "d"
[mail]
folder = "mails"
from = "Desk <desk@example.org>"
[stripe]
key = "sk_test_1"
webhook_secrets = ["whsec_1"]
address = "http://127.0.0.1:9/"
"#;

#[test]
fn the_environment_goes_over_the_file_and_the_file_over_the_defaults() {
    let (desk, service) = from(
        GOOD,
        &[
            ("ENROC_DATA", "e"),
            (
                "ENROC_PAIRING_TARGETS",
                "t=http://127.0.0.1:1, u=http://127.0.0.1:2",
            ),
        ],
    )
    .unwrap();
    assert_eq!(desk.data.to_str(), Some("e"));
    assert_eq!(desk.database.url, "sqlite:e/enroc.db");
    assert_eq!(service.rest.to_string(), "127.0.0.1:8080");
    assert_eq!(service.notifier.pairing.len(), 2);
}

#[test]
fn every_fault_is_told_at_once_with_its_name() {
    let file = r#"
colour = "red"
drain_seconds = 0
[mail]
form = "x"
[stripe]
key = "sk_test_1"
[log]
format = "xml"
"#;
    let error = from(
        file,
        &[
            ("ENROC_REST_ADDRESS", "8080"),
            ("ENROC_CONFIG", "x"),
            ("ENROC_COLOR", "red"),
        ],
    )
    .err()
    .unwrap();
    let mut told: Vec<&str> = error.0.iter().map(|fault| fault.setting.as_str()).collect();
    told.sort_unstable();
    let wanted = [
        "ENROC_COLOR",
        "colour",
        "drain_seconds",
        "log.format",
        "mail.form",
        "mail.from",
        "mail.smtp",
        "rest.address",
        "stripe.webhook_secrets",
    ];
    assert_eq!(told, wanted, "{error}");
}

#[test]
fn a_live_key_goes_to_stripe_only_and_no_secret_is_told() {
    let error = from(
        GOOD,
        &[
            ("ENROC_STRIPE_KEY", "sk_live_TELLTALE"),
            ("ENROC_DESK_SECRET", "TELLTALE"),
        ],
    )
    .err()
    .unwrap();
    let text = error.to_string();
    assert!(
        text.contains("stripe.address: is not Stripe's though the key is live"),
        "{text}"
    );
    assert!(
        text.contains("desk.secret: is not 64 hex digits (from ENROC_DESK_SECRET)"),
        "{text}"
    );
    assert!(!text.contains("TELLTALE"), "{text}");
}

#[test]
fn a_broken_file_is_told_with_its_name() {
    let error = from("data = \n", &[]).err().unwrap();
    assert!(error.0[0].setting.ends_with("enroc.toml"), "{error}");
    let missing = for_desk(Some(Path::new("not/there.toml")), std::iter::empty())
        .err()
        .unwrap();
    assert_eq!(missing.0[0].setting, "not/there.toml");
}

#[test]
fn the_docs_show_every_setting() {
    let docs = include_str!("../../../docs/operations.md");
    for key in keys::KEYS {
        let default = key
            .default
            .map_or("–".to_owned(), |text| format!("`{text}`"));
        let row = format!("| `{}` | {default} | {} |", key.name, key.what);
        assert!(docs.contains(&row), "docs/operations.md lacks\n{row}");
    }
}
