//! The processes of `enroc serve`: started, killed, frozen, started again at the same address.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use crate::Result;

/// Settings that a process has, as variables.
pub type Environment = Vec<(&'static str, String)>;

/// The program and how it is set up.
#[derive(Clone)]
pub struct Program {
    /// The file.
    pub file: PathBuf,
    /// What it is told.
    pub environment: Environment,
}

impl Program {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ENROC_") {
                command.env_remove(name);
            }
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command of it to its end.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        Ok(self.command().args(arguments).output()?)
    }
}

/// One process, or the place of one.
pub struct Node {
    program: Program,
    log: PathBuf,
    child: Option<Child>,
    /// Its REST door, whether it runs or not.
    pub rest: SocketAddr,
    /// Its gRPC door.
    pub grpc: SocketAddr,
}

impl Node {
    /// Takes two free ports and starts.
    pub fn start(program: Program, log: PathBuf) -> Result<Node> {
        let port = || TcpListener::bind("127.0.0.1:0")?.local_addr();
        let mut node = Node {
            program,
            log,
            child: None,
            rest: port()?,
            grpc: port()?,
        };
        node.revive()?;
        Ok(node)
    }

    /// Starts again, if it does not run.
    pub fn revive(&mut self) -> Result {
        self.revive_with(&[])
    }

    /// The same, and this once with more settings. A database that is away for a moment is waited for, as a supervisor does.
    pub fn revive_with(&mut self, also: &[(&str, String)]) -> Result {
        if let Some(child) = &mut self.child
            && child.try_wait()?.is_none()
        {
            return Ok(());
        }
        for _ in 0..100 {
            let log = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&self.log)?;
            let mut command = self.program.command();
            let mut child = command
                .arg("serve")
                .env("ENROC_REST_ADDRESS", self.rest.to_string())
                .env("ENROC_GRPC_ADDRESS", self.grpc.to_string())
                .envs(also.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(log)
                .spawn()?;
            let said = child.stdout.take().ok_or("a process without output")?;
            let mut line = String::new();
            BufReader::new(said).read_line(&mut line)?;
            self.child = Some(child);
            if line.starts_with("REST") {
                return Ok(());
            }
            self.kill()?;
            std::thread::sleep(Duration::from_millis(300));
        }
        Err(format!("a node does not start; see {}", self.log.display()).into())
    }

    /// SIGKILL.
    pub fn kill(&mut self) -> Result {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// How it ended, if it did by itself.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let ended = match &mut self.child {
            Some(child) => child.try_wait()?,
            None => None,
        };
        if ended.is_some() {
            self.child = None;
        }
        Ok(ended)
    }

    /// SIGSTOP, SIGCONT, SIGTERM: by name, without the `SIG`.
    pub fn signal(&self, name: &str) -> Result {
        let Some(child) = &self.child else {
            return Ok(());
        };
        let mut kill = Command::new("kill");
        kill.args([format!("-{name}"), child.id().to_string()])
            .status()?;
        Ok(())
    }

    /// Asks it to end and waits; whether it ended as it should.
    pub fn end(&mut self) -> Result<bool> {
        self.signal("TERM")?;
        let Some(mut child) = self.child.take() else {
            return Ok(true);
        };
        Ok(child.wait()?.success())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.kill());
    }
}
