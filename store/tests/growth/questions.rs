//! Every question that the store knows, asked once.

use std::collections::BTreeSet;

use domain::{DeliveryId, EntryId, KeyId, OrderId, PaymentId, RefundId, TournamentId, UtcTime};
use store::deliveries::{self, Delivery, Sent};
use store::gateway_events::{self, GatewayEvent, Outcome};
use store::idempotency::{self, KeyScope};
use store::{
    Conn, StoreError, byes, claims, codes, entries, folder, journal, keys, ledger, orders,
    payments, refunds, secret_marks, tournaments, versions, waiting_list,
};

type Question = fn(&mut Conn) -> Result<(), StoreError>;

/// These write one row, found by its key.
const WRITES: [&str; 4] = ["insert", "insert_organiser", "save", "publish"];
/// Only an audit counts everything.
const AUDIT: &str = "entries::counts";

/// In the middle of everything.
pub const MIDDLE: i64 = 10_000;
pub const LIMIT: i64 = 50;

fn large() -> TournamentId {
    "large".parse().unwrap()
}

fn now() -> UtcTime {
    UtcTime::from_micros(i64::MAX / 2)
}

fn delivery() -> Delivery {
    Delivery {
        id: DeliveryId(MIDDLE),
        tournament: large(),
        subscriber: "mail".to_owned(),
        journal_number: MIDDLE / 2,
        lane: OrderId(MIDDLE),
        kind: "registered".to_owned(),
        attempts: 0,
    }
}

fn event() -> GatewayEvent {
    GatewayEvent {
        account: "stripe:main".to_owned(),
        id: format!("evt_{MIDDLE}"),
        kind: "checkout.session.completed".to_owned(),
        object: format!("cs_{MIDDLE}"),
        attempts: 0,
    }
}

