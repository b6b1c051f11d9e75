//! From SQLite to PostgreSQL: the desk that arrives is whole and goes on where it was.

use std::path::PathBuf;

use serde_json::json;
use store::testing::Database;

use crate::crash::{Around, TOURNAMENT, word};
use crate::served::{order, run, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_desk_goes_on_where_it_was() {
    let Some(there) = Database::postgres() else {
        return;
    };
    let (mut around, url) = (Around::new().await, there.settings().url);
    let served = around.start();
    let (paid, session) = around.held(&served).await;
    let control = around.sandbox.control();
    control.pay(&session, "4242424242424242").unwrap();
    around.quiet(&served, 3).await;
    let entering = format!("/v1/tournaments/{TOURNAMENT}/orders");
    for n in 2..=7 {
        let body = order(&format!("Puig, {n}"), "aina@example.org");
        let made = served.post(&entering, "", &body).await;
        assert_eq!(made["entries"][0]["form_number"], json!(n));
    }

    let file = around.data.path().join("enroc.db");
    let from = format!("sqlite:{}", file.display());
    let copy = [
        "copy",
        "--from",
        from.as_str(),
        "--to",
        url.as_str(),
        "--json",
    ];
    let refused = run(&around.settings(), &copy);
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(
        told.contains("is in use; stop what serves it first"),
        "{told}"
    );
    let viewer = around.key("viewer");
    let path = format!("/v1/staff/tournaments/{TOURNAMENT}/journal");
    let journal = served.get(&path, &viewer).await;
    assert_eq!(served.terminate(), Some(0));

    let copied = run(&around.settings(), &copy);
    let told = text(&copied.stderr) + &text(&copied.stdout);
    assert!(copied.status.success(), "{told}");
    assert!(
        told.contains("\"orders\": 7") && told.contains("\"findings\": []"),
        "{told}"
    );
    let again = run(&around.settings(), &copy);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        text(&again.stderr).contains("must be empty"),
        "{}",
        text(&again.stderr)
    );

    around.settings.push(("ENROC_DATABASE_URL", url));
    let served = around.start();
    // The same journal under the same key, and the same link; then the next form and the next number.
    assert_eq!(served.get(&path, &viewer).await, journal);
    let seen = format!("/v1/orders/{}", word(&paid, "order"));
    let seen = served.get(&seen, word(&paid, "token")).await;
    assert_eq!(seen["entries"][0]["status"], "confirmed", "{seen}");
    let next = order("Puig, Aina the Eighth", "aina@example.org");
    let next = served.post(&entering, "", &next).await;
    assert_eq!(next["entries"][0]["form_number"], json!(8), "{next}");
    around.quiet(&served, 3).await;
    assert_eq!(served.terminate(), Some(0));
    let audit = run(&around.settings(), &["audit"]);
    let told = text(&audit.stdout);
    assert!(
        audit.status.success() && told.contains("8 orders"),
        "{told}"
    );
}

/// PostgreSQL's own program, from where its server was found.
fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        let newest = versions.map(|version| version.unwrap().path()).max();
        places.splice(0..0, newest.map(|version| version.join("bin")));
    }
    let found = places.into_iter().map(|place| place.join(name));
    found.into_iter().find(|program| program.is_file())
}

/// What `enroc backup` says to do there is done to the letter.
#[tokio::test(flavor = "multi_thread")]
async fn a_dump_of_postgres_is_a_whole_desk() {
    let (Some(here), Some(there)) = (Database::postgres(), Database::postgres()) else {
        return;
    };
    let (Some(dump), Some(restore)) = (tool("pg_dump"), tool("pg_restore")) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no pg_dump");
        eprintln!("pg_dump is not at hand: this test is not run");
        return;
    };
    let mut around = Around::new().await;
    let own = around.settings.len();
    let url = here.settings().url;
    around.settings.push(("ENROC_DATABASE_URL", url));
    let served = around.start();
    around.held(&served).await;
    let told = run(&around.settings(), &["backup", "desk.tar"]);
    assert_eq!(told.status.code(), Some(2));
    let told = text(&told.stderr);
    let command = told
        .lines()
        .find(|line| line.trim().starts_with("pg_dump "));
    let command = command
        .unwrap()
        .replace("pg_dump", &dump.display().to_string());
    let sh = |command: &str| {
        let mut sh = std::process::Command::new("sh");
        let ended = sh.args(["-c", command]).current_dir(around.data.path());
        let ended = ended.output().unwrap();
        assert!(ended.status.success(), "{command}: {}", text(&ended.stderr));
    };
    sh(&command);
    assert_eq!(served.terminate(), Some(0));
    // The test's other database has tables already; a new one has not.
    let url = there.settings().url;
    sh(&format!(
        "{} --no-owner --exit-on-error --clean --if-exists --dbname='{url}' enroc.dump",
        restore.display()
    ));
    around.settings[own].1 = url;
    let audit = run(&around.settings(), &["audit"]);
    let told = text(&audit.stdout) + &text(&audit.stderr);
    assert!(
        audit.status.success() && told.contains("1 orders"),
        "{told}"
    );
}
