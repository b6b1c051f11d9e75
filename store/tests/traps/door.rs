//! The write door under stress: overload, the lanes, panics, callers who leave.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use store::{Conn, Engine, Lane, Settings, Store, StoreError};
use tokio::task::JoinHandle;

use crate::{Probe, insert, make_probe, rows, write};

/// Occupies every writer that serves the desk, and fills its lane, until the sender is dropped.
async fn fill_the_desk(store: &Store, bound: usize) -> (mpsc::Sender<()>, Vec<JoinHandle<()>>) {
    let (release, released) = mpsc::channel::<()>();
    let released = std::sync::Arc::new(std::sync::Mutex::new(released));
    let (started, begun) = mpsc::channel();
    let writers = if store.engine() == Engine::Sqlite {
        1
    } else {
        7
    };
    let mut waiting = Vec::new();
    for number in 0..writers + bound {
        let (job, released, started) = (store.clone(), released.clone(), started.clone());
        waiting.push(tokio::spawn(async move {
            write(&job, move |_| {
                let _ = started.send(());
                let _ = released.lock().unwrap().recv();
                Ok(())
            })
            .await
            .unwrap();
        }));
        tokio::task::yield_now().await;
        if number < writers {
            begun.recv_timeout(Duration::from_secs(10)).unwrap();
        }
    }
    assert_eq!(store.waiting(Lane::Desk), bound);
    (release, waiting)
}

async fn job_counts(store: Store, ran: Arc<AtomicUsize>) {
    let count = move |_: &mut Conn| {
        ran.fetch_add(1, Ordering::SeqCst);
        Ok(())
    };
    write(&store, count).await.unwrap();
}

store::both! {
    async fn who_waited_too_long_is_refused_and_what_happened_is_not(settings: Settings) {
        let patience = Duration::from_millis(300);
        let store = Store::open(&Settings { writer_patience: patience, ..settings }).unwrap();
        make_probe(&store).await;
        // Those that run have begun in time; those behind them cannot begin before they end.
        let (release, waiting) = fill_the_desk(&store, 0).await;
        let [late, settled] = [Lane::Desk, Lane::Settle].map(|lane| {
            let job = store.clone();
            let id = if lane == Lane::Desk { 1 } else { 2 };
            tokio::spawn(async move { job.write(lane, move |conn| insert(conn, id, 1)).await })
        });
        tokio::time::sleep(2 * patience).await;
        drop(release);
        let late = late.await.unwrap();
        assert!(matches!(late, Err(StoreError::Overloaded)), "{late:?}");
        settled.await.unwrap().unwrap();
        for job in waiting {
            job.await.unwrap();
        }
        assert_eq!(rows(&store).await, [Probe { id: 2, amount: 1 }]);
    }

    async fn a_full_desk_refuses_at_once_and_settles_still(settings: Settings) {
        let store = Store::open(&Settings { writer_queue: 3, ..settings }).unwrap();
        make_probe(&store).await;
        let (release, waiting) = fill_the_desk(&store, 3).await;

        let refused = write(&store, |conn| insert(conn, 1, 1)).await;
        assert!(matches!(refused, Err(StoreError::Overloaded)), "{refused:?}");
        let problem = domain::Problem::from(StoreError::Overloaded);
        assert!(matches!(problem.retry_after, Some(1..=5)));

        let settler = store.clone();
        let settled = tokio::spawn(async move {
            settler.write(Lane::Settle, |conn| insert(conn, 2, 2)).await
        });
        if store.engine() == Engine::Postgres {
            // A writer is kept for settlements, so this one does not even wait.
            settled.await.unwrap().unwrap();
            drop(release);
        } else {
            drop(release);
            settled.await.unwrap().unwrap();
        }
        for job in waiting {
            job.await.unwrap();
        }
        assert_eq!(rows(&store).await, [Probe { id: 2, amount: 2 }]);
        write(&store, |conn| insert(conn, 3, 3)).await.unwrap();
    }

    async fn a_settlement_does_not_wait_behind_a_rush(settings: Settings) {
        let store = Store::open(&Settings { writer_queue: 256, ..settings }).unwrap();
        if store.engine() == Engine::Postgres {
            return;
        }
        let (release, mut waiting) = fill_the_desk(&store, 0).await;
        let ran = Arc::new(AtomicUsize::new(0));
        for _ in 0..200 {
            let (job, ran) = (store.clone(), Arc::clone(&ran));
            waiting.push(tokio::spawn(job_counts(job, ran)));
        }
        let settler = store.clone();
        let settled = tokio::spawn(async move {
            let before = move |_: &mut Conn| Ok::<_, StoreError>(ran.load(Ordering::SeqCst));
            settler.write(Lane::Settle, before).await
        });
        while (store.waiting(Lane::Desk), store.waiting(Lane::Settle)) != (200, 1) {
            tokio::task::yield_now().await;
        }
        drop(release);
        // It shares the first commit, first or second.
        assert!(settled.await.unwrap().unwrap() <= 1);
        for job in waiting {
            job.await.unwrap();
        }
    }

    async fn a_panic_is_its_own_callers_only(store: Store) {
        make_probe(&store).await;
        for _ in 0..10 {
            let fallen = write(&store, |conn| -> Result<(), _> {
                insert(conn, 1, 1)?;
                panic!("on purpose")
            })
            .await;
            assert!(matches!(fallen, Err(StoreError::Broken(_))), "{fallen:?}");
        }
        write(&store, |conn| insert(conn, 1, 2)).await.unwrap();
        assert_eq!(rows(&store).await, [Probe { id: 1, amount: 2 }]);
    }

    async fn a_refusal_of_the_closure_rolls_back(store: Store) {
        make_probe(&store).await;
        let refused = write(&store, |conn| -> Result<(), _> {
            insert(conn, 1, 1)?;
            Err(StoreError::Raced)
        })
        .await;
        assert!(matches!(refused, Err(StoreError::Raced)));
        assert_eq!(rows(&store).await, []);
    }

    async fn who_leaves_before_the_turn_is_forgotten(settings: Settings) {
        let store = Store::open(&Settings { writer_queue: 3, ..settings }).unwrap();
        make_probe(&store).await;
        let (release, waiting) = fill_the_desk(&store, 2).await;
        let leaver = store.clone();
        let left = tokio::spawn(async move { write(&leaver, |conn| insert(conn, 1, 1)).await });
        tokio::task::yield_now().await;
        assert_eq!(store.waiting(Lane::Desk), 3);
        left.abort();
        assert!(left.await.unwrap_err().is_cancelled());
        drop(release);
        for job in waiting {
            job.await.unwrap();
        }
        write(&store, |conn| insert(conn, 2, 2)).await.unwrap();
        assert_eq!(rows(&store).await, [Probe { id: 2, amount: 2 }]);
    }

    async fn a_closed_store_finishes_what_waits(store: Store) {
        make_probe(&store).await;
        let (release, waiting) = fill_the_desk(&store, 2).await;
        let closer = store.clone();
        let closed = tokio::task::spawn_blocking(move || closer.close());
        drop(release);
        closed.await.unwrap();
        for job in waiting {
            job.await.unwrap();
        }
        let late = write(&store, |conn| insert(conn, 1, 1)).await;
        assert!(matches!(late, Err(StoreError::Unreachable(_))), "{late:?}");
    }
}
