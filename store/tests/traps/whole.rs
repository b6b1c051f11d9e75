//! Whole databases: a file copied while others write, and a file taken to PostgreSQL.

use diesel::prelude::*;
use diesel::sql_query;
use store::testing::Database;
use store::{Settings, Store, StoreError, backup, migrate, transfer};

use crate::write;

/// Texts that quoting, JSON and another engine's types could each spoil.
const ODD: &[&str] = &[
    "plain",
    "Núria 'la' \"Torre\" \\ Müller 🏰",
    "two\nlines\tand a tab\r",
    "{\"kind\":\"x\",\"n\":1e400,\"z\":\"\\u0000\"}",
    "",
    "null",
];

#[derive(QueryableByName, PartialEq, Debug)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text)]
    line: String,
}

async fn all(store: &Store, query: &'static str) -> Vec<String> {
    let read = move |conn: &mut store::Conn| -> Result<Vec<Line>, StoreError> {
        Ok(sql_query(query).load(conn)?)
    };
    let lines = store.read(read).await.unwrap();
    lines.into_iter().map(|line| line.line).collect()
}

const ENTRIES: &str = "
    SELECT id || '|' || tournament_id || '|' || form_number || '|' || coalesce(section, 'NULL') || '|' || price || '|'
        || CASE WHEN approved THEN 'yes' ELSE 'no' END || CASE WHEN needs_approval THEN 'yes' ELSE 'no' END
        || '|' || to_check AS line FROM entries ORDER BY form_number";
const ORGANISERS: &str = "SELECT id || '|' || name AS line FROM organisers ORDER BY id";

/// More organisers than share a statement, and entries with every kind of column.
async fn fill(settings: &Settings) {
    let store = Store::open(settings).unwrap();
    write(&store, |conn| {
        sql_query(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
             INSERT INTO organisers SELECT i * 3000000000000000, 'slug' || i, 'name', i FROM n",
        )
        .execute(conn)?;
        sql_query("INSERT INTO tournaments VALUES ('t', 3000000000000000, 1, NULL, 6, 0, NULL, 1, '[[\"A\",\"held\",6]]')")
            .execute(conn)?;
        sql_query("INSERT INTO orders VALUES (9223372036854775807, 't', 'r', 'EUR', 1, 0, 0, 0, 1, '{}', '{}', 1, NULL, 0, 0, 1, NULL, NULL, NULL)")
            .execute(conn)?;
        for (form, text) in ODD.iter().enumerate() {
            sql_query("INSERT INTO entries VALUES (?, 't', 9223372036854775807, ?, ?, 'held', 9007199254740993, ?, ?, ?, NULL, NULL, NULL, ?)")
                .bind::<diesel::sql_types::BigInt, _>(form as i64)
                .bind::<diesel::sql_types::BigInt, _>(form as i64 + 1)
                .bind::<diesel::sql_types::Nullable<diesel::sql_types::Text>, _>((form > 0).then_some(*text))
                .bind::<diesel::sql_types::Text, _>(*text)
                .bind::<diesel::sql_types::Bool, _>(form % 2 == 0)
                .bind::<diesel::sql_types::Bool, _>(form % 3 == 0)
                .bind::<diesel::sql_types::Nullable<diesel::sql_types::BigInt>, _>((form > 1).then_some(form as i64))
                .execute(conn)?;
        }
        Ok(())
    })
    .await
    .unwrap();
    store.close();
}

fn with_both(test: impl AsyncFnOnce(Settings, Settings)) {
    store::testing::on_postgres(|there| {
        let (here, there) = (Database::sqlite(), there.settings());
        async move { test(here.settings(), there).await }
    });
}

#[test]
fn every_row_arrives_as_it_was() {
    with_both(async |here, there| {
        fill(&here).await;
        let heard = std::cell::Cell::new((0, 0));
        let rows = transfer::copy(&here, &there, |done, of| heard.set((done, of))).unwrap();
        assert_eq!(rows, 2_500 + 1 + 1 + ODD.len() as u64);
        assert_eq!(heard.get(), (rows, rows));
        let (here, there) = (Store::open(&here).unwrap(), Store::open(&there).unwrap());
        for (query, wanted) in [(ENTRIES, ODD.len()), (ORGANISERS, 2_500)] {
            let (was, is) = (all(&here, query).await, all(&there, query).await);
            assert_eq!((was.len(), &was), (wanted, &is));
        }
    });
}

#[test]
fn a_target_that_is_not_empty_or_not_migrated_is_left_alone() {
    with_both(async |here, there| {
        fill(&here).await;
        transfer::copy(&here, &there, |_, _| ()).unwrap();
        let again = transfer::copy(&here, &there, |_, _| ());
        assert!(matches!(again, Err(StoreError::Occupied(_))), "{again:?}");

        let store = Store::open(&there).unwrap();
        assert_eq!(all(&store, ORGANISERS).await.len(), 2_500);
        write(&store, |conn| {
            sql_query("DROP SCHEMA public CASCADE").execute(conn)?;
            sql_query("CREATE SCHEMA public").execute(conn)?;
            Ok(())
        })
        .await
        .unwrap();
        let bare = transfer::copy(&here, &there, |_, _| ());
        assert!(matches!(bare, Err(StoreError::Schema { .. })), "{bare:?}");
        migrate(&there).unwrap();
        transfer::copy(&here, &there, |_, _| ()).unwrap();
    });
}

