//! A desk with its three tournaments, a card sandbox, and a clock that the test sets.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::{
    Actor, Answers, Clock, Entrant, EntryRequest, Language, Money, OrderId, PaymentKind, Player,
    Problem, Pupil, Sex, Slug, Status, Team, TournamentId, UtcTime,
};
use payments::{StripeGateway, StripeSettings};
use registration::{
    By, Confirmation, Desk, DeskParts, Gateway, NewEntry, OpenPayment, OrderView, Payer,
    PaymentOpened, Register, Registered, Secret, Seen, SeenState, Slip,
};
use sandbox::{Control, Sandbox};
use store::Store;

pub const BARCELONA: &str = "ciutat-barcelona-2026";
pub const LLOBREGAT: &str = "ellobregat-2026";
pub const ROJAS: &str = "hermanos-rojas-2019";

/// The wall clock is the machine's, or ahead of it; each desk clock stands where the test puts it.
#[derive(Default)]
pub struct TestClock {
    desks: Mutex<BTreeMap<TournamentId, UtcTime>>,
    ahead: AtomicI64,
}

impl TestClock {
    pub fn set(&self, tournament: &str, at: &str) {
        self.desks
            .lock()
            .unwrap()
            .insert(tournament.parse().unwrap(), at.parse().unwrap());
    }

    /// Lets the wall clock go on by so many seconds.
    pub fn wait(&self, seconds: i64) {
        self.ahead.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    #[expect(clippy::disallowed_methods, reason = "the test's one clock")]
    fn wall(&self) -> UtcTime {
        let now: UtcTime = jiff::Timestamp::now().into();
        now.plus_seconds(self.ahead.load(Ordering::SeqCst))
    }

    fn desk(&self, tournament: &TournamentId) -> UtcTime {
        self.desks
            .lock()
            .unwrap()
            .get(tournament)
            .copied()
            .unwrap_or_else(|| self.wall())
    }
}

pub struct World {
    pub desk: Desk,
    pub clock: Arc<TestClock>,
    pub sandbox: Sandbox,
    pub gateway: Arc<StripeGateway>,
}

impl World {
    pub async fn new(store: Store) -> World {
        let sandbox = Sandbox::start(sandbox::Settings::default()).unwrap();
        let mut settings = StripeSettings::new(
            "main",
            payments::Secret::from("sk_test_sandbox".to_owned()),
            vec![payments::Secret::from("whsec_test".to_owned())],
        );
        sandbox.base_url().clone_into(&mut settings.base_url);
        settings.timeout = Duration::from_secs(2);
        settings.deadline = Duration::from_secs(4);
        let gateway = Arc::new(StripeGateway::new(&settings).unwrap());
        let clock = Arc::new(TestClock::default());
        clock.set(BARCELONA, "2026-07-10T10:00:00Z");
        clock.set(LLOBREGAT, "2026-09-01T10:00:00Z");
        clock.set(ROJAS, "2019-02-10T17:00:00Z");
        World {
            desk: serve(store, clock.clone(), gateway.clone()).await,
            clock,
            sandbox,
            gateway,
        }
    }

    /// Takes in one more tournament of the rules engine's own cases.
    pub async fn take_in(&self, tournament: &str) {
        take_in(&self.desk, &case_file(tournament)).await;
    }

    /// Another desk on the same database and clock, as another process would be, that reaches the gateway this way.
    pub async fn another(&self, store: Store, gateway: Arc<dyn Gateway>) -> Desk {
        serve(store, self.clock.clone(), gateway).await
    }

    /// A desk with Barcelona open for so many seats.
    pub async fn open(store: Store, seats: i64) -> World {
        let world = World::new(store).await;
        world
            .desk
            .open_tournament(&staff(), &id(BARCELONA), seats)
            .await
            .unwrap();
        world
    }

    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    pub async fn register(
        &self,
        tournament: &str,
        entries: Vec<NewEntry>,
    ) -> Result<Registered, Problem> {
        self.desk
            .register(&payer(), order(tournament, entries))
            .await
    }

