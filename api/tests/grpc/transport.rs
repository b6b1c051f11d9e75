//! What the door does below its services: broken and too long messages, reflection, health, ids and languages.

use prost::Message;
use proto::rules::v1 as engine;
use tokio_stream::StreamExt;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Response, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use tonic_reflection::pb::v1alpha;
use tonic_types::StatusExt;

use crate::facts::{entry, player};
use crate::stand::{BARCELONA, Row, Stand, assert_row, problem};

/// Bytes as they are.
#[derive(Clone, Copy, Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Raw;
    type Decoder = Raw;

    fn encoder(&mut self) -> Raw {
        Raw
    }

    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        prost::bytes::BufMut::put_slice(to, &item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut bytes = vec![0; prost::bytes::Buf::remaining(from)];
        prost::bytes::Buf::copy_to_slice(from, &mut bytes);
        Ok(Some(bytes))
    }
}

async fn call(
    stand: &Stand,
    path: &'static str,
    bytes: Vec<u8>,
) -> Result<Response<Vec<u8>>, Status> {
    let mut client = Grpc::new(stand.channel.clone());
    client.ready().await.unwrap();
    let mut request = Request::new(bytes);
    let id = "test-request-1".parse().unwrap();
    request.metadata_mut().insert("x-request-id", id);
    request
        .metadata_mut()
        .insert("accept-language", "ca".parse().unwrap());
    client
        .unary(request, PathAndQuery::from_static(path), Raw)
        .await
}

const QUOTE: &str = "/enroc.rules.v1.RulesService/Quote";
const REGISTER: &str = "/enroc.registration.v1.RegistrationService/Register";
const APPROVE: &str = "/enroc.registration.v1.DeskService/ApproveEntry";

#[tokio::test]
async fn undecodable_protobuf_is_an_invalid_argument() {
    let stand = Stand::new().await;
    let rows = stand.journal_rows().await;
    for path in [QUOTE, REGISTER, APPROVE] {
        for bytes in [
            b"\xff\xff\xff\xff".to_vec(),
            b"\x0a\x7fshort".to_vec(),
            b"{\"tournament\": \"x\"}".to_vec(),
            b"\x0a\x02\xff\xfe".to_vec(),
        ] {
            let status = call(&stand, path, bytes).await.unwrap_err();
            assert_eq!(status.code(), Code::InvalidArgument, "{path}: {status:?}");
            assert_eq!(problem(&status).0, "malformed-body");
            assert_eq!(problem(&status).1, ["message: malformed_body"]);
            assert_eq!(status.message(), "El cos de la petició no es pot llegir.");
            let details = status.get_error_details();
            assert_eq!(details.request_info().unwrap().request_id, "test-request-1");
        }
    }
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn a_message_over_one_mebibyte_is_too_large() {
    let stand = Stand::new().await;
    let rows = stand.journal_rows().await;
    for path in [QUOTE, REGISTER, APPROVE] {
        let long = engine::QuoteRequest {
            paid_at: None,
            received_at: None,
            currency: None,
            taken: std::collections::HashMap::new(),
            others: None,
            tournament: "x".repeat(2 << 20),
            ..engine::QuoteRequest::default()
        };
        let status = call(&stand, path, long.encode_to_vec()).await.unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted, "{path}: {status:?}");
        assert_eq!(problem(&status).0, "too-large");
        assert_eq!(problem(&status).1, ["message: too_large"]);
    }
    let just = engine::QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: std::collections::HashMap::new(),
        others: None,
        tournament: "x".repeat((1 << 20) - 16),
        ..engine::QuoteRequest::default()
    };
    let status = call(&stand, QUOTE, just.encode_to_vec()).await.unwrap_err();
    assert_eq!(problem(&status).0, "unknown-tournament");
    assert_eq!(stand.journal_rows().await, rows);
}

#[tokio::test]
async fn an_unknown_protobuf_field_is_ignored() {
    let stand = Stand::new().await;
    let message = engine::QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: std::collections::HashMap::new(),
        others: None,
        tournament: BARCELONA.to_owned(),
        entries: vec![entry("A", player("One"))],
        ..engine::QuoteRequest::default()
    };
    let mut bytes = message.encode_to_vec();
    // Field 1000 of wire type 0 (a varint), 7.
    bytes.extend([0xc0, 0x3e, 0x07]);
    let response = call(&stand, QUOTE, bytes).await.unwrap();
    let id = response.metadata().get("x-request-id").unwrap();
    assert_eq!(id, "test-request-1");
    let answer = engine::QuoteResponse::decode(response.into_inner().as_slice()).unwrap();
    assert_eq!(answer.quote.unwrap().total.unwrap().amount, 6_500);
}

