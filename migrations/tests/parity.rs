//! Both engines get the same schema under the same names, and every migration can be taken back.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use diesel::connection::{Connection, SimpleConnection};
use diesel::migration::MigrationSource;
use diesel::pg::{Pg, PgConnection};
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel::{QueryableByName, RunQueryDsl, sql_query, sql_types};
use migrations::{MigrationHarness, POSTGRES, SQLITE};

/// One column, or one member of a key or an index, as a line that must be the same on both engines.
#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = sql_types::Text)]
    line: String,
}

type Lines = BTreeSet<String>;

const TABLES: &str =
    "t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '__diesel%'";

/// An SQLite `INTEGER` that is the whole primary key is the row's 64-bit number.
fn sqlite_columns(conn: &mut SqliteConnection) -> Lines {
    lines(
        conn,
        &format!(
            "SELECT t.name || '.' || c.name
                || CASE c.type WHEN 'INTEGER' THEN CASE (SELECT sum(k.pk) FROM pragma_table_info(t.name) k WHERE k.pk > 0) = c.pk
                       WHEN 1 THEN ' bigint' ELSE ' integer' END
                   ELSE ' ' || lower(c.type) END
                || CASE WHEN c.\"notnull\" OR c.pk > 0 THEN ' not null' ELSE '' END
                || CASE WHEN c.dflt_value IS NULL THEN '' ELSE ' default' END AS line
             FROM sqlite_schema t, pragma_table_info(t.name) c
             WHERE {TABLES}",
        ),
    )
}

fn postgres_columns(conn: &mut PgConnection) -> Lines {
    lines(
        conn,
        "SELECT table_name || '.' || column_name || ' ' || data_type
            || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END
            || CASE WHEN column_default IS NULL THEN '' ELSE ' default' END AS line
         FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_diesel%'",
    )
}

/// What must be unique: table and columns, whether by a key, a constraint or an index, and whether only for some rows.
fn sqlite_unique(conn: &mut SqliteConnection) -> Lines {
    let keys = format!(
        "SELECT t.name || ' (' || (SELECT group_concat(name, ', ') FROM
            (SELECT c.name FROM pragma_table_info(t.name) c WHERE c.pk > 0 ORDER BY c.pk)) || ')' AS line
         FROM sqlite_schema t WHERE {TABLES}",
    );
    let indexes = format!(
        "SELECT t.name || ' (' || (SELECT group_concat(name, ', ') FROM
            (SELECT coalesce(c.name, '?') AS name FROM pragma_index_info(i.name) c ORDER BY c.seqno))
            || ')' || CASE i.partial WHEN 1 THEN ' partial' ELSE '' END AS line
         FROM sqlite_schema t, pragma_index_list(t.name) i
         WHERE i.\"unique\" AND {TABLES}",
    );
    &lines(conn, &keys) | &lines(conn, &indexes)
}

fn postgres_unique(conn: &mut PgConnection) -> Lines {
    lines(
        conn,
        "SELECT t.relname || ' (' || string_agg(coalesce(a.attname, '?'), ', ' ORDER BY k.place) || ')'
            || CASE WHEN i.indpred IS NULL THEN '' ELSE ' partial' END AS line
         FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid
         JOIN pg_namespace n ON n.oid = t.relnamespace
         CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
         LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number > 0
         WHERE n.nspname = 'public' AND i.indisunique AND t.relname NOT LIKE '\\_\\_diesel%'
         GROUP BY i.indexrelid, t.relname, i.indpred IS NULL",
    )
}

/// Indexes that a migration names.
fn sqlite_indexes(conn: &mut SqliteConnection) -> Lines {
    lines(
        conn,
        "SELECT tbl_name || ' ' || name AS line FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    )
}

fn postgres_indexes(conn: &mut PgConnection) -> Lines {
    lines(
        conn,
        "SELECT t.relname || ' ' || x.relname AS line
         FROM pg_index i
         JOIN pg_class x ON x.oid = i.indexrelid
         JOIN pg_class t ON t.oid = i.indrelid
         JOIN pg_namespace n ON n.oid = t.relnamespace
         WHERE n.nspname = 'public' AND t.relname NOT LIKE '\\_\\_diesel%'
           AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))",
    )
}

fn sqlite_references(conn: &mut SqliteConnection) -> Lines {
    lines(
        conn,
        &format!(
            "SELECT t.name || '.' || f.\"from\" || ' -> ' || f.\"table\" || '.' || coalesce(f.\"to\", '') AS line
             FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE {TABLES}",
        ),
    )
}

fn postgres_references(conn: &mut PgConnection) -> Lines {
    lines(
        conn,
        "SELECT t.relname || '.' || a.attname || ' -> ' || p.relname || '.' || b.attname AS line
         FROM pg_constraint c
         JOIN pg_class t ON t.oid = c.conrelid
         JOIN pg_class p ON p.oid = c.confrelid
         CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (here, there)
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.here
         JOIN pg_attribute b ON b.attrelid = p.oid AND b.attnum = k.there
         WHERE c.contype = 'f'",
    )
}

