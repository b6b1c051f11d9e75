//! Where SQLite and PostgreSQL part.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use domain::UtcTime;
use store::dialect::{Claim, columns, sum_bigint};
use store::{Engine, Lane, Settings, Store, StoreError};

use crate::{Probe, insert, insert_unless_there, locked, make_probe, probe, rows, set, write};

#[derive(QueryableByName)]
struct Word {
    #[diesel(sql_type = Text)]
    word: String,
}

store::both! {
    /// A deferred transaction that reads and then writes fails on SQLite under load, whatever the busy timeout. The door
    /// would run it again and again; here each runs once.
    async fn a_rush_of_read_then_write_loses_nothing(settings: Settings) {
        let stores: Vec<Store> = (0..8).map(|_| Store::open(&settings).unwrap()).collect();
        make_probe(&stores[0]).await;
        write(&stores[0], |conn| insert(conn, 1, 0)).await.unwrap();
        let runs = Arc::new(AtomicU32::new(0));

        let runners: Vec<_> = stores
            .into_iter()
            .map(|store| {
                let runs = Arc::clone(&runs);
                tokio::spawn(async move {
                    for _ in 0..40 {
                        let runs = Arc::clone(&runs);
                        write(&store, move |conn| {
                            runs.fetch_add(1, Ordering::Relaxed);
                            let before = locked(conn, 1)?;
                            set(conn, 1, before.amount + 1)
                        })
                        .await
                        .unwrap();
                    }
                    store
                })
            })
            .collect();
        let mut last = None;
        for runner in runners {
            last = Some(runner.await.unwrap());
        }
        assert_eq!(rows(&last.unwrap()).await, [Probe { id: 1, amount: 320 }]);
        assert_eq!(runs.load(Ordering::Relaxed), 320);
    }

    /// SQLite serialises writers and PostgreSQL does not: the parent's row is locked before counting.
    async fn a_locked_parent_keeps_the_capacity(store: Store) {
        make_probe(&store).await;
        write(&store, |conn| insert(conn, 0, 0)).await.unwrap();
        let runners: Vec<_> = (1..=40)
            .map(|id| {
                let store = store.clone();
                tokio::spawn(async move {
                    write(&store, move |conn| {
                        locked(conn, 0)?;
                        let taken: i64 = probe::table.count().get_result(conn)?;
                        if taken > 10 {
                            return Ok(false);
                        }
                        insert(conn, id, 0).map(|()| true)
                    })
                    .await
                    .unwrap()
                })
            })
            .collect();
        let mut seated = 0;
        for runner in runners {
            seated += usize::from(runner.await.unwrap());
        }
        assert_eq!((seated, rows(&store).await.len()), (10, 11));
    }

    /// The control of the test above: without the lock two writers on PostgreSQL both see the last seat.
    async fn without_the_lock_only_sqlite_keeps_it(store: Store) {
        make_probe(&store).await;
        let meet = match store.engine() {
            Engine::Postgres => Arc::new(Barrier::new(2)),
            Engine::Sqlite => Arc::new(Barrier::new(1)),
        };
        let runners: Vec<_> = (1..=2)
            .map(|id| {
                let (store, meet) = (store.clone(), Arc::clone(&meet));
                tokio::spawn(async move {
                    write(&store, move |conn| {
                        let taken: i64 = probe::table.count().get_result(conn)?;
                        meet.wait();
                        if taken == 0 { insert(conn, id, 0) } else { Ok(()) }
                    })
                    .await
                    .unwrap();
                })
            })
            .collect();
        for runner in runners {
            runner.await.unwrap();
        }
        let expected = if store.engine() == Engine::Postgres { 2 } else { 1 };
        assert_eq!(rows(&store).await.len(), expected);
    }

    /// After a failed statement SQLite would commit the rest, and PostgreSQL answer COMMIT with a silent rollback.
    async fn a_failed_statement_is_never_committed(store: Store) {
        make_probe(&store).await;
        write(&store, |conn| insert(conn, 1, 1)).await.unwrap();
        let swallowed = write(&store, |conn| {
            insert(conn, 2, 2)?;
            drop(insert(conn, 1, 9));
            Ok(())
        })
        .await;
        assert!(matches!(swallowed, Err(StoreError::Duplicate)), "{swallowed:?}");
        assert_eq!(rows(&store).await, [Probe { id: 1, amount: 1 }]);
    }

    async fn what_may_be_there_is_inserted_without_failing(store: Store) {
        make_probe(&store).await;
        let answers = write(&store, |conn| {
            let first = insert_unless_there(conn, 1, 1)?;
            let again = insert_unless_there(conn, 1, 9)?;
            insert(conn, 2, 2)?;
            Ok((first, again))
        })
        .await
        .unwrap();
        assert_eq!(answers, (Some(Probe { id: 1, amount: 1 }), None));
        assert_eq!(rows(&store).await.len(), 2);
    }

    /// Constraint names exist on PostgreSQL only, so a duplicate is known by the operation that met it.
    async fn a_duplicate_is_known_by_its_operation(store: Store) {
        make_probe(&store).await;
        write(&store, |conn| insert(conn, 1, 1)).await.unwrap();
        let again = write(&store, |conn| insert(conn, 1, 2)).await;
        assert!(matches!(again, Err(StoreError::Duplicate)), "{again:?}");
        write(&store, |conn| insert(conn, 2, 2)).await.unwrap();
    }

    async fn microseconds_come_back_as_they_went(store: Store) {
        make_probe(&store).await;
        let instant: UtcTime = "2026-03-29T02:30:00.123456789+01:00".parse().unwrap();
        write(&store, move |conn| insert(conn, 1, instant.as_micros())).await.unwrap();
        let back = UtcTime::from_micros(rows(&store).await[0].amount);
        assert_eq!(back, instant);
        assert_eq!(back.to_string(), "2026-03-29T01:30:00.123456Z");
    }

    /// `SUM(bigint)` is NUMERIC on PostgreSQL, and NULL over no rows on both.
    async fn a_sum_is_a_bigint(store: Store) {
        make_probe(&store).await;
        let (none, all) = write(&store, |conn| {
            let total = || probe::table.select(sum_bigint(probe::amount));
            let none: i64 = total().get_result(conn)?;
            insert(conn, 1, 4_000_000_000)?;
            insert(conn, 2, 5_000_000_000)?;
            Ok((none, total().get_result::<i64>(conn)?))
        })
        .await
        .unwrap();
        assert_eq!((none, all), (0, 9_000_000_000));
    }

    /// A worker passes over what another holds, where there can be another.
    async fn a_claimed_row_is_passed_over(store: Store) {
        make_probe(&store).await;
        write(&store, |conn| insert(conn, 1, 0)).await.unwrap();
        write(&store, |conn| insert(conn, 2, 0)).await.unwrap();
        let (tell, hear) = std::sync::mpsc::channel();
        let both_claimed = Arc::new(Barrier::new(if store.engine() == Engine::Postgres { 2 } else { 1 }));
        for _ in 0..2 {
            let (store, tell, meet) = (store.clone(), tell.clone(), Arc::clone(&both_claimed));
            tokio::spawn(async move {
                write(&store, move |conn| {
                    let unclaimed = probe::table
                        .filter(probe::amount.eq(0))
                        .order(probe::id)
                        .limit(1)
                        .select(columns::<Probe>());
                    let row: Probe = Claim(unclaimed).get_result(conn)?;
                    meet.wait();
                    set(conn, row.id, 1)?;
                    tell.send(row.id).unwrap();
                    Ok(())
                })
                .await
                .unwrap();
            });
        }
        drop(tell);
        let mut claimed: Vec<i64> = tokio::task::spawn_blocking(move || hear.iter().collect()).await.unwrap();
        claimed.sort_unstable();
        assert_eq!(claimed, [1, 2]);
    }

    /// PostgreSQL sorts by the database's locale unless that is C; SQLite by bytes.
    async fn text_is_in_the_order_of_its_bytes(store: Store) {
        let words = store
            .read(|conn| -> Result<Vec<Word>, StoreError> {
                Ok(sql_query(
                    "SELECT word FROM (SELECT 'b' AS word UNION SELECT 'B' UNION SELECT 'à' UNION SELECT 'a') AS t ORDER BY word",
                )
                .load(conn)?)
            })
            .await
            .unwrap();
        let words: Vec<String> = words.into_iter().map(|w| w.word).collect();
        assert_eq!(words, ["B", "a", "b", "à"]);
    }

    /// SQLite checks foreign keys only on a connection that was told to.
    async fn a_dangling_reference_is_refused(store: Store) {
        write(&store, |conn| {
            sql_query("CREATE TABLE parent (id BIGINT PRIMARY KEY)").execute(conn)?;
            sql_query("CREATE TABLE child (parent_id BIGINT NOT NULL REFERENCES parent (id))")
                .execute(conn)?;
            Ok(())
        })
        .await
        .unwrap();
        let orphan = store
            .write(Lane::Settle, |conn| -> Result<usize, StoreError> {
                Ok(sql_query("INSERT INTO child VALUES (7)").execute(conn)?)
            })
            .await;
        assert!(matches!(orphan, Err(StoreError::Broken(_))), "{orphan:?}");
    }

    /// A session's zone must not reach an instant: it is a number on both.
    async fn sessions_speak_utc(store: Store) {
        if store.engine() == Engine::Sqlite {
            return;
        }
        let zone = store
            .read(|conn| -> Result<Word, StoreError> {
                Ok(sql_query("SELECT current_setting('TimeZone') AS word").get_result(conn)?)
            })
            .await
            .unwrap();
        assert_eq!(zone.word, "UTC");
    }

    /// A role or a database may be set to answer commits that are on no disk yet: not for us.
    async fn a_commit_is_on_the_disk_whatever_the_database_prefers(settings: Settings) {
        let store = Store::open(&settings).unwrap();
        if store.engine() == Engine::Sqlite {
            return;
        }
        for (preferred, taken) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
            prefer(&store, &format!("synchronous_commit = {preferred}")).await;
            let fresh = Store::open(&settings).unwrap();
            let found = fresh
                .write(Lane::Desk, |conn| -> Result<Word, StoreError> {
                    Ok(sql_query("SELECT current_setting('synchronous_commit') AS word").get_result(conn)?)
                })
                .await;
            assert_eq!(found.unwrap().word, taken, "{preferred}");
        }
    }

    /// What an address leads to during a failover: a server that answers and takes no writes.
    async fn a_standby_is_not_reached_and_says_so(store: Store) {
        assert!(store.read(|conn| conn.takes_writes()).await.unwrap());
        if store.engine() == Engine::Sqlite {
            return;
        }
        make_probe(&store).await;
        let as_standby = |conn: &mut store::Conn| {
            sql_query("SET default_transaction_read_only = on").execute(conn)?;
            conn.takes_writes()
        };
        assert!(!store.read(as_standby).await.unwrap());
        let refused = write(&store, |conn| {
            sql_query("SET TRANSACTION READ ONLY").execute(conn)?;
            insert(conn, 1, 0)
        });
        let refused = refused.await;
        assert!(matches!(refused, Err(StoreError::Unreachable(_))), "{refused:?}");
        assert_eq!(rows(&store).await, []);
    }

    /// Nothing is half done, and whoever asks hears that it is not their fault.
    async fn a_full_disk_is_told_apart(store: Store) {
        if store.engine() == Engine::Postgres {
            return;
        }
        make_probe(&store).await;
        let fill = |conn: &mut store::Conn| -> Result<usize, StoreError> {
            sql_query("PRAGMA max_page_count = 1").execute(conn)?;
            let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) \
                        INSERT INTO probe SELECT i, 0 FROM n";
            Ok(sql_query(many).execute(conn)?)
        };
        let refused = store.write(Lane::Desk, fill).await;
        assert!(matches!(refused, Err(StoreError::Full(_))), "{refused:?}");
        assert_eq!(rows(&store).await, []);
        let problem = domain::Problem::from(refused.unwrap_err());
        assert_eq!(problem.slug, domain::Slug::DatabaseDown);
        assert!(problem.retry_after.is_some());
    }
}

