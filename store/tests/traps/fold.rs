//! Changes that share a commit and meet in one order: each sees what the one before it made and nothing of one that was
//! refused, and rows that stand already are written back once, at the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use domain::{
    Entrant, EntryId, OrderId, OrderReference, PaymentId, PaymentKind, PaymentStatus, Quote,
    RegulationRef, Status,
};
use store::change::Change;
use store::entries::Entry;
use store::folder::Folder;
use store::orders::{Contact, Order};
use store::payments::Payment;
use store::{Store, StoreError, folder};

use crate::batch::{change, gathered, held, id, make_tournament, now, with_ask};

const ORDER: OrderId = OrderId(1);
const WHO: &str = "somebody";

fn order(id_of_order: OrderId) -> Order {
    let currency = "EUR".parse().unwrap();
    let regulation = RegulationRef {
        tournament: id(),
        version: 1,
        hash: "00".into(),
        language: 1,
    };
    Order {
        id: id_of_order,
        tournament: id(),
        reference: OrderReference::from_random(id_of_order.0.unsigned_abs()),
        currency,
        total: 6_000,
        paid: 0,
        refunded: 0,
        kept: 0,
        version: 1,
        quote: Quote {
            regulation,
            at: now(),
            eligible: true,
            reasons: Vec::new(),
            currency,
            total: 6_000,
            entries: Vec::new(),
            lines: Vec::new(),
            claims: Vec::new(),
            facts: Vec::new(),
            valid_until: None,
            paid_at: None,
            received_at: None,
            taken: domain::Taken::new(),
            others: domain::Others::default(),
        },
        standing: Vec::new(),
        priced_at: now(),
        hold_until: None,
        attempts: 0,
        token_generation: 1,
        created_at: now(),
        paid_as_of: None,
        received_as_of: None,
        reprice_at: None,
    }
}

fn add(change: &mut Change<'_>, number: i64) -> Result<(), StoreError> {
    let order = order(OrderId(number));
    let contact = Contact {
        name: None,
        email: None,
        address: None,
        language: domain::Language::En,
        consents: Vec::new(),
    };
    change.add_order(&order, contact)?;
    let entry = Entry {
        id: EntryId(number),
        tournament: id(),
        order: order.id,
        form_number: 1_000 + number,
        section: None,
        status: Status::Held,
        price: 6_000,
        to_check: Vec::new(),
        approved: true,
        needs_approval: false,
        identity: Some(WHO.into()),
        institution: None,
        lines: None,
        waiting_since: None,
    };
    let player = r#"{"entrant":{"sex":"f","birth_date":"1990-05-17","federation":"ESP"}}"#;
    let entrant: Entrant = serde_json::from_str(player).unwrap();
    change.add_entry(&entry, &entrant)
}

fn payment(number: i64) -> Payment {
    Payment {
        id: PaymentId(number),
        tournament: id(),
        order: ORDER,
        account: "stripe:main".into(),
        method: PaymentKind::Session,
        status: PaymentStatus::Open,
        amount: 6_000,
        currency: "EUR".parse().unwrap(),
        received: 0,
        received_currency: None,
        disputed: 0,
        gateway_key: format!("key-{number}"),
        reference: None,
        intent: None,
        url: None,
        client_secret: None,
        expires_at: None,
        slip_number: None,
        slip_date: None,
        failure: None,
        return_url: None,
        charged_at: None,
        created_at: now(),
        updated_at: now(),
    }
}

fn open(change: &mut Change<'_>) -> Result<Folder, StoreError> {
    change.folder(ORDER)?.ok_or(StoreError::NotFound)
}

/// An order with an open payment.
async fn make_order(store: &Store) {
    make_tournament(store).await;
    let made = change(store.clone(), |change| {
        add(change, ORDER.0)?;
        change.add_payment(&payment(7));
        Ok(())
    });
    made.await.unwrap();
}

async fn stands(store: &Store) -> Folder {
    let read = |conn: &mut store::Conn| folder::find_all(conn, &[ORDER]);
    store.read(read).await.unwrap().remove(&ORDER).unwrap()
}

