//! A regulation shown with everything that its file leaves out.

mod support;

use rules::show;
use support::{TOURNAMENTS, regulation, small};

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
        "  a seat is held: 1 days",
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
            let Some(id) = row.strip_prefix("id      = \"") else {
                continue;
            };
            let id = id.split('"').next().unwrap_or_default();
            if !["appeal", "bases", "images", "sponsors"].contains(&id) {
                assert!(shown.contains(&format!("\n  {id}: ")), "{id} in\n{shown}");
            }
        }
    }
}