/// Their names, and how they are asked.
pub const QUESTIONS: &[(&str, Question)] = &[
    ("byes::of_entry", |c| {
        byes::of_entry(c, EntryId(MIDDLE)).map(drop)
    }),
    ("byes::decide", |c| {
        byes::decide(c, EntryId(MIDDLE), true).map(drop)
    }),
    ("codes::find", |c| {
        codes::find(c, &large(), "hash").map(drop)
    }),
    ("codes::have_prices", |c| {
        codes::have_prices(c, &large()).map(drop)
    }),
    ("codes::give_back", |c| codes::give_back(c, EntryId(MIDDLE))),
    ("deliveries::cursor", |c| {
        deliveries::cursor(c, &large(), "mail").map(drop)
    }),
    ("deliveries::behind", |c| {
        deliveries::behind(c, "mail").map(drop)
    }),
    ("deliveries::advance", |c| {
        deliveries::advance(c, &large(), "mail", 0, 0).map(drop)
    }),
    ("deliveries::ready", |c| {
        deliveries::ready(c, "mail", None, now(), LIMIT)?;
        deliveries::ready(c, "pairing", Some(&large()), now(), LIMIT).map(drop)
    }),
    ("deliveries::lease", |c| {
        deliveries::lease(c, DeliveryId(MIDDLE), now(), now()).map(drop)
    }),
    ("deliveries::settle", |c| {
        deliveries::settle(c, &delivery(), now(), &Sent::Done, now())?;
        deliveries::settle(
            c,
            &delivery(),
            now(),
            &Sent::Again(now(), String::new()),
            now(),
        )?;
        deliveries::settle(c, &delivery(), now(), &Sent::Dead(String::new()), now()).map(drop)
    }),
    ("deliveries::revive", |c| {
        deliveries::revive(c, DeliveryId(MIDDLE), now()).map(drop)
    }),
    ("deliveries::dead", |c| {
        deliveries::dead(c, &large(), LIMIT).map(drop)
    }),
    ("deliveries::backlog", |c| deliveries::backlog(c).map(drop)),
    ("entries::correct_entrant", |c| {
        let player = serde_json::from_str(
            r#"{"entrant":{"name":"Puig, Ona","sex":"f","birth_date":"1990-05-17","federation":"ESP","licences":[]}}"#,
        ).unwrap();
        entries::correct_entrant(c, EntryId(MIDDLE), &player)
    }),
    ("entries::find", |c| {
        entries::find(c, EntryId(MIDDLE)).map(drop)
    }),
    ("entries::of_order", |c| {
        entries::of_order(c, OrderId(MIDDLE)).map(drop)
    }),
    ("entries::of_orders", |c| {
        entries::of_orders(c, &[OrderId(MIDDLE), OrderId(MIDDLE + 1)]).map(drop)
    }),
    ("entries::entrants_of", |c| {
        entries::entrants_of(c, &[EntryId(MIDDLE), EntryId(MIDDLE + 1)]).map(drop)
    }),
    ("entries::last_form", |c| {
        entries::last_form(c, &large()).map(drop)
    }),
    ("entries::live_of_institution", |c| {
        entries::live_of_institution(c, &large(), "institution-10000").map(drop)
    }),
    ("entries::live_with_identities", |c| {
        let identities = ["identity-10000".to_owned(), "identity-2".to_owned()];
        entries::live_with_identities(c, &large(), &identities).map(drop)
    }),
    ("entries::live_identities", |c| {
        let identities = ["identity-10000".to_owned(), "identity-2".to_owned()];
        entries::live_identities(c, &large(), &identities).map(drop)
    }),
    ("entries::entrant", |c| {
        entries::entrant(c, EntryId(MIDDLE)).map(drop)
    }),
    ("entries::priced_entrant", |c| {
        entries::priced_entrant(c, EntryId(MIDDLE)).map(drop)
    }),
    ("folder::find_all", |c| {
        folder::find_all(c, &[OrderId(MIDDLE), OrderId(MIDDLE + 1)]).map(drop)
    }),
    ("gateway_events::due", |c| {
        gateway_events::due(c, now(), LIMIT).map(drop)
    }),
    ("gateway_events::settle", |c| {
        gateway_events::settle(c, &event(), &Outcome::Again(now(), String::new()), now())?;
        gateway_events::settle(c, &event(), &Outcome::Dead(String::new()), now())?;
        gateway_events::settle(c, &event(), &Outcome::Done, now())
    }),
    ("gateway_events::backlog", |c| {
        gateway_events::backlog(c).map(drop)
    }),
    ("idempotency::find", |c| {
        let scope = KeyScope {
            caller: "payer:".to_owned(),
            operation: "register",
            tournament: large(),
            key: format!("key-{MIDDLE}"),
        };
        idempotency::find(c, &scope).map(drop)
    }),
    ("journal::after", |c| {
        journal::after(c, &large(), 0, LIMIT)?;
        journal::after(c, &large(), MIDDLE / 4, LIMIT).map(drop)
    }),
    ("journal::find", |c| {
        journal::find(c, &large(), MIDDLE / 2).map(drop)
    }),
    ("journal::of_order", |c| {
        journal::of_order(c, OrderId(MIDDLE)).map(drop)
    }),
    ("keys::find", |c| keys::find(c, KeyId(1)).map(drop)),
    ("keys::all", |c| keys::all(c).map(drop)),
    ("keys::revoke", |c| {
        keys::revoke(c, KeyId(1), now()).map(drop)
    }),
    ("secret_marks::find", |c| secret_marks::find(c).map(drop)),
    ("ledger::of_order", |c| {
        ledger::of_order(c, OrderId(MIDDLE)).map(drop)
    }),
    ("ledger::after", |c| {
        ledger::after(c, &large(), MIDDLE / 4, MIDDLE / 4 + LIMIT).map(drop)
    }),
    ("orders::find", |c| {
        orders::find(c, OrderId(MIDDLE)).map(drop)
    }),
    ("orders::find_by_reference", |c| {
        let reference = domain::OrderReference::from_random(MIDDLE.unsigned_abs());
        orders::find_by_reference(c, &reference).map(drop)
    }),
    ("orders::page", |c| {
        orders::page(c, &large(), None, LIMIT)
            .map(drop)
            .or_else(unreadable)?;
        orders::page(c, &large(), Some(OrderId(MIDDLE)), LIMIT).map(drop)
    }),
    ("claims::taken", |c| {
        claims::taken(c, &large(), &["early"]).map(drop)
    }),
    ("claims::of_entry", |c| {
        claims::of_entry(c, EntryId(MIDDLE)).map(drop)
    }),
    ("claims::give_back", |c| {
        claims::give_back(c, EntryId(MIDDLE))
    }),
    ("entries::count_of_institution_after", |c| {
        entries::count_of_institution_after(c, &large(), "nobody", 1).map(drop)
    }),
    ("entries::count_of_institution", |c| {
        entries::count_of_institution(c, &large(), "nobody", None).map(drop)
    }),
    ("orders::reprice_group", |c| {
        orders::reprice_group(c, &large(), "nobody", now()).map(drop)
    }),
    ("orders::to_reprice", |c| {
        orders::to_reprice(c, &large(), now(), LIMIT).map(drop)
    }),
    ("orders::holds_run_out", |c| {
        orders::holds_run_out(c, &large(), now(), LIMIT).map(drop)
    }),
    ("orders::contact", |c| {
        orders::contact(c, OrderId(MIDDLE)).map(drop)
    }),
    ("payments::find", |c| {
        payments::find(c, PaymentId(MIDDLE)).map(drop)
    }),
    ("payments::of_order", |c| {
        payments::of_order(c, OrderId(MIDDLE)).map(drop)
    }),
    ("payments::find_by_gateway", |c| {
        payments::find_by_gateway(c, "stripe:main", "cs_10000")?;
        payments::find_by_gateway(c, "stripe:main", "pi_10000").map(drop)
    }),
    ("payments::oldest_disputed", |c| {
        payments::oldest_disputed(c, "stripe:main").map(drop)
    }),
    ("payments::unsettled", |c| {
        payments::unsettled(c, "stripe:main", (now(), 60), LIMIT).map(drop)
    }),
    ("payments::waiting_for_staff", |c| {
        payments::waiting_for_staff(c, &large()).map(drop)
    }),
    ("refunds::find", |c| {
        refunds::find(c, RefundId(MIDDLE)).map(drop)
    }),
    ("refunds::of_order", |c| {
        refunds::of_order(c, OrderId(MIDDLE)).map(drop)
    }),
    ("refunds::find_by_gateway", |c| {
        refunds::find_by_gateway(c, "re_10000").map(drop)
    }),
    ("refunds::due", |c| refunds::due(c, now(), LIMIT).map(drop)),
    ("refunds::waiting_for_staff", |c| {
        refunds::waiting_for_staff(c, &large()).map(drop)
    }),
    ("tournaments::find", |c| {
        tournaments::find(c, &large()).map(drop)
    }),
    ("tournaments::lock", |c| {
        tournaments::lock(c, &large()).map(drop)
    }),
    ("tournaments::all", |c| tournaments::all(c).map(drop)),
    ("tournaments::published", |c| {
        tournaments::published(c, &large(), 1).map(drop)
    }),
    ("tournaments::organiser", |c| {
        tournaments::organiser(c, "organiser").map(drop)
    }),
    ("versions::after", |c| {
        versions::after(c, &large(), 0, LIMIT).map(drop)
    }),
    ("versions::newest", |c| versions::newest(c).map(drop)),
    ("waiting_list::after", |c| {
        let mut last = entries::find(c, EntryId(MIDDLE))?.unwrap();
        for since in [None, Some(now())] {
            last.waiting_since = since;
            waiting_list::after(c, &large(), Some(&last), LIMIT)?;
        }
        waiting_list::after(c, &large(), None, LIMIT).map(drop)
    }),
    ("waiting_list::place", |c| {
        let mut entry = entries::find(c, EntryId(MIDDLE))?.unwrap();
        entry.status = domain::Status::Waitlisted;
        waiting_list::place(c, &entry)?;
        // Near the beginning, it is counted from there.
        entry.form_number = 0;
        waiting_list::place(c, &entry)?;
        entry.section = None;
        waiting_list::place(c, &entry)?;
        entry.waiting_since = Some(now());
        waiting_list::place(c, &entry).map(drop)
    }),
];

/// The rows are there to be counted, not to be understood.
pub fn unreadable(error: StoreError) -> Result<(), StoreError> {
    match error {
        StoreError::Unreadable(..) => Ok(()),
        other => Err(other),
    }
}

/// The functions of a file that ask something of a connection.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.split("\npub fn ").skip(1).filter_map(|function| {
        let (name, arguments) = function.split_once('(')?;
        let arguments = arguments.trim_start();
        arguments.starts_with("c: &mut Conn").then_some(name)
    })
}

#[test]
fn each_is_in_the_list() {
    let listed: BTreeSet<String> = QUESTIONS
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    let mut there = BTreeSet::new();
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        let path = file.unwrap().path();
        let Some(file) = path.file_stem().filter(|_| path.is_file()) else {
            continue;
        };
        let text = std::fs::read_to_string(&path).unwrap();
        for name in functions(&text) {
            if !WRITES.contains(&name) {
                there.insert(format!("{}::{name}", file.display()));
            }
        }
    }
    assert!(there.remove(AUDIT));
    assert_eq!(there, listed, "a new question belongs into this list");
}
