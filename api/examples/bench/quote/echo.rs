//! Bare echoes: each reads the same request as the program. Over REST it writes the JSON that the program answered, held
//! as a value; over gRPC a message of that length.

use actix_web::web::{Data, Json};
use actix_web::{App, HttpResponse, HttpServer, web};
use proto::rules::v1 as api;
use proto::rules::v1::rules_service_server::{RulesService, RulesServiceServer};
use serde_json::Value;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::Result;

async fn echo(said: Data<Value>, asked: Json<Value>) -> HttpResponse {
    if asked.0.is_null() {
        return HttpResponse::BadRequest().finish();
    }
    HttpResponse::Ok().json(said.get_ref())
}

/// Serves the REST echo, with as many workers as actix-web takes by itself.
pub async fn rest(answer: &str) -> Result {
    let said: Data<Value> = Data::new(serde_json::from_str(answer)?);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(said.clone())
            .route("/", web::post().to(echo))
    });
    let server = server.bind("127.0.0.1:0")?;
    for address in server.addrs() {
        println!("echo {address}");
    }
    Ok(server.run().await?)
}

struct Echo {
    said: String,
}

#[tonic::async_trait]
impl RulesService for Echo {
    async fn quote(
        &self,
        request: Request<api::QuoteRequest>,
    ) -> std::result::Result<Response<api::QuoteResponse>, Status> {
        if request.get_ref().entries.is_empty() {
            return Err(Status::invalid_argument("entries"));
        }
        let regulation = api::RegulationRef {
            hash: self.said.clone(),
            ..api::RegulationRef::default()
        };
        let quote = api::Quote {
            regulation: Some(regulation),
            ..api::Quote::default()
        };
        Ok(Response::new(api::QuoteResponse { quote: Some(quote) }))
    }

    async fn check_eligibility(
        &self,
        _: Request<api::CheckEligibilityRequest>,
    ) -> std::result::Result<Response<api::CheckEligibilityResponse>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn quote_refund(
        &self,
        _: Request<api::QuoteRefundRequest>,
    ) -> std::result::Result<Response<api::QuoteRefundResponse>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn check_byes(
        &self,
        _: Request<api::CheckByesRequest>,
    ) -> std::result::Result<Response<api::CheckByesResponse>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn check_regulation(
        &self,
        _: Request<api::CheckRegulationRequest>,
    ) -> std::result::Result<Response<api::CheckRegulationResponse>, Status> {
        Err(Status::unimplemented("an echo"))
    }

    async fn describe_regulation(
        &self,
        _: Request<api::DescribeRegulationRequest>,
    ) -> std::result::Result<Response<api::DescribeRegulationResponse>, Status> {
        Err(Status::unimplemented("an echo"))
    }
}

/// Serves the gRPC echo.
pub async fn grpc(answer: usize) -> Result {
    // One text inside three messages, each with a tag and a length of two bytes.
    let said = "x".repeat(answer.saturating_sub(9));
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse()?)?.with_nodelay(Some(true));
    println!("echo {}", incoming.local_addr()?);
    Server::builder()
        .add_service(RulesServiceServer::new(Echo { said }))
        .serve_with_incoming(incoming)
        .await?;
    Ok(())
}
