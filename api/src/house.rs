//! The house put together: database, desk, gateway, notifier, loops and doors; served until asked to stop, then drained.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::middleware::from_fn;
use actix_web::web::Data;
use actix_web::{HttpServer, dev::ServerHandle};
use domain::{Clock, OrganiserId};
use notifier::Notifier;
use payments::{Inbox, Reconciler, StripeGateway, StripeSettings, Walked, Walker};
use registration::{Desk, DeskParts, Gateway};
use rules::Regulation;
use store::Store;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::app::{App, GatewayDoor};
use crate::clock::MachineClock;
use crate::failure::Failure;
use crate::health::{self, Draining};
use crate::loops::{self, GatewayWorks, Works};
use crate::settings::{DeskSettings, ServiceSettings};
use crate::stop::{self, Stop};
use crate::words::Words;
use crate::{grpc, measure, page, regulations, rest, secret};

/// A desk without doors or loops, as commands use it.
pub struct OpenDesk {
    /// The use cases.
    pub desk: Desk,
    /// The organiser of the settings.
    pub organiser: OrganiserId,
    /// The clock that the desk goes by.
    pub clock: Arc<MachineClock>,
}

/// Opens the database and puts a desk on it that serves what is published there.
///
/// # Errors
/// Where the data folder or the database cannot be used.
pub async fn open(settings: &DeskSettings) -> Result<OpenDesk, Failure> {
    let desk = assemble(settings, Arc::default(), None, Vec::new());
    desk.await
}

async fn assemble(
    settings: &DeskSettings,
    clock: Arc<MachineClock>,
    gateway: Option<Arc<StripeGateway>>,
    files: Vec<Regulation>,
) -> Result<OpenDesk, Failure> {
    if settings.secret.is_none() {
        secret::make_folder(&settings.data)?;
    }
    let database = settings.database.clone();
    let opened = tokio::task::spawn_blocking(move || Store::open(&database)).await;
    let store = opened.map_err(Failure::broken)??;
    let secret = secret::of_store(settings, &store, clock.wall()).await?;
    let desk = Desk::new(DeskParts {
        store,
        clock: clock.clone(),
        secret,
        gateway: gateway.map(|gateway| gateway as Arc<dyn Gateway>),
    });
    let organiser = desk
        .organiser(&settings.organiser_slug, &settings.organiser_name)
        .await?;
    regulations::take_in(&desk, organiser, files).await?;
    Ok(OpenDesk {
        desk,
        organiser,
        clock,
    })
}

/// The program, ready to be served.
pub struct House {
    /// What the doors serve from.
    pub app: App,
    works: Works,
    notice: Duration,
    drain: Duration,
}

/// Where the doors are.
pub struct Listeners {
    /// The REST door.
    pub rest: TcpListener,
    /// The gRPC door.
    pub grpc: TcpListener,
}

impl Listeners {
    /// Binds both doors.
    ///
    /// # Errors
    /// Naming the address that cannot be bound.
    pub fn bind(service: &ServiceSettings) -> Result<Listeners, Failure> {
        let bind = |name: &str, address| {
            let fail = |error| Failure::broken(format!("{name}.address: {address}: {error}"));
            let listener = TcpListener::bind(address).map_err(fail)?;
            listener.set_nonblocking(true).map_err(fail)?;
            Ok::<_, Failure>(listener)
        };
        Ok(Listeners {
            rest: bind("rest", service.rest)?,
            grpc: bind("grpc", service.grpc)?,
        })
    }

    /// The address of the REST door as a URL, without a slash at its end.
    ///
    /// # Errors
    /// Where the machine does not tell it.
    pub fn rest_url(&self) -> Result<String, Failure> {
        Ok(format!("http://{}", self.rest.local_addr()?))
    }

    /// The address of the gRPC door as a URL.
    ///
    /// # Errors
    /// Where the machine does not tell it.
    pub fn grpc_url(&self) -> Result<String, Failure> {
        Ok(format!("http://{}", self.grpc.local_addr()?))
    }
}

impl House {
    /// Puts everything together; nothing is served yet.
    ///
    /// # Errors
    /// Where the database cannot be used or a setting turns out wrong.
    pub async fn build(
        desk: &DeskSettings,
        service: &ServiceSettings,
        public_url: String,
        clock: Arc<MachineClock>,
        files: Vec<Regulation>,
    ) -> Result<(House, OrganiserId), Failure> {
        let gateway = service.stripe.as_ref().map(stripe).transpose()?;
        let open = assemble(desk, clock, gateway.clone(), files).await?;
        let public_url: Arc<str> = public_url.into();
        let words = Words {
            desk: open.desk.clone(),
            public_url: Arc::clone(&public_url),
        };
        let notifier = Notifier::new(
            open.desk.store().clone(),
            service.notifier.clone(),
            Arc::clone(open.desk.clock()),
            Arc::new(words),
        );
        let notifier =
            notifier.map_err(|error| Failure::broken(format!("mail or pairing: {error}")))?;
        let arrived = Arc::new(Notify::new());
        let door = service.stripe.as_ref().map(|stripe| {
            Arc::new(GatewayDoor {
                account: stripe.account.clone(),
                secrets: stripe
                    .webhook_secrets
                    .iter()
                    .map(|s| s.reveal().to_owned())
                    .collect(),
                arrived: Arc::clone(&arrived),
            })
        });
        let patience = i64::try_from(service.patience.as_secs()).unwrap_or(60);
        let works = Works {
            gateway: gateway.map(|gateway| GatewayWorks {
                inbox: Inbox::new(open.desk.clone(), vec![Arc::clone(&gateway)]),
                arrived,
                walker: Arc::new(Walker::new(open.desk.clone(), Arc::clone(&gateway))),
                reconciler: Reconciler::new(open.desk.clone(), gateway, patience),
            }),
            desk: open.desk.clone(),
            clock: open.clock,
            notifier,
        };
        let app = App {
            desk: open.desk,
            gateway: door,
            public_url,
            started: Instant::now(),
        };
        let house = House {
            app,
            works,
            notice: service.notice,
            drain: service.drain,
        };
        Ok((house, open.organiser))
    }

