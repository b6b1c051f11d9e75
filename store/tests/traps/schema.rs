//! Opening: the scheme, and whose migrations the database has.

use std::collections::BTreeSet;

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

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = diesel::sql_types::Text)]
    line: String,
}

/// The columns that `schema.rs` tells Diesel of, as `table.column type`.
fn told_to_diesel() -> BTreeSet<String> {
    let text = include_str!("../../src/schema.rs");
    let mut table = "";
    let mut lines = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        if let Some((name, _)) = line.strip_suffix("{").and_then(|l| l.split_once(" (")) {
            table = name;
        } else if let Some((column, kind)) =
            line.strip_suffix(',').and_then(|l| l.split_once(" -> "))
        {
            lines.insert(format!("{table}.{column} {kind}"));
        }
    }
    lines
}

/// Diesel takes `schema.rs` at its word: a wrong type there is a wrong value, or a panic, on some later day. The parity
/// test of `migrations` carries this over to PostgreSQL.
#[test]
fn diesel_is_told_the_schema_as_it_is() {
    store::testing::on_sqlite(|database| {
        let store = database.store();
        async move {
            let found: Vec<Column> = store
                .read(|conn| -> Result<_, StoreError> { Ok(sql_query(COLUMNS).load(conn)?) })
                .await
                .unwrap();
            let found: BTreeSet<String> = found.into_iter().map(|c| c.line).collect();
            let told = told_to_diesel();
            assert!(told.len() > 50, "{told:?}");
            assert_eq!(
                told.symmetric_difference(&found).collect::<Vec<_>>(),
                Vec::<&String>::new()
            );
        }
    });
}

const COLUMNS: &str = "
    SELECT t.name || '.' || c.name || ' ' || replace(
        CASE WHEN c.\"notnull\" OR c.pk > 0 THEN '?' ELSE 'Nullable<?>' END, '?',
        CASE WHEN c.type = 'INTEGER' AND c.pk = 1
                AND (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0) = 1 THEN 'BigInt'
             WHEN c.type = 'INTEGER' THEN 'Integer'
             WHEN c.type = 'BIGINT' THEN 'BigInt'
             WHEN c.type = 'TEXT' THEN 'Text'
             WHEN c.type = 'BOOLEAN' THEN 'Bool'
             ELSE c.type END) AS line
    FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '__diesel%'";
