//! Everything set up: database, gateway, mail server, pairing service, processes, and the keys to it.

use std::path::Path;
use std::sync::Arc;

use api::house::OpenDesk;
use sandbox::Sandbox;
use serde_json::Value;
use store::testing::Database;

use crate::client::Street;
use crate::clocks::Clock;
use crate::doors::Doors;
use crate::gate::Gate;
use crate::node::{Node, Program};
use crate::pairing::Board;
use crate::shop::Shop;
use crate::smtp::Letterbox;
use crate::torment::Around;
use crate::{Engine, Options, Result, TOURNAMENTS};

const REGULATION: &str = include_str!("regulation.toml");
const CARD_KEY: &str = "sk_test_chaos";
const WEBHOOK_SECRET: &str = "whsec_chaos";

/// The whole set-up. What is dropped is ended.
pub struct World {
    /// The program with its settings.
    pub program: Program,
    /// The gateway.
    pub sandbox: Sandbox,
    /// Mails that came.
    pub letterbox: Letterbox,
    /// What the pairing service was told.
    pub board: Board,
    /// What can be tormented besides the processes.
    pub around: Around,
    /// Where the clients are.
    pub street: Street,
}

/// What is tormented by itself.
pub struct Victims {
    /// The processes.
    pub nodes: Vec<Node>,
    /// Their wall clocks.
    pub clocks: Vec<Clock>,
}

impl World {
    /// Sets everything up in a folder and starts the processes.
    pub async fn build(options: &Options, folder: &Path) -> Result<(World, Victims)> {
        let sandbox = card_sandbox()?;
        let (letterbox, mail) = Letterbox::open().await?;
        let (board, pairing) = Board::open().await?;
        let (mail, pairing) = (
            Gate::open(vec![mail]).await?,
            Gate::open(vec![pairing]).await?,
        );
        let database = match options.database {
            Engine::Sqlite => None,
            Engine::Postgres => Some(postgres().await?),
        };
        let url = match &database {
            None => format!("sqlite:{}", folder.join("enroc.db").display()),
            Some((database, gate)) => through(&database.settings().url, gate)?,
        };
        let targets = TOURNAMENTS.map(|(name, _)| format!("{name}=http://{}", pairing.address()));
        write_regulations(folder)?;
        let program = Program {
            file: options.program()?,
            environment: vec![
                ("ENROC_DATA", folder.display().to_string()),
                ("ENROC_DATABASE_URL", url),
                ("ENROC_DESK_SECRET", "5a".repeat(32)),
                ("ENROC_REGULATIONS", folder.display().to_string()),
                ("ENROC_PUBLIC_URL", "http://desk.example.org".to_owned()),
                ("ENROC_MAIL_SMTP", format!("smtp://{}", mail.address())),
                ("ENROC_MAIL_FROM", "desk@example.org".to_owned()),
                ("ENROC_STRIPE_KEY", CARD_KEY.to_owned()),
                ("ENROC_STRIPE_WEBHOOK_SECRETS", WEBHOOK_SECRET.to_owned()),
                ("ENROC_STRIPE_ADDRESS", sandbox.base_url().to_owned()),
                ("ENROC_STRIPE_PATIENCE_SECONDS", "5".to_owned()),
                ("ENROC_PAIRING_TARGETS", targets.join(",")),
                ("ENROC_LOG_FILTER", "info".to_owned()),
                ("ENROC_NOTICE_SECONDS", "0".to_owned()),
            ],
        };
        let staff = key(&program)?;
        let clocks = Clock::of(options.processes(), folder)?;
        let start = |number: u64| {
            let mut program = program.clone();
            let clock = clocks.get(usize::try_from(number)?);
            program
                .environment
                .extend(clock.map(Clock::environment).unwrap_or_default());
            Node::start(program, folder.join(format!("node-{number}.log")))
        };
        let nodes = (0..options.processes())
            .map(start)
            .collect::<Result<Vec<_>>>()?;
        let doors: Vec<_> = nodes.iter().map(|node| (node.rest, node.grpc)).collect();
        let webhooks = Gate::open(doors.iter().map(|(rest, _)| *rest).collect()).await?;
        let events = format!(
            "http://{}/v1/gateways/stripe/main/events",
            webhooks.address()
        );
        sandbox.set_webhook(events, WEBHOOK_SECRET);
        let around = Around {
            gateway: sandbox.control(),
            webhooks,
            mail,
            pairing,
            database,
        };
        let street = Street {
            doors: Arc::new(Doors::at(&doors, &staff)?),
            shop: Shop::at(sandbox.control(), sandbox.base_url(), CARD_KEY)?,
            commons: Arc::default(),
        };
        let world = World {
            street,
            program,
            sandbox,
            letterbox,
            board,
            around,
        };
        Ok((world, Victims { nodes, clocks }))
    }

    /// The desk as a command sees it: no doors, no loops.
    pub async fn desk(&self) -> Result<OpenDesk> {
        let environment = self.program.environment.iter();
        let environment = environment.map(|(name, value)| ((*name).to_owned(), value.clone()));
        let settings = api::settings::for_desk(None, environment)?;
        Ok(api::house::open(&settings).await?)
    }
}

fn card_sandbox() -> Result<Sandbox> {
    Ok(Sandbox::start(sandbox::Settings {
        secret_key: CARD_KEY.to_owned(),
        ..sandbox::Settings::default()
    })?)
}

fn write_regulations(folder: &Path) -> Result {
    for (name, approval) in TOURNAMENTS {
        let text = REGULATION
            .replace("\"chaos\"", &format!("\"{name}\""))
            .replace("\"by nobody\"", &format!("\"{approval}\""));
        std::fs::write(folder.join(format!("{name}.toml")), text)?;
    }
    Ok(())
}

/// A database of its own, and a gate before it. What the server acknowledged must be there after it was killed.
async fn postgres() -> Result<(Arc<Database>, Gate)> {
    let made = tokio::task::spawn_blocking(|| {
        let database = Database::postgres()?;
        let set = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$";
        Some(database.as_superuser(set).map(|()| database))
    });
    let database = made
        .await?
        .ok_or("ENROC_TEST_POSTGRES must name a server; `cargo xtask chaos` does that")??;
    let address = authority(&database.settings().url)?.1.parse()?;
    Ok((Arc::new(database), Gate::open(vec![address]).await?))
}

/// A URL cut in three: what stands before the host and port, these, and what stands behind.
fn authority(url: &str) -> Result<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://").ok_or("an address without a scheme")?;
    let start = scheme.len() + 3 + rest.find('@').map_or(0, |place| place + 1);
    let end = url[start..]
        .find('/')
        .map_or(url.len(), |place| start + place);
    Ok((&url[..start], &url[start..end], &url[end..]))
}

fn through(url: &str, gate: &Gate) -> Result<String> {
    let (before, _, behind) = authority(url)?;
    Ok(format!("{before}{}{behind}", gate.address()))
}

/// A key of the back office, in a database that is there then.
fn key(program: &Program) -> Result<String> {
    program.run(&["migrate"])?;
    let made = program.run(&[
        "key", "add", "--label", "chaos", "--role", "admin", "--json",
    ])?;
    let value: Value = serde_json::from_slice(&made.stdout)
        .map_err(|_| String::from_utf8_lossy(&made.stderr).into_owned())?;
    Ok(value["key"].as_str().ok_or("no key")?.to_owned())
}
