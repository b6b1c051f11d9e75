//! The worked tables of `docs/pricing.md` come out as they stand there.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::{Entrant, EntryId, EntryRequest, LineKind, Quote, QuoteRequest, SectionId, Standing};
use rules::{Regulation, quote};
use support::asking::asked;
use support::markdown::{each_row, members};
use support::people::{checked, instant, minor, player, standing, team_request};
use support::small;

fn asked_of(
    regulation: &Regulation,
    section: &str,
    who: &str,
    registered: &str,
    grade: impl Fn(Entrant) -> Entrant,
) -> Quote {
    quote_of(regulation, section, who, [registered, "–", "–"], grade)
}

fn quote_of(
    regulation: &Regulation,
    section: &str,
    who: &str,
    instants: [&str; 3],
    grade: impl Fn(Entrant) -> Entrant,
) -> Quote {
    let entrant = Entrant::Player(player(&members(who), regulation));
    let [registered, paid, received] =
        instants.map(|local| (local != "–").then(|| instant(regulation, local)));
    let request = QuoteRequest {
        at: registered.unwrap(),
        paid_at: paid,
        received_at: received,
        currency: None,
        taken: domain::Taken::new(),
        others: domain::Others::default(),
        entries: vec![EntryRequest {
            section: (section != "–").then(|| section.parse().unwrap()),
            entrant: grade(entrant),
        }],
        standing: Vec::new(),
    };
    quote(regulation, &request)
}

/// Lines as the tables write them, or the codes of the reasons.
fn shown(quote: &Quote) -> (String, String) {
    if !quote.eligible {
        let codes: Vec<&str> = quote.reasons.iter().map(|reason| &*reason.code).collect();
        return (codes.join("; "), "refused".to_owned());
    }
    let sum = |amount: i64| domain::Money::new(amount, quote.currency).to_string();
    let lines = quote.lines.iter().map(|line| {
        let amount = sum(line.amount);
        format!("{} {}", line.rule, amount.split(' ').next().unwrap())
    });
    (lines.collect::<Vec<_>>().join("; "), sum(quote.total))
}

#[test]
fn the_three_regulations_are_priced_as_the_page_says() {
    let header = [
        "tournament",
        "section",
        "who",
        "registered",
        "lines",
        "total",
    ];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let found = asked_of(regulation, &row[0], &row[1], &row[2], checked);
        assert_eq!(shown(&found), (row[3].clone(), row[4].clone()), "{row:?}");
    });
    assert_eq!(rows, 33);
}

#[test]
fn the_small_regulations_are_priced_as_the_page_says() {
    let header = ["who", "registered", "lines", "total"];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let found = asked_of(regulation, "open", &row[0], &row[1], checked);
        assert_eq!(shown(&found), (row[2].clone(), row[3].clone()), "{row:?}");
    });
    assert_eq!(rows, 29);
}

#[test]
fn prices_by_the_payment_come_out_as_the_page_says() {
    let header = ["who", "registered", "paid", "received", "lines", "total"];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let instants = [&*row[1], &*row[2], &*row[3]];
        let found = quote_of(regulation, "open", &row[0], instants, checked);
        assert_eq!(shown(&found), (row[4].clone(), row[5].clone()), "{row:?}");
    });
    assert_eq!(rows, 6);
}

#[test]
fn prices_by_the_number_of_others_come_out_as_the_page_says() {
    let header = [
        "who",
        "of the club already",
        "asked",
        "lines of the last",
        "total",
    ];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let standing: u32 = row[1].parse().unwrap();
        let count: usize = row[2].parse().unwrap();
        let entry = |place: usize| {
            let mut player = player(&members(&row[0]), regulation);
            player.name = Some(format!("Player {place}"));
            EntryRequest {
                section: Some("open".parse().unwrap()),
                entrant: checked(Entrant::Player(player)),
            }
        };
        let mut request = asked(
            regulation,
            "2026-05-01T12:00:00",
            (0..count).map(entry).collect(),
        );
        request.others.by_group.insert("a".to_owned(), standing);
        let mut found = quote(regulation, &request);
        found.lines.retain(|line| line.entry + 1 == count);
        assert_eq!(shown(&found), (row[3].clone(), row[4].clone()), "{row:?}");
    });
    assert_eq!(rows, 5);
}

