//! What is refused changes nothing, and what staff may do is what the regulation and the counts allow.

use domain::{Cause, PaymentKind, PaymentStatus, Slug, Status};
use registration::{Cancel, NewCode, OpenPayment, Seen, SeenState};
use store::Store;

use crate::world::{
    BARCELONA, LLOBREGAT, ROJAS, World, entry, eur, id, in_full, order, payer, pen, plain_player,
    session, slip, slug, staff, team, treasurer, with_key,
};

fn intent() -> OpenPayment {
    OpenPayment {
        method: PaymentKind::Intent,
        ..session()
    }
}

store::both! {
    async fn a_refused_request_leaves_the_open_payment_open(store: Store) {
        let world = World::open(store, 9).await;
        let held = world.enter("Oberta").await.order;
        let (desk, tournament) = (&world.desk, id(BARCELONA));
        desk.open_payment(&with_key("q1"), &tournament, held, session()).await.unwrap();
        let other = desk.open_payment(&with_key("q1"), &tournament, held, intent()).await;
        assert_eq!(slug(other), Slug::KeyReused);
        let tampered = OpenPayment { expected: Some(eur(1)), ..intent() };
        let outcome = desk.open_payment(&payer(), &tournament, held, tampered).await;
        assert_eq!(slug(outcome), Slug::AmountMismatch);
        let leave = |entries| Cancel { entries, cause: Cause::CancelByPlayer, credit: false };
        let unknown = desk.cancel(&payer(), &tournament, held, leave(vec![domain::EntryId(1)])).await;
        assert_eq!(slug(unknown), Slug::UnknownEntry);
        let view = world.view(held).await;
        assert_eq!((view.payments.len(), view.payments[0].status), (1, PaymentStatus::Open));
        world.audit().await;
    }

    async fn money_set_aside_goes_back_once_by_staff(store: Store) {
        let world = World::open(store, 9).await;
        let held = world.enter("Curta").await.order;
        world.open_payment(BARCELONA, held).await;
        let seen = Seen {
            reference: world.reference(held).await,
            intent: None,
            payment: None,
            order: None,
            key: None,
            state: SeenState::Succeeded {
                received: eur(100),
                charged_at: world.desk.clock().wall(),
            },
        };
        world.desk.observe_payment("stripe:main", seen).await.unwrap();
        let payment = world.view(held).await.payments[0].id;
        world.desk.return_payment(&treasurer("b1"), &id(BARCELONA), payment).await.unwrap();
        let again = world.desk.return_payment(&treasurer("b2"), &id(BARCELONA), payment).await;
        assert_eq!(slug(again), Slug::IllegalMove);
        let view = world.view(held).await;
        assert_eq!((view.status, view.paid, view.refunded), (Status::Held, 100, 100));
        world.audit().await;
    }

    async fn a_capacity_is_never_below_what_is_taken_nor_set_where_the_text_sets_it(store: Store) {
        let world = World::open(store, 3).await;
        world.enter("Primera").await;
        world.enter("Segona").await;
        let open = async |t: &str, seats| world.desk.open_tournament(&staff(), &id(t), seats).await;
        assert_eq!(slug(open(BARCELONA, 1).await), Slug::InvalidFields);
        assert_eq!(slug(open(LLOBREGAT, 5).await), Slug::InvalidFields);
        open(BARCELONA, 2).await.unwrap();
        world.audit().await;
    }

    async fn a_code_is_given_out_once_under_its_key_and_at_a_price_that_can_be_charged(store: Store) {
        let world = World::open(store, 3).await;
        let code = |agreed_price| NewCode { label: "gm".into(), uses: 1, agreed_price };
        let by = registration::By { key: Some("c1".into()), ..staff() };
        let issue = async |price| world.desk.issue_code(&by, &id(BARCELONA), code(price)).await;
        assert_eq!(slug(issue(Some(eur(10))).await), Slug::InvalidFields);
        let first = issue(Some(eur(3_000))).await.unwrap();
        assert_eq!(issue(Some(eur(3_000))).await.unwrap(), first);
        assert_eq!(slug(issue(None).await), Slug::KeyReused);
        let free = world.desk.issue_code(&staff(), &id(BARCELONA), code(Some(eur(0)))).await.unwrap();
        assert_ne!(free, first);
        world.audit().await;
    }

    async fn one_slip_is_checked_at_a_time(store: Store) {
        let world = World::new(store).await;
        let four = team("A", "I.E. Prueba", ["Ana", "Beto", "Carla", "Dino"]);
        let mut command = order(ROJAS, vec![entry(Some("primario"), four)]);
        command.slip = Some(slip("V-1", 8_000));
        let held = world.desk.register(&payer(), command).await.unwrap().order;
        let report = async |n| world.desk.report_slip(&payer(), &id(ROJAS), held, slip(n, 8_000)).await;
        assert_eq!(slug(report("V-2").await), Slug::IllegalMove);
        let first = world.view(held).await.payments[0].id;
        world.desk.refuse_slip(&staff(), &id(ROJAS), first).await.unwrap();
        let second = report("V-2").await.unwrap();
        world.desk.confirm_slip(&staff(), &id(ROJAS), second, in_full(pen(8_000))).await.unwrap();
        assert_eq!(world.status(held).await, Status::Confirmed);
        world.audit().await;
    }

    async fn the_organiser_has_the_rights_that_the_text_gives(store: Store) {
        let world = World::new(store).await;
        let four = team("A", "I.E. Prueba", ["Ana", "Beto", "Carla", "Dino"]);
        let mut command = order(ROJAS, vec![entry(Some("primario"), four)]);
        command.slip = Some(slip("V-1", 8_000));
        let held = world.desk.register(&payer(), command).await.unwrap();
        let refuse = Cancel { entries: Vec::new(), cause: Cause::Reject, credit: false };
        let refused = world.desk.cancel(&staff(), &id(ROJAS), held.order, refuse).await;
        assert_eq!(slug(refused), Slug::IllegalMove);
        let to = "secundario".parse().unwrap();
        let moved = world.desk.place(&staff(), &id(ROJAS), held.entries[0].entry, to).await;
        assert_eq!(slug(moved), Slug::IllegalMove);
        assert_eq!(world.status(held.order).await, Status::Held);
        world.audit().await;
    }

    async fn nobody_is_born_after_the_form_or_too_long_before_it(store: Store) {
        let world = World::open(store, 9).await;
        for (born, admitted) in [
            ("2026-07-10", true),
            ("2026-07-11", false),
            ("1901-01-01", true),
            ("1850-01-01", false),
        ] {
            let mut player = plain_player(&format!("Nascuda {born}"));
            player.birth_date = born.parse().unwrap();
            let asked = entry(Some("C"), domain::Entrant::Player(player));
            let outcome = world.register(BARCELONA, vec![asked]).await;
            assert_eq!(outcome.is_ok(), admitted, "{born}");
        }
        world.audit().await;
    }
}
