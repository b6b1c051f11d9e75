//! A desk with the project's three tournaments behind a gRPC door, each clock inside its tournament's entry.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use api::app::App;
use api::auth::{NewKey, Role, make_key};
use api::clock::MachineClock;
use domain::{Actor, OrganiserId, TournamentId};
use payments::{StripeGateway, StripeSettings};
use proto::registration::v1::desk_service_client::DeskServiceClient;
use proto::registration::v1::registration_service_client::RegistrationServiceClient;
use proto::rules::v1::rules_service_client::RulesServiceClient;
use registration::{By, Desk, DeskParts, Gateway, Secret};
use rules::Regulation;
use sandbox::Sandbox;
use store::testing::Database;
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

pub const BARCELONA: &str = "ciutat-barcelona-2026";
pub const ELLOBREGAT: &str = "ellobregat-2026";
pub const ROJAS: &str = "hermanos-rojas-2019";

/// When each tournament's desk clock stands.
const NOW: [(&str, &str); 3] = [
    (BARCELONA, "2026-08-01T12:00:00+02:00"),
    (ELLOBREGAT, "2026-11-01T12:00:00+01:00"),
    (ROJAS, "2019-02-10T12:00:00-05:00"),
];

pub struct Stand {
    pub app: App,
    pub address: String,
    pub channel: Channel,
    pub clock: Arc<MachineClock>,
    pub organiser: OrganiserId,
    leave: Arc<Notify>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
    _database: Database,
}

impl Stand {
    /// A stand whose tournaments are all open: Barcelona's text leaves the capacity to the organiser.
    pub async fn new() -> Stand {
        Stand::closed().await.opened().await
    }

    /// The same with a card gateway.
    pub async fn with_cards(sandbox: &Sandbox) -> Stand {
        let mut settings =
            StripeSettings::new("main", "sk_test_sandbox".into(), vec!["whsec_stand".into()]);
        settings.base_url = sandbox.base_url().to_owned();
        let gateway = StripeGateway::new(&settings).unwrap();
        Stand::build(Some(Arc::new(gateway))).await.opened().await
    }

    async fn opened(self) -> Stand {
        let by = By::actor(Actor::Operator);
        let left_to_organiser = "ciutat-barcelona-2026".parse().unwrap();
        let opened = self.app.desk.open_tournament(&by, &left_to_organiser, 40);
        opened.await.unwrap();
        self
    }

    /// A stand whose organiser has not set a capacity yet.
    pub async fn closed() -> Stand {
        Stand::build(None).await
    }

