//! The public doors of every process, as clients and the back office use them.

mod grpc;
mod rest;

use std::net::SocketAddr;
use std::time::Duration;

use rand::Rng;
use rand::rngs::StdRng;

use serde_json::Value;

use crate::Result;
use crate::command::{Answer, Asked, Ticket};

/// A client gives up on an answer after this, and asks again elsewhere.
const PATIENCE: Duration = Duration::from_secs(15);

/// Doors of all processes.
pub struct Doors {
    rest: Vec<rest::Rest>,
    grpc: Vec<grpc::Grpc>,
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// REST of this process.
    Rest(usize),
    /// gRPC of this process.
    Grpc(usize),
}

impl Doors {
    /// Doors at these addresses, REST and gRPC of each process; with the key of the back office.
    pub fn at(addresses: &[(SocketAddr, SocketAddr)], staff: &str) -> Result<Doors> {
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(PATIENCE)
            .build()?;
        let mut doors = Doors {
            rest: Vec::new(),
            grpc: Vec::new(),
        };
        for (rest, grpc) in addresses {
            doors
                .rest
                .push(rest::Rest::new(client.clone(), *rest, staff));
            doors.grpc.push(grpc::Grpc::new(*grpc, staff, PATIENCE)?);
        }
        Ok(doors)
    }

    /// Any door.
    pub fn any(&self, random: &mut StdRng) -> Door {
        let node = random.random_range(0..self.rest.len());
        if random.random() {
            Door::Rest(node)
        } else {
            Door::Grpc(node)
        }
    }

    /// Asks at a door.
    pub async fn ask(&self, door: Door, asked: &Asked) -> Answer {
        match door {
            Door::Rest(node) => self.rest[node].ask(asked).await,
            Door::Grpc(node) => self.grpc[node].ask(asked).await,
        }
    }
    /// An order as it stands, asked at any REST door; nothing where nobody answers.
    pub async fn see(&self, ticket: &Ticket, random: &mut StdRng) -> Option<Value> {
        let node = random.random_range(0..self.rest.len());
        self.rest[node].see(ticket).await
    }
}
