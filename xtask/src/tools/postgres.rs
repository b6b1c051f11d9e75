//! A PostgreSQL cluster in a temporary folder, gone when we are.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::system::{self, User};
use crate::{Result, process};

/// Where Debian's packages keep each release's programs.
const DEBIAN: &str = "/usr/lib/postgresql";

/// Lives as long as its standard input: however we end, that closes, and the cluster goes with its folder.
const WATCHDOG: &str = r#"
cat
if pid=$(head -n 1 "$1/data/postmaster.pid"); then
    kill -QUIT "$pid"
    for _ in $(seq 100); do kill -0 "$pid" || break; sleep 0.1; done
    kill -KILL "$pid"
fi
rm -rf "$1"
"#;

/// Another process can take a free port between our look and the server's start.
const ATTEMPTS: u32 = 5;

/// Whether what is committed is on the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flush {
    /// Always: as a desk runs it, and as it is measured.
    Always,
    /// Never: for tests, which nobody reads after a power cut.
    Never,
}

/// A running server of which the tests are the only users.
pub struct Cluster {
    port: u16,
    watchdog: Child,
}

impl Cluster {
    /// Finds or installs PostgreSQL, makes a cluster and starts it.
    ///
    /// # Errors
    /// There is no PostgreSQL and it cannot be installed, or the server does not start; its log is in the message.
    pub fn start(flush: Flush) -> Result<Self> {
        let programs = match programs() {
            Some(found) => found,
            None => {
                system::install("postgresql", "PostgreSQL")?;
                programs().ok_or("the package postgresql brought no initdb and pg_ctl")?
            }
        };
        let user = server_user()?;
        let folder = tempfile::Builder::new()
            .prefix("enroc-postgres-")
            .tempdir()?;
        chown(folder.path(), Some(user.uid), Some(user.gid))?;
        let mut cluster = Self {
            port: 0,
            watchdog: watch(folder.path())?,
        };
        let folder = folder.keep();

        let site = Site {
            programs,
            folder,
            user,
        };
        site.create()?;
        for attempt in 1.. {
            cluster.port = free_port()?;
            match site.serve(cluster.port, flush) {
                Err(fault) if attempt == ATTEMPTS => return Err(fault),
                Err(_) => {}
                Ok(()) => break,
            }
        }
        Ok(cluster)
    }

    /// The address for its superuser.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        if let Err(fault) = self.watchdog.wait() {
            eprintln!("the test cluster may still be there: {fault}");
        }
    }
}

/// Where the cluster is, by which programs, as whom.
struct Site {
    programs: PathBuf,
    folder: PathBuf,
    user: User,
}

impl Site {
    fn create(&self) -> Result {
        let options = [
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ];
        process::read(self.command("initdb").args(options)).map(drop)
    }

    fn serve(&self, port: u16, flush: Flush) -> Result {
        let log = self.folder.join("log");
        let switch = match flush {
            Flush::Always => "on",
            Flush::Never => "off",
        };
        let options = format!(
            "-p {port} -k '{}' -c listen_addresses=127.0.0.1 -c max_connections=400 -c fsync={switch} \
             -c synchronous_commit={switch} -c full_page_writes={switch}",
            self.folder.display()
        );
        let mut start = self.command("pg_ctl");
        process::read(
            start
                .args(["start", "--wait", "--options", &options, "--log"])
                .arg(&log),
        )
        .map(drop)
        .map_err(|fault| format!("{fault}{}", fs::read_to_string(&log).unwrap_or_default()).into())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command
            .uid(self.user.uid)
            .gid(self.user.gid)
            .current_dir(&self.folder)
            .env("HOME", &self.folder);
        command.arg("--pgdata").arg(self.folder.join("data"));
        command
    }
}

/// The folder with a server's programs: PATH's, else the newest of Debian's.
fn programs() -> Option<PathBuf> {
    let complete = |folder: &PathBuf| {
        ["initdb", "pg_ctl", "postgres"]
            .iter()
            .all(|name| folder.join(name).is_file())
    };
    let in_path = process::find("initdb").and_then(|initdb| initdb.parent().map(Path::to_owned));
    in_path.filter(complete).or_else(|| {
        let releases = fs::read_dir(DEBIAN).ok()?.flatten();
        let release = |folder: &PathBuf| {
            folder
                .file_name()
                .and_then(|name| name.to_str()?.parse::<u32>().ok())
        };
        let newest = releases.map(|entry| entry.path()).max_by_key(release)?;
        Some(newest.join("bin")).filter(complete)
    })
}

/// PostgreSQL refuses to run as root; then it runs as a user that may do nothing else.
fn server_user() -> Result<User> {
    let current = User::current()?;
    if !current.is_root() {
        return Ok(current);
    }
    let found = User::named("postgres").or_else(|| User::named("nobody"));
    found.ok_or_else(|| {
        "PostgreSQL refuses root, and the machine has neither a user postgres nor nobody".into()
    })
}

/// In a process group of its own, so that Ctrl-C does not reach it before its work.
fn watch(folder: &Path) -> Result<Child> {
    let mut watchdog = Command::new("sh");
    watchdog
        .args(["-c", WATCHDOG, "watchdog"])
        .arg(folder)
        .process_group(0);
    Ok(watchdog
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn the_server_and_its_folder_go_when_we_do() {
        let folder = tempfile::tempdir().unwrap().keep();
        let mut server = Command::new("sleep").arg("600").spawn().unwrap();
        fs::create_dir(folder.join("data")).unwrap();
        fs::write(
            folder.join("data/postmaster.pid"),
            format!("{}\n5432\n", server.id()),
        )
        .unwrap();
        let end = thread::spawn(move || server.wait().unwrap());

        drop(Cluster {
            port: 5432,
            watchdog: watch(&folder).unwrap(),
        });

        assert!(!end.join().unwrap().success());
        assert!(!folder.exists());
    }

    #[test]
    fn a_folder_without_a_server_goes_too() {
        let folder = tempfile::tempdir().unwrap().keep();
        drop(Cluster {
            port: 5432,
            watchdog: watch(&folder).unwrap(),
        });
        assert!(!folder.exists());
    }
}