/// PostgreSQL holds no NUL in a text, which SQLite does.
#[test]
fn a_row_that_does_not_fit_takes_all_the_others_back() {
    with_both(async |here, there| {
        fill(&here).await;
        let spoil = async |query: &'static str| {
            let store = Store::open(&here).unwrap();
            let change = move |conn: &mut store::Conn| Ok(sql_query(query).execute(conn)?);
            write(&store, change).await.unwrap();
            store.close();
        };
        spoil("UPDATE entries SET section = 'a' || char(0) WHERE form_number = 6").await;
        let failed = transfer::copy(&here, &there, |_, _| ());
        assert!(matches!(failed, Err(StoreError::Broken(_))), "{failed:?}");
        let left = all(&Store::open(&there).unwrap(), ORGANISERS).await;
        assert!(left.is_empty(), "{left:?}");
        spoil("UPDATE entries SET section = 'a' WHERE form_number = 6").await;
        transfer::copy(&here, &there, |_, _| ()).unwrap();
    });
}

/// Whoever is in the way is named: the target, not the file.
#[test]
fn a_target_that_somebody_writes_to_is_in_use() {
    with_both(async |here, there| {
        fill(&here).await;
        let store = Store::open(&there).unwrap();
        let writing = tokio::spawn({
            let store = store.clone();
            async move {
                write(&store, |conn| {
                    sql_query("LOCK TABLE organisers IN ROW EXCLUSIVE MODE").execute(conn)?;
                    Ok(sql_query("SELECT pg_sleep(600)").execute(conn)?)
                })
                .await
            }
        });
        const SLEEPS: &str = "SELECT pid::text AS line FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep'";
        while all(&store, SLEEPS).await.is_empty() {
            tokio::task::yield_now().await;
        }
        let copied = transfer::copy(&here, &there, |_, _| ());
        assert!(matches!(copied, Err(StoreError::TargetInUse)), "{copied:?}");
        const CANCEL: &str = "SELECT pg_cancel_backend(pid)::text AS line FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep'";
        assert_eq!(all(&store, CANCEL).await, ["true"]);
        assert!(writing.await.unwrap().is_err());
        transfer::copy(&here, &there, |_, _| ()).unwrap();
    });
}

#[test]
fn a_file_that_somebody_has_open_is_in_use() {
    store::testing::on_sqlite(|database| {
        let (settings, store) = (database.settings(), database.store());
        async move {
            assert!(matches!(backup::take(&settings), Err(StoreError::Busy)));
            let to = Settings::new("postgres://127.0.0.1:1/nowhere");
            let copied = transfer::copy(&settings, &to, |_, _| ());
            assert!(matches!(copied, Err(StoreError::Busy)), "{copied:?}");
            store.close();
            drop(store);
            let taken = backup::take(&settings).unwrap();
            assert!(matches!(backup::take(&settings), Err(StoreError::Busy)));
            assert!(matches!(Store::open(&settings), Err(StoreError::Busy)));
            drop(taken);
            Store::open(&settings).unwrap().close();
        }
    });
}

/// A copy is one file and one instant, of the schema that there was; only what a newer program made cannot be used.
#[test]
fn a_snapshot_is_whole_and_a_newer_one_is_refused() {
    store::testing::on_sqlite(|database| {
        let (settings, store) = (database.settings(), database.store());
        async move {
            let folder = tempfile::tempdir().unwrap();
            let copied = |name: &str| {
                let path = folder.path().join(name);
                std::fs::File::create(&path).unwrap();
                backup::snapshot(&settings, &path).unwrap();
                path
            };
            let good = copied("good.db");
            write(&store, |conn| {
                let version = "INSERT INTO __diesel_schema_migrations (version) VALUES ('9999')";
                Ok(sql_query(version).execute(conn)?)
            })
            .await
            .unwrap();
            let newer = copied("newer.db");
            backup::revive(&good).unwrap();
            let refused = backup::revive(&newer);
            assert!(
                matches!(refused, Err(StoreError::Schema { .. })),
                "{refused:?}"
            );
            let names = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = names.map(|e| e.unwrap().file_name()).collect();
            names.sort();
            assert_eq!(names[0], "good.db");
            assert!(
                names
                    .iter()
                    .all(|n| !n.display().to_string().starts_with("good.db-")),
                "{names:?}"
            );

            let middle = std::fs::metadata(&good).unwrap().len() as usize / 2;
            let mut bytes = std::fs::read(&good).unwrap();
            bytes[..middle].fill(7);
            std::fs::write(&good, bytes).unwrap();
            assert!(backup::revive(&good).is_err());
        }
    });
}
