//! A regulation changes while orders stand: who keeps what, and what may not change.

use domain::{Actor, Cause, Event, Slug, Status};
use registration::{By, Cancel, Publication, Publish};
use rules::Regulation;
use store::Store;

use crate::world::{
    BARCELONA, LLOBREGAT, World, entry, id, order, payer, player, slug, staff, treasurer,
};

/// The text of a tournament as it comes with the program.
pub fn text(tournament: &str) -> String {
    let file = format!(
        "{}/../regulations/{tournament}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(file).unwrap()
}

/// The same with some words in the place of others, each of which must be there.
pub fn edited(tournament: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text(tournament), |text, (from, to)| {
        assert!(text.contains(from), "{from} is not in {tournament}");
        text.replace(from, to)
    })
}

/// Barcelona at five more for everybody.
pub const DEARER: &[(&str, &str)] = &[("A = 65, B = 55, C = 55", "A = 70, B = 60, C = 60")];

/// Barcelona with half given back.
const HALF: &[(&str, &str)] = &[(
    "[refund]\nmethod  = \"card\"\narticle = \"Inscripció\"",
    "[refund]\nmethod  = \"card\"\narticle = \"Inscripció\"\n[[refund.tier]]\nid = \"half\"\n\
     requested = { until = 2026-08-01 }\nkeep = { percent = 50 }",
)];

fn leave() -> Cancel {
    Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    }
}

impl World {
    pub async fn publish(&self, tournament: &str, replaces: i32, source: String) -> Publication {
        let asked = Publish { source, replaces };
        let published = self.desk.publish(&staff(), &id(tournament), asked).await;
        published.unwrap().0
    }

    /// The fields and rules of what refuses a text.
    pub async fn refused(&self, tournament: &str, source: String) -> (Slug, Vec<String>) {
        let asked = Publish {
            source,
            replaces: 1,
        };
        let problem = self
            .desk
            .publish(&staff(), &id(tournament), asked)
            .await
            .unwrap_err();
        let told = problem.fields.iter().map(|f| {
            assert!(
                f.text.ca != f.text.es || f.rule == "unreadable",
                "{}",
                f.text.en
            );
            let place = f.text.en.split(": ").next().unwrap();
            let place = if problem.slug == Slug::IllegalMove {
                place
            } else {
                &*f.field
            };
            format!("{place} {}", f.rule)
        });
        (problem.slug, told.collect())
    }
}

