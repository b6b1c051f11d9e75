//! A desk with a tournament, changed as the use cases change it: state and journal in one transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use domain::{
    Actor, Cause, Clock, Entrant, EntryId, EntryOpened, Event, Language, OrderId, OrderReference,
    OrganiserId, Quote, RegulationRef, Status, Text, TournamentId, UtcTime,
};
use jiff::tz::TimeZone;
use notifier::{Desk, MailTransport, Notifier, NotifierSettings, Venue};
use serde_json::json;
use store::change::{Change, Stamp};
use store::counts::Counts;
use store::entries::Entry;
use store::orders::{Contact, Order};
use store::tournaments::Tournament;
use store::{Ask, Conn, Lane, Store, StoreError, entries, tournaments};

pub fn tournament() -> TournamentId {
    "ciutat-2026".parse().unwrap()
}

/// Stands still until it is moved.
pub struct StillClock(AtomicI64);

impl StillClock {
    pub fn forward(&self, seconds: i64) -> UtcTime {
        let step = seconds * 1_000_000;
        UtcTime::from_micros(self.0.fetch_add(step, Ordering::SeqCst) + step)
    }
}

impl Clock for StillClock {
    fn wall(&self) -> UtcTime {
        UtcTime::from_micros(self.0.load(Ordering::SeqCst))
    }

    fn desk(&self, _: &TournamentId) -> UtcTime {
        self.wall()
    }
}

struct Links;

impl Desk for Links {
    fn link(&self, order: OrderId, generation: i32) -> String {
        format!("https://desk.example/o/{order}#{generation}")
    }

    fn venue(&self, _: &TournamentId) -> Option<Venue> {
        Some(Venue {
            name: Text::new("Ciutat", "Ciutat", "Ciutat"),
            time_zone: TimeZone::get("Europe/Madrid").unwrap(),
            sections: [(
                "A".parse().unwrap(),
                Text::new("Grup A", "Grupo A", "Group A"),
            )]
            .into(),
            counts_from_slip: false,
        })
    }

    fn refund_clause(&self, _: &Order, rule: &str) -> Option<(String, Text)> {
        let half = Text::new("meitat", "mitad", "half");
        (rule == "cancellation.half").then(|| ("art. 9".to_owned(), half))
    }
}

pub struct World {
    pub store: Store,
    pub clock: Arc<StillClock>,
}

/// One entry is entry and order of the same number.
fn entry_of(number: i64, status: Status) -> Entry {
    Entry {
        id: EntryId(number),
        tournament: tournament(),
        order: OrderId(number),
        form_number: number,
        section: Some("A".parse().unwrap()),
        status,
        price: 6_000,
        to_check: Vec::new(),
        approved: true,
        needs_approval: false,
        identity: None,
        institution: None,
        lines: None,
        waiting_since: None,
    }
}

fn order_of(number: i64, at: UtcTime) -> Order {
    let currency = "EUR".parse().unwrap();
    let regulation = RegulationRef {
        tournament: tournament(),
        version: 1,
        hash: "00".into(),
        language: 1,
    };
    Order {
        id: OrderId(number),
        tournament: tournament(),
        reference: OrderReference::from_random(number.unsigned_abs()),
        currency,
        total: 6_000,
        paid: 0,
        refunded: 0,
        kept: 0,
        version: 1,
        quote: Quote {
            regulation,
            at,
            eligible: true,
            reasons: Vec::new(),
            currency,
            total: 6_000,
            entries: Vec::new(),
            lines: Vec::new(),
            claims: Vec::new(),
            facts: Vec::new(),
            valid_until: None,
            paid_at: None,
            received_at: None,
            taken: domain::Taken::new(),
            others: domain::Others::default(),
        },
        standing: Vec::new(),
        priced_at: at,
        hold_until: Some(at.plus_seconds(86_400)),
        attempts: 0,
        token_generation: 0,
        created_at: at,
        paid_as_of: None,
        received_as_of: None,
        reprice_at: None,
    }
}

pub fn player(name: &str) -> Entrant {
    let player = json!({
        "name": name, "sex": "f", "birth_date": "1990-05-17", "federation": "ESP",
        "title": "WFM", "rating": 2105, "fide_id": 2_200_000, "licences": ["FIDE"],
    });
    serde_json::from_value(json!({ "entrant": player })).unwrap()
}

