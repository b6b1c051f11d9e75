//! Reading: one instant, no writing, and a bridge that works on a runtime of one thread.

use std::sync::mpsc;

use diesel::prelude::*;
use diesel::sql_query;
use store::{Store, StoreError};

use crate::{insert, make_probe, probe, rows, write};

store::both! {
    async fn a_read_sees_one_instant(store: Store) {
        make_probe(&store).await;
        let (counted, wait_counted) = tokio::sync::oneshot::channel();
        let (written, wait_written) = mpsc::channel();
        let reader = store.clone();
        let counts = tokio::spawn(async move {
            reader
                .read(move |conn| -> Result<(i64, i64), StoreError> {
                    let before = probe::table.count().get_result(conn)?;
                    counted.send(()).unwrap();
                    wait_written.recv().unwrap();
                    Ok((before, probe::table.count().get_result(conn)?))
                })
                .await
        });
        wait_counted.await.unwrap();
        write(&store, |conn| insert(conn, 1, 1)).await.unwrap();
        written.send(()).unwrap();
        assert_eq!(counts.await.unwrap().unwrap(), (0, 0));
        assert_eq!(rows(&store).await.len(), 1);
    }

    async fn a_reader_cannot_write(store: Store) {
        make_probe(&store).await;
        let tried = store.read(|conn| insert(conn, 1, 1)).await;
        // PostgreSQL says it as a standby does.
        let refused = matches!(tried, Err(StoreError::Broken(_) | StoreError::Unreachable(_)));
        assert!(refused, "{tried:?}");
        assert_eq!(rows(&store).await, []);
    }

    /// More readers than seats and than threads: on a runtime of one thread `block_in_place` would panic here.
    async fn many_readers_share_few_connections(store: Store) {
        make_probe(&store).await;
        let runners: Vec<_> = (0..64)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move { rows(&store).await.len() })
            })
            .collect();
        for runner in runners {
            assert_eq!(runner.await.unwrap(), 0);
        }
    }

    async fn a_panic_in_a_reader_is_its_own_callers_only(store: Store) {
        make_probe(&store).await;
        for _ in 0..10 {
            let fallen = store
                .read(|_| -> Result<(), StoreError> { panic!("on purpose") })
                .await;
            assert!(matches!(fallen, Err(StoreError::Broken(_))), "{fallen:?}");
        }
        assert_eq!(rows(&store).await, []);
    }
}

/// A server that was restarted leaves dead connections in the pool, which the next readers must not meet.
#[test]
fn postgres_readers_outlive_their_connections() {
    store::testing::on_postgres(|database| {
        let store = database.store();
        async move {
            make_probe(&store).await;
            let some_at_once: Vec<_> = (0..4)
                .map(|_| {
                    let store = store.clone();
                    tokio::spawn(async move { rows(&store).await })
                })
                .collect();
            for runner in some_at_once {
                runner.await.unwrap();
            }
            write(&store, |conn| {
                sql_query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                )
                .execute(conn)?;
                Ok(())
            })
            .await
            .unwrap();
            for _ in 0..8 {
                assert_eq!(rows(&store).await, []);
            }
        }
    });
}
