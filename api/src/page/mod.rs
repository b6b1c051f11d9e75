//! The page behind the link of a mail: an order as its payer sees it, to be paid or cancelled. It is one static page that
//! asks the REST door; the token stays behind `#` in the browser. Pages rendered here will take its place.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::{self, ServiceConfig};

/// Nothing but what this door itself serves may run, and nobody learns the address.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

pub(crate) fn configure(config: &mut ServiceConfig) {
    config
        .route("/", web::get().to(home))
        .route("/orders/page.js", web::get().to(script))
        .route("/orders/page.css", web::get().to(style))
        .route("/orders/{order}", web::get().to(order));
}

async fn home() -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, "/v1/docs/"))
        .finish()
}

async fn order() -> HttpResponse {
    asset("text/html; charset=utf-8", include_str!("page.html"))
}

async fn script() -> HttpResponse {
    asset("text/javascript; charset=utf-8", include_str!("page.js"))
}

async fn style() -> HttpResponse {
    asset("text/css; charset=utf-8", include_str!("page.css"))
}

fn asset(kind: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, kind))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(text)
}
