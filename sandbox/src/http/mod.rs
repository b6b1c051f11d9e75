//! The shell: actix-web around the pure core.

mod api;
mod authenticate;
mod control;
mod html;
mod language;
mod pay;

use std::net::TcpListener;
use std::sync::Arc;

use actix_web::dev::Server;
use actix_web::web::{self, Data, PayloadConfig};
use actix_web::{App, HttpServer};

use crate::control::Control;
use crate::shared::Shared;

/// Bodies above this many bytes are refused.
const LARGEST_BODY: usize = 1 << 20;

pub(crate) fn serve(listener: TcpListener, shared: Arc<Shared>) -> std::io::Result<Server> {
    let control = Data::new(Control(Arc::clone(&shared)));
    let data = Data::from(shared);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(data.clone())
            .app_data(control.clone())
            .app_data(PayloadConfig::new(LARGEST_BODY))
            .service(web::resource("/c/pay/{id}").get(pay::show).post(pay::pay))
            .service(
                web::resource("/authenticate/{id}")
                    .get(authenticate::show)
                    .post(authenticate::decide),
            )
            .service(web::scope("/_sandbox").configure(control::configure))
            .default_service(web::to(api::answer))
    });
    Ok(server.workers(2).disable_signals().listen(listener)?.run())
}
