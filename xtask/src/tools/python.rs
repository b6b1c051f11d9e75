//! A Python with the packages of `xtask/requirements.txt`, in `target/python`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::system;
use crate::{Result, process, project};

/// Where Debian puts its interpreter, whatever stands before it in PATH.
const SYSTEM_PYTHON: &str = "/usr/bin/python3";

/// The virtual environment, with all packages in it.
pub struct Packages {
    folder: PathBuf,
}

impl Packages {
    /// Makes it, unless it is there and made from the same requirements.
    ///
    /// # Errors
    /// There is no Python 3 that can make one, or a package cannot be had.
    pub fn ready() -> Result<Self> {
        let requirements = project::root().join("xtask/requirements.txt");
        let wanted = fs::read_to_string(&requirements)
            .map_err(|fault| format!("{}: {fault}", requirements.display()))?;
        let packages = Self {
            folder: project::root().join("target/python"),
        };
        let stamp = packages.folder.join("requirements.txt");
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(packages);
        }
        packages.create()?;
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--only-binary=:all:",
            "-r",
        ];
        process::run(
            Command::new(packages.program("python"))
                .args(pip)
                .arg(&requirements),
        )?;
        fs::write(&stamp, wanted)?;
        Ok(packages)
    }

    /// A program of the environment: `python`, or what a package brought.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    fn create(&self) -> Result {
        let venv = |python: &Path| {
            process::read(
                Command::new(python)
                    .args(["-m", "venv", "--clear"])
                    .arg(&self.folder),
            )
            .map(drop)
        };
        if process::find("python3").is_some_and(|python| venv(&python).is_ok()) {
            return Ok(());
        }
        // Debian ships python3 without the part that fills a new environment, or no Python at all.
        system::install("python3-venv", "Python 3 with its venv module")?;
        venv(Path::new(SYSTEM_PYTHON))
    }
}
