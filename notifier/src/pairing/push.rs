//! The client of a pairing service's inbox.

use std::time::Duration;

use proto::pairing::v1::PushRequest;
use proto::pairing::v1::pairing_inbox_service_client::PairingInboxServiceClient;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

use crate::backoff::Class;
use crate::settings::PairingTarget;

/// Why a message did not arrive, and whether it may later.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct PairingError {
    /// What becomes of it.
    pub class: Class,
    what: String,
}

/// Pushes messages to one pairing service, one call each, over one connection that is made when it is first needed.
#[derive(Clone)]
pub struct Pusher {
    client: PairingInboxServiceClient<Channel>,
    key: Option<MetadataValue<Ascii>>,
    timeout: Duration,
}

impl Pusher {
    /// Reads the settings; connects to nothing yet. Needs a Tokio runtime around it.
    ///
    /// # Errors
    /// [`PairingError`] where the address or the key cannot be read.
    pub fn new(target: &PairingTarget, timeout: Duration) -> Result<Self, PairingError> {
        let wrong = |what: String| PairingError {
            class: Class::Refused,
            what,
        };
        let endpoint = Endpoint::from_shared(target.address.clone())
            .map_err(|error| wrong(format!("the pairing service's address is wrong: {error}")))?
            .connect_timeout(timeout)
            .timeout(timeout);
        let key = target
            .key
            .as_ref()
            .map(|key| format!("Bearer {key}").parse());
        let key = key
            .transpose()
            .map_err(|_| wrong("the pairing service's key is not plain text".to_owned()))?;
        let client = PairingInboxServiceClient::new(endpoint.connect_lazy());
        Ok(Pusher {
            client,
            key,
            timeout,
        })
    }

    /// Pushes one message; returns once it is acknowledged.
    ///
    /// # Errors
    /// [`PairingError`] with its class.
    pub async fn push(&self, message: PushRequest) -> Result<(), PairingError> {
        let sequence = message.sequence;
        let mut request = Request::new(message);
        request.set_timeout(self.timeout);
        if let Some(key) = &self.key {
            request.metadata_mut().insert("authorization", key.clone());
        }
        let mut client = self.client.clone();
        let answer = match tokio::time::timeout(self.timeout, client.push(request)).await {
            Ok(answer) => answer.map_err(|status| told(&status))?.into_inner(),
            Err(_) => {
                return Err(PairingError {
                    class: Class::Unreachable,
                    what: "the pairing service did not answer in time".to_owned(),
                });
            }
        };
        if answer.sequence == sequence {
            return Ok(());
        }
        Err(PairingError {
            class: Class::Deferred,
            what: format!(
                "the pairing service acknowledged {} in place of {sequence}",
                answer.sequence
            ),
        })
    }
}

/// A message that is called wrong is given up; whatever is about the connection, the key or the service's own trouble
/// is tried again.
fn told(status: &Status) -> PairingError {
    let class = match status.code() {
        Code::InvalidArgument | Code::OutOfRange | Code::AlreadyExists => Class::Refused,
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled | Code::Unknown => {
            Class::Unreachable
        }
        _ => Class::Deferred,
    };
    PairingError {
        class,
        what: format!("{:?}: {}", status.code(), status.message()),
    }
}
