//! Quotes a second at both doors, beside bare echoes of the same messages.

use std::net::SocketAddr;
use std::path::Path;

use prost::Message;
use proto::rules::v1::QuoteRequest;
use proto::rules::v1::rules_service_client::RulesServiceClient;
use tonic::transport::{Channel, Endpoint};

use super::Options;
use super::report::Door;
use crate::home::{Engine, Home};
use crate::http::{self, Connection};
use crate::load::{self, Client, Round};
use crate::numbers::Side;
use crate::process::{self, Service};
use crate::{Result, question};

/// Both doors, REST first.
pub async fn measure(program: &Path, options: &Options) -> Result<Vec<Door>> {
    let home = Home::fresh(program, Engine::Sqlite)?;
    home.add_regulation("asked", &question::regulation_text()?)?;
    let service = home.serve()?;
    Ok(vec![
        rest(&service, options).await?,
        grpc(&service, options).await?,
    ])
}

struct OverHttp {
    connection: Connection,
    request: Vec<u8>,
    answer: usize,
}

impl Client for OverHttp {
    async fn ask(&mut self) -> Result {
        let answer = self.connection.ask(&self.request).await?;
        if answer.status != 200 || answer.body.len().abs_diff(self.answer) > SLACK {
            let said = String::from_utf8_lossy(answer.body);
            return Err(format!("status {}: {said}", answer.status).into());
        }
        Ok(())
    }
}

/// Answers name the instant, so they are not all equally long.
const SLACK: usize = 16;

async fn over_http(
    address: SocketAddr,
    path: &str,
    answer: usize,
    n: u64,
) -> Result<Vec<OverHttp>> {
    let mut clients = Vec::new();
    for _ in 0..n {
        clients.push(OverHttp {
            connection: Connection::open(address).await?,
            request: http::post(path, "", &question::rest()),
            answer,
        });
    }
    Ok(clients)
}

async fn rest(service: &Service, options: &Options) -> Result<Door> {
    let path = format!("/v1/tournaments/{}/quotes", question::TOURNAMENT);
    let request = question::rest();
    let mut connection = Connection::open(service.rest).await?;
    let answer = connection.ask(&http::post(&path, "", &request)).await?;
    let said = String::from_utf8_lossy(answer.body);
    if !said.contains(r#""eligible":true"#) {
        return Err(format!("the REST door refuses: {said}").into());
    }
    let length = said.len();
    let (echo, address) = process::echo("echo-rest", &said)?;
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        let clients = over_http(address, "/", length, options.clients).await?;
        let bare = load::round(&echo, clients, options.round()).await?;
        let clients = over_http(service.rest, &path, length, options.clients).await?;
        let ours = load::round(&service.process, clients, options.round()).await?;
        rounds.push((bare, ours));
    }
    Ok(door("REST", request.len(), length, &rounds))
}

struct OverGrpc {
    client: RulesServiceClient<Channel>,
    request: QuoteRequest,
    answer: usize,
}

impl Client for OverGrpc {
    async fn ask(&mut self) -> Result {
        let answer = self.client.quote(self.request.clone()).await?;
        let length = answer.get_ref().encoded_len();
        if length.abs_diff(self.answer) > SLACK {
            return Err(format!("an answer of {length} bytes").into());
        }
        Ok(())
    }
}

async fn connect(address: SocketAddr) -> Result<RulesServiceClient<Channel>> {
    let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
    Ok(RulesServiceClient::new(endpoint.connect().await?))
}

async fn over_grpc(address: SocketAddr, answer: usize, n: u64) -> Result<Vec<OverGrpc>> {
    let mut clients = Vec::new();
    for _ in 0..n {
        clients.push(OverGrpc {
            client: connect(address).await?,
            request: question::grpc(),
            answer,
        });
    }
    Ok(clients)
}

async fn grpc(service: &Service, options: &Options) -> Result<Door> {
    let request = question::grpc();
    let mut client = connect(service.grpc).await?;
    let answer = client.quote(request.clone()).await?.into_inner();
    if !answer.quote.as_ref().is_some_and(|quote| quote.eligible) {
        return Err(format!("the gRPC door refuses: {answer:?}").into());
    }
    let length = answer.encoded_len();
    let (echo, address) = process::echo("echo-grpc", &length.to_string())?;
    let mut rounds = Vec::new();
    for _ in 0..options.rounds {
        let clients = over_grpc(address, length, options.clients).await?;
        let bare = load::round(&echo, clients, options.round()).await?;
        let clients = over_grpc(service.grpc, length, options.clients).await?;
        let ours = load::round(&service.process, clients, options.round()).await?;
        rounds.push((bare, ours));
    }
    Ok(door("gRPC", request.encoded_len(), length, &rounds))
}

fn door(name: &'static str, request: usize, answer: usize, rounds: &[(Round, Round)]) -> Door {
    Door {
        name,
        request_bytes: request,
        answer_bytes: answer,
        echo: Side::of(rounds.iter().map(|(bare, _)| bare)),
        enroc: Side::of(rounds.iter().map(|(_, ours)| ours)),
        ratios: rounds
            .iter()
            .map(|(bare, ours)| ours.per_second / bare.per_second.max(1.0))
            .collect(),
    }
}
