//! `enroc key`: keys of machines and of the back office.

use api::auth::{self, NewKey, Role};
use api::failure::Failure;
use api::house::OpenDesk;
use api::{aside, say};
use domain::KeyId;
use serde_json::{Value, json};
use store::keys::{self, Key};
use store::{Lane, StoreError};

use super::print_json;
use crate::cli::KeyCommand;

const DAY: i64 = 86_400;

pub async fn run(open: &OpenDesk, command: KeyCommand) -> Result<(), Failure> {
    match command {
        KeyCommand::Add {
            label,
            roles,
            expires_in_days,
            json,
        } => add(open, label, &roles, expires_in_days, json.json).await,
        KeyCommand::List(json) => list(open, json.json).await,
        KeyCommand::Revoke { id } => revoke(open, id).await,
    }
}

async fn add(
    open: &OpenDesk,
    label: String,
    roles: &[Role],
    days: Option<u32>,
    json: bool,
) -> Result<(), Failure> {
    let new = NewKey {
        organiser: open.organiser,
        label,
        roles: roles.iter().copied().collect(),
        expires_at: days.map(|days| open.desk.clock().wall().plus_seconds(i64::from(days) * DAY)),
    };
    let ends = new.expires_at;
    let (id, text) = auth::make_key(&open.desk, new).await?;
    if json {
        return print_json(&json!({ "id": id, "key": text, "expires_at": ends }));
    }
    say!("{text}");
    let ends = ends.map_or("It does not expire.".to_owned(), |end| {
        format!("It expires at {end}.")
    });
    aside!("This is {id}; it is shown this once. {ends}");
    Ok(())
}

async fn list(open: &OpenDesk, json: bool) -> Result<(), Failure> {
    let all = open.desk.store().read(keys::all).await?;
    let now = open.desk.clock().wall();
    let state = |key: &Key| {
        if key.revoked_at.is_some() {
            "revoked"
        } else if key.expires_at.is_some_and(|end| end <= now) {
            "expired"
        } else {
            "valid"
        }
    };
    if json {
        let shown: Vec<Value> = all
            .iter()
            .map(|key| {
                json!({
                    "id": key.id, "label": key.label, "roles": key.roles.split(',').collect::<Vec<_>>(), "state": state(key),
                    "created_at": key.created_at, "expires_at": key.expires_at, "revoked_at": key.revoked_at,
                })
            })
            .collect();
        return print_json(&shown);
    }
    for key in &all {
        say!(
            "{}  {:<7}  {:<20}  {}",
            key.id,
            state(key),
            key.roles,
            key.label
        );
    }
    Ok(())
}

async fn revoke(open: &OpenDesk, id: KeyId) -> Result<(), Failure> {
    let at = open.desk.clock().wall();
    let revoked = open
        .desk
        .store()
        .write(Lane::Settle, move |c| keys::revoke(c, id, at))
        .await;
    if revoked.map_err(|error: StoreError| Failure::from(error))? {
        say!("{id} is revoked.");
        Ok(())
    } else {
        Err(Failure::wrong(format!(
            "{id}: there is no such key, or it is revoked already"
        )))
    }
}
