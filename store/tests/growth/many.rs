//! Many rows in every table that grows, most of them done with, as in a desk that is years old.

use diesel::connection::SimpleConnection;
use store::Conn;

/// Half of them are of one tournament.
pub const ORDERS: i64 = 20_000;

const SMALL: &str = "
    INSERT INTO organisers (id, slug, name, created_at) VALUES (1, 'organiser', 'Organiser', 0);
    INSERT INTO keys (id, organiser_id, label, secret_hash, roles, created_at) VALUES (1, 1, 'a', 'b', 'admin', 0);
    INSERT INTO tournaments (id, organiser_id, version, last_form, last_journal, created_at, counts)
        VALUES ('large', 1, 1, 0, 0, 0, '[]');
    INSERT INTO codes (tournament_id, hash, label, uses, created_at) VALUES ('large', 'hash', 'a', 5, 0);";

/// `{series}` gives `n` from 1 on. One in a hundred is still open, one in a thousand waits or failed.
const ROWS: &str = "
    INSERT INTO tournaments (id, organiser_id, version, last_form, last_journal, created_at, counts)
        SELECT 't' || n, 1, 1, 0, 0, 0, '[]' FROM {tens};
    INSERT INTO orders (id, tournament_id, reference, currency, total, paid, refunded, kept, version, quote, standing,
            priced_at, hold_until, attempts, token_generation, created_at)
        SELECT n, {tournament}, 'reference-' || n, 'EUR', 6000, 0, 0, 0, 1, '{}', '[]', n,
            CASE WHEN n % 100 = 0 THEN n END, 0, 1, n FROM {series};
    INSERT INTO contacts (order_id, tournament_id, name, language, consents)
        SELECT n, {tournament}, 'Name', 'ca', '[]' FROM {series};
    INSERT INTO entries (id, tournament_id, order_id, form_number, section, status, price, to_check, approved,
            needs_approval, identity, institution, waiting_since)
        SELECT n, {tournament}, n, n, 'A',
            CASE WHEN n % 1000 = 2 THEN 'waitlisted' WHEN n % 100 = 0 THEN 'held' ELSE 'confirmed' END, 6000, '[]',
            1 = 1, 1 = 0, 'identity-' || n, 'institution-' || n,
            CASE WHEN n % 2000 = 2 THEN n END FROM {series};
    INSERT INTO entrants (entry_id, tournament_id, facts) SELECT n, {tournament}, '{}' FROM {series};
    INSERT INTO payments (id, tournament_id, order_id, account, method, status, amount, currency, received, disputed,
            gateway_key, reference, intent, created_at, updated_at)
        SELECT n, {tournament}, n, 'stripe:main', 'session',
            CASE WHEN n % 1000 = 2 THEN 'quarantined' WHEN n % 1000 = 4 THEN 'open' ELSE 'succeeded' END, 6000, 'EUR',
            6000, 0, 'key-' || n, 'cs_' || n, 'pi_' || n, n, n FROM {series};
    INSERT INTO refunds (id, tournament_id, order_id, payment_id, amount, currency, method, status, cause, rule,
            gateway_key, reference, attempts, next_at, requested_at, updated_at)
        SELECT n, {tournament}, n, n, 6000, 'EUR', 'card',
            CASE WHEN n % 1000 = 2 THEN 'owed' WHEN n % 1000 = 4 THEN 'reserved' ELSE 'succeeded' END, '\"staff\"', 'a',
            'key-' || n, 're_' || n, 0, n, n, n FROM {series};
    INSERT INTO journal (tournament_id, number, at, wall_at, order_id, kind, actor, reason, data)
        SELECT {tournament}, n, n, n, n, 'order_registered', '{\"actor\":\"payer\"}', '', '{}' FROM {series};
    INSERT INTO ledger (tournament_id, journal_number, line, order_id, account, amount, currency)
        SELECT {tournament}, n, 1, n, 'bank', 0, 'EUR' FROM {series};
    INSERT INTO idempotency (caller, operation, tournament_id, key, fingerprint, outcome, created_at)
        SELECT 'payer:', 'register', {tournament}, 'key-' || n, 'a', '{}', n FROM {series};
    INSERT INTO gateway_events (account, id, kind, object, status, attempts, next_at, received_at)
        SELECT 'stripe:main', 'evt_' || n, 'a', 'cs_' || n,
            CASE WHEN n % 1000 = 2 THEN 'dead' WHEN n % 1000 = 4 THEN 'due' ELSE 'done' END, 0, n, n FROM {series};
    INSERT INTO byes (entry_id, round, tournament_id, points, status, asked_at)
        SELECT n, 1, {tournament}, 'zero', 'granted', n FROM {series};
    INSERT INTO deliveries (id, tournament_id, subscriber, journal_number, lane, kind, status, attempts, next_at)
        SELECT n, {tournament}, 'mail', n, n, 'registered',
            CASE WHEN n % 1000 = 2 THEN 'dead' WHEN n % 1000 = 4 THEN 'due' ELSE 'done' END, 0, n FROM {series};";

/// Fills an empty database. On SQLite the one row is that of the middle.
pub fn fill(conn: &mut Conn, orders: i64) {
    let middle = crate::questions::MIDDLE;
    let (series, tens, tournament) = match conn {
        Conn::Pg(_) => (
            format!("generate_series(1, {orders}) n"),
            "generate_series(0, 9) n",
            "CASE WHEN n % 2 = 0 THEN 'large' ELSE 't' || n / 2 % 10 END",
        ),
        Conn::Sqlite(_) => (
            format!("(SELECT {middle} AS n)"),
            "(SELECT 1 AS n)",
            "'large'",
        ),
    };
    let rows = ROWS
        .replace("{series}", &series)
        .replace("{tens}", tens)
        .replace("{tournament}", tournament);
    conn.batch_execute(SMALL).unwrap();
    conn.batch_execute(&rows).unwrap();
    if let Conn::Pg(conn) = conn {
        conn.batch_execute("ANALYZE").unwrap();
    }
}
