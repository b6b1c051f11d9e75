//! The machine: who we are on it, and its package manager.

use std::process::Command;

use crate::{Result, process};

/// A user by its numbers.
#[derive(Clone, Copy)]
pub struct User {
    pub uid: u32,
    pub gid: u32,
}

impl User {
    /// Who runs us.
    pub fn current() -> Result<Self> {
        Self::from_id(&[])
    }

    /// The user of that name, if the machine has one.
    pub fn named(name: &str) -> Option<Self> {
        Self::from_id(&[name]).ok()
    }

    pub fn is_root(self) -> bool {
        self.uid == 0
    }

    fn from_id(who: &[&str]) -> Result<Self> {
        let number = |flag| -> Result<u32> {
            Ok(process::read(Command::new("id").arg(flag).args(who))?
                .trim()
                .parse()?)
        };
        Ok(Self {
            uid: number("-u")?,
            gid: number("-g")?,
        })
    }
}

/// Installs a package by apt, as root or where sudo asks no password.
///
/// # Errors
/// There is no apt or no right to use it; the message asks for `wanted` to be installed by hand.
pub fn install(package: &str, wanted: &str) -> Result {
    let root = User::current()?.is_root();
    let sudo = || process::read(Command::new("sudo").args(["-n", "true"])).is_ok();
    if process::find("apt-get").is_none() || !(root || sudo()) {
        let cannot = "is missing and cannot be installed from here (no root, or no apt)";
        return Err(format!("{wanted} {cannot}; install it and run again").into());
    }
    println!("installing {package} by apt-get");
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new(if root { "env" } else { "sudo" });
        if !root {
            apt.args(["-n", "env"]);
        }
        apt.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]);
        process::read(apt.args(arguments)).map(drop)
    };
    apt(&["update"])?;
    apt(&["install", "-y", "--no-install-recommends", package])
}