/// Pays a part: the order, its payment and whoever looks afterwards agree.
fn pay(change: &mut Change<'_>, sum: i64) -> Result<(), StoreError> {
    let mut folder = open(change)?;
    folder.order.paid += sum;
    change.save_order(&folder.order)?;
    let row = &mut folder.payments[0];
    let was = row.status;
    row.received += sum;
    row.status = PaymentStatus::Processing;
    change.save_payment(row, was)?;
    assert_eq!(open(change)?.order.paid, folder.order.paid);
    Ok(())
}

store::both! {
    async fn each_change_sees_what_stands_before_it_and_nothing_of_the_refused(store: Store) {
        make_order(&store).await;
        let (release, holder) = held(&store).await;
        let runs = Arc::new(AtomicU32::new(0));
        let mut waiting = Vec::new();
        for number in 0..5_usize {
            let counter = Arc::clone(&runs);
            let also = move |change: &mut Change<'_>| {
                counter.fetch_add(1, Ordering::SeqCst);
                pay(change, [1, 10, 100, 1_000, 10_000][number])?;
                if number == 2 { Err(StoreError::Raced) } else { Ok(()) }
            };
            waiting.push(tokio::spawn(with_ask(store.clone(), Some(ORDER), also)));
            gathered(&store, number + 1).await;
        }
        drop(release);
        holder.await.unwrap().unwrap();
        for (number, job) in waiting.into_iter().enumerate() {
            assert_eq!(job.await.unwrap().is_err(), number == 2);
        }
        assert_eq!(runs.load(Ordering::SeqCst), 5, "none ran twice");
        let folder = stands(&store).await;
        assert_eq!(folder.order.paid, 11_011);
        assert_eq!(folder.payments[0].received, 11_011);
        assert_eq!(folder.payments[0].status, PaymentStatus::Processing);
    }

    async fn who_has_left_in_a_batch_may_enter_anew_in_it(store: Store) {
        make_tournament(&store).await;
        change(store.clone(), |change| add(change, ORDER.0)).await.unwrap();
        let (release, holder) = held(&store).await;
        let leaves = with_ask(store.clone(), Some(ORDER), |change| {
            let mut entry = open(change)?.entries.remove(0);
            entry.status = Status::Expired;
            change.save_entry(&entry, Status::Held)
        });
        let leaves = tokio::spawn(leaves);
        gathered(&store, 1).await;
        let enters = |number: i64| change(store.clone(), move |change| {
            let live = change.live_identities(&[WHO.to_owned()])?;
            if live.is_empty() { add(change, number) } else { Err(StoreError::Raced) }
        });
        let (enters, again) = (tokio::spawn(enters(2)), tokio::spawn(enters(3)));
        gathered(&store, 3).await;
        drop(release);
        holder.await.unwrap().unwrap();
        leaves.await.unwrap().unwrap();
        let entered = [enters.await.unwrap(), again.await.unwrap()];
        assert_eq!(entered.iter().filter(|e| e.is_ok()).count(), 1);
        assert_eq!(stands(&store).await.entries[0].status, Status::Expired);
    }

    async fn a_row_that_was_changed_behind_is_not_written_over(store: Store) {
        make_order(&store).await;
        let (release, holder) = held(&store).await;
        let wrong = with_ask(store.clone(), Some(ORDER), |change| {
            let row = open(change)?.payments.remove(0);
            change.save_payment(&row, PaymentStatus::Failed)
        });
        let wrong = tokio::spawn(wrong);
        gathered(&store, 1).await;
        let right = tokio::spawn(with_ask(store.clone(), Some(ORDER), |change| pay(change, 1)));
        gathered(&store, 2).await;
        drop(release);
        holder.await.unwrap().unwrap();
        assert!(matches!(wrong.await.unwrap(), Err(StoreError::Raced)));
        right.await.unwrap().unwrap();
        assert_eq!(stands(&store).await.order.paid, 1);
    }
}
