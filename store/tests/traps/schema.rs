//! Opening: the scheme, and whose migrations the database has.

use diesel::prelude::*;
use diesel::sql_query;
use store::{Engine, Settings, Store, StoreError, migrate};

use crate::write;

/// A derived connection tries each engine in turn, and SQLite takes any name for a new file.
#[test]
fn a_typo_in_the_scheme_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db").display().to_string();
    for url in [
        path.clone(),
        format!("sqlit:{path}"),
        format!("file:{path}"),
        format!("sqlite:file:{path}"),
        format!("postgress://{path}"),
    ] {
        let refused = Store::open(&Settings::new(&url));
        assert!(matches!(refused, Err(StoreError::Address(_))), "{url}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_server_that_is_down_is_unreachable() {
    let refused = Store::open(&Settings::new("postgres://enroc:secret@127.0.0.1:1/enroc"));
    let Err(StoreError::Unreachable(cause)) = refused else {
        panic!("must be unreachable");
    };
    assert!(!cause.to_string().contains("secret"), "{cause}");
}

#[test]
fn sqlite_migrates_a_new_file_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("desk.db").display());
    let all_at_once: Vec<_> = (0..4)
        .map(|_| {
            let settings = Settings::new(&url);
            std::thread::spawn(move || Store::open(&settings).map(drop))
        })
        .collect();
    for opening in all_at_once {
        opening.join().unwrap().unwrap();
    }
    assert_eq!(migrate(&Settings::new(&url)).unwrap(), Vec::<String>::new());
}

#[test]
fn postgres_refuses_to_serve_when_behind() {
    store::testing::on_postgres(|database| {
        let settings = database.settings();
        let store = database.store();
        async move {
            write(&store, |conn| {
                sql_query("DROP SCHEMA public CASCADE").execute(conn)?;
                sql_query("CREATE SCHEMA public").execute(conn)?;
                Ok(())
            })
            .await
            .unwrap();
            let Err(StoreError::Schema { behind, ahead }) = Store::open(&settings) else {
                panic!("must not open");
            };
            assert!(behind.contains(&"0001".to_owned()) && ahead.is_empty());

            let all_at_once: Vec<_> = (0..4)
                .map(|_| {
                    let settings = settings.clone();
                    std::thread::spawn(move || migrate(&settings).unwrap())
                })
                .collect();
            let mut done: Vec<String> = all_at_once
                .into_iter()
                .flat_map(|m| m.join().unwrap())
                .collect();
            done.sort();
            assert_eq!(done, behind);
            assert!(Store::open(&settings).is_ok());
        }
    });
}

store::both! {
    async fn a_newer_schema_is_refused(settings: Settings) {
        let store = Store::open(&settings).unwrap();
        write(&store, |conn| {
            let version = "INSERT INTO __diesel_schema_migrations (version) VALUES ('9999')";
            sql_query(version).execute(conn)?;
            Ok(())
        })
        .await
        .unwrap();
        for refused in [Store::open(&settings).map(drop), migrate(&settings).map(drop)] {
            let Err(error @ StoreError::Schema { .. }) = refused else {
                panic!("must be refused: {refused:?}");
            };
            assert!(error.to_string().contains("9999"), "{error}");
        }
    }

    async fn the_store_knows_its_engine(settings: Settings) {
        let engine = Store::open(&settings).unwrap().engine();
        assert_eq!(engine == Engine::Sqlite, settings.url.starts_with("sqlite:"));
    }
}
