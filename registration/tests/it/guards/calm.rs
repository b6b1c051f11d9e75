//! Without guards, and without anybody beside: a control run takes away what stands between two, and nothing else.

use domain::{Cause, RefundMethod, Slug, Status};
use registration::{Cancel, NewCode, StaffRefund};
use store::Settings;
use store::guard::Guard;

use super::Pair;
use crate::world::{
    BARCELONA, entry, eur, id, order, payer, plain_player, player, slug, staff, treasurer,
};

const ALL: [Guard; 12] = [
    Guard::Seat,
    Guard::FormNumber,
    Guard::JournalNumber,
    Guard::Person,
    Guard::Code,
    Guard::Claim,
    Guard::Key,
    Guard::Entry,
    Guard::Payment,
    Guard::Refund,
    Guard::State,
    Guard::Version,
];

store::both! {
    async fn one_after_the_other_nothing_goes_wrong_without_any_guard(settings: Settings) {
        let pair = Pair::open(&settings, 2).await;
        pair.enter(1, &ALL);
        let (here, there, tournament) = (&pair.here.desk, &pair.there, id(BARCELONA));
        let asked = |name| order(BARCELONA, vec![entry(Some("A"), player(name))]);
        let mut statuses = Vec::new();
        for (desk, name) in [(here, "Anna"), (there, "Berta"), (here, "Carla")] {
            statuses.push(desk.register(&payer(), asked(name)).await.unwrap().status);
        }
        assert_eq!(statuses, [Status::Held, Status::Held, Status::Waitlisted]);
        assert_eq!(slug(there.register(&payer(), asked("anna")).await), Slug::AlreadyEntered);

        let new = NewCode { label: "gm".into(), uses: 1, agreed_price: None };
        let code = here.issue_code(&staff(), &tournament, new).await.unwrap();
        let guest = |name| {
            let mut guest = plain_player(name);
            guest.rating = Some(2_500);
            let mut asked = entry(Some("A"), domain::Entrant::Player(guest));
            asked.code = Some(code.clone());
            order(BARCELONA, vec![asked])
        };
        here.register(&payer(), guest("Dora")).await.unwrap();
        assert_eq!(slug(there.register(&payer(), guest("Eva")).await), Slug::CodeUsedUp);

        let order = here.orders(&tournament, None, 1).await.unwrap()[0].order;
        pair.here.pay(BARCELONA, order).await;
        pair.here.look(&pair.here.reference(order).await).await;
        let ask = StaffRefund { amount: eur(4_000), method: RefundMethod::Card };
        let first = here.refund_by_staff(&treasurer("one"), &tournament, order, ask).await.unwrap();
        assert_eq!(there.refund_by_staff(&treasurer("one"), &tournament, order, ask).await.unwrap(), first);
        let more = there.refund_by_staff(&treasurer("other"), &tournament, order, ask).await;
        assert_eq!(slug(more), Slug::NothingLeft);
        here.step_refunds().await.unwrap();
        there.step_refunds().await.unwrap();

        let leave = || Cancel { entries: Vec::new(), cause: Cause::CancelByPlayer, credit: false };
        here.cancel(&payer(), &tournament, order, leave()).await.unwrap();
        assert_eq!(slug(there.cancel(&payer(), &tournament, order, leave()).await), Slug::IllegalMove);
        assert_eq!(pair.findings().await, Vec::<String>::new());
    }
}
