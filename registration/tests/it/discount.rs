//! Discount codes: a label that the regulation names, a limit of uses, and no invitation.

use domain::{Cause, OrderId, Problem, Slug};
use registration::{Cancel, NewCode, Registered};
use store::Store;

use crate::world::{World, case_file, entry, id, order, payer, player, slug, staff, take_in};

const KENT: &str = "ken24";

/// Kent, where who brings the sponsor's code pays 35 in the place of 45; two may.
async fn world(store: Store) -> (World, String) {
    let world = World::new(store).await;
    let row = "\n[[adjust]]\nid = \"sponsor\"\nwhen = { code = \"sponsor\" }\namount = -10\n";
    take_in(&world.desk, &(case_file(KENT) + row)).await;
    world.clock.set(KENT, "2024-06-01T10:00:00Z");
    let new = NewCode {
        label: "sponsor".into(),
        uses: 2,
        agreed_price: None,
    };
    let code = world.desk.issue_code(&staff(), &id(KENT), new).await;
    (world, code.unwrap())
}

async fn enter(world: &World, name: &str, code: Option<&str>) -> Result<Registered, Problem> {
    let mut asked = entry(Some("open"), player(name));
    asked.code = code.map(str::to_owned);
    let mut asked = order(KENT, vec![asked]);
    asked.payer.consents.clear();
    world.desk.register(&payer(), asked).await
}

async fn leave(world: &World, order: OrderId) {
    let ask = Cancel {
        entries: Vec::new(),
        cause: Cause::CancelByPlayer,
        credit: false,
    };
    let (desk, kent) = (&world.desk, id(KENT));
    desk.cancel(&payer(), &kent, order, ask).await.unwrap();
}

store::both! {
    async fn a_label_that_is_nearly_one_of_the_file_is_asked_about(store: Store) {
        let (world, _) = world(store).await;
        for (label, told) in [("sponsr", true), ("sponsor", false), ("guests of honour", false)] {
            let new = NewCode { label: label.into(), uses: 1, agreed_price: None };
            let issued = world.desk.issue_code(&staff(), &id(KENT), new).await;
            assert_eq!(issued.err().map(|problem| problem.fields[0].field.clone()), told.then(|| "label".to_owned()), "{label}");
        }
    }

    async fn a_code_lowers_the_price_as_often_as_it_says(store: Store) {
        let (world, code) = world(store).await;
        let code = Some(code.as_str());
        assert_eq!(enter(&world, "Sense", None).await.unwrap().total, 4_500);
        let first = enter(&world, "Primera", code).await.unwrap();
        assert_eq!(first.total, 3_500);
        assert_eq!(enter(&world, "Segona", code).await.unwrap().total, 3_500);
        assert_eq!(slug(enter(&world, "Tercera", code).await), Slug::CodeUsedUp);
        leave(&world, first.order).await;
        assert_eq!(enter(&world, "Tercera", code).await.unwrap().total, 3_500);
        assert_eq!(slug(enter(&world, "Quarta", Some("2222-2222-2222")).await), Slug::InvalidFields);
        world.audit().await;
    }
}