    /// Compares the books with what the gateway holds of the last so many seconds. Nothing is served.
    ///
    /// # Errors
    /// Where no gateway is set up, or it breaks off.
    pub async fn reconcile(&self, seconds: i64) -> Result<Walked, Failure> {
        let Some(gateway) = &self.works.gateway else {
            return Err(Failure::broken(
                "cards: is off, so there is no gateway to walk through",
            ));
        };
        let since = self.app.desk.clock().wall().plus_seconds(-seconds);
        Ok(gateway.walker.walk(since).await?)
    }

    /// Serves until `end` resolves. Then it says for a moment that it is about to go, while its doors still take requests, so
    /// that whoever shares them out sends none any more; takes no new work, lets what is under way end within the drain
    /// time, and closes the database.
    ///
    /// # Errors
    /// Where a door cannot be opened, or falls shut by itself.
    pub async fn serve(
        self,
        listeners: Listeners,
        end: impl Future<Output = ()>,
    ) -> Result<(), Failure> {
        measure::start();
        let (stopper, stop) = stop::pair();
        let (leaver, leave) = stop::pair();
        let draining = Draining::default();
        let store = self.app.desk.store().clone();
        let seconds = self.drain.as_secs();
        let rest = rest_server(self.app.clone(), draining.clone(), listeners.rest, seconds)?;
        let handle = rest.handle();
        let mut doors = JoinSet::new();
        doors.spawn(async move { rest.await.map_err(Failure::from) });
        let stops = (leave, stop.clone());
        doors.spawn(grpc_server(self.app.clone(), listeners.grpc, stops));
        let loops = loops::start(self.works, &stop);

        let broke = tokio::select! {
            () = end => None,
            Some(ended) = doors.join_next() => Some(ended),
        };
        draining.begin();
        leaver.stop();
        if broke.is_none() {
            let seconds = self.notice.as_secs();
            tracing::info!(
                seconds,
                "about to stop: not ready any more, yet still serving"
            );
            tokio::time::sleep(self.notice).await;
        }
        tracing::info!(seconds, "stopping: what is under way may end");
        stopper.stop();
        if tokio::time::timeout(self.drain, wind_up(handle, doors, loops))
            .await
            .is_err()
        {
            tracing::warn!(
                seconds,
                "the time to drain is over; what is left is broken off"
            );
        }
        drop(tokio::task::spawn_blocking(move || store.close()).await);
        tracing::info!("stopped");
        match broke {
            None => Ok(()),
            Some(Ok(Err(failure))) => Err(failure),
            Some(_) => Err(Failure::broken("a door fell shut")),
        }
    }
}

async fn wind_up(rest: ServerHandle, doors: JoinSet<Result<(), Failure>>, loops: JoinSet<()>) {
    rest.stop(true).await;
    drop(doors.join_all().await);
    loops.join_all().await;
}

fn stripe(settings: &StripeSettings) -> Result<Arc<StripeGateway>, Failure> {
    let fail = |faults: Vec<payments::SettingFault>| {
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::broken(format!("stripe: {}", told.join("; ")))
    };
    StripeGateway::new(settings).map(Arc::new).map_err(fail)
}

fn rest_server(
    app: App,
    draining: Draining,
    listener: TcpListener,
    drain_seconds: u64,
) -> Result<actix_web::dev::Server, Failure> {
    let server = HttpServer::new(move || {
        let app = app.clone();
        actix_web::App::new()
            .app_data(Data::new(draining.clone()))
            .wrap(from_fn(rest::answer))
            .configure(|config| rest::configure(config, app))
            .configure(health::configure)
            .configure(page::configure)
    });
    let server = server
        .disable_signals()
        .shutdown_timeout(drain_seconds)
        .listen(listener)?;
    Ok(server.run())
}

async fn grpc_server(
    app: App,
    listener: TcpListener,
    (leave, stop): (Stop, Stop),
) -> Result<(), Failure> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let served = grpc::server(listener, app, leave.wait(), stop.wait()).await;
    served.map_err(|error| Failure::broken(format!("gRPC: {error}")))
}
