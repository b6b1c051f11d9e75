//! What remains costs its single price when its partner leaves; the refund's basis is what was paid less that.

mod support;

use domain::{Entrant, EntryId, Instants, OrderId, RefundAsk, RefundCause, SectionId};
use rules::{Remaining, better_refund, remaining_price};
use support::people::{instant, player, team};
use support::{regulation, small};

#[test]
fn when_one_of_two_leaves_the_other_costs_its_single_price() {
    let rojas = regulation("hermanos-rojas-2019");
    let at = instant(&rojas, "2019-02-10T12:00:00");
    let teams = ["primario X a b c d", "secundario X a b c e"].map(team);
    let entrants = teams.clone().map(|(_, team)| Entrant::Team(team));
    let both: Vec<Remaining<'_>> = teams
        .iter()
        .zip(&entrants)
        .zip(1..)
        .map(|(((section, _), entrant), number)| Remaining {
            entry: EntryId(number),
            order: OrderId(1),
            at: Instants::of(at, None, None),
            currency: rojas.currency(),
            section: Some(section),
            entrant,
            claims: &[],
        })
        .collect();
    let together = remaining_price(&rojas, &both);
    let totals: Vec<_> = together.iter().map(|price| price.total).collect();
    assert_eq!(totals, [Some(8_000), Some(6_000)]);
    assert!(
        together
            .iter()
            .all(|price| price.promotions == ["both-levels"])
    );
    for stays in both {
        let alone = remaining_price(&rojas, &[stays]);
        assert_eq!(alone[0].total, Some(8_000));
        assert!(alone[0].promotions.is_empty());
    }
}

#[test]
fn each_entry_is_priced_at_the_instant_of_its_own_form() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let section: SectionId = "A".parse().unwrap();
    let entrant = Entrant::Player(player(&["rating 2100"], &barcelona));
    let entry = |number, at| Remaining {
        entry: EntryId(number),
        order: OrderId(1),
        at: Instants::of(instant(&barcelona, at), None, None),
        currency: barcelona.currency(),
        section: Some(&section),
        entrant: &entrant,
        claims: &[],
    };
    let prices = remaining_price(
        &barcelona,
        &[
            entry(1, "2026-07-20T23:59:59"),
            entry(2, "2026-07-21T00:00:00"),
        ],
    );
    let totals: Vec<_> = prices.iter().map(|price| price.total).collect();
    assert_eq!(totals, [Some(6_000), Some(6_500)]);
}

#[test]
fn a_refund_takes_the_better_of_the_frozen_and_the_present_clause() {
    let fees = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 50\n[[refund.tier]]\nid = \"t\"\nrequested = { until = 2026-07-01 }\n";
    let mild = small(&format!("{fees}keep = {{ percent = 10 }}\n"));
    let harsh = small(&format!("{fees}keep = {{ percent = 50 }}\n"));
    let ask = RefundAsk {
        paid: 5_000,
        currency: mild.currency(),
        requested_at: instant(&mild, "2026-06-01T12:00:00"),
        cause: RefundCause::Player,
        approved: true,
        section: None,
        rows: [].into(),
        credit: false,
        proof: None,
    };
    assert_eq!(better_refund(&mild, &harsh, &ask).refund, 4_500);
    assert_eq!(better_refund(&harsh, &mild, &ask).refund, 4_500);
}