impl World {
    pub async fn new(store: Store) -> World {
        let start: UtcTime = "2026-07-01T10:00:00Z".parse().unwrap();
        let row = Tournament {
            id: tournament(),
            organiser: OrganiserId(1),
            version: 1,
            capacity: Some(100),
            last_form: 0,
            last_journal: 0,
            opened_at: Some(start),
            counts: Counts::default(),
        };
        let open = move |c: &mut Conn| {
            tournaments::insert_organiser(c, OrganiserId(1), "club", "Club", start)?;
            tournaments::insert(c, &row, start)
        };
        store
            .write::<_, StoreError>(Lane::Desk, open)
            .await
            .unwrap();
        let clock = Arc::new(StillClock(AtomicI64::new(start.as_micros())));
        World { store, clock }
    }

    pub fn settings(&self, transport: MailTransport) -> NotifierSettings {
        NotifierSettings::new(transport, "Ciutat <desk@example.org>")
    }

    pub fn notifier(&self, settings: NotifierSettings) -> Notifier {
        let clock: Arc<dyn Clock> = Arc::clone(&self.clock) as Arc<dyn Clock>;
        Notifier::new(self.store.clone(), settings, clock, Arc::new(Links)).unwrap()
    }

    /// One command, a second after the one before.
    pub async fn change<F>(&self, actor: Actor, number: i64, work: F)
    where
        F: Fn(&mut Change<'_>) -> Result<Vec<Event>, StoreError> + Send + 'static,
    {
        let at = self.clock.forward(1);
        let stamp = Stamp {
            at,
            wall: at,
            actor,
            reason: String::new(),
        };
        let ask = Ask::of(tournament());
        let write = move |change: Option<&mut Change<'_>>| {
            let change = change.ok_or(StoreError::NotFound)?;
            for event in work(change)? {
                change.record(Some(OrderId(number)), &event, &[])?;
            }
            Ok::<_, StoreError>(())
        };
        self.store
            .change(Lane::Desk, ask, stamp, write)
            .await
            .unwrap();
    }

    /// An order with one entry.
    pub async fn register(&self, number: i64, email: Option<&str>, status: Status) {
        let at = self.clock.wall();
        let contact = Contact {
            name: Some(format!("Payer {number}")),
            email: email.map(str::to_owned),
            address: None,
            language: Language::En,
            consents: Vec::new(),
        };
        let work = move |change: &mut Change<'_>| {
            let (order, entry) = (order_of(number, at), entry_of(number, status));
            change.add_order(&order, contact.clone())?;
            change.add_entry(&entry, &player(&format!("Player {number}")))?;
            let opened = EntryOpened {
                entry: entry.id,
                form_number: entry.form_number,
                section: entry.section,
                price: entry.price,
                status,
            };
            Ok(vec![Event::OrderRegistered {
                total: order.total,
                entries: vec![opened],
                hold_until: order.hold_until,
            }])
        };
        self.change(Actor::Payer, number, work).await;
    }

    /// Its entry moves, and whatever else happens in the same command.
    pub async fn moved(&self, number: i64, cause: Cause, also: Vec<Event>) {
        let work = move |change: &mut Change<'_>| {
            let mut entry =
                entries::find(change.conn()?, EntryId(number))?.ok_or(StoreError::NotFound)?;
            let from = entry.status;
            entry.status = from.after(cause).map_err(StoreError::broken)?;
            change.save_entry(&entry, from)?;
            let (entry, to) = (entry.id, entry.status);
            let mut events = also.clone();
            events.insert(
                0,
                Event::EntryMoved {
                    entry,
                    from,
                    to,
                    cause,
                },
            );
            Ok(events)
        };
        self.change(Actor::Gateway("stripe:main".into()), number, work)
            .await;
    }

    /// Only the journal.
    pub async fn recorded(&self, number: i64, event: Event) {
        let work = move |_: &mut Change<'_>| Ok(vec![event.clone()]);
        self.change(Actor::Staff("key".into()), number, work).await;
    }

    /// Dead letters: the order and the error.
    pub async fn dead(&self) -> Vec<(i64, String)> {
        let read = |c: &mut Conn| store::deliveries::dead(c, &tournament(), 10);
        let dead = self.store.read::<_, StoreError>(read).await.unwrap();
        dead.into_iter()
            .map(|(delivery, error)| (delivery.lane.0, error))
            .collect()
    }

    /// Deliveries that wait.
    pub async fn open(&self) -> i64 {
        self.store
            .read::<_, StoreError>(store::deliveries::backlog)
            .await
            .unwrap()
            .0
    }
}