#[tokio::test]
async fn an_unknown_service_or_method_is_unimplemented_by_name() {
    let stand = Stand::closed().await;
    let method: Row<'_> = (
        Code::Unimplemented,
        "unknown-method",
        &["method: unknown_method"],
    );
    let service: Row<'_> = (Code::Unimplemented, "unknown-path", &["path: unknown_path"]);
    for (path, row, sentence) in [
        (
            "/enroc.rules.v1.RulesService/Guess",
            method,
            "Aquesta adreça no admet aquest mètode.",
        ),
        (
            "/enroc.registration.v1.DeskService/",
            method,
            "Aquesta adreça no admet aquest mètode.",
        ),
        (
            "/grpc.health.v1.Health/Guess",
            method,
            "Aquesta adreça no admet aquest mètode.",
        ),
        (
            "/enroc.rules.v2.RulesService/Quote",
            service,
            "No hi ha res en aquesta adreça.",
        ),
        (
            "/enroc.pairing.v1.PairingInboxService/Deliver",
            service,
            "No hi ha res en aquesta adreça.",
        ),
        ("/", service, "No hi ha res en aquesta adreça."),
    ] {
        let status = call(&stand, path, Vec::new()).await.unwrap_err();
        assert_row(path, &status, row);
        assert_eq!(status.message(), sentence);
        let details = status.get_error_details();
        assert_eq!(details.request_info().unwrap().request_id, "test-request-1");
    }
}

#[tokio::test]
async fn a_request_id_that_is_not_plain_is_replaced() {
    let stand = Stand::closed().await;
    let mut request = Request::new(engine::QuoteRequest::default());
    let id = "a b c d e f g h".parse().unwrap();
    request.metadata_mut().insert("x-request-id", id);
    let status = stand.rules().quote(request).await.unwrap_err();
    let id = status
        .get_error_details()
        .request_info()
        .unwrap()
        .request_id
        .clone();
    assert_eq!(id.len(), 16);
    assert_eq!(status.metadata().get("x-request-id").unwrap(), id.as_str());
}

#[tokio::test]
async fn health_and_reflection_know_the_services() {
    let stand = Stand::closed().await;
    let mut health = HealthClient::new(stand.channel.clone());
    for service in [
        "",
        "enroc.rules.v1.RulesService",
        "enroc.registration.v1.RegistrationService",
        "enroc.registration.v1.DeskService",
    ] {
        let asked = HealthCheckRequest {
            service: service.to_owned(),
        };
        let answer = health.check(asked).await.unwrap().into_inner();
        assert_eq!(answer.status, 1, "{service}");
    }
    let mut reflection = ServerReflectionClient::new(stand.channel.clone());
    let asked = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let answers = reflection.server_reflection_info(tokio_stream::iter([asked]));
    let answer = answers
        .await
        .unwrap()
        .into_inner()
        .next()
        .await
        .unwrap()
        .unwrap();
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        panic!("{answer:?}");
    };
    let mut names: Vec<&str> = list.service.iter().map(|s| s.name.as_str()).collect();
    names.sort_unstable();
    let served = [
        "enroc.registration.v1.DeskService",
        "enroc.registration.v1.RegistrationService",
        "enroc.rules.v1.RulesService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
    ];
    assert_eq!(names, served, "what is listed is what is served");
    assert_eq!(listed_by_older_clients(&stand).await, served);
}

/// The services as a client of `grpc.reflection.v1alpha` lists them.
async fn listed_by_older_clients(stand: &Stand) -> Vec<String> {
    let mut reflection =
        v1alpha::server_reflection_client::ServerReflectionClient::new(stand.channel.clone());
    let asked = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(
            v1alpha::server_reflection_request::MessageRequest::ListServices(String::new()),
        ),
    };
    let answers = reflection.server_reflection_info(tokio_stream::iter([asked]));
    let mut answers = answers.await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response;
    let Some(v1alpha::server_reflection_response::MessageResponse::ListServicesResponse(list)) =
        answer
    else {
        panic!("{answer:?}");
    };
    let mut names: Vec<String> = list.service.into_iter().map(|s| s.name).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_door_that_is_about_to_close_says_so_and_still_answers() {
    let stand = Stand::new().await;
    stand.leave();
    let mut health = HealthClient::new(stand.channel.clone());
    for service in ["", "enroc.rules.v1.RulesService"] {
        let asked = || HealthCheckRequest {
            service: service.to_owned(),
        };
        let mut status = 1;
        for _ in 0..500 {
            status = health.check(asked()).await.unwrap().into_inner().status;
            if status != 1 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert_eq!(status, 2, "{service}");
    }
    let message = engine::QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: std::collections::HashMap::new(),
        others: None,
        tournament: BARCELONA.to_owned(),
        entries: vec![entry("A", player("Late"))],
        ..engine::QuoteRequest::default()
    };
    assert!(stand.rules().quote(message).await.is_ok());
    stand.stop().await;
}
