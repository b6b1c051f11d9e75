//! Orders by straight SQL, one transaction an order: the limit that `cargo xtask bench rush` prints beside the service.
//!
//! It takes one JSON document as its argument and prints one. The database has an order that the service wrote; its rows
//! are written again and again under other ids, by as many clients as the service had, each with a connection of its own,
//! as somebody would who has no batches. No HTTP, no price, no log.

mod order;
mod rows;
mod statement;
mod table;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sqlite::SqliteConnection;
use diesel::{Connection, RunQueryDsl};
use serde::{Deserialize, Serialize};
use store::Conn;

use order::{Manner, Orders};
use rows::Template;

type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What is not counted at the beginning.
const WARM_UP: Duration = Duration::from_millis(300);
/// As the service sets its own writer up.
const SQLITE: &str = "PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; PRAGMA journal_mode = WAL; \
    PRAGMA journal_size_limit = 67108864;";

/// What is to be done.
#[derive(Deserialize)]
struct Ask {
    /// `sqlite:PATH` or `postgres://…`.
    url: String,
    /// The orders go to these in turn; the first has one already.
    tournaments: Vec<String>,
    clients: u32,
    millis: u64,
    manner: Manner,
}

/// What came of it.
#[derive(Serialize)]
struct Told {
    /// How many orders there were before.
    orders_before: i64,
    /// When each counted order was committed, in microseconds after it was begun.
    micros: Vec<u64>,
}

fn main() -> Result {
    let ask: Ask = serde_json::from_str(&std::env::args().nth(1).ok_or("no argument")?)?;
    let mut conn = open(&ask.url)?;
    on_disk(&mut conn)?;
    let orders_before = rows::count(&mut conn)?;
    let template = Template::read(&mut conn, &ask.tournaments[0])?;
    let orders = Orders::of(template, &ask.tournaments, ask.manner, conn.engine());
    let orders = Arc::new(orders);
    let next = Arc::new(AtomicI64::new(orders_before));

    let mut conns = Vec::new();
    for _ in 0..ask.clients {
        conns.push(open(&ask.url)?);
    }
    let from = Instant::now() + WARM_UP;
    let until = from + Duration::from_millis(ask.millis);
    let clients: Vec<_> = conns
        .into_iter()
        .map(|conn| {
            let (orders, next) = (Arc::clone(&orders), Arc::clone(&next));
            thread::spawn(move || register(conn, &orders, &next, from, until))
        })
        .collect();
    let mut micros = Vec::new();
    for client in clients {
        let took = client.join().map_err(|_| "a client panicked")??;
        micros.extend(took);
    }
    let told = Told {
        orders_before,
        micros,
    };
    println!("{}", serde_json::to_string(&told)?);
    Ok(())
}

/// One order after the other; how long those took that ended between the two instants.
fn register(
    mut conn: Conn,
    orders: &Orders,
    next: &AtomicI64,
    from: Instant,
    until: Instant,
) -> Result<Vec<u64>> {
    let mut times = Vec::new();
    let mut begun = Instant::now();
    while begun < until {
        orders.write(&mut conn, next.fetch_add(1, Ordering::Relaxed))?;
        let now = Instant::now();
        if (from..until).contains(&now) {
            times.push(u64::try_from((now - begun).as_micros())?);
        }
        begun = now;
    }
    Ok(times)
}

#[expect(
    clippy::disallowed_methods,
    reason = "connections that the store knows nothing of"
)]
fn open(url: &str) -> Result<Conn> {
    if let Some(path) = url.strip_prefix("sqlite:") {
        let mut conn = SqliteConnection::establish(path)?;
        conn.batch_execute(SQLITE)?;
        return Ok(Conn::Sqlite(conn));
    }
    Ok(Conn::Pg(PgConnection::establish(url)?))
}

#[derive(diesel::QueryableByName)]
struct Setting {
    #[diesel(sql_type = diesel::sql_types::Text)]
    value: String,
}

/// Refuses a server that says "committed" before it is true: nothing measured on it means anything.
fn on_disk(conn: &mut Conn) -> Result {
    let Conn::Pg(conn) = conn else { return Ok(()) };
    for name in ["fsync", "synchronous_commit", "full_page_writes"] {
        let setting: Setting =
            diesel::sql_query(format!("SELECT current_setting('{name}') AS value"))
                .get_result(conn)?;
        if setting.value != "on" {
            return Err(format!("the server has {name} = {}, not on", setting.value).into());
        }
    }
    Ok(())
}
