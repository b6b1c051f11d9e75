//! The REST door: `/v1`, JSON, problems as RFC 9457 has them. Every handler parses, calls one use case, and renders.

use std::net::TcpListener;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Data, ServiceConfig, get, post, resource};
use domain::Slug;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::App;
use crate::measure::Pattern;
use refusal::{Answer, Refusal};

mod body;
mod cancellation;
mod door;
mod gateways;
mod openapi;
mod orders;
mod page;
mod payments;
mod refusal;
mod regulations;
mod rules;
mod show;
mod staff;
mod tournaments;
mod visit;

pub use door::answer;
pub use openapi::document;

/// How the door is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Serving {
    /// Threads that answer.
    pub workers: usize,
    /// How long requests that are under way may take once it is told to stop.
    pub drain: Duration,
}

/// Mounts everything under `/v1`, and a problem for every address that nothing serves. It stands before whatever else is
/// served, as it is asked most; around it belongs [`answer`].
pub fn configure(config: &mut ServiceConfig, app: App) {
    let ui = SwaggerUi::new("/docs/{_:.*}")
        .config(Config::from("/v1/openapi.json"))
        .url("/openapi.json", document());
    config
        .app_data(Data::new(app))
        .configure(of_payers)
        .service(
            web::scope("/v1/staff")
                .wrap(Compress::default())
                .configure(of_staff),
        )
        .service(web::redirect("/v1/docs", "/v1/docs/"))
        .service(resource("/v1/docs/").route(get().to(openapi::page)))
        .service(web::scope("/v1").wrap(Compress::default()).service(ui))
        .default_service(web::to(unknown));
}

/// Serves the door and the pages on a bound listener, without handling signals.
///
/// # Errors
/// Where the listener cannot be used.
pub fn server(listener: TcpListener, app: App, serving: Serving) -> std::io::Result<Server> {
    let server = HttpServer::new(move || {
        let app = app.clone();
        actix_web::App::new()
            .wrap(from_fn(answer))
            .configure(|config| configure(config, app))
            .configure(crate::page::configure)
    });
    Ok(server
        .workers(serving.workers)
        .disable_signals()
        .shutdown_timeout(serving.drain.as_secs())
        .listen(listener)?
        .run())
}

fn of_payers(config: &mut ServiceConfig) {
    let at = |path| resource(path).app_data(Pattern(path));
    // Routes are tried in this order: what is asked most stands first.
    config
        .service(at("/v1/tournaments/{tournament}/quotes").route(post().to(rules::quote)))
        .service(
            at("/v1/tournaments")
                .route(get().to(tournaments::list))
                .wrap(Compress::default()),
        )
        .service(
            at("/v1/tournaments/{tournament}")
                .route(get().to(tournaments::one))
                .wrap(Compress::default()),
        )
        .service(
            at("/v1/tournaments/{tournament}/eligibility-checks")
                .route(post().to(rules::eligibility)),
        )
        .service(at("/v1/tournaments/{tournament}/refund-quotes").route(post().to(rules::refund)))
        .service(at("/v1/tournaments/{tournament}/bye-checks").route(post().to(rules::byes)))
        .service(at("/v1/tournaments/{tournament}/orders").route(post().to(orders::register)))
        .service(
            at("/v1/tournaments/{tournament}/regulations")
                .route(get().to(regulations::list))
                .wrap(Compress::default()),
        )
        .service(
            at("/v1/tournaments/{tournament}/regulations/{version}")
                .route(get().to(regulations::one))
                .wrap(Compress::default()),
        )
        .service(at("/v1/regulation-checks").route(post().to(regulations::check)))
        .service(at("/v1/orders/{order}").route(get().to(orders::one)))
        .service(at("/v1/orders/{order}/payments").route(post().to(payments::open)))
        .service(at("/v1/orders/{order}/slips").route(post().to(payments::slip)))
        .service(
            at("/v1/orders/{order}/cancellation")
                .route(get().to(cancellation::preview))
                .route(post().to(cancellation::cancel)),
        )
        .service(at("/v1/orders/{order}/refunds").route(get().to(orders::refunds)))
        .service(at("/v1/orders/{order}/byes").route(post().to(orders::byes)))
        .service(at("/v1/gateways/stripe/{account}/events").route(post().to(gateways::events)));
}

fn of_staff(config: &mut ServiceConfig) {
    use staff::{entries, left, lists, money, regulations, tournament};
    let at = |path: &'static str| resource(&path["/v1/staff".len()..]).app_data(Pattern(path));
    config
        .service(at("/v1/staff/tournaments/{tournament}/orders").route(get().to(lists::orders)))
        .service(at("/v1/staff/tournaments/{tournament}/journal").route(get().to(lists::journal)))
        .service(
            at("/v1/staff/tournaments/{tournament}/back-office")
                .route(get().to(lists::back_office)),
        )
        .service(
            at("/v1/staff/tournaments/{tournament}/capacity")
                .route(post().to(tournament::capacity)),
        )
        .service(
            at("/v1/staff/tournaments/{tournament}/regulations")
                .route(get().to(regulations::list))
                .route(post().to(regulations::publish)),
        )
        .service(
            at("/v1/staff/tournaments/{tournament}/regulation-previews")
                .route(post().to(regulations::preview)),
        )
        .service(at("/v1/staff/tournaments/{tournament}/codes").route(post().to(tournament::code)))
        .service(at("/v1/staff/entries/{entry}/approval").route(post().to(entries::approve)))
        .service(at("/v1/staff/entries/{entry}/rejection").route(post().to(entries::reject)))
        .service(at("/v1/staff/entries/{entry}/section").route(post().to(entries::place)))
        .service(at("/v1/staff/entries/{entry}/facts/{fact}").route(post().to(entries::fact)))
        .service(at("/v1/staff/entries/{entry}/byes").route(post().to(entries::byes)))
        .service(at("/v1/staff/entries/{entry}/proof").route(post().to(left::prove)))
        .service(at("/v1/staff/entries/{entry}/deposit").route(post().to(left::deposit)))
        .service(at("/v1/staff/tournaments/{tournament}/deposits").route(post().to(left::deposits)))
        .service(at("/v1/staff/orders/{order}/cancellation").route(post().to(money::cancel)))
        .service(at("/v1/staff/orders/{order}/refunds").route(post().to(money::refund)))
        .service(at("/v1/staff/payments/{payment}/confirmation").route(post().to(money::confirm)))
        .service(at("/v1/staff/payments/{payment}/refusal").route(post().to(money::refuse)))
        .service(at("/v1/staff/payments/{payment}/return").route(post().to(money::give_back)))
        .service(at("/v1/staff/refunds/{refund}/transfer").route(post().to(money::transferred)));
}

async fn unknown() -> Answer {
    Err(Refusal::from(Slug::UnknownPath))
}