    /// One player of Barcelona's section A who pays 65, or 60 with a licence of the FCE, less 5 before 21 July.
    pub async fn enter(&self, name: &str) -> Registered {
        self.register(BARCELONA, vec![entry(Some("A"), player(name))])
            .await
            .unwrap()
    }

    pub async fn open_payment(&self, tournament: &str, order: OrderId) -> PaymentOpened {
        self.desk
            .open_payment(&payer(), &id(tournament), order, session())
            .await
            .unwrap()
    }

    /// The gateway's id of a payment.
    pub async fn reference(&self, order: OrderId) -> String {
        let view = self.view(order).await;
        view.payments.last().unwrap().reference.clone().unwrap()
    }

    /// Pays a whole order with a good card and lets the desk look.
    pub async fn pay(&self, tournament: &str, order: OrderId) {
        self.open_payment(tournament, order).await;
        let reference = self.reference(order).await;
        self.control().pay(&reference, "4242424242424242").unwrap();
        self.look(&reference).await;
    }

    /// The desk looks at a payment, as it does for a webhook.
    pub async fn look(&self, reference: &str) {
        let seen = self.gateway.look(reference).await.unwrap();
        self.desk
            .observe_payment(self.gateway.account(), seen)
            .await
            .unwrap();
    }

    /// Somebody else who has the account's key makes a call at the gateway.
    pub fn at_gateway(&self, path: &str, form: &[(&str, &str)]) {
        let pairs: Vec<String> = form.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let (host, body) = (
            self.sandbox
                .base_url()
                .trim_start_matches("http://")
                .trim_end_matches('/'),
            pairs.join("&"),
        );
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAuthorization: Bearer sk_test_sandbox\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    /// The desk hears of euros on a page that the gateway has closed, as when both crossed.
    pub async fn paid(&self, page: &str, amount: i64) {
        let seen = Seen {
            reference: page.into(),
            intent: None,
            payment: None,
            order: None,
            key: None,
            state: SeenState::Succeeded {
                received: eur(amount),
                charged_at: self.desk.clock().wall(),
            },
        };
        let account = self.gateway.account();
        self.desk.observe_payment(account, seen).await.unwrap();
    }

    /// The intent of a page, as the gateway shows it.
    pub async fn gateway_intent(&self, page: &str) -> String {
        self.gateway.look(page).await.unwrap().intent.unwrap()
    }

    /// An order as it stands: its lines come to what it costs.
    pub async fn view(&self, order: OrderId) -> OrderView {
        let view = self.desk.order(order).await.unwrap();
        let lines: i64 = view.lines.iter().map(|line| line.amount).sum();
        assert_eq!(lines, view.total, "the lines are not the total");
        view
    }

    pub async fn status(&self, order: OrderId) -> Status {
        self.view(order).await.status
    }

    /// What the audit says of an order.
    pub async fn findings(&self, order: OrderId) -> Vec<String> {
        let report = self.desk.audit(|_, _| {}).await.unwrap();
        let of_order = report
            .findings
            .into_iter()
            .filter(|f| f.order == Some(order));
        of_order.map(|f| f.what).collect()
    }

    /// The end of every test: everything that can be recomputed comes out.
    pub async fn audit(&self) {
        let report = self.desk.audit(|_, _| {}).await.unwrap();
        assert_eq!(report.findings, [], "the audit finds something");
    }
}

async fn serve(store: Store, clock: Arc<TestClock>, gateway: Arc<dyn Gateway>) -> Desk {
    let desk = Desk::new(DeskParts {
        store,
        clock,
        secret: Secret::new([3; 32]),
        gateway: Some(gateway),
    });
    let organiser = desk.organiser("main", "Main").await.unwrap();
    for id in [BARCELONA, LLOBREGAT, ROJAS] {
        let file = format!("{}/../regulations/{id}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).unwrap();
        let regulation = rules::Regulation::parse(&file, &text, 1).unwrap();
        desk.take_in(organiser, regulation).await.unwrap();
    }
    desk
}

/// A regulation of the rules engine's own cases.
pub fn case_file(tournament: &str) -> String {
    let folder = "../rules/tests/fixtures/regulations";
    let file = format!("{}/{folder}/{tournament}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).unwrap()
}

/// Lets a desk take one more tournament in.
pub async fn take_in(desk: &Desk, text: &str) {
    let regulation = rules::Regulation::parse("case.toml", text, 1).unwrap();
    let organiser = desk.organiser("main", "Main").await.unwrap();
    desk.take_in(organiser, regulation).await.unwrap();
}

pub fn id(tournament: &str) -> TournamentId {
    tournament.parse().unwrap()
}

pub fn eur(amount: i64) -> Money {
    Money::new(amount, "EUR".parse().unwrap())
}

pub fn pen(amount: i64) -> Money {
    Money::new(amount, "PEN".parse().unwrap())
}

/// Staff found this sum of a slip on the account today.
pub fn in_full(received: Money) -> Confirmation {
    Confirmation {
        received,
        date: None,
        received_on: None,
    }
}

pub fn payer() -> By {
    By::actor(Actor::Payer)
}

pub fn with_key(key: &str) -> By {
    By {
        key: Some(key.to_owned()),
        ..payer()
    }
}

pub fn staff() -> By {
    By {
        actor: Actor::Staff("key_test".into()),
        reason: "test".into(),
        key: None,
    }
}

/// The same under a key of its own, which an act that sends money out must have.
pub fn treasurer(key: &str) -> By {
    By {
        key: Some(key.to_owned()),
        ..staff()
    }
}

pub fn session() -> OpenPayment {
    OpenPayment {
        method: PaymentKind::Session,
        expected: None,
        return_url: "https://example.org/back".into(),
    }
}

pub fn order(tournament: &str, entries: Vec<NewEntry>) -> Register {
    let consents = match tournament {
        BARCELONA => vec!["bases".to_owned(), "images".to_owned()],
        LLOBREGAT => vec!["bases".to_owned(), "images".to_owned()],
        _ => vec!["bases".to_owned()],
    };
    Register {
        tournament: id(tournament),
        payer: Payer {
            name: "Paula Pagadora".into(),
            email: "paula@example.org".into(),
            address: None,
            language: Language::Ca,
            consents,
        },
        entries,
        slip: None,
        currency: None,
        expected: None,
    }
}

pub fn slip(number: &str, amount: i64) -> Slip {
    Slip {
        method: PaymentKind::Slip,
        number: number.into(),
        date: None,
        amount: pen(amount),
    }
}

pub fn entry(section: Option<&str>, entrant: Entrant) -> NewEntry {
    let section = section.map(|s| s.parse().unwrap());
    NewEntry {
        request: EntryRequest { section, entrant },
        code: None,
    }
}

pub fn player(name: &str) -> Entrant {
    Entrant::Player(plain_player(name))
}

pub fn plain_player(name: &str) -> Player {
    Player {
        name: Some(name.into()),
        fide_id: None,
        sex: Sex::Male,
        birth_date: "1990-05-01".parse().unwrap(),
        federation: "FRA".parse().unwrap(),
        title: None,
        rating: Some(1500),
        licences: ["FIDE".parse().unwrap()].into(),
        disability: false,
        invited: false,
        previous_participant: false,
        agreed_price: None,
        club: None,
        answers: Answers::default(),
        grades: BTreeMap::new(),
    }
}

pub fn team(name: &str, institution: &str, pupils: [&str; 4]) -> Entrant {
    let roster = pupils
        .iter()
        .zip([Sex::Female, Sex::Male, Sex::Male, Sex::Male])
        .map(|(name, sex)| Pupil {
            name: (*name).into(),
            sex,
            level: domain::Level::Primary,
        })
        .collect();
    Entrant::Team(Team {
        name: name.into(),
        institution: institution.into(),
        coach: Some("C. Rojas".into()),
        roster,
        answers: Answers::default(),
        grades: BTreeMap::new(),
    })
}

/// The slug of a refusal.
pub fn slug<T: std::fmt::Debug>(outcome: Result<T, Problem>) -> Slug {
    outcome.unwrap_err().slug
}
