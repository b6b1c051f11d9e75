//! A write that meets another's lock, or loses its connection, runs again.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sqlite::SqliteConnection;
use store::testing::{on_postgres, on_sqlite};
use store::{Conn, Settings, Store, StoreError};

use crate::{Probe, insert, locked, make_probe, rows, set, write};

/// Counts its runs; the first of them meets a misfortune.
fn unlucky_once(
    runs: &Arc<AtomicU32>,
    misfortune: &'static str,
) -> impl FnMut(&mut Conn) -> Result<(), StoreError> + Send + 'static {
    let runs = Arc::clone(runs);
    move |conn| {
        insert(conn, 1, 1)?;
        if runs.fetch_add(1, Ordering::SeqCst) == 0 {
            sql_query(misfortune).execute(conn)?;
        }
        Ok(())
    }
}

async fn recovers_from(store: &Store, misfortune: &'static str) {
    make_probe(store).await;
    let runs = Arc::default();
    write(store, unlucky_once(&runs, misfortune)).await.unwrap();
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    assert_eq!(rows(store).await, [Probe { id: 1, amount: 1 }]);
}

#[test]
fn postgres_runs_again_after_a_serialization_failure() {
    on_postgres(|database| {
        let store = database.store();
        async move {
            recovers_from(
                &store,
                "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$",
            )
            .await;
        }
    });
}

#[test]
fn postgres_runs_again_on_a_new_connection() {
    on_postgres(|database| {
        let store = database.store();
        async move {
            recovers_from(&store, "SELECT pg_terminate_backend(pg_backend_pid())").await;
        }
    });
}

/// The closure may make what it likes of Diesel's error: the door sees the failure on the connection.
#[test]
fn postgres_runs_again_whatever_became_of_the_error() {
    on_postgres(|database| {
        let store = database.store();
        async move {
            make_probe(&store).await;
            let runs = Arc::new(AtomicU32::new(0));
            let mut inside = unlucky_once(
                &runs,
                "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$",
            );
            let answer = write(&store, move |conn| {
                inside(conn).map_err(|_| StoreError::NotFound)
            })
            .await;
            assert!(answer.is_ok(), "{answer:?}");
            assert_eq!(runs.load(Ordering::SeqCst), 2);
        }
    });
}

#[test]
fn postgres_victims_of_a_deadlock_run_again() {
    on_postgres(|database| {
        let store = database.store();
        async move {
            make_probe(&store).await;
            write(&store, |conn| {
                insert(conn, 1, 0)?;
                insert(conn, 2, 0)
            })
            .await
            .unwrap();
            let (meet, runs) = (Arc::new(Barrier::new(2)), Arc::new(AtomicU32::new(0)));
            let crossing = |first: i64, second: i64| {
                let (store, meet, runs) = (store.clone(), Arc::clone(&meet), Arc::clone(&runs));
                let mut met = false;
                tokio::spawn(async move {
                    write(&store, move |conn| {
                        runs.fetch_add(1, Ordering::SeqCst);
                        sql_query("SET LOCAL deadlock_timeout = '10ms'").execute(conn)?;
                        let here = locked(conn, first)?;
                        if !std::mem::replace(&mut met, true) {
                            meet.wait();
                        }
                        let there = locked(conn, second)?;
                        set(conn, first, here.amount + 1)?;
                        set(conn, second, there.amount + 1)
                    })
                    .await
                })
            };
            let (one, other) = (crossing(1, 2), crossing(2, 1));
            one.await.unwrap().unwrap();
            other.await.unwrap().unwrap();
            assert_eq!(runs.load(Ordering::SeqCst), 3);
            assert!(rows(&store).await.iter().all(|row| row.amount == 2));
        }
    });
}

/// Lost in the middle of COMMIT: nobody can say, so nobody may run it again.
#[test]
fn postgres_says_when_a_commit_is_in_doubt() {
    on_postgres(|database| {
        let store = database.store();
        async move {
            make_probe(&store).await;
            write(&store, |conn| {
                sql_query(
                    "CREATE FUNCTION hang_up() RETURNS trigger LANGUAGE plpgsql AS
                     $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$",
                )
                .execute(conn)?;
                sql_query(
                    "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON probe
                     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hang_up()",
                )
                .execute(conn)?;
                Ok(())
            })
            .await
            .unwrap();
            let runs = Arc::new(AtomicU32::new(0));
            let counter = Arc::clone(&runs);
            let lost = write(&store, move |conn| {
                counter.fetch_add(1, Ordering::SeqCst);
                insert(conn, 1, 1)
            })
            .await;
            assert!(matches!(lost, Err(StoreError::InDoubt(_))), "{lost:?}");
            assert_eq!(runs.load(Ordering::SeqCst), 1);
            write(&store, |_| Ok(())).await.unwrap();
        }
    });
}

