//! The servers that are measured, each a process of its own.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::{Result, question};

/// Ticks of the processor accounts in `/proc`, a second.
const TICKS: u64 = 100;

/// A server that runs; it is ended when this is dropped.
pub struct Process {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Process {
    fn start(command: &mut Command) -> Result<Process> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let said = child.stdout.take().ok_or("a process without output")?;
        Ok(Process {
            child,
            said: BufReader::new(said),
        })
    }

    /// Waits for the next line that it prints and takes the address after a word.
    fn address(&mut self, word: &str) -> Result<SocketAddr> {
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        let address = line.trim().strip_prefix(word).map(str::trim);
        let address = address.map(|url| url.trim_start_matches("http://"));
        let address = address.ok_or_else(|| format!("no address of {word}, but: {line}"))?;
        Ok(address.parse()?)
    }

    /// Processor time that it has taken, of all its threads.
    pub fn processor_time(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, fields) = stat.rsplit_once(')').ok_or("a strange /proc/PID/stat")?;
        let ticks: Vec<u64> = fields
            .split_whitespace()
            .skip(11)
            .take(2)
            .map_while(|field| field.parse().ok())
            .collect();
        Ok(Duration::from_millis(
            ticks.iter().sum::<u64>() * 1_000 / TICKS,
        ))
    }

    /// A line of its memory account, in bytes: `VmRSS`, `VmHWM`.
    pub fn memory(&self, name: &str) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB"));
        let kilobytes: u64 = kilobytes.ok_or("no such line")?.trim().parse()?;
        Ok(kilobytes * 1_024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A bare echo: `echo-rest` or `echo-grpc`, with answers of this length.
pub fn echo(which: &str, answer: usize) -> Result<(Process, SocketAddr)> {
    let mut command = Command::new(std::env::current_exe()?);
    let mut process = Process::start(command.args([which, &answer.to_string()]))?;
    let address = process.address("echo")?;
    Ok((process, address))
}

/// The program that is built beside this one, or another that was named.
pub fn program(named: Option<&Path>) -> Result<PathBuf> {
    let here = std::env::current_exe()?;
    let beside = here.ancestors().nth(2).map(|folder| folder.join("enroc"));
    let program = named.map(Path::to_owned).or(beside).ok_or("no program")?;
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!("{}: is not there; build it first", program.display()).into())
    }
}

/// `enroc serve` on a fresh data folder.
pub struct Service {
    /// The process.
    pub process: Process,
    /// The REST door.
    pub rest: SocketAddr,
    /// The gRPC door.
    pub grpc: SocketAddr,
    program: PathBuf,
    folder: TempDir,
}

/// Which regulations a service has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Regulations {
    /// All of the project, as they are.
    Project,
    /// The one that is asked about, with its window open.
    Asked,
}

impl Service {
    /// Starts one; it answers, or will in a moment.
    pub fn start(program: &Path, regulations: Regulations) -> Result<Service> {
        let folder = TempDir::new()?;
        let files = match regulations {
            Regulations::Project => PathBuf::from("regulations"),
            Regulations::Asked => {
                let file = folder.path().join("asked.toml");
                std::fs::write(&file, question::regulation_text()?)?;
                file
            }
        };
        let mut command = at_home(program, &folder);
        let log = File::create(folder.path().join("log"))?;
        command
            .arg("serve")
            .env("ENROC_REGULATIONS", files)
            .stderr(log);
        let mut process = Process::start(&mut command)?;
        let rest = process.address("REST").map_err(|error| {
            let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
            format!("enroc serve does not start: {error}\n{log}")
        })?;
        Ok(Service {
            rest,
            grpc: process.address("gRPC")?,
            process,
            program: program.to_owned(),
            folder,
        })
    }

    /// Opens the tournament, as an operator does.
    pub fn open_for(&self, entries: u64) -> Result<()> {
        let done = at_home(&self.program, &self.folder)
            .args(["tournament", "open", question::TOURNAMENT, "--capacity"])
            .arg(entries.to_string())
            .stdout(Stdio::null())
            .status()?;
        if done.success() {
            Ok(())
        } else {
            Err("the tournament could not be opened".into())
        }
    }
}

/// The program with the least settings that `serve` asks for, all else by default. No card is charged, so nothing goes to its gateway.
fn at_home(program: &Path, folder: &TempDir) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ENROC_") {
            command.env_remove(name);
        }
    }
    command
        .env("ENROC_DATA", folder.path().join("data"))
        .env("ENROC_REST_ADDRESS", "127.0.0.1:0")
        .env("ENROC_GRPC_ADDRESS", "127.0.0.1:0")
        .env("ENROC_MAIL_FOLDER", folder.path().join("mail"))
        .env("ENROC_MAIL_FROM", "desk@example.org")
        .env("ENROC_STRIPE_KEY", "sk_test_nothing_is_charged_here")
        .env(
            "ENROC_STRIPE_WEBHOOK_SECRETS",
            "whsec_nothing_is_charged_here",
        );
    command
}
