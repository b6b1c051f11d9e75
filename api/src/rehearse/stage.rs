//! The stage of a rehearsal: the whole service on free ports, with a card sandbox, a mail folder and a pairing service.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::{Clock, OrganiserId, TournamentId, UtcTime};
use notifier::{MailTransport, NotifierSettings, PairingTarget};
use payments::StripeSettings;
use registration::Desk;
use sandbox::Sandbox;
use store::{StoreError, journal, tournaments};
use tokio::task::JoinHandle;

use super::Options;
use super::mails::Mails;
use super::receiver::Receiver;
use crate::auth::{self, NewKey, Role};
use crate::clock::MachineClock;
use crate::failure::Failure;
use crate::house::{House, Listeners};
use crate::regulations;
use crate::settings::{DeskSettings, LogFormat, LogSettings, ServiceSettings};
use crate::stop::{self, Stopper};

/// Where each tournament's desk clock begins: inside its window for entry.
const BEGINNINGS: &[(&str, &str)] = &[
    ("ciutat-barcelona-2026", "2026-07-10T10:00:00+02:00"),
    ("ellobregat-2026", "2026-09-01T10:00:00+02:00"),
    ("hermanos-rojas-2019", "2019-02-10T10:00:00-05:00"),
];

const WEBHOOK_SECRET: &str = "whsec_rehearsal";
const SANDBOX_KEY: &str = "sk_test_rehearsal";

/// A rehearsal that is being served.
pub(super) struct Stage {
    pub desk: Desk,
    pub clock: Arc<MachineClock>,
    pub rest: String,
    pub grpc: String,
    pub sandbox: Sandbox,
    pub receiver: Receiver,
    pub pairing: String,
    pub mails: Mails,
    /// Keys that the rehearsal shows: their roles and texts.
    pub staff_key: String,
    pub rules_key: String,
    /// Whether somebody has entered here before.
    pub used: bool,
    stopper: Stopper,
    served: JoinHandle<Result<(), Failure>>,
}

impl Stage {
    /// Sets everything up in a data folder and serves it.
    pub(super) async fn build(options: &Options, data: &Path) -> Result<Stage, Failure> {
        let sandbox = Sandbox::start(sandbox::Settings {
            secret_key: SANDBOX_KEY.to_owned(),
            ..sandbox::Settings::default()
        })?;
        let (receiver, pairing) = Receiver::start().await?;
        let folder = data.join("mails");
        let service = service(options, &folder, sandbox.base_url(), &pairing)?;
        let listeners = Listeners::bind(&service)?;
        let (rest, grpc) = (listeners.rest_url()?, listeners.grpc_url()?);
        sandbox.set_webhook(
            format!("{rest}/v1/gateways/stripe/main/events"),
            WEBHOOK_SECRET,
        );
        let clock = Arc::new(MachineClock::default());
        for (tournament, at) in BEGINNINGS {
            set(&clock, tournament, at)?;
        }
        let files = regulations::embedded()?;
        let settings = desk(data);
        let built = House::build(&settings, &service, rest.clone(), Arc::clone(&clock), files);
        let (house, organiser) = built.await?;
        let desk = house.app.desk.clone();
        let used = catch_up(&desk, &clock).await?;
        let staff_key = key(&desk, organiser, "back office", &[Role::Admin]).await?;
        let rules_key = key(&desk, organiser, "asks for quotes", &[Role::Rules]).await?;
        let (stopper, stop) = stop::pair();
        let served = tokio::spawn(house.serve(listeners, stop.wait()));
        Ok(Stage {
            desk,
            clock,
            rest,
            grpc,
            sandbox,
            receiver,
            pairing,
            mails: Mails::of(&folder),
            staff_key,
            rules_key,
            used,
            stopper,
            served,
        })
    }

    /// Moves a tournament's desk clock on.
    pub(super) fn move_clock(&self, tournament: &str, at: &str) -> Result<(), Failure> {
        set(&self.clock, tournament, at)
    }

    /// Stops everything.
    pub(super) async fn close(self) -> Result<(), Failure> {
        self.stopper.stop();
        let served = self.served.await.map_err(Failure::broken)?;
        self.sandbox.stop().await;
        served
    }
}

fn set(clock: &MachineClock, tournament: &str, at: &str) -> Result<(), Failure> {
    let tournament: TournamentId = tournament.parse().map_err(Failure::broken)?;
    let at: UtcTime = at.parse().map_err(Failure::broken)?;
    clock.set(&tournament, at).map_err(Failure::broken)
}

/// A desk clock goes on from what its journal has seen, where the data folder was used before; whether it was.
async fn catch_up(desk: &Desk, clock: &MachineClock) -> Result<bool, Failure> {
    let mut used = false;
    for regulation in desk.tournaments() {
        let id = regulation.tournament().clone();
        let read = move |c: &mut store::Conn| {
            let row = tournaments::find(c, &id)?.ok_or(StoreError::NotFound)?;
            let last = journal::after(c, &id, row.last_journal - 1, 1)?.pop();
            Ok::<_, StoreError>((row.last_form > 0, last.map(|row| row.at)))
        };
        let (entered, last) = desk.store().read(read).await?;
        used |= entered;
        let tournament = regulation.tournament();
        if let Some(at) = last.filter(|at| *at > clock.desk(tournament)) {
            clock.set(tournament, at).map_err(Failure::broken)?;
        }
    }
    Ok(used)
}

fn desk(data: &Path) -> DeskSettings {
    DeskSettings {
        data: data.to_owned(),
        database: store::Settings::new(format!("sqlite:{}", data.join("enroc.db").display())),
        secret: None,
        organiser_slug: "desk".to_owned(),
        organiser_name: "Rehearsal".to_owned(),
        regulations: Vec::new(),
        log: LogSettings {
            format: LogFormat::Text,
            filter: "warn".to_owned(),
        },
    }
}

fn service(
    options: &Options,
    mails: &Path,
    sandbox: &str,
    pairing: &str,
) -> Result<ServiceSettings, Failure> {
    let transport = MailTransport::Folder(mails.to_owned());
    let mut notifier = NotifierSettings::new(transport, "Enroc rehearsal <desk@example.org>");
    notifier.interval = Duration::from_millis(200);
    for (tournament, _) in BEGINNINGS {
        let target = PairingTarget {
            address: pairing.to_owned(),
            key: None,
        };
        notifier
            .pairing
            .insert(tournament.parse().map_err(Failure::broken)?, target);
    }
    let mut stripe = StripeSettings::new("main", SANDBOX_KEY.into(), vec![WEBHOOK_SECRET.into()]);
    sandbox.clone_into(&mut stripe.base_url);
    Ok(ServiceSettings {
        rest: SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)),
        grpc: SocketAddr::from((Ipv4Addr::LOCALHOST, options.grpc_port)),
        public_url: None,
        notice: Duration::ZERO,
        drain: Duration::from_secs(10),
        notifier,
        stripe: Some(stripe),
        patience: Duration::from_secs(60),
    })
}

async fn key(
    desk: &Desk,
    organiser: OrganiserId,
    label: &str,
    roles: &[Role],
) -> Result<String, Failure> {
    let new = NewKey {
        organiser,
        label: label.to_owned(),
        roles: roles.iter().copied().collect::<BTreeSet<_>>(),
        expires_at: None,
    };
    Ok(auth::make_key(desk, new).await?.1)
}
