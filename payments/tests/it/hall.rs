//! A desk with a real tournament behind the gateway: orders, and the webhooks that the sandbox sends for them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use domain::{
    Actor, Clock, EntryRequest, OrderId, PaymentKind, PaymentStatus, Status, TournamentId, UtcTime,
};
use payments::{Envelope, Inbox, Reconciler, StripeGateway, StripeSettings, verify};
use registration::{
    By, Desk, DeskParts, NewEntry, OpenPayment, OrderView, Payer, PaymentOpened, Register, Secret,
};
use rules::Regulation;
use sandbox::{Control, Sandbox, Sent, Settings, Webhook};
use serde_json::json;
use store::gateway_events;

use crate::till::VISA;

pub const ACCOUNT: &str = "stripe:main";
/// In the middle of the tournament's registration, before the early date.
const DESK: &str = "2026-07-10T10:00:00Z";

/// The sandbox's clock and `late` microseconds; the desk's clock keeps its distance.
struct TestClock {
    control: Control,
    late: AtomicI64,
    began: i64,
}

impl Clock for TestClock {
    fn wall(&self) -> UtcTime {
        UtcTime::from_micros(self.control.now() * 1_000_000 + self.late.load(Ordering::SeqCst))
    }

    fn desk(&self, _: &TournamentId) -> UtcTime {
        let base: UtcTime = DESK.parse().unwrap();
        UtcTime::from_micros(base.as_micros() + self.wall().as_micros() - self.began)
    }
}

pub struct Hall {
    pub sandbox: Sandbox,
    pub desk: Desk,
    pub gateway: Arc<StripeGateway>,
    pub inbox: Inbox,
    pub tournament: TournamentId,
    clock: Arc<TestClock>,
    taken: Mutex<BTreeSet<(u64, u32)>>,
    people: AtomicI64,
    _folder: tempfile::TempDir,
}

