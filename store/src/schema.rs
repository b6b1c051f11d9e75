//! The tables as Diesel sees them, the same on both databases; a test holds this against both migrations.

diesel::table! {
    organisers (id) {
        id -> BigInt,
        slug -> Text,
        name -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    secret_marks (id) {
        id -> BigInt,
        mark -> Text,
        made_at -> BigInt,
    }
}

diesel::table! {
    keys (id) {
        id -> BigInt,
        organiser_id -> BigInt,
        label -> Text,
        secret_hash -> Text,
        roles -> Text,
        created_at -> BigInt,
        expires_at -> Nullable<BigInt>,
        revoked_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    tournaments (id) {
        id -> Text,
        organiser_id -> BigInt,
        version -> Integer,
        capacity -> Nullable<BigInt>,
        last_form -> BigInt,
        last_journal -> BigInt,
        opened_at -> Nullable<BigInt>,
        created_at -> BigInt,
        counts -> Text,
    }
}

diesel::table! {
    regulations (tournament_id, version) {
        tournament_id -> Text,
        version -> Integer,
        hash -> Text,
        language -> Integer,
        source -> Text,
        published_at -> BigInt,
        journal_number -> BigInt,
    }
}

diesel::table! {
    orders (id) {
        id -> BigInt,
        tournament_id -> Text,
        reference -> Text,
        currency -> Text,
        total -> BigInt,
        paid -> BigInt,
        refunded -> BigInt,
        kept -> BigInt,
        version -> Integer,
        quote -> Text,
        standing -> Text,
        priced_at -> BigInt,
        hold_until -> Nullable<BigInt>,
        attempts -> Integer,
        token_generation -> Integer,
        created_at -> BigInt,
        paid_as_of -> Nullable<BigInt>,
        received_as_of -> Nullable<BigInt>,
        reprice_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    contacts (order_id) {
        order_id -> BigInt,
        tournament_id -> Text,
        name -> Nullable<Text>,
        email -> Nullable<Text>,
        address -> Nullable<Text>,
        language -> Text,
        consents -> Text,
    }
}

diesel::table! {
    entries (id) {
        id -> BigInt,
        tournament_id -> Text,
        order_id -> BigInt,
        form_number -> BigInt,
        section -> Nullable<Text>,
        status -> Text,
        price -> BigInt,
        to_check -> Text,
        approved -> Bool,
        needs_approval -> Bool,
        identity -> Nullable<Text>,
        institution -> Nullable<Text>,
        lines -> Nullable<Text>,
        waiting_since -> Nullable<BigInt>,
    }
}

diesel::table! {
    entrants (entry_id) {
        entry_id -> BigInt,
        tournament_id -> Text,
        facts -> Nullable<Text>,
        corrected -> Nullable<Text>,
    }
}

diesel::table! {
    payments (id) {
        id -> BigInt,
        tournament_id -> Text,
        order_id -> BigInt,
        account -> Text,
        method -> Text,
        status -> Text,
        amount -> BigInt,
        currency -> Text,
        received -> BigInt,
        received_currency -> Nullable<Text>,
        disputed -> BigInt,
        gateway_key -> Text,
        reference -> Nullable<Text>,
        intent -> Nullable<Text>,
        url -> Nullable<Text>,
        client_secret -> Nullable<Text>,
        expires_at -> Nullable<BigInt>,
        slip_number -> Nullable<Text>,
        slip_date -> Nullable<Text>,
        failure -> Nullable<Text>,
        return_url -> Nullable<Text>,
        charged_at -> Nullable<BigInt>,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    refunds (id) {
        id -> BigInt,
        tournament_id -> Text,
        order_id -> BigInt,
        payment_id -> Nullable<BigInt>,
        amount -> BigInt,
        currency -> Text,
        method -> Text,
        status -> Text,
        cause -> Text,
        rule -> Text,
        gateway_key -> Text,
        reference -> Nullable<Text>,
        failure -> Nullable<Text>,
        attempts -> Integer,
        next_at -> BigInt,
        requested_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    journal (tournament_id, number) {
        tournament_id -> Text,
        number -> BigInt,
        at -> BigInt,
        wall_at -> BigInt,
        order_id -> Nullable<BigInt>,
        kind -> Text,
        actor -> Text,
        reason -> Text,
        data -> Text,
    }
}

diesel::table! {
    ledger (tournament_id, journal_number, line) {
        tournament_id -> Text,
        journal_number -> BigInt,
        line -> Integer,
        order_id -> Nullable<BigInt>,
        account -> Text,
        amount -> BigInt,
        currency -> Text,
    }
}

diesel::table! {
    idempotency (caller, operation, tournament_id, key) {
        caller -> Text,
        operation -> Text,
        tournament_id -> Text,
        key -> Text,
        fingerprint -> Text,
        outcome -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    gateway_events (account, id) {
        account -> Text,
        id -> Text,
        kind -> Text,
        object -> Text,
        status -> Text,
        attempts -> Integer,
        next_at -> BigInt,
        last_error -> Nullable<Text>,
        received_at -> BigInt,
        waits_since -> BigInt,
    }
}

diesel::table! {
    codes (tournament_id, hash) {
        tournament_id -> Text,
        hash -> Text,
        label -> Text,
        uses -> Integer,
        agreed_price -> Nullable<BigInt>,
        created_at -> BigInt,
        currency -> Nullable<Text>,
    }
}

diesel::table! {
    code_uses (entry_id) {
        entry_id -> BigInt,
        tournament_id -> Text,
        hash -> Text,
    }
}

diesel::table! {
    claims (entry_id, rule) {
        entry_id -> BigInt,
        rule -> Text,
        tournament_id -> Text,
    }
}

diesel::table! {
    byes (entry_id, round) {
        entry_id -> BigInt,
        round -> Integer,
        tournament_id -> Text,
        points -> Text,
        status -> Text,
        asked_at -> BigInt,
    }
}

diesel::table! {
    subscribers (tournament_id, name) {
        tournament_id -> Text,
        name -> Text,
        cursor -> BigInt,
    }
}

diesel::table! {
    deliveries (id) {
        id -> BigInt,
        tournament_id -> Text,
        subscriber -> Text,
        journal_number -> BigInt,
        lane -> BigInt,
        kind -> Text,
        status -> Text,
        attempts -> Integer,
        next_at -> BigInt,
        leased_until -> Nullable<BigInt>,
        last_error -> Nullable<Text>,
        waits_since -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    organisers,
    secret_marks,
    keys,
    tournaments,
    regulations,
    orders,
    contacts,
    entries,
    entrants,
    payments,
    refunds,
    journal,
    ledger,
    idempotency,
    gateway_events,
    codes,
    code_uses,
    claims,
    byes,
    subscribers,
    deliveries
);
