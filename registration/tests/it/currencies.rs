//! Two currencies side by side: an order is in one, and all that comes after is in it.

use domain::{Cause, Entrant, FactName, Money, OrderId, Problem, Slug, Status};
use registration::{Cancel, NewCode, NewEntry, Registered};
use store::Store;

use crate::world::{
    World, case_file, entry, eur, id, order, payer, plain_player, player, session, slug, staff,
    take_in,
};

/// Prague: 140 crowns and 10 for the rating, or 5.50 and 0.50 euros, as the payer chooses.
const PRAGUE: &str = "prg21";
/// Northern Lights: those of Iceland pay 39,000 of its crowns, 4,000 less before October; everybody else pays 150 euros.
const LIGHTS: &str = "nlo17";

/// Prague with a dearer section, half the fee for juniors, prices agreed in euros, and something that is kept.
fn prague() -> String {
    let text = case_file(PRAGUE);
    let text = text.replace(
        "[section.open]",
        "[section.elite]\nname = \"Elite\"\n[section.open]",
    );
    let text = text.replace("[payment]", "organiser_may = [\"place\"]\n[payment]");
    text + r#"
[[fees.row]]
id       = "agreed"
currency = "EUR"
amount   = "agreed"
[[adjust]]
id     = "elite-czk"
amount = { elite = 100 }
[[adjust]]
id       = "elite-eur"
currency = "EUR"
amount   = { elite = 4 }
[[adjust]]
id      = "junior"
when    = { born = { from = 2005 } }
percent = -50
[[refund.tier]]
id        = "handling"
requested = { before = 2021-06-12 }
keep      = { percent = 0, amount = { CZK = 50, EUR = 2 } }
"#
}

async fn world(store: Store) -> World {
    let world = World::new(store).await;
    take_in(&world.desk, &prague()).await;
    world.take_in(LIGHTS).await;
    world.clock.set(PRAGUE, "2021-06-01T10:00:00Z");
    world.clock.set(LIGHTS, "2017-09-20T10:00:00Z");
    world
}

fn czk(amount: i64) -> Money {
    Money::new(amount, "CZK".parse().unwrap())
}

fn isk(amount: i64) -> Money {
    Money::new(amount, "ISK".parse().unwrap())
}

async fn enter(
    world: &World,
    tournament: &str,
    currency: Option<&str>,
    entries: Vec<NewEntry>,
) -> Result<Registered, Problem> {
    let mut asked = order(tournament, entries);
    asked.payer.consents.clear();
    asked.currency = currency.map(|code| code.parse().unwrap());
    world.desk.register(&payer(), asked).await
}

async fn one(world: &World, currency: Option<&str>, name: &str) -> Registered {
    let entries = vec![entry(Some("open"), player(name))];
    enter(world, PRAGUE, currency, entries).await.unwrap()
}

fn of(federation: &str, name: &str) -> NewEntry {
    let mut player = plain_player(name);
    player.federation = federation.parse().unwrap();
    player.rating = Some(2_200);
    entry(Some("open"), Entrant::Player(player))
}

fn sum(registered: &Registered) -> Money {
    Money::new(registered.total, registered.currency)
}

async fn due(world: &World, order: OrderId) -> Money {
    let view = world.view(order).await;
    Money::new(view.due, view.currency)
}

/// What each account holds of an order, where it holds anything.
async fn balances(world: &World, order: OrderId) -> Vec<(String, Money)> {
    let told = world.desk.explain(order).await.unwrap();
    let balances = told.balances.into_iter();
    balances.filter(|(_, sum)| sum.amount != 0).collect()
}

