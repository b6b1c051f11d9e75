-- Instants are BIGINT microseconds since 1970 in UTC; sums are BIGINT minor units of the currency beside them (or of
-- the order's); documents are JSON in TEXT; ids are 64-bit and time-ordered. Names, addresses and facts stand only in
-- contacts and entrants, whose columns can be blanked.

CREATE TABLE organisers (
    id BIGINT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- Machines' keys: only a hash of the secret is kept.
CREATE TABLE keys (
    id BIGINT PRIMARY KEY,
    organiser_id BIGINT NOT NULL REFERENCES organisers (id),
    label TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    roles TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

-- One row a tournament; it is locked first by every write, and gives form and journal numbers.
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    organiser_id BIGINT NOT NULL REFERENCES organisers (id),
    version INTEGER NOT NULL,
    capacity BIGINT CHECK (capacity > 0),
    last_form BIGINT NOT NULL CHECK (last_form >= 0),
    last_journal BIGINT NOT NULL CHECK (last_journal >= 0),
    opened_at BIGINT,
    created_at BIGINT NOT NULL
);

-- Published versions are never changed.
CREATE TABLE regulations (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    language INTEGER NOT NULL,
    source TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, version)
);

CREATE TABLE orders (
    id BIGINT PRIMARY KEY,
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    reference TEXT NOT NULL UNIQUE,
    currency TEXT NOT NULL,
    total BIGINT NOT NULL CHECK (total >= 0),
    paid BIGINT NOT NULL CHECK (paid >= 0),
    refunded BIGINT NOT NULL CHECK (refunded >= 0),
    kept BIGINT NOT NULL CHECK (kept >= 0),
    version INTEGER NOT NULL,
    quote TEXT NOT NULL,
    standing TEXT NOT NULL,
    priced_at BIGINT NOT NULL,
    hold_until BIGINT,
    attempts INTEGER NOT NULL,
    token_generation INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    CHECK (refunded <= paid)
);
CREATE INDEX orders_by_tournament ON orders (tournament_id, id);
CREATE INDEX orders_by_hold ON orders (hold_until) WHERE hold_until IS NOT NULL;

-- The payer: a person's data, blanked on request.
CREATE TABLE contacts (
    order_id BIGINT PRIMARY KEY REFERENCES orders (id),
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    name TEXT,
    email TEXT,
    address TEXT,
    language TEXT NOT NULL,
    consents TEXT NOT NULL
);

CREATE TABLE entries (
    id BIGINT PRIMARY KEY,
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    order_id BIGINT NOT NULL REFERENCES orders (id),
    form_number BIGINT NOT NULL,
    section TEXT,
    status TEXT NOT NULL CHECK (status IN ('waitlisted', 'held', 'pending_approval', 'confirmed', 'expired',
        'cancelled_by_player', 'cancelled_by_organiser', 'rejected', 'withdrawn')),
    price BIGINT NOT NULL CHECK (price >= 0),
    to_check TEXT NOT NULL,
    approved BOOLEAN NOT NULL,
    needs_approval BOOLEAN NOT NULL,
    identity TEXT,
    institution TEXT,
    UNIQUE (tournament_id, form_number)
);
CREATE INDEX entries_by_order ON entries (order_id);
CREATE INDEX entries_by_status ON entries (tournament_id, status, form_number);
CREATE INDEX entries_by_institution ON entries (tournament_id, institution) WHERE institution IS NOT NULL;
-- The same person twice: identity is a keyed hash, with the section in it where the regulation says per section.
CREATE UNIQUE INDEX entries_identity ON entries (tournament_id, identity)
    WHERE identity IS NOT NULL AND status IN ('waitlisted', 'held', 'pending_approval', 'confirmed');

-- Facts of the entrant as they were priced, and as staff corrected them since: a person's data, blanked on request.
CREATE TABLE entrants (
    entry_id BIGINT PRIMARY KEY REFERENCES entries (id),
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    facts TEXT,
    corrected TEXT
);

CREATE TABLE payments (
    id BIGINT PRIMARY KEY,
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    order_id BIGINT NOT NULL REFERENCES orders (id),
    account TEXT NOT NULL,
    method TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('creating', 'open', 'processing', 'succeeded', 'failed', 'cancelled',
        'quarantined')),
    amount BIGINT NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    received BIGINT NOT NULL CHECK (received >= 0),
    disputed BIGINT NOT NULL CHECK (disputed >= 0),
    gateway_key TEXT NOT NULL UNIQUE,
    reference TEXT,
    intent TEXT,
    url TEXT,
    client_secret TEXT,
    expires_at BIGINT,
    slip_number TEXT,
    slip_date TEXT,
    failure TEXT,
    return_url TEXT,
    charged_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (account, reference)
);
CREATE INDEX payments_by_order ON payments (order_id);
CREATE INDEX payments_by_intent ON payments (account, intent);
CREATE INDEX payments_unsettled ON payments (updated_at) WHERE status IN ('creating', 'open', 'processing');
-- One slip or transfer pays one order.
CREATE UNIQUE INDEX payments_slip ON payments (tournament_id, method, slip_number)
    WHERE slip_number IS NOT NULL AND status IN ('processing', 'succeeded');

