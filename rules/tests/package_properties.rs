//! Properties of package prices over random files, persons and orders.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{
    Entrant, EntryId, EntryRequest, Instants, OrderId, Quote, QuoteRequest, SectionId, Standing,
};
use proptest::prelude::*;
use rules::check::{Limits, check};
use rules::{Regulation, Remaining, RemainingPrice, quote, remaining_price};
use support::asking::asked;
use support::people::{instant, player};
use support::small;

const SECTIONS: [&str; 4] = ["a", "b", "c", "d"];
const AT: &str = "2026-06-01T12:00:00";
const WHEN: [&str; 4] = [
    "",
    "when = { age = { under = 18 } }\n",
    "when = { rating = { from = 2000 } }\n",
    "when = { not = { age = { under = 18 } }, rating = { under = 2200 } }\n",
];
const PEOPLE: [&[&str]; 4] = [
    &["name Ana"],
    &["name Ana", "born 2010-01-01"],
    &["name Ana", "rating 2100"],
    &["name Ana", "born 2010-01-01", "rating 2300"],
];

/// Base fees of all for each section, and lower ones for some.
fn rows() -> impl Strategy<Value = String> {
    let fee = || prop::sample::select(vec![20, 25, 30, 40, 60]);
    let for_all = prop::array::uniform4(fee());
    let less = (prop::sample::select(WHEN.to_vec()), 0..20u32);
    (for_all, less).prop_map(|([a, b, c, d], (when, less))| {
        format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\namount = {{ a = {a}, b = {b}, c = {c}, d = {d} }}\n\
             [[fees.row]]\nid = \"less\"\n{when}amount = {less}\n"
        )
    })
}

fn package() -> impl Strategy<Value = String> {
    let off = prop_oneof![
        (0..120u32).prop_map(|sum| format!("together = {sum}")),
        (1..30u32).prop_map(|sum| format!("amount = -{sum}")),
        (1..=100u32).prop_map(|share| format!("percent = -{share}")),
    ];
    let sections = prop::sample::subsequence(SECTIONS.to_vec(), 2..=4);
    (sections, prop::sample::select(WHEN.to_vec()), off).prop_map(|(sections, when, off)| {
        format!("sections = {sections:?}\nsame = \"person\"\n{when}{off}\n")
    })
}

fn file(rows: &str, packages: &[String]) -> String {
    let sections = SECTIONS
        .map(|id| format!("[section.{id}]\nname = \"S\"\n"))
        .concat();
    let packages = packages.iter().enumerate();
    let packages = packages.map(|(place, row)| format!("[[promotion]]\nid = \"p{place}\"\n{row}"));
    // So that a file without packages is of the same kind.
    format!(
        "{sections}{rows}{}# = \"person\"\n",
        packages.collect::<String>()
    )
}

struct Desk<'r> {
    regulation: &'r Regulation,
    ana: Entrant,
    /// Section and order of each entry, and what it was charged.
    entries: Vec<(SectionId, i64, i64)>,
}

impl Desk<'_> {
    fn remaining(&self) -> Vec<RemainingPrice> {
        let entries = self.entries.iter().zip(1..);
        let remaining = entries.map(|((section, order, _), number)| Remaining {
            entry: EntryId(number),
            order: OrderId(*order),
            at: Instants::of(instant(self.regulation, AT), None, None),
            currency: self.regulation.currency(),
            section: Some(section),
            entrant: &self.ana,
            claims: &[],
        });
        remaining_price(self.regulation, &remaining.collect::<Vec<_>>())
    }

    /// Takes an order of entries to these sections in.
    fn enter(&mut self, order: i64, sections: &[&str]) -> Quote {
        let standing = self.remaining().into_iter().zip(&self.entries);
        let standing = standing.map(|(known, (section, _, price))| Standing {
            entry: known.entry,
            section: Some(section.clone()),
            entrant: self.ana.clone(),
            price: *price,
            currency: None,
            promotions: known.promotions,
        });
        let entry = |section: &&str| EntryRequest {
            section: Some(section.parse().unwrap()),
            entrant: self.ana.clone(),
        };
        let entries = sections.iter().map(entry).collect();
        let request = QuoteRequest {
            standing: standing.collect(),
            ..asked(self.regulation, AT, entries)
        };
        let answer = quote(self.regulation, &request);
        assert!(answer.eligible, "{:?}", answer.reasons);
        let stored = serde_json::to_string(&request).unwrap();
        let again = quote(self.regulation, &serde_json::from_str(&stored).unwrap());
        assert_eq!(answer, again);
        for (section, entry) in sections.iter().zip(&answer.entries) {
            let section = section.parse().unwrap();
            self.entries.push((section, order, entry.total));
        }
        answer
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn orders_one_after_the_other_cost_what_their_entries_cost_among_themselves(
        rows in rows(),
        packages in prop::collection::vec(package(), 0..5),
        sections in prop::sample::subsequence(SECTIONS.to_vec(), 1..=4).prop_shuffle(),
        cuts in prop::collection::vec(any::<bool>(), 4),
        who in prop::sample::select(PEOPLE.to_vec()),
    ) {
        let regulation = small(&file(&rows, &packages));
        let plain = small(&file(&rows, &[]));
        let limits = Limits { minimum_charge: 500, charge_step: 100, ..Limits::ANY_SUM };
        let found = check(&regulation, &limits);
        let chargeable = found.iter().all(|f| !f.code.starts_with("total") && f.code != "not_proved");
        let ana = Entrant::Player(player(who, &regulation));
        let mut desk = Desk { regulation: &regulation, ana, entries: Vec::new() };
        let mut order = Vec::new();
        for (place, section) in sections.iter().enumerate() {
            order.push(*section);
            if place + 1 < sections.len() && !cuts[place] {
                continue;
            }
            let entered = std::mem::take(&mut order);
            let answer = desk.enter(i64::try_from(place).unwrap(), &entered);
            for (place, entry) in answer.entries.iter().enumerate() {
                let lines = answer.lines.iter().filter(|line| line.entry == place);
                prop_assert_eq!(lines.map(|line| line.amount).sum::<i64>(), entry.total);
                prop_assert!(entry.total >= 0);
            }
            let total = answer.total;
            prop_assert!(!chargeable || total == 0 || total >= 500 && total % 100 == 0, "{} {:?}", total, found);
            for row in found.iter().filter(|f| f.code == "promotion_idle") {
                let id = row.row.as_deref().unwrap();
                prop_assert!(answer.lines.iter().all(|line| &*line.rule != id), "{} is idle", id);
            }
        }
        let charged: Vec<i64> = desk.entries.iter().map(|(_, _, price)| *price).collect();
        let remains: Vec<i64> = desk.remaining().iter().map(|price| price.total.unwrap()).collect();
        prop_assert_eq!(&charged, &remains);
        let mut without = Desk { regulation: &plain, ana: desk.ana.clone(), entries: Vec::new() };
        let single = without.enter(0, &sections).total;
        prop_assert!(charged.iter().sum::<i64>() <= single);
    }
}