/// Sets what new connections to this database begin with.
async fn prefer(store: &Store, setting: &str) {
    let setting = format!("EXECUTE format('ALTER DATABASE %I SET {setting}', current_database())");
    let set = format!("DO $$ BEGIN {setting}; END $$");
    write(store, move |conn| Ok(sql_query(&set).execute(conn)?))
        .await
        .unwrap();
}

#[cfg(unix)]
#[test]
fn a_new_sqlite_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("desk.db");
    let store = Store::open(&Settings::new(format!("sqlite:{}", file.display()))).unwrap();
    for beside in ["desk.db", "desk.db-wal", "desk.db-shm"] {
        let mode = std::fs::metadata(folder.path().join(beside))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{beside}");
    }
    drop(store);
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

#[test]
fn sqlite_writes_through_to_the_disk() {
    store::testing::on_sqlite(|database| {
        let store = database.store();
        async move {
            for (pragma, expected) in [
                ("synchronous", 2),
                ("foreign_keys", 1),
                ("busy_timeout", 5000),
            ] {
                let query = format!("SELECT {pragma} AS n FROM pragma_{pragma}")
                    .replace("SELECT busy_timeout", "SELECT timeout");
                let found = write(&store, move |conn| {
                    Ok(sql_query(&query).get_result::<Setting>(conn)?)
                })
                .await;
                assert_eq!(found.unwrap().n, expected, "{pragma}");
            }
        }
    });
}
