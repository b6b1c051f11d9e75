//! Two who act on one order at once: one refund for a key, no more back than came in, each payment, refund and cancellation
//! once, one order for a slip, one event in the inbox.

use domain::{Cause, OrderId, RefundMethod, Status};
use payments::{Envelope, Inbox};
use registration::{By, Cancel, Observed, RefundState, Seen, SeenRefund, SeenState, StaffRefund};
use store::Settings;
use store::guard::Guard;
use store::testing::drop_unique;

use super::{Pair, ends};
use crate::world::{BARCELONA, ROJAS, World, entry, eur, id, order, payer, slip, team, treasurer};

const KEYS: &str = "PRIMARY KEY (caller, operation, tournament_id, key)";
const EVENTS: &str = "PRIMARY KEY (account, id)";
const ACCOUNT: &str = "stripe:main";

async fn paid(world: &World) -> OrderId {
    let order = world.enter("Pagada").await.order;
    world.pay(BARCELONA, order).await;
    order
}

/// Staff give back so much of an order of 60, here and there; how each ended, and what goes back in all.
async fn give_back(
    pair: &Pair,
    without: &[Guard],
    by: [By; 2],
    amount: i64,
) -> ([String; 2], i64, Vec<String>) {
    let order = paid(&pair.here).await;
    let ask = StaffRefund {
        amount: eur(amount),
        method: RefundMethod::Card,
    };
    let tournament = id(BARCELONA);
    let both = pair.race(
        without,
        pair.here
            .desk
            .refund_by_staff(&by[0], &tournament, order, ask),
        pair.there.refund_by_staff(&by[1], &tournament, order, ask),
    );
    let ends = ends(both.await, |refunds| format!("refunds: {}", refunds.len()));
    let goes_back = pair.here.view(order).await.refunds;
    let goes_back = goes_back.iter().map(|r| r.amount).sum();
    (ends, goes_back, pair.findings().await)
}

/// One request under one key, sent here and there.
async fn one_key(settings: &Settings, without: &[Guard]) -> ([String; 2], i64, Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    give_back(&pair, without, ["same", "same"].map(treasurer), 2_500).await
}

/// Two requests of 40 each, of 60 that came in.
async fn one_sum(settings: &Settings, without: &[Guard]) -> ([String; 2], i64, Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    give_back(&pair, without, ["one", "other"].map(treasurer), 4_000).await
}

/// The gateway shows one payment here and there: how it was seen, what the order took, what goes back.
async fn one_payment(
    settings: &Settings,
    without: &[Guard],
) -> ([String; 2], (i64, i64), Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    let order = pair.here.enter("Pagada").await.order;
    pair.here.open_payment(BARCELONA, order).await;
    let seen = Seen {
        reference: pair.here.reference(order).await,
        intent: None,
        payment: None,
        order: None,
        key: None,
        state: SeenState::Succeeded {
            received: eur(6_000),
            charged_at: pair.here.desk.clock().wall(),
        },
    };
    let both = pair.race(
        without,
        pair.here.desk.observe_payment(ACCOUNT, seen.clone()),
        pair.there.observe_payment(ACCOUNT, seen),
    );
    let ends = ends(both.await, |seen: Observed| format!("{seen:?}"));
    let view = pair.here.view(order).await;
    assert_eq!(view.status, Status::Confirmed);
    (ends, (view.paid, view.refunded), pair.findings().await)
}

/// The gateway shows here and there that a refund has arrived.
async fn one_refund(settings: &Settings, without: &[Guard]) -> ([String; 2], Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    let order = paid(&pair.here).await;
    let ask = StaffRefund {
        amount: eur(6_000),
        method: RefundMethod::Card,
    };
    let (by, tournament) = (treasurer("r"), id(BARCELONA));
    let refunds = pair.here.desk.refund_by_staff(&by, &tournament, order, ask);
    let refund = refunds.await.unwrap()[0];
    let seen = SeenRefund {
        reference: "re_1".into(),
        intent: pair.here.view(order).await.payments[0].intent.clone(),
        refund: Some(refund),
        amount: eur(6_000),
        state: RefundState::Succeeded,
    };
    let both = pair.race(
        without,
        pair.here.desk.observe_refund(ACCOUNT, seen.clone()),
        pair.there.observe_refund(ACCOUNT, seen),
    );
    (
        ends(both.await, |seen: Observed| format!("{seen:?}")),
        pair.findings().await,
    )
}

