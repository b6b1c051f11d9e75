//! `/livez`, `/readyz` and `/metrics`, on the REST listener.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpResponse, http::header};
use serde_json::json;
use store::tournaments;

use crate::app::App;
use crate::measure::{self, Pattern};

/// Whether the program takes no new work because it is about to end.
#[derive(Clone, Default)]
pub(crate) struct Draining(Arc<AtomicBool>);

impl Draining {
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

pub(crate) fn configure(config: &mut ServiceConfig) {
    let at = |path| web::resource(path).app_data(Pattern(path));
    config
        .service(at("/livez").route(web::get().to(alive)))
        .service(at("/readyz").route(web::get().to(ready)))
        .service(at("/metrics").route(web::get().to(measured)));
}

async fn alive() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "alive": true }))
}

/// A balancer asks every second, and wants to hear the truth within it.
const PATIENCE: Duration = Duration::from_millis(900);

/// Ready for work: the database answers and takes writes, and the program is not about to end. Its migrations were checked at the start.
async fn ready(app: Data<App>, draining: Data<Draining>) -> HttpResponse {
    let asked = app.desk.store().read(|c| {
        tournaments::all(c)?;
        c.takes_writes()
    });
    let answered = tokio::time::timeout(PATIENCE, asked).await;
    let database = matches!(answered, Ok(Ok(true)));
    let ending = draining.0.load(Ordering::Relaxed);
    let ready = database && !ending;
    let mut answer = if ready {
        HttpResponse::Ok()
    } else {
        HttpResponse::ServiceUnavailable()
    };
    answer.json(json!({
        "ready": ready,
        "database": database,
        "draining": ending,
        "tournaments": app.desk.tournaments().len(),
        "uptime_seconds": app.started.elapsed().as_secs(),
    }))
}

async fn measured(app: Data<App>) -> HttpResponse {
    let text = measure::render(app.desk.store(), app.started).await;
    HttpResponse::Ok()
        .insert_header((
            header::CONTENT_TYPE,
            "text/plain; version=0.0.4; charset=utf-8",
        ))
        .body(text)
}
