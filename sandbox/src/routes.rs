//! The operations under `/v1`, each with the name that faults know it by.

use serde_json::Value;

use crate::form::Form;
use crate::refusal::Refusal;
use crate::world::World;
use crate::{
    balance, charges, disputes, events, intents, methods, refunds, session_form, sessions,
};

/// One operation: the id in the path (empty when there is none) and the parameters give the answer.
type Run = fn(&mut World, &str, &Form) -> Result<Value, Refusal>;

pub(crate) struct Route {
    method: &'static str,
    /// Segments after `/v1/`; `*` stands for the id.
    path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) run: Run,
}

const fn get(path: &'static str, name: &'static str, run: Run) -> Route {
    Route {
        method: "GET",
        path,
        name,
        run,
    }
}

const fn post(path: &'static str, name: &'static str, run: Run) -> Route {
    Route {
        method: "POST",
        path,
        name,
        run,
    }
}

pub(crate) const ROUTES: &[Route] = &[
    post("payment_intents", "payment_intents.create", intents::create),
    get("payment_intents", "payment_intents.list", intents::list),
    get(
        "payment_intents/*",
        "payment_intents.retrieve",
        intents::retrieve,
    ),
    post(
        "payment_intents/*",
        "payment_intents.update",
        intents::update,
    ),
    post(
        "payment_intents/*/confirm",
        "payment_intents.confirm",
        intents::confirm,
    ),
    post(
        "payment_intents/*/cancel",
        "payment_intents.cancel",
        intents::cancel,
    ),
    post("payment_methods", "payment_methods.create", methods::create),
    get(
        "payment_methods/*",
        "payment_methods.retrieve",
        methods::retrieve,
    ),
    get("charges", "charges.list", charges::list),
    get("charges/*", "charges.retrieve", charges::retrieve),
    post("refunds", "refunds.create", refunds::create),
    get("refunds", "refunds.list", refunds::list),
    get("refunds/*", "refunds.retrieve", refunds::retrieve),
    post("refunds/*", "refunds.update", refunds::update),
    post("refunds/*/cancel", "refunds.cancel", refunds::cancel),
    post(
        "checkout/sessions",
        "checkout.sessions.create",
        session_form::create,
    ),
    get(
        "checkout/sessions",
        "checkout.sessions.list",
        sessions::list,
    ),
    get(
        "checkout/sessions/*",
        "checkout.sessions.retrieve",
        sessions::retrieve,
    ),
    post(
        "checkout/sessions/*",
        "checkout.sessions.update",
        sessions::update,
    ),
    get(
        "checkout/sessions/*/line_items",
        "checkout.sessions.line_items",
        sessions::line_items,
    ),
    post(
        "checkout/sessions/*/expire",
        "checkout.sessions.expire",
        sessions::expire,
    ),
    get("disputes", "disputes.list", disputes::list),
    get("disputes/*", "disputes.retrieve", disputes::retrieve),
    post("disputes/*", "disputes.update", disputes::update),
    post("disputes/*/close", "disputes.close", disputes::close),
    get(
        "balance_transactions",
        "balance_transactions.list",
        balance::list,
    ),
    get(
        "balance_transactions/*",
        "balance_transactions.retrieve",
        balance::retrieve,
    ),
    get("events", "events.list", events::list),
    get("events/*", "events.retrieve", events::retrieve),
];

/// The route of a request, with the id in its path.
pub(crate) fn find<'a>(method: &str, path: &'a str) -> Option<(&'static Route, &'a str)> {
    let segments: Vec<&str> = path.strip_prefix("/v1/")?.split('/').collect();
    ROUTES
        .iter()
        .filter(|route| route.method == method)
        .find_map(|route| {
            let pattern: Vec<&str> = route.path.split('/').collect();
            let fits = pattern.len() == segments.len()
                && pattern.iter().zip(&segments).all(|(wanted, got)| {
                    if *wanted == "*" {
                        !got.is_empty()
                    } else {
                        wanted == got
                    }
                });
            let place = pattern.iter().position(|segment| *segment == "*");
            fits.then(|| (route, place.map_or("", |place| segments[place])))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_operations_are_unique_and_routes_are_found() {
        for (index, route) in ROUTES.iter().enumerate() {
            assert!(
                ROUTES[..index].iter().all(|other| other.name != route.name),
                "{}",
                route.name
            );
        }
        let (route, id) = find("POST", "/v1/checkout/sessions/cs_test_1/expire").unwrap();
        assert_eq!((route.name, id), ("checkout.sessions.expire", "cs_test_1"));
        assert!(find("DELETE", "/v1/refunds/re_1").is_none());
        assert!(find("GET", "/v1/refunds/").is_none());
    }
}
