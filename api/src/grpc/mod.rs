//! The gRPC door: the rules engine, what payers do, what staff do; reflection and health beside them.

mod convert;
mod desk_service;
mod edge;
mod page;
mod refusal;
mod registration_service;
mod rules_service;
mod visit;

use std::future::Future;

use proto::registration::v1::desk_service_server::DeskServiceServer;
use proto::registration::v1::registration_service_server::RegistrationServiceServer;
use proto::rules::v1::rules_service_server::RulesServiceServer;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::app::App;

/// The longest message that is read, in bytes: 1 MiB, as at the REST door.
const LONGEST_MESSAGE: usize = 1 << 20;

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

/// Serves on a listener until `stop` resolves, and then until every call that runs has been answered.
///
/// # Errors
/// [`DoorError`].
pub async fn server(
    listener: TcpListener,
    app: App,
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
    health
        .set_serving::<RulesServiceServer<rules_service::Rules>>()
        .await;
    health
        .set_serving::<RegistrationServiceServer<registration_service::Payers>>()
        .await;
    health
        .set_serving::<DeskServiceServer<desk_service::Office>>()
        .await;
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()?;
    // Without it an answer's last frame waits until the caller has acknowledged those before it.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        .layer(edge::EdgeLayer)
        .add_service(rules)
        .add_service(payers)
        .add_service(office)
        .add_service(health_service)
        .add_service(reflection)
        .serve_with_incoming_shutdown(incoming, stop)
        .await?;
    Ok(())
}
