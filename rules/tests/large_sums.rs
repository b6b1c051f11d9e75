//! Sums as large as a request or a file can make them: lines still sum to totals, and nothing leaves 64 bits.
mod support;

use domain::{Entrant, Money, Quote};
use rules::{Regulation, quote};
use support::asking::{asked, one};
use support::people::{standing, team_request};
use support::{regulation, small};

const AT: &str = "2026-06-01T12:00:00";
/// The largest sum that an entry comes to.
const MOST: i64 = 10_000_000_000_000;

fn adds_up(answer: &Quote) {
    for (place, entry) in answer.entries.iter().enumerate() {
        let lines = answer.lines.iter().filter(|line| line.entry == place);
        assert_eq!(lines.map(|line| line.amount).sum::<i64>(), entry.total);
        assert!((0..=MOST).contains(&entry.total), "{entry:?}");
    }
    let entries = answer.entries.iter().map(|entry| entry.total);
    assert_eq!(entries.sum::<i64>(), answer.total);
}

/// What two players are asked who agreed on so much each.
fn agreed(regulation: &Regulation, sum: i64) -> Quote {
    let mut player = one(regulation, Some("open"), &[]);
    let Entrant::Player(facts) = &mut player.entrant else {
        panic!("a player")
    };
    facts.agreed_price = Some(Money::new(sum, regulation.currency()));
    quote(
        regulation,
        &asked(regulation, AT, vec![player.clone(), player]),
    )
}

#[test]
fn an_agreed_price_that_no_file_could_ask_for_is_none() {
    let regulation = small(
        "[fees]\n[[fees.row]]\nid = \"agreed\"\namount = \"agreed\"\n[[adjust]]\nid = \"late\"\namount = 10\n",
    );
    let answer = agreed(&regulation, MOST);
    assert_eq!((answer.eligible, answer.total), (true, 2 * MOST));
    adds_up(&answer);
    for sum in [MOST + 1, i64::MAX - 500, i64::MAX, -1, i64::MIN] {
        let answer = agreed(&regulation, sum);
        assert_eq!(answer.reasons[0].code, "no_price", "{sum}");
    }
}

#[test]
fn charges_upon_charges_end_at_the_most() {
    let charge = |n: usize| format!("[[adjust]]\nid = \"c{n}\"\nstage = \"s\"\npercent = 1000\n");
    let charges: String = (0..64).map(charge).collect();
    for combine in ["sum", "best", "last"] {
        let regulation = small(&format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 1_000_000_000\n[[stage]]\nid = \"s\"\nof = \"running\"\ncombine = \"{combine}\"\n{charges}"
        ));
        let request = asked(&regulation, AT, vec![one(&regulation, Some("open"), &[])]);
        let answer = quote(&regulation, &request);
        assert!(answer.total >= 100_000_000_000, "{combine}");
        adds_up(&answer);
    }
}

#[test]
fn a_standing_price_of_any_size_makes_a_promotion_no_worse() {
    let rojas = regulation("hermanos-rojas-2019");
    for price in [i64::MIN, -1, 0, i64::MAX] {
        let mut request = asked(
            &rojas,
            "2019-02-10T12:00:00",
            vec![team_request("primario X a b c d")],
        );
        let mut other = standing(1, "secundario X a b c e", "both-levels");
        other.price = price;
        request.standing = vec![other];
        adds_up(&quote(&rojas, &request));
    }
}
