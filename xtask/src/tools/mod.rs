//! What the tests need and a bare machine lacks.

pub mod postgres;
pub mod python;
mod system;

use std::env;
use std::path::PathBuf;

use crate::Result;

/// The variable that names a PostgreSQL server for tests.
pub const POSTGRES: &str = "ENROC_TEST_POSTGRES";
const PYTHON: &str = "ENROC_PYTHON";

/// All that the tests need; a cluster started for them ends with this value.
pub struct Tools {
    postgres: String,
    python: PathBuf,
    _cluster: Option<postgres::Cluster>,
}

impl Tools {
    /// Takes what the environment names, else finds or installs it.
    ///
    /// # Errors
    /// Something is missing and could not be installed; the message says what to install by hand.
    pub fn ready() -> Result<Self> {
        let python = match env::var_os(PYTHON) {
            Some(given) => given.into(),
            None => python::Packages::ready()?.program("python"),
        };
        let (postgres, cluster) = match env::var(POSTGRES) {
            Ok(given) => (given, None),
            Err(_) => {
                let cluster = postgres::Cluster::start(postgres::Flush::Never)?;
                (cluster.url(), Some(cluster))
            }
        };
        println!("{POSTGRES}={postgres}\n{PYTHON}={}", python.display());
        Ok(Self {
            postgres,
            python,
            _cluster: cluster,
        })
    }

    /// The variables by which tests find them.
    pub fn environment(&self) -> [(&'static str, PathBuf); 2] {
        [
            (POSTGRES, self.postgres.clone().into()),
            (PYTHON, self.python.clone()),
        ]
    }
}
