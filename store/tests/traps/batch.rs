//! Changes of one tournament that share a commit: in their order, each with its own end.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use diesel::prelude::*;
use diesel::{sql_query, sql_types};
use domain::{Actor, Event, OrderId, OrganiserId, TournamentId, UtcTime};
use store::change::{Change, Stamp};
use store::counts::Counts;
use store::tournaments::{self, Tournament};
use store::{Ask, Engine, Lane, Store, StoreError, journal};
use tokio::task::JoinHandle;

use crate::{insert, make_probe, rows, write};

pub fn id() -> TournamentId {
    "open".parse().unwrap()
}

pub fn now() -> UtcTime {
    "2026-07-01T10:00:00Z".parse().unwrap()
}

/// A tournament without entries.
pub async fn make_tournament(store: &Store) {
    write(store, |conn| {
        tournaments::insert_organiser(conn, OrganiserId(1), "club", "Club", now())?;
        let tournament = Tournament {
            id: id(),
            organiser: OrganiserId(1),
            version: 1,
            capacity: None,
            last_form: 0,
            last_journal: 0,
            opened_at: None,
            counts: Counts::default(),
        };
        tournaments::insert(conn, &tournament, now())
    })
    .await
    .unwrap();
}

/// A change that takes a form number and writes a journal row, and then whatever `also` does.
pub async fn change(
    store: Store,
    also: impl FnMut(&mut Change<'_>) -> Result<(), StoreError> + Send + 'static,
) -> Result<i64, StoreError> {
    with_ask(store, None, also).await
}

/// The same, of an order that is read ahead.
pub async fn with_ask(
    store: Store,
    order: Option<OrderId>,
    mut also: impl FnMut(&mut Change<'_>) -> Result<(), StoreError> + Send + 'static,
) -> Result<i64, StoreError> {
    let ask = Ask {
        order,
        ..Ask::of(id())
    };
    let stamp = Stamp {
        at: now(),
        wall: now(),
        actor: Actor::Operator,
        reason: String::new(),
    };
    let work = move |change: Option<&mut Change<'_>>| {
        let change = change.ok_or(StoreError::NotFound)?;
        let form = change.next_form();
        change.record(None, &Event::TournamentOpened { capacity: form }, &[])?;
        also(change).map(|()| form)
    };
    store.change(Lane::Desk, ask, stamp, work).await
}

/// Keeps the tournament until the sender is dropped, so that what comes meanwhile gathers.
pub async fn held(store: &Store) -> (mpsc::Sender<()>, JoinHandle<Result<i64, StoreError>>) {
    let (release, released) = mpsc::channel::<()>();
    let (begun, mut has_begun) = tokio::sync::mpsc::unbounded_channel();
    let holder = change(store.clone(), move |_| {
        begun.send(()).unwrap();
        let _ = released.recv();
        Ok(())
    });
    let holder = tokio::spawn(holder);
    has_begun.recv().await.unwrap();
    (release, holder)
}

pub async fn gathered(store: &Store, number: usize) {
    while store.waiting(Lane::Desk) < number {
        tokio::task::yield_now().await;
    }
}

/// Form and journal numbers as they stand, and what the journal's rows say.
async fn stands(store: &Store) -> (i64, Vec<i64>) {
    store
        .read(|conn| {
            let row = tournaments::find(conn, &id())?.ok_or(StoreError::NotFound)?;
            let journal = journal::after(conn, &id(), 0, 1_000)?;
            let numbers: Vec<i64> = journal.iter().map(|row| row.number).collect();
            assert_eq!(numbers, (1..=row.last_journal).collect::<Vec<i64>>());
            let said = journal.into_iter().map(|row| match row.event {
                Event::TournamentOpened { capacity } => capacity,
                other => panic!("{other:?}"),
            });
            Ok::<_, StoreError>((row.last_form, said.collect()))
        })
        .await
        .unwrap()
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = sql_types::BigInt)]
    n: i64,
}

/// Transactions that wrote the journal; PostgreSQL keeps that with each row.
async fn transactions(store: &Store) -> i64 {
    let count = "SELECT COUNT(DISTINCT xmin::text) AS n FROM journal";
    let read = move |conn: &mut store::Conn| {
        Ok::<_, StoreError>(sql_query(count).get_result::<Found>(conn)?.n)
    };
    store.read(read).await.unwrap()
}

store::both! {
    async fn those_that_wait_share_a_commit_in_their_order(store: Store) {
        make_tournament(&store).await;
        let (release, holder) = held(&store).await;
        let runs = Arc::new(AtomicU32::new(0));
        let mut waiting = Vec::new();
        for number in 0..20 {
            let counter = Arc::clone(&runs);
            let also = move |_: &mut Change<'_>| {
                counter.fetch_add(1, Ordering::SeqCst);
                match number {
                    5 => Err(StoreError::Raced),
                    9 => panic!("on purpose"),
                    _ => Ok(()),
                }
            };
            waiting.push(tokio::spawn(change(store.clone(), also)));
            gathered(&store, number + 1).await;
        }
        drop(release);
        let mut forms = vec![holder.await.unwrap().unwrap()];
        for (number, job) in waiting.into_iter().enumerate() {
            match (number, job.await.unwrap()) {
                (5, Err(StoreError::Raced)) | (9, Err(StoreError::Broken(_))) => {}
                (_, form) => forms.push(form.unwrap()),
            }
        }
        assert_eq!(forms, (1..=19).collect::<Vec<i64>>(), "the refused took no number");
        assert_eq!(stands(&store).await, (19, forms));
        assert_eq!(runs.load(Ordering::SeqCst), 20, "none ran twice");
        if store.engine() == Engine::Postgres {
            assert_eq!(transactions(&store).await, 2);
        }
    }

    async fn one_whose_statement_fails_or_is_refused_after_it_leaves_the_others_alone(store: Store) {
        make_probe(&store).await;
        make_tournament(&store).await;
        let (release, holder) = held(&store).await;
        let mut waiting = Vec::new();
        for number in 0..6 {
            let also = move |change: &mut Change<'_>| match number {
                1 => insert(change.conn()?, 7, 1),
                2 => insert(change.conn()?, 7, 2),
                4 => insert(change.conn()?, 8, 4).and(Err(StoreError::Raced)),
                _ => Ok(()),
            };
            waiting.push(tokio::spawn(change(store.clone(), also)));
            gathered(&store, number + 1).await;
        }
        drop(release);
        let mut forms = vec![holder.await.unwrap().unwrap()];
        for (number, job) in waiting.into_iter().enumerate() {
            match (number, job.await.unwrap()) {
                (2, Err(StoreError::Duplicate)) | (4, Err(StoreError::Raced)) => {}
                (_, form) => forms.push(form.unwrap()),
            }
        }
        assert_eq!(forms, [1, 2, 3, 4, 5]);
        assert_eq!(stands(&store).await, (5, forms));
        let kept: Vec<(i64, i64)> = rows(&store).await.iter().map(|row| (row.id, row.amount)).collect();
        assert_eq!(kept, [(7, 1)]);
    }
}
