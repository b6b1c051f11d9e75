//! `enroc serve`.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use api::failure::Failure;
use api::house::{House, Listeners};
use api::settings::{self, Given};
use api::{logs, stop};

pub async fn run(config: Option<&Path>) -> Result<(), Failure> {
    let given = settings::for_service(config, std::env::vars()).await;
    let Given {
        desk,
        service,
        files,
    } = given.map_err(Failure::broken)?;
    logs::start(&desk.log);
    let listeners = Listeners::bind(&service)?;
    let (rest, grpc) = (listeners.rest_url()?, listeners.grpc_url()?);
    let public_url = service.public_url.clone().unwrap_or_else(|| rest.clone());
    let (house, _) = House::build(&desk, &service, public_url, Arc::default(), files).await?;
    tell(&rest, &grpc);
    let end = async {
        if let Err(error) = stop::asked().await {
            tracing::error!(%error, "no signal can be heard");
        }
    };
    house.serve(listeners, end).await
}

/// Says where the doors are. Whoever started it may read this or not.
fn tell(rest: &str, grpc: &str) {
    let told = writeln!(std::io::stdout(), "REST {rest}\ngRPC {grpc}");
    if let Err(error) = told {
        tracing::debug!(%error, "nobody reads where the doors are");
    }
}
