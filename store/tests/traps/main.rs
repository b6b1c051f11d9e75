//! The traps of two databases and of one door, each as a test on both engines.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod batch;
mod door;
mod doubt;
mod engines;
mod fold;
mod readers;
mod retries;
mod schema;
mod sources;
mod whole;

use diesel::prelude::*;
use diesel::sql_query;
use store::dialect::{Both, LockRow, columns};
use store::{Conn, Db, Lane, Store, StoreError};

diesel::table! {
    probe (id) {
        id -> BigInt,
        amount -> BigInt,
    }
}

#[derive(Queryable, Selectable, Insertable, PartialEq, Debug, Clone, Copy)]
#[diesel(table_name = probe, check_for_backend(Db))]
struct Probe {
    id: i64,
    amount: i64,
}

/// A table of the tests' own, beside the desk's.
async fn make_probe(store: &Store) {
    write(store, |conn| {
        sql_query("CREATE TABLE probe (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL)")
            .execute(conn)?;
        Ok(())
    })
    .await
    .unwrap();
}

async fn write<T: Send + 'static>(
    store: &Store,
    f: impl FnMut(&mut Conn) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    store.write(Lane::Desk, f).await
}

fn insert(conn: &mut Conn, id: i64, amount: i64) -> Result<(), StoreError> {
    diesel::insert_into(probe::table)
        .values(Probe { id, amount })
        .execute(conn)?;
    Ok(())
}

/// The way to insert what may be there already.
fn insert_unless_there(conn: &mut Conn, id: i64, amount: i64) -> Result<Option<Probe>, StoreError> {
    let statement = diesel::insert_into(probe::table)
        .values(Probe { id, amount })
        .on_conflict_do_nothing()
        .returning(columns::<Probe>());
    Ok(Both(statement).get_result(conn).optional()?)
}

fn locked(conn: &mut Conn, id: i64) -> Result<Probe, StoreError> {
    Ok(LockRow(probe::table.find(id).select(columns::<Probe>())).get_result(conn)?)
}

fn set(conn: &mut Conn, id: i64, amount: i64) -> Result<(), StoreError> {
    diesel::update(probe::table.find(id))
        .set(probe::amount.eq(amount))
        .execute(conn)?;
    Ok(())
}

async fn rows(store: &Store) -> Vec<Probe> {
    store
        .read(|conn| -> Result<_, StoreError> {
            Ok(probe::table
                .select(columns::<Probe>())
                .order(probe::id)
                .load(conn)?)
        })
        .await
        .unwrap()
}