impl Hall {
    pub async fn open() -> Hall {
        // Nobody listens there: the test takes each webhook from the sandbox's own list, as it was signed and sent.
        let webhook = Webhook {
            url: "http://127.0.0.1:9/".to_owned(),
            secret: "whsec_test".to_owned(),
        };
        let sandbox = Sandbox::start(Settings {
            webhook: Some(webhook),
            ..Settings::default()
        })
        .unwrap();
        let control = sandbox.control();
        let mut settings =
            StripeSettings::new("main", "sk_test_sandbox".into(), vec!["whsec_test".into()]);
        settings.base_url = sandbox.base_url().to_owned();
        let gateway = Arc::new(StripeGateway::new(&settings).unwrap());

        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("desk.db").display());
        let store = store::Store::open(&store::Settings::new(url)).unwrap();
        let began = control.now() * 1_000_000;
        let clock = Arc::new(TestClock {
            control,
            late: AtomicI64::new(0),
            began,
        });
        let parts = DeskParts {
            store,
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            secret: Secret::new([7; 32]),
            gateway: Some(Arc::clone(&gateway) as Arc<dyn registration::Gateway>),
        };
        let desk = Desk::new(parts);
        let text = include_str!("../../../regulations/ciutat-barcelona-2026.toml");
        let regulation = Regulation::parse("ciutat-barcelona-2026.toml", text, 1).unwrap();
        let tournament = regulation.tournament().clone();
        let organiser = desk.organiser("club", "A club").await.unwrap();
        desk.take_in(organiser, regulation).await.unwrap();
        desk.open_tournament(&By::actor(Actor::Operator), &tournament, 100)
            .await
            .unwrap();
        let inbox = Inbox::new(desk.clone(), vec![Arc::clone(&gateway)]);
        Hall {
            sandbox,
            desk,
            gateway,
            inbox,
            tournament,
            clock,
            taken: Mutex::default(),
            people: AtomicI64::new(1),
            _folder: folder,
        }
    }

    pub fn control(&self) -> Control {
        self.sandbox.control()
    }

    pub fn reconciler(&self) -> Reconciler {
        Reconciler::new(self.desk.clone(), Arc::clone(&self.gateway), 600)
    }

    /// The wall clock goes on, the sandbox's stands.
    pub fn wait(&self, seconds: i64) {
        self.clock
            .late
            .fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }

    /// One player, held and unpaid: 60 euros.
    pub async fn order(&self) -> OrderId {
        let number = self.people.fetch_add(1, Ordering::SeqCst);
        let request: EntryRequest = serde_json::from_value(json!({
            "section": "A",
            "entrant": {
                "name": format!("Player {number}"),
                "fide_id": number,
                "sex": "m",
                "birth_date": "1990-05-01",
                "federation": "FRA",
                "rating": 2100,
                "licences": ["FIDE"],
            },
        }))
        .unwrap();
        let regulation = self.desk.regulation(&self.tournament).unwrap();
        let payer = Payer {
            name: format!("Payer {number}"),
            email: "payer@example.org".to_owned(),
            address: None,
            language: domain::Language::Ca,
            consents: regulation
                .consents()
                .iter()
                .map(|consent| consent.id.clone())
                .collect(),
        };
        let command = Register {
            tournament: self.tournament.clone(),
            payer,
            entries: vec![NewEntry {
                request,
                code: None,
            }],
            slip: None,
            currency: None,
            expected: None,
        };
        let registered = self
            .desk
            .register(&By::actor(Actor::Payer), command)
            .await
            .unwrap();
        assert_eq!((registered.total, registered.status), (6_000, Status::Held));
        registered.order
    }

    pub async fn page(&self, order: OrderId) -> Result<PaymentOpened, domain::Problem> {
        self.ask(order, PaymentKind::Session).await
    }

    pub async fn ask(
        &self,
        order: OrderId,
        method: PaymentKind,
    ) -> Result<PaymentOpened, domain::Problem> {
        let return_url = "https://desk.example.org/back".to_owned();
        let ask = OpenPayment {
            method,
            expected: None,
            return_url,
        };
        self.desk
            .open_payment(&By::actor(Actor::Payer), &self.tournament, order, ask)
            .await
    }

    /// An order whose page is paid with this card; nobody told the desk.
    pub async fn paid_with(&self, card: &str) -> OrderId {
        let order = self.order().await;
        self.page(order).await.unwrap();
        let page = self.view(order).await.payments[0]
            .reference
            .clone()
            .unwrap();
        self.control().pay(&page, card).unwrap();
        order
    }

    pub async fn paid(&self) -> OrderId {
        self.paid_with(VISA).await
    }

    pub async fn view(&self, order: OrderId) -> OrderView {
        self.desk.order(order).await.unwrap()
    }

    pub async fn stands(&self, order: OrderId) -> (Status, PaymentStatus) {
        let view = self.view(order).await;
        (view.status, view.payments[0].status)
    }

    /// How many journal rows there are.
    pub async fn written(&self) -> usize {
        self.desk
            .journal(&self.tournament, 0, 1_000)
            .await
            .unwrap()
            .len()
    }

    /// The webhooks that the sandbox has sent and nobody has taken yet, in its order.
    pub async fn sent(&self) -> Vec<Sent> {
        self.control().settled().await;
        let mut taken = self.taken.lock().unwrap();
        self.control()
            .sent()
            .into_iter()
            .filter(|sent| taken.insert((sent.delivery, sent.attempt)))
            .collect()
    }

    pub fn read(&self, sent: &Sent) -> Envelope {
        let now = UtcTime::from_micros(self.control().now() * 1_000_000);
        verify(
            &["whsec_test".into()],
            Some(&sent.signature),
            sent.body.as_bytes(),
            now,
        )
        .unwrap()
    }

    /// Takes all that was sent; how many were new.
    pub async fn take(&self) -> usize {
        let mut fresh = 0;
        for sent in self.sent().await {
            fresh += usize::from(self.inbox.take(ACCOUNT, &self.read(&sent)).await.unwrap());
        }
        fresh
    }

    /// How many events wait, and how many were given up.
    pub async fn backlog(&self) -> (i64, i64) {
        self.desk
            .store()
            .read(gateway_events::backlog)
            .await
            .unwrap()
    }
}