#[test]
fn prices_by_the_place_come_out_as_the_page_says() {
    let header = [
        "who",
        "of the federation already",
        "asked",
        "lines",
        "total",
    ];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let entry = |place: usize| {
            let mut player = player(&members(&row[0]), regulation);
            player.name = Some(format!("Player {place}"));
            EntryRequest {
                section: Some("open".parse().unwrap()),
                entrant: checked(Entrant::Player(player)),
            }
        };
        let count: usize = row[2].parse().unwrap();
        let entries = (0..count).map(entry).collect();
        let mut request = asked(regulation, "2026-05-01T12:00:00", entries);
        let standing: u32 = row[1].parse().unwrap();
        request.others.by_group.insert("FRA".to_owned(), standing);
        let found = quote(regulation, &request);
        assert_eq!(shown(&found), (row[3].clone(), row[4].clone()), "{row:?}");
        // All that stand came after it: then it is the first.
        request.entries.truncate(1);
        let later = &mut request.others.later_by_group;
        later.insert("FRA".to_owned(), standing);
        assert_eq!(quote(regulation, &request).total, 1_000, "{row:?}");
    });
    assert_eq!(rows, 4);
}

#[test]
fn prices_in_several_currencies_come_out_as_the_page_says() {
    let header = ["who", "currency", "registered", "lines", "total"];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let entrant = checked(Entrant::Player(player(&members(&row[0]), regulation)));
        let section = Some("open".parse().unwrap());
        let entries = vec![EntryRequest { section, entrant }];
        let request = QuoteRequest {
            currency: row[1].parse().ok(),
            ..asked(regulation, &row[2], entries)
        };
        let found = quote(regulation, &request);
        assert_eq!(shown(&found), (row[3].clone(), row[4].clone()), "{row:?}");
    });
    assert_eq!(rows, 13);
}

#[test]
fn limited_rows_come_out_as_the_page_says() {
    let header = ["who", "taken", "lines", "total"];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let entrant = checked(Entrant::Player(player(&members(&row[0]), regulation)));
        let taken = members(&row[1]).into_iter().map(|pair| {
            let (rule, count) = pair.split_once(' ').unwrap();
            (rule.to_owned(), count.parse().unwrap())
        });
        let request = QuoteRequest {
            taken: taken.collect(),
            ..asked(
                regulation,
                "2026-05-01T12:00:00",
                vec![EntryRequest {
                    section: Some("open".parse().unwrap()),
                    entrant,
                }],
            )
        };
        let found = quote(regulation, &request);
        assert_eq!(shown(&found), (row[2].clone(), row[3].clone()), "{row:?}");
        for claim in &found.claims {
            assert!(row[2].contains(&claim.rule), "{row:?}");
        }
        let limited = ["titled", "student"];
        let lines = limited
            .iter()
            .filter(|rule| row[2].contains(**rule))
            .count();
        assert_eq!(found.claims.len(), lines, "{row:?}");
    });
    assert_eq!(rows, 6);
}

#[test]
fn entries_of_one_order_take_what_is_left_one_after_the_other() {
    let regulation = small(
        "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 45\n[[fees.row]]\nid = \"early\"\nfirst = 3\namount = 30\n",
    );
    let entry = || EntryRequest {
        section: Some("open".parse().unwrap()),
        entrant: Entrant::Player(player(&[], &regulation)),
    };
    let mut people = vec![entry(), entry(), entry()];
    for (place, entry) in people.iter_mut().enumerate() {
        if let Entrant::Player(player) = &mut entry.entrant {
            player.name = Some(format!("Player {place}"));
        }
    }
    let request = QuoteRequest {
        taken: [("early".to_owned(), 1)].into(),
        ..asked(&regulation, "2026-05-01T12:00:00", people)
    };
    let found = quote(&regulation, &request);
    let totals: Vec<i64> = found.entries.iter().map(|entry| entry.total).collect();
    assert_eq!(totals, [3_000, 3_000, 4_500]);
    let claims: Vec<usize> = found.claims.iter().map(|claim| claim.entry).collect();
    assert_eq!(claims, [0, 1]);
}

