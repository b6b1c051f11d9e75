//! The gRPC door: the rules engine, what payers do, what staff do; reflection and health beside them.

mod convert;
mod desk_service;
mod edge;
mod names;
mod page;
mod refusal;
mod registration_service;
mod rules_service;
mod visit;

use std::future::Future;

use proto::registration::v1::desk_service_server::{self, DeskServiceServer};
use proto::registration::v1::registration_service_server::{self, RegistrationServiceServer};
use proto::rules::v1::rules_service_server::{self, RulesServiceServer};
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;

use crate::app::App;

/// The longest message that is read, in bytes: 1 MiB, as at the REST door.
const LONGEST_MESSAGE: usize = 1 << 20;

/// The services of this door, as health and reflection know them.
const SERVED: [&str; 3] = [
    rules_service_server::SERVICE_NAME,
    registration_service_server::SERVICE_NAME,
    desk_service_server::SERVICE_NAME,
];
/// What stands beside them; many clients still ask the older reflection.
const BESIDE: [&str; 3] = [
    tonic_health::pb::health_server::SERVICE_NAME,
    tonic_reflection::pb::v1::server_reflection_server::SERVICE_NAME,
    tonic_reflection::pb::v1alpha::server_reflection_server::SERVICE_NAME,
];
/// The server as a whole, where a caller asks health about no service.
const WHOLE: &str = "";

/// Whether a service of this name stands behind the door.
fn is_served(service: &str) -> bool {
    SERVED.contains(&service) || BESIDE.contains(&service)
}

/// What tells of the services of this door; the contract has more, which pairing software serves.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    let contract = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET);
    SERVED
        .into_iter()
        .chain(BESIDE)
        .fold(contract, |known, name| known.with_service_name(name))
}

/// Why the door could not open, or broke.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// The descriptors of the contract cannot be read.
    #[error("the contract's descriptors: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The listener or a connection failed.
    #[error(transparent)]
    Transport(#[from] tonic::transport::Error),
}

/// Serves on a listener until `stop` resolves, and then until every call that runs has been answered. From when `leave`
/// resolves, health says that no service is served any more.
///
/// # Errors
/// [`DoorError`].
pub async fn server(
    listener: TcpListener,
    app: App,
    leave: impl Future<Output = ()>,
    stop: impl Future<Output = ()>,
) -> Result<(), DoorError> {
    let rules = RulesServiceServer::new(rules_service::Rules {
        desk: app.desk.clone(),
    })
    .max_decoding_message_size(LONGEST_MESSAGE);
    let payers = registration_service::Payers { app: app.clone() };
    let payers = RegistrationServiceServer::new(payers).max_decoding_message_size(LONGEST_MESSAGE);
    let office = DeskServiceServer::new(desk_service::Office { app })
        .max_decoding_message_size(LONGEST_MESSAGE);
    let (health, health_service) = tonic_health::server::health_reporter();
    for service in SERVED {
        health
            .set_service_status(service, ServingStatus::Serving)
            .await;
    }
    let gone = async {
        leave.await;
        for service in SERVED.into_iter().chain([WHOLE]) {
            health
                .set_service_status(service, ServingStatus::NotServing)
                .await;
        }
        stop.await;
    };
    // Without it an answer's last frame waits until the caller has acknowledged those before it.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        .layer(edge::EdgeLayer)
        .add_service(rules)
        .add_service(payers)
        .add_service(office)
        .add_service(health_service)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?)
        .serve_with_incoming_shutdown(incoming, gone)
        .await?;
    Ok(())
}
