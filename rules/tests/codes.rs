//! Codes that a regulation names by their labels: a discount, and no invitation.

mod support;

use domain::{Entrant, EntryRequest, FactName, Grade};
use rules::quote;
use support::asking::asked;
use support::people::player;
use support::small;

const FEES: &str = "[fees]
[[fees.row]]
id = \"fee\"
amount = 45
[[fees.row]]
id = \"invited\"
when = { invited = true }
amount = 0
[[adjust]]
id = \"sponsor\"
when = { code = [\"sponsor\", \"friends\"] }
amount = -10
";

#[test]
fn a_code_lowers_the_price_only_where_the_entry_brings_it() {
    let regulation = small(FEES);
    let declared = Grade::Declared;
    let checked = |by: &str| Grade::Checked { by: by.to_owned() };
    for (invited, grade, total) in [
        (false, None, 4_500),
        (true, Some(declared), 4_500),
        (true, Some(checked("code:sponsor")), 3_500),
        (true, Some(checked("code:friends")), 3_500),
        (true, Some(checked("code:gm")), 0),
        (true, Some(checked("staff")), 0),
        (true, Some(checked("sponsor")), 0),
        (false, Some(checked("code:sponsor")), 4_500),
    ] {
        let mut player = player(&[], &regulation);
        player.invited = invited;
        if let Some(grade) = grade.clone() {
            player.grades.insert(FactName::Invited, grade);
        }
        let entry = EntryRequest {
            section: Some("open".parse().unwrap()),
            entrant: Entrant::Player(player),
        };
        let found = quote(
            &regulation,
            &asked(&regulation, "2026-05-01T12:00:00", vec![entry]),
        );
        assert_eq!(found.total, total, "{invited} {grade:?}");
        assert!(found.entries[0].to_check.is_empty(), "{grade:?}");
    }
}
