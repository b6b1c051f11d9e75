//! `enroc pairing listen`: a small receiver.

use std::net::SocketAddr;

use api::failure::Failure;
use api::stop;
use api::{aside, say};
use notifier::listen;
use tokio::net::TcpListener;

use crate::cli::PairingCommand;

pub async fn run(command: PairingCommand) -> Result<(), Failure> {
    let PairingCommand::Listen { address, json } = command;
    let (address, listener) = bind(address).await?;
    aside!("listening on http://{address}; Ctrl-C ends it");
    let sink = move |message: &_, kept| {
        if json.json {
            say!("{}", listen::json(message, kept));
        } else {
            say!("{}", listen::line(message, kept));
        }
    };
    let end = async {
        tokio::select! {
            asked = stop::asked() => drop(asked),
            () = say::unheard() => {}
        }
    };
    listen::serve(listener, sink, end)
        .await
        .map_err(Failure::broken)
}

async fn bind(address: SocketAddr) -> Result<(SocketAddr, TcpListener), Failure> {
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| Failure::broken(format!("{address}: {error}")))?;
    Ok((listener.local_addr()?, listener))
}
