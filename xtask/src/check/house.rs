//! Who may use whom. The design's house as a table; a new arrow is a decision, and is written here.

/// A crate of the workspace and the crates of ours it may use.
pub struct Room {
    pub name: &'static str,
    /// In the program.
    pub uses: &'static [&'static str],
    /// In its tests, besides.
    pub tests_use: &'static [&'static str],
}

/// The arrows between our own crates; there is no other.
pub const ROOMS: &[Room] = &[
    Room {
        name: "api",
        uses: &[
            "payments",
            "notifier",
            "registration",
            "rules",
            "store",
            "domain",
            "proto",
            "migrations",
            "sandbox",
        ],
        tests_use: &[],
    },
    Room {
        name: "payments",
        uses: &["registration", "store", "domain"],
        tests_use: &["sandbox", "rules"],
    },
    Room {
        name: "notifier",
        uses: &["store", "proto", "domain"],
        tests_use: &["registration", "rules"],
    },
    Room {
        name: "registration",
        uses: &["rules", "store", "domain"],
        tests_use: &["payments", "sandbox"],
    },
    Room {
        name: "rules",
        uses: &["domain"],
        tests_use: &[],
    },
    Room {
        name: "store",
        uses: &["domain", "migrations"],
        tests_use: &[],
    },
    Room {
        name: "domain",
        uses: &[],
        tests_use: &[],
    },
    Room {
        name: "proto",
        uses: &[],
        tests_use: &[],
    },
    Room {
        name: "migrations",
        uses: &[],
        tests_use: &[],
    },
    Room {
        name: "sandbox",
        uses: &[],
        tests_use: &[],
    },
    Room {
        name: "fuzz",
        uses: &["rules", "domain"],
        tests_use: &[],
    },
    Room {
        name: "xtask",
        uses: &[],
        tests_use: &[],
    },
];

/// Crates of others that only some of ours may name.
pub struct Reserved {
    /// Their names; a `*` at the end stands for any end.
    pub names: &'static [&'static str],
    /// Who may name them in the program.
    pub by: &'static [&'static str],
    /// Who may name them in tests, besides.
    pub by_tests: &'static [&'static str],
}

/// One place for SQL, one for Stripe, one for mail, two for HTTP servers.
pub const RESERVED: &[Reserved] = &[
    Reserved {
        names: &["diesel*", "libsqlite3-sys", "pq-sys"],
        by: &["store", "migrations"],
        by_tests: &[],
    },
    Reserved {
        names: &["async-stripe*"],
        by: &["payments"],
        by_tests: &["sandbox"],
    },
    Reserved {
        names: &["lettre"],
        by: &["notifier"],
        by_tests: &[],
    },
    Reserved {
        names: &["actix*", "utoipa-swagger-ui"],
        by: &["api", "sandbox"],
        by_tests: &[],
    },
];