CREATE TABLE refunds (
    id BIGINT PRIMARY KEY,
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    order_id BIGINT NOT NULL REFERENCES orders (id),
    payment_id BIGINT REFERENCES payments (id),
    amount BIGINT NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    method TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('reserved', 'sent', 'succeeded', 'failed', 'owed')),
    cause TEXT NOT NULL,
    rule TEXT NOT NULL,
    gateway_key TEXT NOT NULL UNIQUE,
    reference TEXT,
    failure TEXT,
    attempts INTEGER NOT NULL,
    next_at BIGINT NOT NULL,
    requested_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX refunds_by_order ON refunds (order_id);
CREATE INDEX refunds_by_reference ON refunds (reference) WHERE reference IS NOT NULL;
CREATE INDEX refunds_unsettled ON refunds (next_at) WHERE status IN ('reserved', 'sent');

-- Everything that happened, without gaps, in commit order.
CREATE TABLE journal (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    wall_at BIGINT NOT NULL,
    order_id BIGINT,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (tournament_id, number)
);
CREATE INDEX journal_by_order ON journal (order_id, number) WHERE order_id IS NOT NULL;

-- Double entry: the lines of one journal row sum to zero in each currency. Debit positive, credit negative.
CREATE TABLE ledger (
    tournament_id TEXT NOT NULL,
    journal_number BIGINT NOT NULL,
    line INTEGER NOT NULL,
    order_id BIGINT,
    account TEXT NOT NULL,
    amount BIGINT NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (tournament_id, journal_number, line),
    FOREIGN KEY (tournament_id, journal_number) REFERENCES journal (tournament_id, number)
);
CREATE INDEX ledger_by_order ON ledger (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE idempotency (
    caller TEXT NOT NULL,
    operation TEXT NOT NULL,
    tournament_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (caller, operation, tournament_id, key)
);

-- The gateway's inbox: each event once; acted on from the object fetched anew.
CREATE TABLE gateway_events (
    account TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    object TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('due', 'done', 'dead')),
    attempts INTEGER NOT NULL,
    next_at BIGINT NOT NULL,
    last_error TEXT,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (account, id)
);
CREATE INDEX gateway_events_due ON gateway_events (next_at) WHERE status = 'due';

-- Invitation codes: only a keyed hash is kept. A use is a row, so that it can come back.
CREATE TABLE codes (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    hash TEXT NOT NULL,
    label TEXT NOT NULL,
    uses INTEGER NOT NULL CHECK (uses > 0),
    agreed_price BIGINT CHECK (agreed_price >= 0),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, hash)
);
CREATE TABLE code_uses (
    entry_id BIGINT PRIMARY KEY REFERENCES entries (id),
    tournament_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    FOREIGN KEY (tournament_id, hash) REFERENCES codes (tournament_id, hash)
);
CREATE INDEX code_uses_by_code ON code_uses (tournament_id, hash);

CREATE TABLE byes (
    entry_id BIGINT NOT NULL REFERENCES entries (id),
    round INTEGER NOT NULL CHECK (round > 0),
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    points TEXT NOT NULL CHECK (points IN ('half', 'zero')),
    status TEXT NOT NULL CHECK (status IN ('asked', 'granted', 'refused')),
    asked_at BIGINT NOT NULL,
    PRIMARY KEY (entry_id, round)
);

-- Who reads the journal, and how far.
CREATE TABLE subscribers (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    name TEXT NOT NULL,
    cursor BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, name)
);

-- One thing to be sent to one subscriber, in the order of the journal within a lane (an order).
CREATE TABLE deliveries (
    id BIGINT PRIMARY KEY,
    tournament_id TEXT NOT NULL REFERENCES tournaments (id),
    subscriber TEXT NOT NULL,
    journal_number BIGINT NOT NULL,
    lane BIGINT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('due', 'leased', 'done', 'dead')),
    attempts INTEGER NOT NULL,
    next_at BIGINT NOT NULL,
    leased_until BIGINT,
    last_error TEXT,
    UNIQUE (tournament_id, subscriber, journal_number, lane, kind)
);
CREATE INDEX deliveries_open ON deliveries (next_at) WHERE status IN ('due', 'leased');
CREATE INDEX deliveries_lane ON deliveries (tournament_id, subscriber, lane, journal_number)
    WHERE status IN ('due', 'leased');