/// Another process, a backup say, that holds the lock.
#[expect(clippy::disallowed_methods, reason = "stands for another program")]
fn another_program(settings: &Settings) -> SqliteConnection {
    let path = settings.url.strip_prefix("sqlite:").unwrap();
    let mut conn = SqliteConnection::establish(path).unwrap();
    conn.batch_execute("PRAGMA busy_timeout = 0").unwrap();
    conn
}

/// Makes the writer's connection give up at once, so that the door's own patience is what is tested.
async fn impatient(settings: &Settings) -> Store {
    let store = Store::open(settings).unwrap();
    make_probe(&store).await;
    write(&store, |conn| {
        sql_query("PRAGMA busy_timeout = 0").execute(conn)?;
        Ok(())
    })
    .await
    .unwrap();
    store
}

#[test]
fn sqlite_waits_for_another_program_and_goes_on() {
    on_sqlite(|database| {
        let settings = database.settings();
        async move {
            let store = impatient(&settings).await;
            let mut other = another_program(&settings);
            other.batch_execute("BEGIN IMMEDIATE").unwrap();
            let writer = store.clone();
            let mut written =
                tokio::spawn(async move { write(&writer, |conn| insert(conn, 1, 1)).await });
            let soon = std::time::Duration::from_millis(20);
            assert!(tokio::time::timeout(soon, &mut written).await.is_err());
            other.batch_execute("COMMIT").unwrap();
            written.await.unwrap().unwrap();
            assert_eq!(rows(&store).await.len(), 1);
        }
    });
}

/// "database is locked" has no kind of its own in Diesel.
#[test]
fn sqlite_busy_has_a_name() {
    on_sqlite(|database| {
        let settings = database.settings();
        async move {
            let store = impatient(&settings).await;
            let mut other = another_program(&settings);
            other.batch_execute("BEGIN IMMEDIATE").unwrap();
            let busy = write(&store, |conn| insert(conn, 1, 1)).await;
            assert!(matches!(busy, Err(StoreError::Busy)), "{busy:?}");
            other.batch_execute("ROLLBACK").unwrap();
            write(&store, |conn| insert(conn, 1, 1)).await.unwrap();
        }
    });
}

/// PostgreSQL's lock timeout has none either.
#[test]
fn postgres_busy_has_a_name() {
    on_postgres(|database| {
        let store = database.store();
        async move {
            make_probe(&store).await;
            write(&store, |conn| insert(conn, 1, 0)).await.unwrap();
            let (release, released) = std::sync::mpsc::channel::<()>();
            let (locking, is_locked) = tokio::sync::oneshot::channel();
            let mut locking = Some(locking);
            let holder = store.clone();
            let held = tokio::spawn(async move {
                write(&holder, move |conn| {
                    locked(conn, 1)?;
                    locking.take().unwrap().send(()).unwrap();
                    let _ = released.recv();
                    Ok(())
                })
                .await
            });
            is_locked.await.unwrap();
            let busy = write(&store, |conn| {
                sql_query("SET LOCAL lock_timeout = '1ms'").execute(conn)?;
                locked(conn, 1)
            })
            .await;
            assert!(matches!(busy, Err(StoreError::Busy)), "{busy:?}");
            drop(release);
            held.await.unwrap().unwrap();
        }
    });
}

/// A process that is frozen inside a transaction loses it, and its lock, to the others; thawed, it runs again.
#[test]
fn postgres_a_frozen_node_does_not_keep_the_lock() {
    on_postgres(|database| {
        let (frozen, other) = (database.store(), database.store());
        async move {
            make_probe(&frozen).await;
            write(&frozen, |conn| insert(conn, 1, 0)).await.unwrap();
            let (locking, is_locked) = tokio::sync::oneshot::channel();
            let (mut locking, runs) = (Some(locking), Arc::new(AtomicU32::new(0)));
            let counter = Arc::clone(&runs);
            let thawed = tokio::spawn(async move {
                write(&frozen, move |conn| {
                    let first = counter.fetch_add(1, Ordering::SeqCst) == 0;
                    let before = locked(conn, 1)?;
                    if first {
                        sql_query("SET LOCAL idle_in_transaction_session_timeout = '100ms'")
                            .execute(conn)?;
                        locking.take().unwrap().send(()).unwrap();
                        std::thread::sleep(std::time::Duration::from_secs(2));
                    }
                    set(conn, 1, before.amount * 2 + 1)
                })
                .await
            });
            is_locked.await.unwrap();
            write(&other, |conn| {
                let before = locked(conn, 1)?;
                set(conn, 1, before.amount + 10)
            })
            .await
            .unwrap();
            assert!(!thawed.is_finished(), "the other went on meanwhile");
            thawed.await.unwrap().unwrap();
            assert_eq!(runs.load(Ordering::SeqCst), 2);
            assert_eq!(rows(&other).await, [Probe { id: 1, amount: 21 }]);
        }
    });
}