fn promoted(regulation: &Regulation, row: &[String]) {
    let promotion = if regulation.tournament().as_str() == "small" {
        "both"
    } else {
        "both-levels"
    };
    let standing: Vec<Standing> = members(&row[0])
        .into_iter()
        .zip(1..)
        .map(|(text, number)| standing(number, text, promotion))
        .collect();
    let request = QuoteRequest {
        paid_at: None,
        received_at: None,
        currency: None,
        taken: domain::Taken::new(),
        others: domain::Others::default(),
        at: regulation.closes().unwrap().plus_seconds(-86_400),
        entries: members(&row[1]).into_iter().map(team_request).collect(),
        standing,
    };
    let found = quote(regulation, &request);
    assert_eq!(shown(&found), (row[2].clone(), row[3].clone()), "{row:?}");
    let reaches_standing = found.lines.iter().any(|line| line.with.is_some());
    let promoted = row[2].contains(promotion);
    assert_eq!(reaches_standing, promoted && !row[0].is_empty(), "{row:?}");
}

#[test]
fn promotions_come_out_as_the_page_says() {
    let header = ["tournament", "standing", "asked", "lines", "total"];
    assert_eq!(each_row("docs/pricing.md", &header, promoted), 6);
    assert_eq!(each_row("docs/pricing.md", &header[1..], promoted), 3);
}

/// `rapid Ana, born 2010-01-01`: section, name and facts of a player.
fn written(regulation: &Regulation, text: &str) -> (SectionId, Entrant) {
    let (section, who) = text.split_once(' ').unwrap();
    let facts = format!("name {who}");
    let facts: Vec<&str> = facts.split(',').map(str::trim).collect();
    let entrant = checked(Entrant::Player(player(&facts, regulation)));
    (section.parse().unwrap(), entrant)
}

/// `rapid Ana 40.00 quick`: the same with its price and what it serves.
fn stands(regulation: &Regulation, number: i64, text: &str) -> Standing {
    let words: Vec<&str> = text.split(' ').collect();
    let (section, entrant) = written(regulation, &words[..2].join(" "));
    Standing {
        entry: EntryId(number),
        section: Some(section),
        entrant,
        price: minor(words[2]),
        currency: None,
        promotions: words[3..].iter().map(|id| (*id).to_owned()).collect(),
    }
}

#[test]
fn packages_come_out_as_the_page_says() {
    let header = ["standing", "asked", "registered", "lines", "total"];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let entries = members(&row[1]).into_iter().map(|text| {
            let (section, entrant) = written(regulation, text);
            let section = Some(section);
            EntryRequest { section, entrant }
        });
        let there = members(&row[0]).into_iter().zip(1..);
        let there = there.map(|(text, number)| stands(regulation, number, text));
        let request = QuoteRequest {
            standing: there.collect(),
            ..asked(regulation, &row[2], entries.collect())
        };
        let found = quote(regulation, &request);
        assert_eq!(shown(&found), (row[3].clone(), row[4].clone()), "{row:?}");
        let first = request.standing.first().map(|first| first.entry);
        let promoted = found.lines.iter();
        let mut promoted = promoted.filter(|line| line.kind == LineKind::Promotion);
        assert!(promoted.all(|line| line.with == first), "{row:?}");
    });
    assert_eq!(rows, 15);
}

#[test]
fn facts_to_check_are_told_as_the_page_says() {
    let header = [
        "tournament",
        "section",
        "who declares",
        "to check",
        "approval",
    ];
    let rows = each_row("docs/pricing.md", &header, |regulation, row| {
        let found = asked_of(regulation, &row[0], &row[1], "2026-08-01T12:00:00", |who| {
            who
        });
        let entry = &found.entries[0];
        let names: Vec<&str> = entry.to_check.iter().map(|fact| fact.as_str()).collect();
        let expected: Vec<&str> = row[2].split(' ').filter(|name| *name != "–").collect();
        let sorted = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.join(" ")
        };
        assert_eq!(sorted(names), sorted(expected), "{row:?}");
        assert_eq!(entry.needs_approval, row[3] == "yes", "{row:?}");
    });
    assert_eq!(rows, 10);
}
