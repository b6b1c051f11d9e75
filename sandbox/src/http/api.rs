//! `/v1`: the key, the faults, the idempotency key, and the operation between them.

use actix_web::http::StatusCode;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use serde_json::Value;

use crate::events::API_VERSION;
use crate::expand;
use crate::faults::{Trouble, When};
use crate::form::Form;
use crate::idempotency::Answer;
use crate::refusal::Refusal;
use crate::routes::{self, Route};
use crate::shared::Shared;
use crate::world::{Caller, World};

/// A request as the core needs it.
struct Call {
    route: &'static Route,
    id: String,
    path: String,
    form: Form,
    key: Option<String>,
    request: String,
    version: String,
}

pub(crate) async fn answer(
    request: HttpRequest,
    body: Bytes,
    shared: Data<Shared>,
) -> HttpResponse {
    let call = match read(&request, &body, &shared) {
        Ok(call) => call,
        Err(refusal) => {
            let id = shared.peek(|world| world.new_id("req_"));
            return render(&refused(&refusal, id), API_VERSION, None);
        }
    };
    // Spawned, so that a caller who hangs up does not stop what has begun.
    let shared = shared.into_inner();
    match actix_web::rt::spawn(async move { carry_out(call, &shared).await }).await {
        Ok(response) => response,
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

fn read(request: &HttpRequest, body: &[u8], shared: &Shared) -> Result<Call, Refusal> {
    let header = |name: &str| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    let path = request.path().to_owned();
    let found = routes::find(request.method().as_str(), &path);
    let (route, id) =
        found.ok_or_else(|| Refusal::no_such_route(request.method().as_str(), &path))?;
    check_key(
        header(AUTHORIZATION.as_str()).as_deref(),
        &shared.secret_key,
    )?;
    let encoded = if request.method() == "GET" {
        request.query_string().as_bytes()
    } else {
        body
    };
    let key = header("idempotency-key").filter(|key| request.method() == "POST" && !key.is_empty());
    Ok(Call {
        route,
        id: id.to_owned(),
        form: Form::parse(encoded),
        key,
        request: shared.peek(|world| world.new_id("req_")),
        version: header("stripe-version").unwrap_or_else(|| API_VERSION.to_owned()),
        path,
    })
}

/// The secret key, as a Bearer token or as the user of Basic authentication.
fn check_key(header: Option<&str>, secret_key: &str) -> Result<(), Refusal> {
    let given = match header.and_then(|header| header.split_once(' ')) {
        Some(("Bearer", token)) => token.to_owned(),
        Some(("Basic", encoded)) => basic_user(encoded).unwrap_or_default(),
        _ => String::new(),
    };
    if given.is_empty() {
        return Err(Refusal::unauthenticated(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.",
        ));
    }
    if given != secret_key {
        let shown: String = given.chars().take(8).collect();
        return Err(Refusal::unauthenticated(format!(
            "Invalid API Key provided: {shown}****"
        )));
    }
    Ok(())
}

fn basic_user(encoded: &str) -> Option<String> {
    let decoded = String::from_utf8(
        base64::Engine::decode(&base64::engine::general_purpose::STANDARD, encoded).ok()?,
    )
    .ok()?;
    decoded.split(':').next().map(str::to_owned)
}

/// What the faults and the idempotency keys say to a call that comes in.
enum Admission {
    Lost(Trouble),
    Replayed(Answer, Option<Trouble>),
    Refused(Refusal),
    /// To be carried out, with the trouble before and after.
    Admitted(Option<Trouble>, Option<Trouble>),
}

/// What is lost or turned away on its way in never reaches the idempotency keys.
fn admit(world: &mut World, call: &Call) -> Admission {
    let (early, late) = match world.faults.next_api(call.route.name) {
        Some((trouble, When::BeforeEffect)) => (Some(trouble), None),
        Some((trouble, When::AfterEffect)) => (None, Some(trouble)),
        None => (None, None),
    };
    if let Some(trouble @ (Trouble::Hang(_) | Trouble::Disconnect | Trouble::RateLimited)) = early {
        return Admission::Lost(trouble);
    }
    let Some(key) = &call.key else {
        return Admission::Admitted(early, late);
    };
    let now = world.now();
    match world.keys.begin(key, &call.path, &call.form, now) {
        Ok(None) => Admission::Admitted(early, late),
        Ok(Some(answer)) => Admission::Replayed(answer, late),
        Err(refusal) => Admission::Refused(refusal),
    }
}

async fn carry_out(call: Call, shared: &Shared) -> HttpResponse {
    let (early, late) = match shared.enter(|world| admit(world, &call)) {
        Admission::Lost(trouble) => {
            let nothing = refused(&Refusal::rate_limited(), call.request.clone());
            return after(shared, nothing, Some(trouble), &call, false).await;
        }
        Admission::Replayed(answer, late) => return after(shared, answer, late, &call, true).await,
        Admission::Refused(refusal) => {
            return render(&refused(&refusal, call.request), &call.version, None);
        }
        Admission::Admitted(early, late) => (early, late),
    };
    if let Some(Trouble::Slow(milliseconds)) = early {
        shared.pass(milliseconds).await;
    }
    let fails = [&early, &late].map(|trouble| *trouble == Some(Trouble::ServerError));
    let (answer, at) = shared.enter(|world| (execute(world, &call, fails), world.now_ms()));
    if let Some(Trouble::Slow(milliseconds)) = late {
        shared.pass_from(at, milliseconds).await;
        return render(&answer, &call.version, None);
    }
    after(shared, answer, late, &call, false).await
}

/// Carries the call out, fails before or after it as told, and stores the answer under the key.
fn execute(world: &mut World, call: &Call, [fails_first, fails_last]: [bool; 2]) -> Answer {
    let result = if fails_first {
        Err(Refusal::server_error())
    } else {
        run(world, call)
    };
    let result = if fails_last && result.is_ok() {
        Err(Refusal::server_error())
    } else {
        result
    };
    let (answer, stored) = match &result {
        Ok(body) => {
            let request = call.request.clone();
            (
                Answer {
                    status: 200,
                    body: body.to_string(),
                    request,
                },
                true,
            )
        }
        Err(refusal) => (refused(refusal, call.request.clone()), refusal.executed),
    };
    if let Some(key) = &call.key {
        world.keys.finish(key, stored.then(|| answer.clone()));
    }
    answer
}

fn run(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    expand::check(&call.form)?;
    world.caller = Caller {
        request: Some(call.request.clone()),
        key: call.key.clone(),
    };
    let result = (call.route.run)(world, &call.id, &call.form);
    world.caller = Caller::default();
    let mut answer = result?;
    expand::apply(world, &mut answer, &call.form)?;
    Ok(answer)
}

/// Sends the answer, or what a fault makes of it on its way out.
async fn after(
    shared: &Shared,
    answer: Answer,
    late: Option<Trouble>,
    call: &Call,
    replayed: bool,
) -> HttpResponse {
    match late {
        Some(Trouble::Hang(milliseconds)) => return hang_up(shared, milliseconds).await,
        Some(Trouble::Disconnect) => return hang_up(shared, 0).await,
        Some(Trouble::RateLimited) => {
            let turned_away = refused(&Refusal::rate_limited(), call.request.clone());
            return render(&turned_away, &call.version, None);
        }
        Some(Trouble::Slow(milliseconds)) => shared.pass(milliseconds).await,
        Some(Trouble::ServerError) | None => {}
    }
    render(
        &answer,
        &call.version,
        replayed.then_some(call.request.as_str()),
    )
}

fn refused(refusal: &Refusal, request: String) -> Answer {
    Answer {
        status: refusal.status,
        body: refusal.envelope().to_string(),
        request,
    }
}

/// `replay` is the id of the request that is answered from the idempotency keys.
fn render(answer: &Answer, version: &str, replay: Option<&str>) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    response
        .insert_header(("stripe-version", version))
        .insert_header(("request-id", replay.unwrap_or(&answer.request)));
    if replay.is_some() {
        response
            .insert_header(("idempotent-replayed", "true"))
            .insert_header(("original-request", answer.request.as_str()));
    }
    if answer.status == 409 {
        response.insert_header(("stripe-should-retry", "true"));
    }
    response
        .content_type("application/json")
        .body(answer.body.clone())
}

/// Closes the connection after a while without having answered: a body that breaks before its first byte.
async fn hang_up(shared: &Shared, milliseconds: u64) -> HttpResponse {
    shared.pass(milliseconds).await;
    let broken = stream::once(async {
        Err::<Bytes, _>(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
    });
    HttpResponse::Ok().streaming(broken)
}