store::both! {
    async fn orders_that_stand_keep_their_price_and_new_ones_have_the_new_one(store: Store) {
        let world = World::open(store, 9).await;
        let before = world.enter("Abans").await;
        let published = world.publish(BARCELONA, 1, edited(BARCELONA, DEARER)).await;
        assert_eq!((published.version, published.new), (2, true));
        let after = world.enter("Després").await;
        assert_eq!((before.total, after.total), (6_000, 6_500));
        world.pay(BARCELONA, before.order).await;
        let view = world.view(before.order).await;
        assert_eq!((view.status, view.total, view.paid), (Status::Confirmed, 6_000, 6_000));
        let rows = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
        let row = rows.iter().find(|row| matches!(row.event, Event::RegulationPublished { version: 2, .. })).unwrap();
        assert_eq!((&row.actor, &*row.reason), (&Actor::Staff("key_test".into()), "test"));
        let versions = world.desk.published_versions(&id(BARCELONA), 0, 10).await.unwrap();
        assert_eq!(versions.iter().map(|v| v.version).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((&versions[0].actor, &versions[1].actor), (&Actor::Operator, &row.actor));
        assert_eq!((&*versions[1].reason, &versions[1].hash), ("test", &published.hash));
        let (_, first) = world.desk.published_version(&id(BARCELONA), 1).await.unwrap();
        assert_eq!(first.source, text(BARCELONA));
        assert_eq!(slug(world.desk.published_version(&id(BARCELONA), 3).await), Slug::UnknownVersion);
        world.audit().await;
    }

    async fn who_entered_before_gets_the_better_clause_that_came_after(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Sense Clàusula").await.order;
        world.pay(BARCELONA, order).await;
        world.publish(BARCELONA, 1, edited(BARCELONA, HALF)).await;
        let done = world.desk.cancel(&payer(), &id(BARCELONA), order, leave()).await.unwrap();
        assert_eq!((done.refund, done.kept), (3_000, 3_000));
        world.audit().await;
    }

    async fn who_entered_before_keeps_the_own_clause_where_the_new_one_is_worse(store: Store) {
        let world = World::new(store).await;
        let enter = async |name| {
            let entered = world.register(LLOBREGAT, vec![entry(Some("A"), player(name))]).await.unwrap();
            world.pay(LLOBREGAT, entered.order).await;
            world.desk.approve(&staff(), &id(LLOBREGAT), entered.entries[0].entry).await.unwrap();
            entered.order
        };
        let before = enter("Abans").await;
        world.publish(LLOBREGAT, 1, edited(LLOBREGAT, &[("{ percent = 50 }", "{ percent = 90 }")])).await;
        let after = enter("Després").await;
        for (order, refund) in [(before, 25_000), (after, 5_000)] {
            let told = world.desk.preview_cancellation(&payer(), &id(LLOBREGAT), order, leave()).await.unwrap();
            let done = world.desk.cancel(&payer(), &id(LLOBREGAT), order, leave()).await.unwrap();
            assert_eq!((told.refund, done.refund), (refund, refund));
        }
        world.audit().await;
    }

    async fn another_node_decides_by_a_version_that_it_has_not_noticed(store: Store) {
        let world = World::open(store.clone(), 9).await;
        let other = world.another(store, world.gateway.clone()).await;
        world.publish(BARCELONA, 1, edited(BARCELONA, DEARER)).await;
        assert_eq!(other.regulation(&id(BARCELONA)).unwrap().reference().version, 1);
        let asked = order(BARCELONA, vec![entry(Some("A"), player("Allà"))]);
        assert_eq!(other.register(&payer(), asked).await.unwrap().total, 6_500);
        assert_eq!(other.regulation(&id(BARCELONA)).unwrap().reference().version, 2);
        world.audit().await;
    }

    async fn another_node_notices_a_version_by_looking(store: Store) {
        let world = World::open(store.clone(), 9).await;
        let other = world.another(store, world.gateway.clone()).await;
        assert_eq!(other.step_versions().await.unwrap(), 0);
        world.publish(BARCELONA, 1, edited(BARCELONA, DEARER)).await;
        assert_eq!(other.step_versions().await.unwrap(), 1);
        assert_eq!(other.regulation(&id(BARCELONA)).unwrap().reference().version, 2);
        assert_eq!(other.step_versions().await.unwrap(), 0);
    }

    async fn a_file_that_is_the_published_text_is_no_first_version(store: Store) {
        let world = World::open(store.clone(), 9).await;
        let before = world.enter("Abans").await;
        world.publish(BARCELONA, 1, edited(BARCELONA, DEARER)).await;
        let other = world.another(store, world.gateway.clone()).await;
        let organiser = other.organiser("main", "Main").await.unwrap();
        let file = Regulation::parse("file", &edited(BARCELONA, DEARER), 1).unwrap();
        other.take_in(organiser, file).await.unwrap();
        assert_eq!(other.regulation(&id(BARCELONA)).unwrap().reference().version, 2);
        let report = other.audit(|_, _| {}).await.unwrap();
        assert_eq!(report.findings, []);
        assert_eq!(world.view(before.order).await.total, 6_000);
    }

    async fn the_same_text_again_changes_nothing_and_a_key_answers_as_before(store: Store) {
        let world = World::open(store, 9).await;
        let dearer = edited(BARCELONA, DEARER);
        let by = treasurer("publish-1");
        let asked = Publish { source: dearer.clone(), replaces: 1 };
        let first = world.desk.publish(&by, &id(BARCELONA), asked.clone()).await.unwrap();
        assert_eq!(world.desk.publish(&by, &id(BARCELONA), asked.clone()).await.unwrap(), first);
        let (again, _) = world.desk.publish(&staff(), &id(BARCELONA), asked).await.unwrap();
        assert_eq!((again.version, again.new), (2, false));
        let other = Publish { source: text(BARCELONA), replaces: 2 };
        assert_eq!(slug(world.desk.publish(&by, &id(BARCELONA), other.clone()).await), Slug::KeyReused);
        // What was said before may be said again: it is a version of its own.
        assert_eq!(world.desk.publish(&staff(), &id(BARCELONA), other).await.unwrap().0.version, 3);
        let rows = world.desk.journal(&id(BARCELONA), 0, 100).await.unwrap();
        let told = rows.iter().filter(|row| matches!(row.event, Event::RegulationPublished { .. }));
        assert_eq!(told.count(), 3);
        world.audit().await;
    }

    async fn a_text_that_may_not_be_published_is_refused_with_its_lines(store: Store) {
        let world = World::open(store, 9).await;
        let wrong = edited(BARCELONA, &[("rounds = 10", "rounds = 10\ncolour = \"red\"")]);
        let asked = Publish { source: wrong, replaces: 1 };
        let problem = world.desk.publish(&staff(), &id(BARCELONA), asked).await.unwrap_err();
        let line = 1 + text(BARCELONA).lines().position(|line| line == "rounds = 10").unwrap() + 1;
        assert!(problem.fields[0].text.en.starts_with(&format!("Line {line}: ")), "{problem}");
        assert!(problem.fields[0].text.ca.starts_with(&format!("Línia {line}: ")), "{problem}");
        let bad = |rule: &str| (Slug::InvalidFields, vec![format!("source {rule}")]);
        assert_eq!(world.refused(BARCELONA, text(LLOBREGAT)).await, bad("another_tournament"));
        let hole = edited(BARCELONA, &[("methods = [\"card\"]", "methods = []")]);
        assert_eq!(world.refused(BARCELONA, hole).await, bad("no_way_to_pay"));
        // The gateway takes nothing below half a euro.
        let cents = edited(BARCELONA, &[("A = 65, B = 55, C = 55", "A = \"5.20\", B = 55, C = 55")]);
        assert_eq!(world.refused(BARCELONA, cents.clone()).await, bad("total_too_small"));
        let asked = Publish { source: cents, replaces: 1 };
        let problem = world.desk.publish(&staff(), &id(BARCELONA), asked).await.unwrap_err();
        let told = &problem.fields[0].text;
        assert!(told.en.contains(" For example: 0.20 EUR of section A, "), "{}", told.en);
        assert!(told.ca.contains(" Per exemple: 0.20 EUR of section A, "), "{}", told.ca);
        let unknown = Publish { source: text(BARCELONA), replaces: 1 };
        let nowhere = world.desk.publish(&staff(), &id("nowhere-2026"), unknown).await;
        assert_eq!(slug(nowhere), Slug::UnknownTournament);
        world.publish(BARCELONA, 1, edited(BARCELONA, DEARER)).await;
        let late = world.refused(BARCELONA, edited(BARCELONA, HALF)).await;
        assert_eq!(late, (Slug::Raced, vec!["replaces replaced_meanwhile".to_owned()]));
    }

    async fn what_orders_stand_on_may_not_change_under_them(store: Store) {
        let world = World::open(store, 3).await;
        let held = world.enter("Guarda Plaça").await;
        let paid = world.enter("Pagada").await;
        world.pay(BARCELONA, paid.order).await;
        let no_a = [
            ("[section.A] ", "[section.Z] "),
            ("A = 65,", "Z = 65,"),
            ("A = 60,", "Z = 60,"),
            ("A = 55,", "Z = 55,"),
            ("A = 0 ", "Z = 0 "),
        ];
        for (edits, fault) in [
            (&[("currency  = \"EUR\"", "currency  = \"PEN\"")][..], "currency currency_in_use"),
            (&no_a[..], "section.A section_in_use"),
            (&[("order     = \"form\"", "order     = \"payment\"")][..], "entry.order order_in_use"),
            (&[("once_per  = \"tournament\"", "once_per  = \"section\"")][..], "entry.once_per identity_in_use"),
            (&[("seats   = \"organiser\"", "seats   = 1")][..], "capacity below_what_is_taken"),
        ] {
            let found = world.refused(BARCELONA, edited(BARCELONA, edits)).await;
            assert_eq!(found, (Slug::IllegalMove, vec![fault.to_owned()]));
        }
        // Nobody who holds a seat or waits for one is promised it by the form any more.
        world.desk.cancel(&payer(), &id(BARCELONA), held.order, leave()).await.unwrap();
        world.publish(BARCELONA, 1, edited(BARCELONA, &[("order     = \"form\"", "order     = \"payment\"")])).await;
        let cancel = Cancel { entries: Vec::new(), cause: Cause::CancelByOrganiser, credit: false };
        world.desk.cancel(&staff(), &id(BARCELONA), paid.order, cancel).await.unwrap();
        world.publish(BARCELONA, 2, edited(BARCELONA, &no_a)).await;
        world.audit().await;
    }

    async fn more_seats_are_offered_to_those_who_wait(store: Store) {
        let world = World::open(store, 1).await;
        let (first, second) = (world.enter("Primer").await, world.enter("Segon").await);
        assert_eq!((first.status, second.status), (Status::Held, Status::Waitlisted));
        world.publish(BARCELONA, 1, edited(BARCELONA, &[("seats   = \"organiser\"", "seats   = 2")])).await;
        assert_eq!(world.status(second.order).await, Status::Held);
        let told = world.desk.open_tournament(&staff(), &id(BARCELONA), 9).await;
        assert_eq!(slug(told), Slug::InvalidFields);
        world.audit().await;
    }

    async fn an_entry_moves_into_a_section_that_came_later_and_into_none_that_is_gone(store: Store) {
        let world = World::open(store, 9).await;
        let moved = world.enter("Es Mou").await;
        let new = edited(BARCELONA, &[
            ("[section.C] ", "[section.D]\nname = \"D\"\n[section.C2] "),
            ("C = 55 }", "C2 = 55, D = 75 }"),
            ("C = 50 }", "C2 = 50 }"),
            ("C = 45 }", "C2 = 45 }"),
        ]);
        world.publish(BARCELONA, 1, new).await;
        let entry = moved.entries[0].entry;
        let gone = world.desk.place(&staff(), &id(BARCELONA), entry, "C".parse().unwrap()).await;
        assert_eq!(slug(gone), Slug::Ineligible);
        // The own version gives no price there; the new one does, at the instant of the form.
        let placed = world.desk.place(&staff(), &id(BARCELONA), entry, "D".parse().unwrap()).await.unwrap();
        assert_eq!((placed.price.amount, placed.difference.amount), (7_000, 1_000));
        let back = world.desk.place(&staff(), &id(BARCELONA), entry, "A".parse().unwrap()).await.unwrap();
        assert_eq!(back.price.amount, 6_000);
        world.audit().await;
    }

    async fn an_operator_publishes_too(store: Store) {
        let world = World::open(store, 9).await;
        let asked = Publish { source: edited(BARCELONA, DEARER), replaces: 1 };
        let by = By { reason: "printed wrong".into(), ..By::actor(Actor::Operator) };
        world.desk.publish(&by, &id(BARCELONA), asked).await.unwrap();
        let versions = world.desk.published_versions(&id(BARCELONA), 1, 10).await.unwrap();
        assert_eq!((&versions[0].actor, &*versions[0].reason), (&Actor::Operator, "printed wrong"));
    }
}