    async fn build(gateway: Option<Arc<dyn Gateway>>) -> Stand {
        let database = Database::sqlite();
        let clock = Arc::new(MachineClock::default());
        let desk = Desk::new(DeskParts {
            store: database.store(),
            clock: clock.clone(),
            secret: Secret::new([7; 32]),
            gateway,
        });
        let organiser = desk.organiser("test", "Test").await.unwrap();
        for (id, at) in NOW {
            let file = format!("{}/../regulations/{id}.toml", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&file).unwrap();
            let regulation = Regulation::parse(&file, &text, 1).unwrap();
            desk.take_in(organiser, regulation).await.unwrap();
            clock
                .set(&id.parse().unwrap(), at.parse().unwrap())
                .unwrap();
        }
        let app = App {
            desk,
            gateway: None,
            public_url: Arc::from("https://desk.example"),
            started: Instant::now(),
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let leave = Arc::new(Notify::new());
        let leaving = Arc::clone(&leave);
        let door = api::grpc::server(
            listener,
            app.clone(),
            async move { leaving.notified().await },
            async { drop(stopped.await) },
        );
        let served = tokio::spawn(async { door.await.unwrap() });
        let endpoint = Channel::from_shared(address.clone()).unwrap();
        Stand {
            channel: endpoint.connect().await.unwrap(),
            app,
            address,
            clock,
            organiser,
            leave,
            stop,
            served,
            _database: database,
        }
    }

    pub async fn key(&self, roles: &[Role]) -> String {
        let new = NewKey {
            organiser: self.organiser,
            label: "test".to_owned(),
            roles: roles.iter().copied().collect::<BTreeSet<_>>(),
            expires_at: None,
        };
        make_key(&self.app.desk, new).await.unwrap().1
    }

    pub fn rules(&self) -> RulesServiceClient<Channel> {
        RulesServiceClient::new(self.channel.clone())
    }

    pub fn payers(&self) -> RegistrationServiceClient<Channel> {
        RegistrationServiceClient::new(self.channel.clone())
    }

    pub fn desk(&self) -> DeskServiceClient<Channel> {
        DeskServiceClient::new(self.channel.clone())
    }

    /// How many rows the three journals have: what changes nothing leaves it as it is.
    pub async fn journal_rows(&self) -> usize {
        let mut rows = 0;
        for (id, _) in NOW {
            let id: TournamentId = id.parse().unwrap();
            rows += self.app.desk.journal(&id, 0, 1_000).await.unwrap().len();
        }
        rows
    }

    /// Says that the door is about to be stopped.
    pub fn leave(&self) {
        self.leave.notify_one();
    }

    /// Stops the door and waits until it has ended by itself.
    pub async fn stop(self) {
        self.leave();
        drop(self.channel);
        self.stop.send(()).unwrap();
        self.served.await.unwrap();
    }
}

/// A request with a bearer and an idempotency key; either may be empty.
pub fn signed<T>(message: T, bearer: &str, key: &str) -> Request<T> {
    let mut request = Request::new(message);
    if !bearer.is_empty() {
        let value = format!("Bearer {bearer}").parse().unwrap();
        request.metadata_mut().insert("authorization", value);
    }
    if !key.is_empty() {
        request
            .metadata_mut()
            .insert("idempotency-key", key.parse().unwrap());
    }
    request
}

/// The slug of a status, and its field violations as `field: rule`.
pub fn problem(status: &Status) -> (String, Vec<String>) {
    let details = status.get_error_details();
    let info = details.error_info();
    let fields = details.bad_request().map(|bad| {
        let violations = bad.field_violations.iter();
        violations
            .map(|v| format!("{}: {}", v.field, v.reason))
            .collect()
    });
    (
        info.map(|i| i.reason.clone()).unwrap_or_default(),
        fields.unwrap_or_default(),
    )
}

/// A refusal as a table says it: the code, the slug, and the fields with their rules.
pub type Row<'a> = (Code, &'a str, &'a [&'a str]);

pub fn row_of(status: &Status) -> String {
    let (slug, fields) = problem(status);
    format!("{:?} {slug} {fields:?}", status.code())
}

#[track_caller]
pub fn assert_row(name: &str, status: &Status, (code, slug, fields): Row<'_>) {
    assert_eq!(
        row_of(status),
        format!("{code:?} {slug} {fields:?}"),
        "{name}: {}",
        status.message()
    );
}

/// Every field that a status names is one of the message that was sent, by the contract's descriptors.
#[track_caller]
pub fn assert_fields_of(message: &str, status: &Status) {
    use prost::Message;
    let files = prost_types::FileDescriptorSet::decode(proto::FILE_DESCRIPTOR_SET).unwrap();
    let fields_of = |name: &str| {
        let mut messages = files.file.iter().flat_map(|file| {
            let of =
                move |m: &prost_types::DescriptorProto| format!(".{}.{}", file.package(), m.name());
            file.message_type
                .iter()
                .map(move |m| (of(m), m.field.clone()))
        });
        messages
            .find(|(known, _)| known == name)
            .map(|(_, fields)| fields)
    };
    for told in problem(status).1 {
        let (path, _) = told.split_once(": ").unwrap();
        let mut of = format!(".{message}");
        for part in path.split('.') {
            let (name, place) = part.split_once('[').unwrap_or((part, ""));
            let fields = fields_of(&of).unwrap_or_default();
            let field = fields.into_iter().find(|field| field.name() == name);
            let field = field.unwrap_or_else(|| panic!("{of} has no {name}: {told}"));
            let repeated = field.label() == prost_types::field_descriptor_proto::Label::Repeated;
            assert!(place.is_empty() || repeated, "{name} is no list: {told}");
            of = field.type_name().to_owned();
        }
    }
}
