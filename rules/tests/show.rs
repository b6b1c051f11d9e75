//! A regulation shown with everything that its file leaves out.

mod support;

use rules::{Regulation, show, show_resolved};
use support::{TOURNAMENTS, regulation, small, whole};

#[test]
fn what_the_file_leaves_out_is_said() {
    let shown = show(&small(
        r#"
[[question]]
id   = "member"
text = "Member?"
[[question]]
id     = "games"
text   = "Games?"
number = { from = 0, to = 500_000 }
[who]
young = { age = { under = 16 } }
[fees]
[[fees.row]]
id     = "fee"
amount = "12.50"
[[fees.row]]
id     = "guest"
when   = { any = ["young", { rating = { from = 2400 }, title = ["GM", "WGM"] }, { not = { federation = "ESP" } }] }
amount = 0
ends   = ["charges"]
[[adjust]]
id      = "late"
when    = { registered = { from = 2026-07-01 }, answer = { member = false } }
percent = "7.5"
[[adjust]]
id     = "games"
when   = { answer = { games = { from = 20_000 } } }
amount = -1
"#,
    ));
    for line in [
        "  time zone: Europe/Madrid",
        "  taken: until 2026-08-01T11:59:59",
        "  paid: as long as the seat is held",
        "  a seat is held: 1 day",
        "  approval: none",
        "  the same entrant once in: the tournament",
        "  the organiser may: neither refuse nor annul nor place",
        "  seats: no limit",
        "  open: Open, players, 9 rounds",
        "  member: Member? (yes or no, else no; all sections)",
        "  all sections: everybody",
        "fees: the lowest row that applies",
        "  fee: 12.50 EUR",
        "  guest: 0.00 EUR, for: age 15 or less (born 2010-08-02 or later) or (rating 2400 or more and title GM or WGM) or not (federation ESP); ends late",
        "  a percentage comes to a multiple of: 0.01 EUR",
        "charges: all that apply add up, percentages of the base fee",
        "  games: -1.00 EUR, for: games 20000 or more",
        "  late: 7.50 %, for: entered from 2026-07-01T00:00:00 and not member",
        "  otherwise: nothing by rule; the staff may decide, by card",
        "  none: may be asked for",
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line:?} in\n{shown}"
        );
    }
}

#[test]
fn the_regulations_of_the_project_are_shown_to_their_end() {
    for id in TOURNAMENTS {
        let shown = show(&regulation(id));
        assert!(shown.contains("\nbyes\n"), "{shown}");
        for row in regulation(id).source().lines() {
            let Some(id) = row
                .strip_prefix("id ")
                .and_then(|row| row.trim_start().strip_prefix("= \""))
            else {
                continue;
            };
            let id = id.split('"').next().unwrap_or_default();
            let told = shown.contains(&format!("\n  {id}: ")) || shown.contains(&format!("({id})"));
            assert!(told, "{id} in\n{shown}");
        }
    }
}

#[test]
fn what_is_not_the_files_is_marked() {
    let regulation = small(
        r#"
[section.open]
name   = "Open"
rounds = 7
[section.teams]
name     = "Teams"
entrants = "teams"
[fees]
choose = "only"
[[fees.row]]
id     = "fee"
when   = { age = { under = 16 } }
amount = 10
[[fees.row]]
id      = "others"
accepts = "listed"
amount  = 20
[[stage]]
id = "less"
of = "running"
[[adjust]]
id     = "early"
stage  = "less"
when   = { registered = { before = 2026-06-01 } }
amount = -5
[[refund.tier]]
id        = "half"
requested = { until = 2026-07-01 }
keep      = { percent = 50 }
[[byes.rule]]
points = "half"
rounds = { from = 1, to = 3 }
[[appeal]]
id     = "appeal"
within = "1h"
text   = "In writing."
[[consent]]
id       = "bases"
required = true
text     = "I accept."
"#,
    );
    let shown = show_resolved(&regulation);
    for line in [
        "  wording that prevails: none [default]",
        "  taken: until 2026-08-01T11:59:59",
        "  open: as soon as the desk is [default]",
        "  paid: as long as the seat is held [default]",
        "  a seat is held: 1 day",
        "  seats by: the order of the form",
        "  approval: none [default]",
        "  the same entrant once in: the tournament [default]",
        "  the organiser may: neither refuse nor annul nor place [default]",
        "  seats: no limit [default]",
        "  open: Open, players [default], 7 rounds",
        "  teams: Teams, teams, boards free [default], 9 rounds [default]",
        "  all sections: everybody [default]",
        "fees: the only row that applies",
        "  fee: open 10.00 EUR, for: age 15 or less (born 2010-08-02 or later); facts as declared [default]",
        "  others: 20.00 EUR (as a list says); for everybody [default]",
        "  a percentage comes to a multiple of: 0.01 EUR [default]",
        "less: all that apply add up [default], percentages of what it has come to",
        "  early: -5.00 EUR, for: entered until 2026-05-31T23:59:59; facts as declared [default]",
        "  half: until 2026-07-01T23:59:59: 50 % is kept; back by card [default]",
        "  otherwise: nothing by rule; the staff may decide, by card [default]",
        "  half a point: any number [default], in rounds 1 to 3",
        "  appeal: within 1 hour, no deposit [default]: In writing.",
        "  bases: required: I accept.",
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line:?} in\n{shown}"
        );
    }
    // Without the marks, and what only they say, it is what is shown otherwise.
    let plain = show(&regulation);
    let unmarked = shown.replace("; facts as declared [default]", "");
    let unmarked = unmarked.replace("; for everybody [default]", "");
    assert_eq!(unmarked.replace(" [default]", ""), plain);
}

#[test]
fn how_money_goes_back_goes_by_how_it_comes() {
    let shown = |methods: &str, refund: &str| {
        let text = support::whole(&format!(
            "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 10\n{refund}"
        ));
        let text = text.replace("[\"card\"]", methods);
        show_resolved(&rules::Regulation::parse("x.toml", &text, 1).unwrap())
    };
    for (methods, refund, by) in [
        ("[\"card\"]", "", "card [default]"),
        ("[\"card\", \"transfer\"]", "", "card [default]"),
        ("[\"transfer\"]", "", "transfer [default]"),
        (
            "[\"slip\"]",
            "[refund]\narticle = \"9\"\n",
            "transfer [default]",
        ),
        ("[\"slip\"]", "[refund]\nmethod = \"card\"\n", "card"),
    ] {
        let line = format!("  otherwise: nothing by rule; the staff may decide, by {by}");
        let shown = shown(methods, refund);
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line} in {shown}"
        );
    }
}

#[test]
fn what_becomes_of_money_that_finds_no_seat_is_said_where_money_gives_the_seat() {
    let fees = "[fees]\n[[fees.row]]\nid = \"fee\"\namount = 10\n";
    let by_form = whole(fees);
    for (order, said) in [
        ("\"form\"", None),
        ("\"payment\"", Some("goes back at once [default]")),
        (
            "\"payment\"\nwhen_full = \"give back\"",
            Some("goes back at once"),
        ),
        (
            "\"payment\"\nwhen_full = \"wait\"",
            Some("waits for a seat, first come first seated, and goes back when play begins"),
        ),
    ] {
        let text = by_form.replace("\"form\"", order);
        let regulation = Regulation::parse("w.toml", &text, 1);
        let shown = regulation.map_or_else(|e| e.to_string(), |r| show_resolved(&r));
        let line = shown
            .lines()
            .find_map(|line| line.strip_prefix("  money that finds no seat: "));
        assert_eq!(line, said, "{order}");
    }
}
