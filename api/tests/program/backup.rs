//! Backups: taken while the desk is served, refused where they are damaged, and never put over what is there unasked.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::commands::{bare, with};
use crate::crash::{Around, TOURNAMENT, word};
use crate::served::{Served, enroc, order, run, text};

/// What lies in a folder, without the files that SQLite keeps beside a database until its last connection has gone.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().display().to_string())
        .collect();
    names.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    names.sort();
    names
}

fn code(output: &Output, wanted: i32, told: &str) {
    let all = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(output.status.code(), Some(wanted), "{all}");
    assert!(all.contains(told), "{told} in {all}");
}

async fn enter(served: &Served) -> Value {
    let path = format!("/v1/tournaments/{TOURNAMENT}/orders");
    let id = rand::random::<u64>();
    let body = order(&format!("Puig, {id:x}"), "aina@example.org");
    served.post(&path, "", &body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_amid_registrations_is_a_whole_desk() {
    let mut around = Around::new().await;
    let served = around.start();
    let (paid, session) = around.held(&served).await;
    let control = around.sandbox.control();
    control.pay(&session, "4242424242424242").unwrap();
    around.quiet(&served, 3).await;

    let folder = tempfile::tempdir().unwrap();
    let archive = |n: u64| folder.path().join(format!("{n}.tar"));
    let answered = AtomicU64::new(1);
    let backups = async {
        let mut seen = Vec::new();
        for n in 0..3 {
            let before = answered.load(Ordering::SeqCst);
            let file = archive(n).display().to_string();
            let backup = enroc(&around.settings(), &["backup", &file]);
            let made = tokio::process::Command::from(backup)
                .output()
                .await
                .unwrap();
            code(&made, 0, "holds the desk as of");
            seen.push(before..=answered.load(Ordering::SeqCst) + 4);
        }
        seen
    };
    let clients = async || loop {
        enter(&served).await;
        answered.fetch_add(1, Ordering::SeqCst);
    };
    let rush = async { tokio::join!(clients(), clients(), clients(), clients()) };
    let seen = tokio::select! { seen = backups => seen, _ = rush => unreachable!() };
    assert_eq!(served.terminate(), Some(0));
    let again = archive(0).display().to_string();
    code(
        &run(&around.settings(), &["backup", &again]),
        2,
        "is there already",
    );
    assert_eq!(names(folder.path()), ["0.tar", "1.tar", "2.tar"]);
    assert!(
        seen[0].start() < seen[2].start(),
        "nothing was written meanwhile: {seen:?}"
    );

    let mut last = 0;
    for (n, range) in seen.into_iter().enumerate() {
        let archive = archive(n as u64);
        let mode = std::fs::metadata(&archive).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let data = folder.path().join(format!("restored-{n}"));
        around.settings[0].1 = data.display().to_string();
        let file = archive.display().to_string();
        let restored = run(&around.settings(), &["restore", &file, "--json"]);
        code(&restored, 0, "\"findings\": []");
        // What SQLite keeps beside an open database may outlive the audit's last connection.
        let mut there = names(&data);
        there.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
        assert_eq!(there, ["enroc.db", "secret"]);
        let report: Value = serde_json::from_slice(&restored.stdout).unwrap();
        last = report["orders"].as_u64().unwrap();
        assert!(range.contains(&last), "{last} of {range:?}");
    }
    // The last one goes on: the payer's link still opens, and the next form is the next.
    let served = around.start();
    let path = format!("/v1/orders/{}", word(&paid, "order"));
    let seen = served.get(&path, word(&paid, "token")).await;
    assert_eq!(seen["entries"][0]["status"], "confirmed", "{seen}");
    let next = enter(&served).await;
    assert_eq!(next["entries"][0]["form_number"], json!(last + 1), "{next}");
    assert_eq!(served.terminate(), Some(0));
    code(&run(&around.settings(), &["audit"]), 0, "all is well");
}

/// A desk without entries, and its backup.
fn kept() -> (tempfile::TempDir, Vec<(&'static str, String)>, PathBuf) {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let own = with(&settings, &[]);
    code(&run(&own, &["migrate"]), 0, "");
    code(
        &run(&own, &["key", "add", "--label", "x", "--role", "viewer"]),
        0,
        "",
    );
    let file = data.path().join("kept.tar");
    code(&run(&own, &["backup", &file.display().to_string()]), 0, "");
    (data, settings, file)
}

#[test]
fn an_archive_that_is_damaged_or_none_is_refused_and_leaves_nothing() {
    let (data, settings, file) = kept();
    let good = std::fs::read(&file).unwrap();
    // A tar is in blocks of 512: head, secret, head, database, head, sums.
    let database = std::fs::metadata(data.path().join("enroc.db"))
        .unwrap()
        .len() as usize;
    let sums = 3 * 512 + database;
    let flipped = [
        0,
        130,
        512,
        1_024,
        1_536,
        1_536 + database / 2,
        sums - 1,
        sums + 1,
        sums + 513,
    ];
    let flipped = flipped.into_iter().map(|at| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        (format!("a bit at {at}"), bytes)
    });
    let cut = [
        0,
        100,
        512,
        1_024,
        1_536,
        9_000,
        sums,
        sums + 512,
        sums + 600,
    ];
    let cut = cut.map(|at| (format!("cut at {at}"), good[..at].to_vec()));
    let none = [
        (
            "a database".to_owned(),
            std::fs::read(data.path().join("enroc.db")).unwrap(),
        ),
        ("a text".to_owned(), "no backup ".repeat(1_000).into_bytes()),
        ("another tar".to_owned(), tar_of("../escaped")),
    ];
    for (what, bytes) in flipped.chain(cut).chain(none) {
        std::fs::write(&file, bytes).unwrap();
        let empty = tempfile::tempdir().unwrap();
        let folder = empty.path().join("data").display().to_string();
        let settings = with(&settings, &[("ENROC_DATA", &folder)]);
        let refused = run(&settings, &["restore", &file.display().to_string()]);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{what}: {told}");
        assert!(told.contains("kept.tar: it"), "{what}: {told}");
        assert!(names(&empty.path().join("data")).is_empty(), "{what}");
        assert_eq!(names(empty.path()), ["data"], "{what}");
    }
    std::fs::write(&file, good).unwrap();
    let folder = data.path().join("again").display().to_string();
    let settings = with(&settings, &[("ENROC_DATA", &folder)]);
    code(
        &run(&settings, &["restore", &file.display().to_string()]),
        0,
        "all is well",
    );
}

fn tar_of(name: &str) -> Vec<u8> {
    let mut head = tar::Header::new_gnu();
    head.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    head.set_size(4);
    head.set_cksum();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append(&head, "evil".as_bytes()).unwrap();
    tar.into_inner().unwrap()
}

#[test]
fn what_is_there_is_replaced_only_when_told_and_kept_aside() {
    let (data, settings, file) = kept();
    let file = file.display().to_string();
    let settings = with(&settings, &[]);
    let database = || std::fs::read(data.path().join("enroc.db")).unwrap();
    let secret = || std::fs::read(data.path().join("secret")).unwrap();
    // Another desk, with a secret that shows whose it is.
    let old = secret();
    std::fs::remove_file(data.path().join("enroc.db")).unwrap();
    std::fs::write(data.path().join("secret"), [7; 32]).unwrap();
    code(&run(&settings, &["migrate"]), 0, "");
    code(&run(&settings, &["audit"]), 0, "all is well");
    let was = (database(), vec![7; 32]);
    code(
        &run(&settings, &["restore", &file]),
        2,
        "enroc.db: is there already; --replace",
    );
    assert_eq!((database(), secret()), was);

    let served = Served::start(&settings);
    code(
        &run(&settings, &["restore", &file, "--replace"]),
        2,
        "is in use; stop what serves it",
    );
    assert_eq!(secret(), was.1);
    assert_eq!(served.terminate(), Some(0));

    code(
        &run(&settings, &["restore", &file, "--replace"]),
        0,
        "all is well",
    );
    assert_eq!(secret(), old);
    let aside = std::fs::read(data.path().join("secret.replaced")).unwrap();
    assert_eq!(aside, was.1);
    code(
        &run(&settings, &["restore", &file, "--replace"]),
        2,
        "take it away first",
    );
    assert_eq!(secret(), old);

    // What was kept aside is a whole desk still.
    for name in ["enroc.db", "secret"] {
        let path = data.path().join(name);
        std::fs::rename(path.with_file_name(format!("{name}.replaced")), path).unwrap();
    }
    code(&run(&settings, &["audit"]), 0, "all is well");
    // A database that is damaged is the reason to restore.
    std::fs::write(data.path().join("enroc.db"), "no database").unwrap();
    code(&run(&settings, &["audit"]), 2, "");
    code(
        &run(&settings, &["restore", &file, "--replace"]),
        0,
        "all is well",
    );
}

#[test]
fn a_secret_of_the_settings_is_kept_and_must_be_the_same() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let (one, other) = ("0a".repeat(32), "0b".repeat(32));
    let file = data
        .path()
        .join("of-the-settings.tar")
        .display()
        .to_string();
    let at = |folder: &str| data.path().join(folder).display().to_string();
    let (first, second) = (at(""), at("second"));
    let mine = with(
        &settings,
        &[("ENROC_DESK_SECRET", &one), ("ENROC_DATA", &first)],
    );
    code(&run(&mine, &["migrate"]), 0, "");
    code(&run(&mine, &["audit"]), 0, "all is well");
    code(&run(&mine, &["backup", &file]), 0, "");
    let theirs = with(
        &settings,
        &[("ENROC_DESK_SECRET", &other), ("ENROC_DATA", &second)],
    );
    code(
        &run(&theirs, &["restore", &file]),
        2,
        "desk.secret is not the secret of this backup",
    );
    assert!(names(Path::new(&second)).is_empty());
    let same = with(
        &settings,
        &[("ENROC_DESK_SECRET", &one), ("ENROC_DATA", &second)],
    );
    code(&run(&same, &["restore", &file]), 0, "all is well");
    assert_eq!(names(Path::new(&second)), ["enroc.db"]);
}

#[test]
fn without_a_desk_there_is_no_backup() {
    let data = tempfile::tempdir().unwrap();
    let settings = bare(&data);
    let file = data.path().join("kept.tar").display().to_string();
    let settings = with(&settings, &[]);
    code(
        &run(&settings, &["backup", &file]),
        2,
        "there is no database",
    );
    code(&run(&settings, &["migrate"]), 0, "");
    std::fs::remove_file(data.path().join("secret")).unwrap();
    code(
        &run(&settings, &["backup", &file]),
        2,
        "the desk's secret is missing",
    );
    assert_eq!(names(data.path()), ["enroc.db"]);

    let url = (
        "ENROC_DATABASE_URL",
        "postgres://desk:TELLTALE@127.0.0.1:1/desk",
    );
    for command in ["backup", "restore"] {
        let settings: Vec<_> = settings.iter().copied().chain([url]).collect();
        let refused = run(&settings, &[command, &file]);
        code(&refused, 2, "PostgreSQL");
        assert!(!text(&refused.stderr).contains("TELLTALE"));
    }
}
