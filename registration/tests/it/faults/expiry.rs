//! The end of a hold is the desk's word: no page, open elsewhere or kept open, pays for a seat that is gone.

use domain::{Slug, Status};
use store::Store;

use super::VISA;
use crate::world::{BARCELONA, World, id, payer, session, slug};

store::both! {
    async fn nothing_is_paid_after_it(store: Store) {
        let world = World::open(store, 9).await;
        let order = world.enter("Badoc").await.order;
        world.open_payment(BARCELONA, order).await;
        let page = world.reference(order).await;
        let open = async || world.desk.open_payment(&payer(), &id(BARCELONA), order, session()).await;
        for (instant, refusal) in [
            ("2026-07-11T09:59:59Z", None),
            ("2026-07-11T10:00:00Z", Some(Slug::HoldTooShort)),
            ("2026-07-11T10:00:01Z", Some(Slug::HoldTooShort)),
        ] {
            world.clock.set(BARCELONA, instant);
            assert_eq!(open().await.err().map(|problem| problem.slug), refusal, "{instant}");
        }
        world.desk.step_expire().await.unwrap();
        assert_eq!(world.status(order).await, Status::Expired);
        assert_eq!(slug(open().await), Slug::IllegalMove);
        assert!(world.control().pay(&page, VISA).is_err(), "its page is closed");
        assert_eq!(world.view(order).await.paid, 0);
        world.audit().await;
    }
}
