//! Why a command ends without having done its work, and with which exit code.

use std::fmt;
use std::process::ExitCode;

use crate::aside;

/// A command's end: 1 where something is wrong with what it looked at, 2 where it could not do its work.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// The thing that was looked at is wrong: exit 1.
    pub fn wrong(message: impl fmt::Display) -> Self {
        Failure {
            code: 1,
            message: message.to_string(),
        }
    }

    /// The command could not do its work (settings, files, the database): exit 2.
    pub fn broken(message: impl fmt::Display) -> Self {
        Failure {
            code: 2,
            message: message.to_string(),
        }
    }

    /// The same, with what it is about in front.
    #[must_use]
    pub fn about(self, what: &dyn fmt::Display) -> Self {
        Failure {
            message: format!("{what}: {}", self.message),
            ..self
        }
    }

    /// Tells it on standard error and gives the exit code.
    #[must_use]
    pub fn tell(&self) -> ExitCode {
        if !self.message.is_empty() {
            aside!("enroc: {}", self.message);
        }
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

macro_rules! broken {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::broken(domain::chain(&error))
            }
        }
    )*};
}

broken!(
    domain::Problem,
    store::StoreError,
    std::io::Error,
    serde_json::Error
);
