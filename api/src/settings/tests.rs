use super::*;

const REGULATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../regulations");

/// The settings of a file and of the environment, in which the three regulations of the project are named.
async fn from(file: &str, environment: &[(&str, &str)]) -> Result<Given, SettingsError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("enroc.toml");
    std::fs::write(&path, file).unwrap();
    let regulations = [("ENROC_REGULATIONS", REGULATIONS)];
    let environment = regulations.iter().chain(environment);
    let environment = environment.map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    for_service(Some(&path), environment).await
}

fn told(error: &SettingsError) -> Vec<&str> {
    let mut told: Vec<&str> = error.0.iter().map(|fault| fault.setting.as_str()).collect();
    told.sort_unstable();
    told
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

#[tokio::test]
async fn the_environment_goes_over_the_file_and_the_file_over_the_defaults() {
    let given = from(
        GOOD,
        &[
            ("ENROC_DATA", "e"),
            (
                "ENROC_PAIRING_TARGETS",
                "ellobregat-2026=http://127.0.0.1:1, hermanos-rojas-2019=http://127.0.0.1:2",
            ),
        ],
    );
    let Given {
        desk,
        service,
        files,
    } = given.await.unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(desk.data.to_str(), Some("e"));
    assert_eq!(desk.database.url, "sqlite:e/enroc.db");
    assert_eq!(service.rest.to_string(), "127.0.0.1:8080");
    assert_eq!(service.notifier.pairing.len(), 2);
}

#[tokio::test]
async fn every_fault_is_told_at_once_with_its_name() {
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
    );
    let error = error.await.err().unwrap();
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
    assert_eq!(told(&error), wanted, "{error}");
}

#[tokio::test]
async fn what_only_looks_right_is_told_at_once_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.toml").display().to_string();
    std::fs::write(&wrong, "language = 1\n").unwrap();
    let file = r#"
public_url = "https://desk.example.org/?a=1"
cards = "stripe"
[mail]
smtp = "smtp//user:TELLTALE@host"
from = "Desk at example.org"
[stripe]
key = "sk_test_"
webhook_secrets = ["TELLTALE"]
[pairing]
targets = ["nowhere-2026=http://127.0.0.1:1", "ellobregat-2026=http://a b:1"]
keys = ["ellobregat-2026=TELL\u0007TALE"]
"#;
    let error = from(file, &[]).await.err().unwrap();
    let wanted = [
        "mail.from",
        "mail.smtp",
        "pairing.keys",
        "pairing.targets",
        "pairing.targets",
        "public_url",
        "stripe.key",
        "stripe.webhook_secrets",
    ];
    assert_eq!(told(&error), wanted, "{error}");
    for fault in &error.0 {
        assert!(fault.reason.contains("enroc.toml)"), "{fault:?}");
    }
    assert!(!error.to_string().contains("TELLTALE"), "{error}");

    // Where a file is wrong as well, that is told beside, and which tournaments there are is not known.
    let error = from(file, &[("ENROC_REGULATIONS", &wrong)]).await;
    let error = error.err().unwrap();
    let told = told(&error);
    assert!(
        told.contains(&"regulations") && told.contains(&"mail.from"),
        "{error}"
    );
    assert!(error.to_string().contains("wrong.toml:1: "), "{error}");
    assert!(!error.to_string().contains("nowhere-2026"), "{error}");
}

#[tokio::test]
async fn an_address_that_payers_see_is_bare() {
    for (url, good) in [
        ("https://desk.example.org", true),
        ("https://example.org/inscripcions/", true),
        ("http://127.0.0.1:8080", true),
        ("https://example.org/?", false),
        ("https://example.org/?lang=ca", false),
        ("https://example.org/#desk", false),
        ("https://user@example.org/", false),
        ("https://", false),
        ("desk.example.org", false),
        ("ftp://example.org", false),
    ] {
        let given = from(GOOD, &[("ENROC_PUBLIC_URL", url)]).await;
        assert_eq!(given.is_ok(), good, "{url}");
    }
}

#[tokio::test]
async fn a_target_may_be_of_a_tournament_that_only_the_database_has() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().display().to_string();
    let only = format!("{REGULATIONS}/ciutat-barcelona-2026.toml");
    let target = "ellobregat-2026=http://127.0.0.1:1";
    let asked = [
        ("ENROC_DATA", data.as_str()),
        ("ENROC_REGULATIONS", &only),
        ("ENROC_PAIRING_TARGETS", target),
    ];
    let error = from(GOOD, &asked).await.err().unwrap();
    assert_eq!(told(&error), ["pairing.targets"], "{error}");
    assert!(
        !folder.path().join("enroc.db").exists(),
        "to look makes none"
    );

    let before = [("ENROC_DATA", data.as_str())];
    let given = from(GOOD, &before).await.unwrap();
    let open = crate::house::open(&given.desk).await.unwrap();
    crate::regulations::take_in(&open.desk, open.organiser, given.files)
        .await
        .unwrap();
    open.desk.store().close();
    assert!(from(GOOD, &asked).await.is_ok());
}

#[tokio::test]
async fn a_tournament_that_takes_cards_needs_them_on() {
    let file = GOOD.replace("[stripe]\nkey = \"sk_test_1\"\n", "[stripe]\n");
    let error = from(&file, &[("ENROC_CARDS", "off")]).await.err().unwrap();
    assert_eq!(told(&error), ["cards"], "{error}");
    let rojas = format!("{REGULATIONS}/hermanos-rojas-2019.toml");
    let off = [("ENROC_CARDS", "off"), ("ENROC_REGULATIONS", &rojas)];
    assert!(from(&file, &off).await.is_ok());
}

#[tokio::test]
async fn a_live_key_goes_to_stripe_only_and_no_secret_is_told() {
    let error = from(
        GOOD,
        &[
            ("ENROC_STRIPE_KEY", "sk_live_TELLTALE"),
            ("ENROC_DESK_SECRET", "TELLTALE"),
        ],
    );
    let error = error.await.err().unwrap();
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

#[tokio::test]
async fn a_broken_file_is_told_with_its_name() {
    let error = from("data = \n", &[]).await.err().unwrap();
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