fn lines<C>(conn: &mut C, query: &str) -> Lines
where
    C: Connection,
    for<'a> diesel::query_builder::SqlQuery: diesel::query_dsl::LoadQuery<'a, C, Line>,
{
    let found: Vec<Line> = sql_query(query).load(conn).unwrap();
    found.into_iter().map(|l| l.line).collect()
}

#[track_caller]
fn assert_same(what: &str, sqlite: &Lines, postgres: &Lines) {
    let only = |a: &Lines, b: &Lines| a.difference(b).cloned().collect::<Vec<_>>().join("\n  ");
    assert!(
        sqlite == postgres,
        "{what}\nonly on SQLite:\n  {}\nonly on PostgreSQL:\n  {}",
        only(sqlite, postgres),
        only(postgres, sqlite)
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "below the store, which opens connections"
)]
fn sqlite() -> SqliteConnection {
    let mut conn = SqliteConnection::establish(":memory:").unwrap();
    conn.batch_execute("PRAGMA foreign_keys = ON").unwrap();
    conn
}

/// An empty database on the server that `ENROC_TEST_POSTGRES` names, dropped at the end.
struct Server {
    admin: PgConnection,
    name: String,
    conn: Option<PgConnection>,
}

impl Server {
    #[expect(
        clippy::disallowed_methods,
        reason = "below the store, which opens connections"
    )]
    fn database(test: &str) -> Option<Server> {
        let Ok(url) = std::env::var("ENROC_TEST_POSTGRES") else {
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "ENROC_TEST_POSTGRES must name a server where CI is true"
            );
            eprintln!("ENROC_TEST_POSTGRES is not set: nothing is compared with PostgreSQL");
            return None;
        };
        let mut admin = PgConnection::establish(&url).unwrap();
        let name = format!("enroc_parity_{test}_{}", std::process::id());
        admin
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0"))
            .unwrap();
        let own = format!("{}/{name}", url.rsplit_once('/').unwrap().0);
        Some(Server {
            admin,
            name,
            conn: Some(PgConnection::establish(&own).unwrap()),
        })
    }

    fn conn(&mut self) -> &mut PgConnection {
        self.conn.as_mut().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.conn = None;
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        self.admin.batch_execute(&drop).unwrap();
    }
}

fn folders(engine: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(engine);
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    let inside = |name: String| (name.clone(), names(&root.join(name)));
    names(&root).into_iter().map(inside).collect()
}

#[test]
fn both_engines_have_the_same_names() {
    let (sqlite, postgres) = (folders("sqlite"), folders("postgres"));
    assert_eq!(sqlite, postgres);
    assert!(sqlite.contains_key("0001_initial"));
    for (name, files) in &sqlite {
        assert!(
            files.contains("up.sql") && files.contains("down.sql"),
            "{name}: {files:?}"
        );
    }
    let embedded = MigrationSource::<Sqlite>::migrations(&SQLITE)
        .unwrap()
        .len();
    assert_eq!(embedded, sqlite.len());
    let embedded = MigrationSource::<Pg>::migrations(&POSTGRES).unwrap().len();
    assert_eq!(embedded, postgres.len());
}

#[test]
fn both_engines_get_the_same_schema() {
    let Some(mut server) = Server::database("same") else {
        return;
    };
    let (sqlite, postgres) = (&mut sqlite(), server.conn());
    sqlite.run_pending_migrations(SQLITE).unwrap();
    postgres.run_pending_migrations(POSTGRES).unwrap();
    let columns = sqlite_columns(sqlite);
    assert!(
        columns.contains("tournaments.id text not null"),
        "{columns:?}"
    );
    assert_same("columns", &columns, &postgres_columns(postgres));
    assert_same("unique", &sqlite_unique(sqlite), &postgres_unique(postgres));
    assert_same(
        "indexes",
        &sqlite_indexes(sqlite),
        &postgres_indexes(postgres),
    );
    assert_same(
        "references",
        &sqlite_references(sqlite),
        &postgres_references(postgres),
    );
}

#[test]
fn up_down_up_leaves_nothing_behind_on_sqlite() {
    let conn = &mut sqlite();
    conn.run_pending_migrations(SQLITE).unwrap();
    let first = sqlite_columns(conn);
    conn.revert_all_migrations(SQLITE).unwrap();
    assert_eq!(sqlite_columns(conn), Lines::new());
    assert_eq!(sqlite_indexes(conn), Lines::new());
    conn.run_pending_migrations(SQLITE).unwrap();
    assert_eq!(sqlite_columns(conn), first);
}

#[test]
fn up_down_up_leaves_nothing_behind_on_postgres() {
    let Some(mut server) = Server::database("updown") else {
        return;
    };
    let conn = server.conn();
    conn.run_pending_migrations(POSTGRES).unwrap();
    let first = postgres_columns(conn);
    conn.revert_all_migrations(POSTGRES).unwrap();
    assert_eq!(postgres_columns(conn), Lines::new());
    assert_eq!(postgres_indexes(conn), Lines::new());
    conn.run_pending_migrations(POSTGRES).unwrap();
    assert_eq!(postgres_columns(conn), first);
}
