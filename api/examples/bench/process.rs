//! The servers that are measured, each a process of its own.

use std::fmt::Display;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::Result;

/// Ticks of the processor accounts in `/proc`, a second.
const TICKS: u64 = 100;

/// A server that runs; it is ended when this is dropped.
pub struct Process {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Process {
    /// Starts one.
    pub fn start(command: &mut Command) -> Result<Process> {
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
    pub fn address(&mut self, word: &str) -> Result<SocketAddr> {
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
        memory(self.child.id(), name)
    }
}

/// A line of the memory account of a process, or of `self`, in bytes.
pub fn memory(process: impl Display, name: &str) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB"));
    let kilobytes: u64 = kilobytes.ok_or("no such line")?.trim().parse()?;
    Ok(kilobytes * 1_024)
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A bare echo: `echo-rest` with the answer that it gives, or `echo-grpc` with its length.
pub fn echo(which: &str, answer: &str) -> Result<(Process, SocketAddr)> {
    let mut command = Command::new(std::env::current_exe()?);
    let mut process = Process::start(command.args([which, answer]))?;
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

/// `enroc serve`.
pub struct Service {
    /// The process.
    pub process: Process,
    /// The REST door.
    pub rest: SocketAddr,
    /// The gRPC door.
    pub grpc: SocketAddr,
}