store::both! {
    async fn an_order_is_paid_moved_corrected_and_refunded_in_its_own_currency(store: Store) {
        let world = world(store).await;
        let crowns = one(&world, None, "Koruna").await;
        assert_eq!(sum(&crowns), czk(15_000));
        let mut junior = plain_player("Euro");
        junior.birth_date = "2010-01-01".parse().unwrap();
        let entries = vec![entry(Some("open"), Entrant::Player(junior))];
        let euros = enter(&world, PRAGUE, Some("EUR"), entries).await.unwrap();
        assert_eq!(sum(&euros), eur(325));
        let (desk, prague) = (&world.desk, id(PRAGUE));
        assert_eq!(world.open_payment(PRAGUE, euros.order).await.amount, eur(325));
        for paid in [crowns.order, euros.order] {
            world.pay(PRAGUE, paid).await;
            assert_eq!(world.status(paid).await, Status::Confirmed);
        }
        let own = euros.entries[0].entry;
        let moved = desk.place(&staff(), &prague, own, "elite".parse().unwrap()).await.unwrap();
        assert_eq!((moved.price, moved.difference), (eur(725), eur(400)));
        let born = Some("1990-05-01".to_owned());
        desk.check_fact(&staff(), &prague, own, FactName::BirthDate, false, born).await.unwrap();
        assert_eq!(due(&world, euros.order).await, eur(675));
        world.pay(PRAGUE, euros.order).await;
        let leave = Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false };
        let back = desk.cancel(&payer(), &prague, euros.order, leave.clone()).await.unwrap();
        assert_eq!((back.currency.code(), back.refund, back.kept), ("EUR", 800, 200));
        let back = desk.cancel(&payer(), &prague, crowns.order, leave).await.unwrap();
        assert_eq!((back.currency.code(), back.refund, back.kept), ("CZK", 10_000, 5_000));
        desk.step_refunds().await.unwrap();
        for (order, kept) in [(euros.order, eur(200)), (crowns.order, czk(5_000))] {
            let held = balances(&world, order).await;
            let gateway = format!("gateway:{}", desk.gateway().unwrap().account());
            let expected = [("administration".to_owned(), Money::new(-kept.amount, kept.currency)), (gateway, kept)];
            assert_eq!(held, expected);
        }
        let told = desk.explain(euros.order).await.unwrap().to_string();
        assert!(told.contains("5.50 EUR") && !told.contains("CZK"), "{told}");
        world.audit().await;
    }

    async fn the_total_that_was_shown_is_of_one_currency(store: Store) {
        let world = world(store).await;
        let shown = |currency: Option<&str>, expected| {
            let mut asked = order(PRAGUE, vec![entry(Some("open"), player("Vista"))]);
            asked.payer.consents.clear();
            asked.currency = currency.map(|code| code.parse().unwrap());
            asked.expected = Some(expected);
            asked
        };
        for (currency, expected) in [(None, eur(600)), (Some("EUR"), czk(15_000)), (Some("EUR"), eur(15_000))] {
            let refused = world.desk.register(&payer(), shown(currency, expected)).await;
            assert_eq!(slug(refused), Slug::AmountMismatch);
        }
        let taken = world.desk.register(&payer(), shown(Some("EUR"), eur(600))).await.unwrap();
        let page = registration::OpenPayment { expected: Some(czk(600)), ..session() };
        let refused = world.desk.open_payment(&payer(), &id(PRAGUE), taken.order, page).await;
        assert_eq!(slug(refused), Slug::AmountMismatch);
        let other = enter(&world, PRAGUE, Some("USD"), vec![entry(Some("open"), player("Dòlar"))]).await;
        let problem = other.unwrap_err();
        let fields: Vec<_> = problem.fields.iter().map(|f| (f.field.as_str(), f.rule.as_str())).collect();
        assert_eq!((problem.slug, fields), (Slug::Ineligible, vec![("currency", "currency_not_taken")]));
        world.audit().await;
    }

    async fn a_code_is_worth_its_price_in_its_own_currency(store: Store) {
        let world = world(store).await;
        let new = |price| NewCode { label: "vip".into(), uses: 9, agreed_price: Some(price) };
        let issue = async |price| world.desk.issue_code(&staff(), &id(PRAGUE), new(price)).await;
        let pounds = Money::new(100, "GBP".parse().unwrap());
        assert_eq!(slug(issue(pounds).await), Slug::InvalidFields);
        // The gateway charges 15 crowns at least, and 50 cents.
        assert_eq!(slug(issue(czk(100)).await), Slug::InvalidFields);
        for (price, currency, expected) in [
            (eur(100), Some("EUR"), eur(150)),
            (eur(100), Some("CZK"), czk(15_000)),
            (eur(100), None, czk(15_000)),
            // No row of the file takes a price that was agreed in crowns.
            (czk(5_000), None, czk(15_000)),
            (czk(5_000), Some("EUR"), eur(600)),
        ] {
            let mut asked = entry(Some("open"), player(&format!("Convidada {price} {currency:?}")));
            asked.code = Some(issue(price).await.unwrap());
            let entered = enter(&world, PRAGUE, currency, vec![asked]).await.unwrap();
            assert_eq!(sum(&entered), expected, "{price} {currency:?}");
        }
        world.audit().await;
    }

    async fn who_pays_in_which_currency_follows_from_the_rows(store: Store) {
        let world = world(store).await;
        let guest = enter(&world, LIGHTS, None, vec![of("NOR", "Gjest")]).await.unwrap();
        assert_eq!(sum(&guest), eur(15_000));
        let problem = enter(&world, LIGHTS, None, vec![of("NOR", "Annar"), of("ISL", "Heima")]).await.unwrap_err();
        let fields: Vec<_> = problem.fields.iter().map(|f| (f.field.as_str(), f.rule.as_str())).collect();
        assert_eq!((problem.slug, fields), (Slug::Ineligible, vec![("entries[0]", "no_price_in_currency")]));
        // A currency without decimals, and a price that goes by the payment: anew, in the same one.
        let local = enter(&world, LIGHTS, None, vec![of("ISL", "Heima")]).await.unwrap();
        assert_eq!(sum(&local), isk(35_000));
        world.open_payment(LIGHTS, local.order).await;
        world.clock.set(LIGHTS, "2017-10-01T00:00:00Z");
        assert_eq!(world.desk.step_reprice().await.unwrap(), 2);
        assert_eq!(due(&world, local.order).await, isk(39_000));
        assert_eq!(due(&world, guest.order).await, eur(15_000));
        for order in [local.order, guest.order] {
            world.pay(LIGHTS, order).await;
            assert_eq!(world.status(order).await, Status::Confirmed);
        }
        let view = world.view(local.order).await;
        assert_eq!((view.paid, view.payments.last().unwrap().came_in()), (39_000, isk(39_000)));
        world.audit().await;
    }

    async fn a_currency_that_sums_stand_in_cannot_be_taken_away(store: Store) {
        let world = world(store).await;
        let without = prague().replace("currencies = [\"EUR\"]", "").replace("[payment]", "[payment] #");
        let rows = without.split("[[").filter(|row| !row.contains("\"EUR\""));
        let without = rows.collect::<Vec<_>>().join("[[").replace("{ CZK = 50, EUR = 2 }", "50");
        let nobody = world.desk.preview(&staff(), &id(PRAGUE), without.clone(), |_, _| {}).await.unwrap();
        assert!(nobody.may_be_published(), "{:?}", nobody.obstacles);
        let euros = one(&world, Some("EUR"), "Euro").await;
        let told = world.desk.preview(&staff(), &id(PRAGUE), without, |_, _| {}).await.unwrap();
        let told: Vec<_> = told.obstacles.iter().map(|one| (one.at.as_str(), one.rule)).collect();
        assert_eq!(told, [("currencies", "currency_in_use")]);
        let dearer = prague().replace("= \"5.50\"", "= \"6.50\"");
        let touched = world.desk.preview(&staff(), &id(PRAGUE), dearer, |_, _| {}).await.unwrap().touched;
        assert_eq!((touched.dearer.entries, touched.dearer.sums), (1, vec![eur(100)]));
        world.pay(PRAGUE, euros.order).await;
        world.audit().await;
    }
}
