//! A rule that changes late says whom it touches before it is published.

use std::collections::BTreeMap;

use domain::{Entrant, Status};
use registration::Preview;
use store::Store;

use crate::publish::{DEARER, edited, text};
use crate::world::{BARCELONA, LLOBREGAT, World, entry, eur, id, plain_player, player, staff};

impl World {
    pub async fn preview(&self, tournament: &str, source: String) -> Preview {
        let (by, tournament) = (staff(), id(tournament));
        let preview = self.desk.preview(&by, &tournament, source, |_, _| {});
        preview.await.unwrap()
    }
}

store::both! {
    async fn the_published_text_touches_nobody(store: Store) {
        let world = World::open(store, 9).await;
        world.enter("Qui Sigui").await;
        let told = world.preview(BARCELONA, text(BARCELONA)).await;
        assert!(told.is_same() && told.may_be_published());
        assert_eq!(told.prices.unwrap().differences, []);
        assert_eq!((told.terms, told.seats, told.closes_entry), (vec![], vec![], false));
        assert_eq!((told.clauses, told.firsts), (vec![], vec![]));
        assert_eq!((told.touched.dearer.entries, told.touched.cheaper.entries), (0, 0));
    }

    async fn prices_are_told_for_new_entrants_and_for_those_who_keep_theirs(store: Store) {
        let world = World::open(store, 9).await;
        let first = world.enter("Grup A").await;
        let mut low = plain_player("Grup B");
        low.rating = Some(1_800);
        world.register(BARCELONA, vec![entry(Some("B"), Entrant::Player(low))]).await.unwrap();
        let edits = [DEARER, &[("B = 60", "B = 50"), ("rating = { under = 1950 }", "rating = { under = 1700 }")]].concat();
        let source = edited(BARCELONA, &edits);
        let progress = std::sync::Mutex::new(Vec::new());
        let (by, tournament) = (staff(), id(BARCELONA));
        let told = world.desk.preview(&by, &tournament, source.clone(), |done, all| {
            progress.lock().unwrap().push((done, all));
        });
        let told = told.await.unwrap();
        assert_eq!(*progress.lock().unwrap(), [(2, 2)]);
        assert!(!told.is_same() && told.may_be_published());
        assert!(told.prices.unwrap().differences.len() > 1);
        let touched = told.touched;
        assert_eq!((touched.orders, touched.entries, &touched.versions), (2, 2, &BTreeMap::from([(1, 2)])));
        assert_eq!((touched.dearer.entries, touched.dearer.sums.clone()), (1, vec![eur(500)]));
        let example = &touched.dearer.examples[0];
        assert_eq!((example.entry, example.form_number), (first.entries[0].entry, 1));
        assert_eq!((example.before, example.after), (eur(6_000), eur(6_500)));
        assert_eq!((touched.refused.entries, touched.refused.examples[0].form_number), (1, 2));
        // It changed nothing, and what is published then is what was told.
        assert_eq!(world.enter("Encara").await.total, 6_000);
        world.publish(BARCELONA, told.replaces, source).await;
        assert_eq!(world.enter("Ja No").await.total, 6_500);
    }

    async fn refund_clauses_are_told_for_what_was_paid(store: Store) {
        let world = World::new(store).await;
        for name in ["Una", "Dues"] {
            let entered = world.register(LLOBREGAT, vec![entry(Some("A"), player(name))]).await.unwrap();
            world.pay(LLOBREGAT, entered.order).await;
            world.desk.approve(&staff(), &id(LLOBREGAT), entered.entries[0].entry).await.unwrap();
        }
        world.register(LLOBREGAT, vec![entry(Some("A"), player("Sense Pagar"))]).await.unwrap();
        let kept = |percent: &str| edited(LLOBREGAT, &[("{ percent = 50 }", percent)]);
        let touched = world.preview(LLOBREGAT, kept("{ percent = 20 }")).await.touched;
        assert_eq!((touched.refund_more.entries, touched.refund_more.sums.clone()), (2, vec![eur(2 * 15_000)]));
        assert_eq!((touched.refund_less.entries, touched.refund_own.entries), (0, 0));
        let touched = world.preview(LLOBREGAT, kept("{ percent = 80 }")).await.touched;
        assert_eq!((touched.refund_more.entries, touched.refund_less.entries), (0, 0));
        assert_eq!((touched.refund_own.entries, touched.refund_own.sums.clone()), (2, vec![eur(2 * 15_000)]));
        // What a version between gave them goes again with the next one.
        world.publish(LLOBREGAT, 1, kept("{ percent = 20 }")).await;
        let touched = world.preview(LLOBREGAT, kept("{ percent = 60 }")).await.touched;
        assert_eq!((touched.refund_less.entries, touched.refund_less.sums.clone()), (2, vec![eur(2 * 15_000)]));
    }

    async fn deadlines_seats_and_the_line_are_told(store: Store) {
        let world = World::open(store, 1).await;
        world.enter("Guarda").await;
        let waits = world.enter("Espera").await;
        world.enter("També Espera").await;
        let source = edited(BARCELONA, &[
            ("seats   = \"organiser\"", "seats   = 2"),
            ("pay_by    = { before = 2026-08-20T14:00:00 }", "pay_by    = { before = 2026-07-11T08:00:00 }"),
            ("hold      = \"24h\"", "hold      = \"12h\""),
        ]);
        let told = world.preview(BARCELONA, source.clone()).await;
        let terms: Vec<_> = told.terms.iter().map(|t| (t.term, t.after.as_deref().unwrap())).collect();
        assert_eq!(terms, [("pay_by", "2026-07-11T08:00:00+02:00"), ("hold_seconds", "43200")]);
        assert_eq!((told.seats[0].before, told.seats[0].after), (Some(1), Some(2)));
        let clauses: Vec<_> = told.clauses.iter().map(|c| (c.part.as_str(), c.name.as_str())).collect();
        assert_eq!(clauses, [("entry", "paid"), ("entry", "a seat is held"), ("entry", "seats")]);
        assert_eq!((told.touched.waiting, told.touched.offered), (2, 1));
        assert_eq!(told.touched.held_past_pay_by, 1);
        world.publish(BARCELONA, told.replaces, source).await;
        assert_eq!(world.status(waits.order).await, Status::Held);
    }

    async fn what_could_not_be_published_is_told_and_not_refused(store: Store) {
        let world = World::open(store, 2).await;
        world.enter("Una").await;
        let told = world.preview(BARCELONA, edited(BARCELONA, &[("currency  = \"EUR\"", "currency  = \"PEN\"")])).await;
        assert_eq!((told.obstacles[0].rule, told.may_be_published()), ("currency_in_use", false));
        assert!(told.prices.is_none());
        let told = world.preview(BARCELONA, edited(BARCELONA, &[("methods = [\"card\"]", "methods = []")])).await;
        assert_eq!((told.findings[0].code, told.may_be_published()), ("no_way_to_pay", false));
        assert_eq!(told.touched.held_without_card, 1);
    }
}
