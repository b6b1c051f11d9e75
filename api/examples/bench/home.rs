//! A place for the program to be measured in: a folder, a database, regulations, a mail
//! server, and the least settings.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::ValueEnum;
use registration::Secret;
use serde::Serialize;
use store::testing::Database;
use tempfile::TempDir;

use crate::Result;
use crate::mailbox::Mailbox;
use crate::process::{Process, Service};

/// What keeps the data.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// A file in the data folder
    Sqlite,
    /// A database of its own on the server that `ENROC_TEST_POSTGRES` names
    Postgres,
}

/// A fresh folder and database; both are gone when this is dropped.
pub struct Home {
    program: PathBuf,
    folder: TempDir,
    server: Option<Database>,
    mailbox: Mailbox,
    settings: Vec<(&'static str, String)>,
}

impl Home {
    /// Makes one, without regulations.
    pub fn fresh(program: &Path, engine: Engine) -> Result<Home> {
        let server = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(
                Database::postgres()
                    .ok_or("ENROC_TEST_POSTGRES names no server; `cargo xtask bench` starts one")?,
            ),
        };
        let folder = TempDir::new()?;
        std::fs::create_dir(folder.path().join("regulations"))?;
        Ok(Home {
            program: program.to_owned(),
            folder,
            server,
            mailbox: Mailbox::open()?,
            settings: Vec::new(),
        })
    }

    /// Another one with the same content. Nothing may run on this one.
    pub fn copy(&self) -> Result<Home> {
        let folder = TempDir::new()?;
        for name in ["data", "regulations"] {
            let (from, to) = (self.folder.path().join(name), folder.path().join(name));
            std::fs::create_dir(&to)?;
            for file in std::fs::read_dir(from)? {
                let file = file?;
                std::fs::copy(file.path(), to.join(file.file_name()))?;
            }
        }
        Ok(Home {
            program: self.program.clone(),
            folder,
            server: self.server.as_ref().map(Database::copy),
            mailbox: Mailbox::open()?,
            settings: self.settings.clone(),
        })
    }

    /// What the desk makes its payers' tokens from.
    pub fn secret(&self) -> Result<Secret> {
        let bytes = std::fs::read(self.data().join("secret"))?;
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| "a secret of another length")?;
        Ok(Secret::new(bytes))
    }

    /// The address of the database.
    pub fn database(&self) -> String {
        match &self.server {
            Some(server) => server.settings().url,
            None => format!("sqlite:{}", self.data().join("enroc.db").display()),
        }
    }

    /// How long the file of the database is; nothing where it is on a server.
    pub fn database_bytes(&self) -> Option<u64> {
        let file = std::fs::metadata(self.data().join("enroc.db"));
        file.ok().map(|file| file.len())
    }

    /// The folder, on the same disk as the data.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Settings besides the least, by their names in the environment.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.settings.push((name, value.into()));
    }

    /// Lets it serve a tournament.
    pub fn add_regulation(&self, name: &str, text: &str) -> Result {
        let file = self.folder.path().join(format!("regulations/{name}.toml"));
        Ok(std::fs::write(file, text)?)
    }

    /// Runs a command of the program, as an operator does; what it printed.
    pub fn run(&self, arguments: &[&str]) -> Result<String> {
        let done = self.command().args(arguments).output()?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        if done.status.success() {
            return Ok(said);
        }
        let complaint = String::from_utf8_lossy(&done.stderr);
        let command = arguments.join(" ");
        Err(format!("enroc {command}: {}\n{said}{complaint}", done.status).into())
    }

    /// Serves; it answers, or will in a moment.
    pub fn serve(&self) -> Result<Service> {
        let log = self.folder.path().join("log");
        let mut command = self.command();
        command.arg("serve").stderr(File::create(&log)?);
        let mut process = Process::start(&mut command)?;
        let rest = process.address("REST").map_err(|error| {
            let log = std::fs::read_to_string(&log).unwrap_or_default();
            format!("enroc serve does not start: {error}\n{log}")
        })?;
        let grpc = process.address("gRPC")?;
        Ok(Service {
            process,
            rest,
            grpc,
        })
    }

    /// The program with the least settings that `serve` asks for, all else by default. Nothing goes to a gateway unless
    /// one is set.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ENROC_") {
                command.env_remove(name);
            }
        }
        let folder = self.folder.path();
        command
            .stdin(Stdio::null())
            .env("ENROC_DATA", self.data())
            .env("ENROC_REGULATIONS", folder.join("regulations"))
            .env("ENROC_REST_ADDRESS", "127.0.0.1:0")
            .env("ENROC_GRPC_ADDRESS", "127.0.0.1:0")
            .env("ENROC_MAIL_SMTP", self.mailbox.url())
            .env("ENROC_MAIL_FROM", "desk@example.org")
            .env("ENROC_STRIPE_KEY", "sk_test_nothing_is_charged_here")
            .env(
                "ENROC_STRIPE_WEBHOOK_SECRETS",
                "whsec_nothing_is_charged_here",
            );
        if let Some(server) = &self.server {
            command.env("ENROC_DATABASE_URL", server.settings().url);
        }
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }
}