/// A payer cancels here and there, and two more come for the one seat.
async fn one_cancellation(
    settings: &Settings,
    without: &[Guard],
) -> ([String; 2], [Status; 2], Vec<String>) {
    let pair = Pair::open(settings, 1).await;
    let order = pair.here.enter("Primera").await.order;
    let leave = || Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let (by, tournament) = (payer(), id(BARCELONA));
    let both = pair.race(
        without,
        pair.here.desk.cancel(&by, &tournament, order, leave()),
        pair.there.cancel(&by, &tournament, order, leave()),
    );
    let ends = ends(both.await, |_| "cancelled".into());
    let next = [
        pair.here.enter("Segona").await,
        pair.here.enter("Tercera").await,
    ];
    (ends, next.map(|n| n.status), pair.findings().await)
}

/// Two teams bring the same slip.
async fn one_slip(settings: &Settings) -> [String; 2] {
    let pair = Pair::open(settings, 9).await;
    let brings = |name, institution, pupils| {
        let asked = entry(Some("primario"), team(name, institution, pupils));
        let mut command = order(ROJAS, vec![asked]);
        command.slip = Some(slip("V-1", 8_000));
        command
    };
    let one = brings("A", "I.E. Prueba", ["Ana", "Beto", "Carla", "Dino"]);
    let other = brings("B", "I.E. Otra", ["Irene", "Juan", "Kike", "Luis"]);
    let by = payer();
    let both = pair.race(
        &[],
        pair.here.desk.register(&by, one),
        pair.there.register(&by, other),
    );
    ends(both.await, |registered| registered.status.to_string())
}

/// One event is delivered here and there, and acted on here and there; whether it was new, and what the order took.
async fn one_event(settings: &Settings) -> ([String; 2], i64, Vec<String>) {
    let pair = Pair::open(settings, 9).await;
    let order = pair.here.enter("Pagada").await.order;
    pair.here.open_payment(BARCELONA, order).await;
    let page = pair.here.reference(order).await;
    pair.here.control().pay(&page, "4242424242424242").unwrap();
    let event = Envelope {
        id: "evt_1".into(),
        kind: "checkout.session.completed".into(),
        created: None,
        api_version: None,
        livemode: Some(false),
        object: Some(page),
        object_kind: None,
    };
    let desks = [pair.here.desk.clone(), pair.there.clone()];
    let [here, there] = desks.map(|desk| Inbox::new(desk, vec![pair.here.gateway.clone()]));
    let both = pair.race(&[], here.take(ACCOUNT, &event), there.take(ACCOUNT, &event));
    let ends = ends(both.await, |is_new| format!("new: {is_new}"));
    let (one, other) = tokio::join!(here.step(), there.step());
    one.and(other).unwrap();
    (
        ends,
        pair.here.view(order).await.paid,
        pair.findings().await,
    )
}

fn as_strings<const N: usize>(words: [&str; N]) -> [String; N] {
    words.map(str::to_owned)
}

