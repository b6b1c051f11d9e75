//! Whatever is done in whatever order, the money adds up.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;

use crate::cards::CARDS;
use crate::form::Form;
use crate::outbox::Webhook;
use crate::table::{Object, Table};
use crate::world::World;
use crate::{attempts, disputes, intents, refunds, session_form, sessions};

/// One act, with numbers that choose among what there is.
#[derive(Clone, Debug)]
enum Act {
    Pay { amount: i64, card: usize },
    Open { amount: i64 },
    PaySession { session: usize, card: usize },
    Expire { session: usize },
    Authenticate { intent: usize, passed: bool },
    Cancel { intent: usize },
    Refund { charge: usize, amount: Option<i64> },
    FailRefund { refund: usize },
    Dispute { charge: usize },
    CloseDispute { dispute: usize, won: bool },
    Advance { seconds: u64 },
}

fn act() -> impl Strategy<Value = Act> {
    let place = 0..8_usize;
    let card = 0..CARDS.len();
    prop_oneof![
        (1..9000_i64, card.clone()).prop_map(|(amount, card)| Act::Pay { amount, card }),
        (1..9000_i64).prop_map(|amount| Act::Open { amount }),
        (place.clone(), card).prop_map(|(session, card)| Act::PaySession { session, card }),
        place.clone().prop_map(|session| Act::Expire { session }),
        (place.clone(), any::<bool>())
            .prop_map(|(intent, passed)| Act::Authenticate { intent, passed }),
        place.clone().prop_map(|intent| Act::Cancel { intent }),
        (place.clone(), proptest::option::of(-5..9000_i64))
            .prop_map(|(charge, amount)| Act::Refund { charge, amount }),
        place.clone().prop_map(|refund| Act::FailRefund { refund }),
        place.clone().prop_map(|charge| Act::Dispute { charge }),
        (place, any::<bool>()).prop_map(|(dispute, won)| Act::CloseDispute { dispute, won }),
        (0..50_000_u64).prop_map(|seconds| Act::Advance { seconds }),
    ]
}

fn id<T: Object>(table: &Table<T>, place: usize) -> String {
    let ids: Vec<&str> = table.rows().map(Object::id).collect();
    ids.get(place % ids.len().max(1))
        .map_or_else(|| "none".to_owned(), |id| (*id).to_owned())
}

/// Does it; a refusal is as good an outcome as any.
fn perform(world: &mut World, act: &Act) {
    let form = |text: String| Form::parse(text.as_bytes());
    let _refused_or_not = match act {
        Act::Pay { amount, card } => {
            let number = CARDS[*card].number;
            let text = format!(
                "amount={amount}&currency=eur&payment_method_types[]=card&confirm=true&payment_method_data[type]=card\
                 &payment_method_data[card][number]={number}"
            );
            intents::create(world, "", &form(text)).map(drop)
        }
        Act::Open { amount } => {
            let text = format!(
                "mode=payment&success_url=http://x&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur\
                 &line_items[0][price_data][product_data][name]=A&line_items[0][price_data][unit_amount]={amount}"
            );
            session_form::create(world, "", &form(text)).map(drop)
        }
        Act::PaySession { session, card } => {
            let session = id(&world.sessions, *session);
            sessions::pay(world, &session, CARDS[*card].number, None)
        }
        Act::Expire { session } => sessions::end(world, &id(&world.sessions, *session)),
        Act::Authenticate { intent, passed } => {
            attempts::authenticate(world, &id(&world.intents, *intent), *passed)
        }
        Act::Cancel { intent } => {
            let intent = id(&world.intents, *intent);
            intents::cancel(world, &intent, &Form::default()).map(drop)
        }
        Act::Refund { charge, amount } => {
            let charge = id(&world.charges, *charge);
            let amount = amount.map_or_else(String::new, |amount| format!("&amount={amount}"));
            refunds::create(world, "", &form(format!("charge={charge}{amount}"))).map(drop)
        }
        Act::FailRefund { refund } => {
            refunds::fail(world, &id(&world.refunds, *refund), "lost_or_stolen_card")
        }
        Act::Dispute { charge } => {
            disputes::open(world, &id(&world.charges, *charge), "fraudulent")
        }
        Act::CloseDispute { dispute, won } => {
            disputes::end(world, &id(&world.disputes, *dispute), *won)
        }
        Act::Advance { seconds } => {
            world.advance(Duration::from_secs(*seconds), 0);
            Ok(())
        }
    };
}

fn sum(rows: &[Value], keep: impl Fn(&Value) -> bool) -> i64 {
    rows.iter()
        .filter(|row| keep(row))
        .filter_map(|row| row["amount"].as_i64())
        .sum()
}

fn all<T: Object>(table: &Table<T>) -> Vec<Value> {
    table.rows().map(Object::json).collect()
}

fn check(world: &World) {
    let (charges, refunds, disputes) = (
        all(&world.charges),
        all(&world.refunds),
        all(&world.disputes),
    );
    for charge in &charges {
        let of_it = |row: &Value| row["charge"] == charge["id"];
        let refunded = sum(&refunds, |row| of_it(row) && row["status"] != "failed");
        assert_eq!(charge["amount_refunded"], refunded);
        assert!(charge["amount"].as_i64() >= Some(refunded));
    }
    // What the account holds is what was paid, less what went back and what is disputed away.
    let paid = sum(&charges, |row| row["paid"] == true);
    let back = sum(&refunds, |row| row["status"] != "failed");
    let away = sum(&disputes, |row| row["status"] != "won");
    assert_eq!(sum(&all(&world.balance), |_| true), paid - back - away);
    for intent in all(&world.intents) {
        let paid = charges
            .iter()
            .filter(|row| row["payment_intent"] == intent["id"] && row["paid"] == true);
        assert_eq!(paid.count(), usize::from(intent["status"] == "succeeded"));
    }
    let statuses: BTreeMap<String, Value> = all(&world.intents)
        .into_iter()
        .map(|row| {
            (
                row["id"].as_str().unwrap_or_default().to_owned(),
                row["status"].clone(),
            )
        })
        .collect();
    for session in all(&world.sessions) {
        let intent = session["payment_intent"]
            .as_str()
            .and_then(|id| statuses.get(id));
        assert_eq!(
            session["payment_status"] == "paid",
            intent.is_some_and(|status| status == "succeeded")
        );
        assert!(session["status"] != "expired" || intent.is_none_or(|status| status == "canceled"));
    }
    assert_eq!(world.outbox.waiting().len(), world.events.rows().count());
}

proptest! {
    #[test]
    fn the_money_adds_up(acts in proptest::collection::vec(act(), 1..60)) {
        let mut world = World::new("http://localhost/".into(), Duration::from_secs(60), 0);
        world.outbox.endpoint = Some(Webhook { url: "http://localhost/".into(), secret: "whsec".into() });
        for act in &acts {
            perform(&mut world, act);
            check(&world);
        }
    }
}
