//! Facts that only players have, or only teams, and sections where the others enter.

mod support;

use rules::Regulation;
use rules::table::fee_table;
use support::whole;

const SECTIONS: &str = "[section.open]\nname = \"Open\"\n[section.school]\nname = \"School\"\nentrants = \"teams\"\n[fees]\n[[fees.row]]\nid = \"fee\"\namount = 40\n";

fn read(more: &str) -> Result<Regulation, String> {
    let text = whole(&format!("{SECTIONS}{more}"));
    let read = Regulation::parse("x.toml", &text, 1);
    read.map_err(|error| error.faults[0].reason.clone())
}

#[test]
fn a_row_that_names_a_section_of_others_is_refused() {
    let enter = "enter section school: name the sections that are meant";
    for (fact, when) in [
        ("rating", "rating = { under = 2000 }"),
        ("rating", "unrated = true"),
        ("title", "title = \"none\""),
        ("federation", "not = { federation = \"ESP\" }"),
        ("birth_date", "not = { age = { under = 12 } }"),
        ("sex", "any = [{ sex = \"f\" }, { agreed_price = true }]"),
    ] {
        let row =
            format!("[[adjust]]\nid = \"x\"\nwhen = {{ {when} }}\namount = {{ school = 5 }}\n");
        let told = read(&row).unwrap_err();
        let expected = format!("adjust.amount: `{fact}` is a fact of players, and teams {enter}");
        assert_eq!(told, expected, "{when}");
        let entry = format!("[[admits]]\nsections = [\"school\"]\nneeds = {{ {when} }}\n");
        let told = read(&entry).unwrap_err();
        assert!(told.ends_with(&format!("teams {enter}")), "{told}");
    }
    let players = "[[adjust]]\nid = \"x\"\nwhen = { players = 4 }\namount = { open = 5 }\n";
    let told = read(players).unwrap_err();
    assert!(
        told.contains("`roster` is a fact of teams, and players enter section open"),
        "{told}"
    );
}

#[test]
fn a_sum_for_all_is_meant_where_they_have_the_fact() {
    let read = |when: &str| {
        let row = format!("[[adjust]]\nid = \"x\"\nwhen = {{ {when} }}\namount = 5\n");
        let table = fee_table(&read(&row).unwrap());
        let cells = table.rows.last().unwrap().cells.clone();
        let sections = table.sections.iter().map(ToString::to_string);
        sections
            .zip(cells)
            .filter(|(_, cell)| cell.is_some())
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
    };
    assert_eq!(read("unrated = true"), ["open"]);
    assert_eq!(read("players = { from = 5 }"), ["school"]);
    // What the organiser gives, and the instant, are of everybody.
    assert_eq!(read("agreed_price = false"), ["open", "school"]);
    assert_eq!(
        read("registered = { before = 2026-06-01 }"),
        ["open", "school"]
    );
}
