//! `expand[]`: ids replaced by the objects that they name. <https://docs.stripe.com/api/expanding_objects>

use serde_json::Value;

use crate::form::Form;
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;

/// Deeper paths are refused.
const DEEPEST: usize = 4;

/// What can be expanded somewhere in the objects of this server.
const EXPANDABLE: &[&str] = &[
    "balance_transaction",
    "charge",
    "customer",
    "data",
    "failure_balance_transaction",
    "latest_charge",
    "line_items",
    "payment_intent",
    "payment_method",
    "refunds",
    "source",
];

/// Refuses nonsense before the operation is carried out.
pub(crate) fn check(form: &Form) -> Result<(), Refusal> {
    for path in form.list("expand") {
        let steps: Vec<&str> = path.split('.').collect();
        if steps.len() > DEEPEST {
            let message = "You cannot expand more than 4 levels of a property.";
            return Err(Refusal::invalid(message).param("expand"));
        }
        if let Some(step) = steps.iter().find(|step| !EXPANDABLE.contains(step)) {
            return Err(not_expandable(step));
        }
    }
    Ok(())
}

/// Expands the answer in place.
pub(crate) fn apply(world: &World, answer: &mut Value, form: &Form) -> Result<(), Refusal> {
    for path in form.list("expand") {
        let steps: Vec<&str> = path.split('.').collect();
        walk(world, answer, &steps).map_err(|step| not_expandable(&step))?;
    }
    Ok(())
}

fn not_expandable(step: &str) -> Refusal {
    Refusal::invalid(format!("This property cannot be expanded ({step}).")).param("expand")
}

/// Follows the steps; the error is the one that leads nowhere.
fn walk(world: &World, at: &mut Value, steps: &[&str]) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        return Ok(());
    };
    if at["object"] == "list" && *step == "data" {
        return match at["data"].as_array_mut() {
            Some(rows) => rows.iter_mut().try_for_each(|row| walk(world, row, rest)),
            None => Ok(()),
        };
    }
    if let Some(included) = included_on_demand(world, at, step) {
        at[*step] = included;
    }
    let next = at.get_mut(*step).ok_or_else(|| (*step).to_owned())?;
    if let Some(id) = next.as_str() {
        *next = find(world, id).ok_or_else(|| (*step).to_owned())?;
    }
    if next.is_null() {
        Ok(())
    } else {
        walk(world, next, rest)
    }
}

/// Lists that an object carries only when asked for.
fn included_on_demand(world: &World, at: &Value, step: &str) -> Option<Value> {
    match (at["object"].as_str()?, step) {
        ("checkout.session", "line_items") => {
            Some(world.sessions.find(at["id"].as_str()?)?.line_items())
        }
        ("charge", "refunds") => {
            let id = at["id"].as_str()?;
            let form = Form::parse(format!("charge={id}").as_bytes());
            world
                .refunds
                .page(&format!("/v1/charges/{id}/refunds"), &form, |refund| {
                    refund.charge == id
                })
                .ok()
        }
        _ => None,
    }
}

/// The object with this id, of whatever kind.
pub(crate) fn find(world: &World, id: &str) -> Option<Value> {
    match id.split('_').next()? {
        "pi" => world.intents.find(id).map(Object::json),
        "ch" => world.charges.find(id).map(Object::json),
        "re" => world.refunds.find(id).map(Object::json),
        "cs" => world.sessions.find(id).map(Object::json),
        "du" => world.disputes.find(id).map(Object::json),
        "pm" => world.methods.find(id).map(Object::json),
        "txn" => world.balance.find(id).map(Object::json),
        "evt" => world.events.find(id).map(Object::json),
        _ => None,
    }
}