store::both! {
    async fn a_key_is_used_once(settings: Settings) {
        drop_unique(&settings, "idempotency", KEYS);
        let once = (as_strings(["refunds: 1", "refunds: 1"]), 2_500, vec![]);
        assert_eq!(one_key(&settings, &[]).await, once, "the second is answered as the first");
    }

    async fn behind_the_guard_of_a_key_stands_the_primary_key(settings: Settings) {
        let refused = (as_strings(["changed-meanwhile", "refunds: 1"]), 2_500, vec![]);
        assert_eq!(one_key(&settings, &[Guard::Key]).await, refused);
    }

    async fn without_its_guards_a_key_is_used_twice(settings: Settings) {
        drop_unique(&settings, "idempotency", KEYS);
        let (ends, goes_back, _) = one_key(&settings, &[Guard::Key]).await;
        assert_eq!((ends, goes_back), (as_strings(["refunds: 1", "refunds: 1"]), 5_000));
    }

    async fn no_more_goes_back_than_came_in(settings: Settings) {
        let one = (as_strings(["nothing-left", "refunds: 1"]), 4_000, vec![]);
        assert_eq!(one_sum(&settings, &[]).await, one);
    }

    async fn without_its_guard_more_goes_back_than_came_in(settings: Settings) {
        let (ends, goes_back, found) = one_sum(&settings, &[Guard::Refund]).await;
        assert_eq!((ends, goes_back), (as_strings(["refunds: 1", "refunds: 1"]), 8_000));
        assert!(found.contains(&"8000 goes back, but 4000 is noted as refunded".to_owned()), "{found:?}");
    }

    async fn a_payment_is_taken_once(settings: Settings) {
        let once = (as_strings(["Known", "Known"]), (6_000, 0), vec![]);
        assert_eq!(one_payment(&settings, &[]).await, once);
    }

    async fn behind_the_guard_of_a_payment_stands_its_state(settings: Settings) {
        let once = (as_strings(["Known", "changed-meanwhile"]), (6_000, 0), vec![]);
        assert_eq!(one_payment(&settings, &[Guard::Payment]).await, once);
    }

    async fn without_its_guards_a_payment_is_taken_twice(settings: Settings) {
        let (ends, sums, found) = one_payment(&settings, &[Guard::Payment, Guard::State]).await;
        assert_eq!((ends, sums), (as_strings(["Known", "Known"]), (12_000, 6_000)));
        assert!(found.contains(&"6000 came in, but 12000 is noted as paid".to_owned()), "{found:?}");
    }

    async fn a_refund_arrives_once(settings: Settings) {
        assert_eq!(one_refund(&settings, &[]).await, (as_strings(["Known", "Known"]), vec![]));
    }

    async fn behind_the_guard_of_a_refund_stands_its_state(settings: Settings) {
        assert_eq!(one_refund(&settings, &[Guard::Refund]).await, (as_strings(["Known", "changed-meanwhile"]), vec![]));
    }

    async fn without_its_guards_a_refund_arrives_twice(settings: Settings) {
        let (ends, found) = one_refund(&settings, &[Guard::Refund, Guard::State]).await;
        assert_eq!(ends, ["Known", "Known"]);
        assert_eq!(found, ["the ledger has 6000 EUR on refunds_payable, not 0"]);
    }

    async fn a_seat_is_given_back_once(settings: Settings) {
        let once = (as_strings(["cancelled", "illegal-move"]), [Status::Held, Status::Waitlisted], vec![]);
        assert_eq!(one_cancellation(&settings, &[]).await, once);
    }

    async fn behind_the_guard_of_an_entry_stands_its_state(settings: Settings) {
        let once = (as_strings(["cancelled", "changed-meanwhile"]), [Status::Held, Status::Waitlisted], vec![]);
        assert_eq!(one_cancellation(&settings, &[Guard::Entry]).await, once);
    }

    async fn without_its_guards_a_seat_is_given_back_twice(settings: Settings) {
        let (ends, next, found) = one_cancellation(&settings, &[Guard::Entry, Guard::State]).await;
        assert_eq!((ends, next), (as_strings(["cancelled", "cancelled"]), [Status::Held, Status::Held]));
        assert!(found.contains(&"more seats are taken than there are".to_owned()), "{found:?}");
    }

    async fn a_slip_pays_one_order(settings: Settings) {
        assert_eq!(one_slip(&settings).await, ["held", "slip-used"]);
    }

    async fn without_its_index_a_slip_pays_two_orders(settings: Settings) {
        drop_unique(&settings, "payments", "payments_slip");
        assert_eq!(one_slip(&settings).await, ["held", "held"]);
    }

    async fn an_event_is_stored_once(settings: Settings) {
        assert_eq!(one_event(&settings).await, (as_strings(["new: false", "new: true"]), 6_000, vec![]));
    }

    async fn without_its_primary_key_an_event_is_stored_twice_and_still_acted_on_once(settings: Settings) {
        drop_unique(&settings, "gateway_events", EVENTS);
        assert_eq!(one_event(&settings).await, (as_strings(["new: true", "new: true"]), 6_000, vec![]));
    }
}
