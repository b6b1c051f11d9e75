//! `docs/gallery.md`: every regulation of this project, what of the language it uses, and its fee table. `UPDATE_DOCS=1` writes
//! the page anew.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use domain::Language;
use rules::Regulation;
use rules::table::fee_table;
use support::{project, read};

/// What a file uses if this stands in it, and what that is called.
const USES: [(&str, &str); 21] = [
    ("\ncurrencies", "several currencies"),
    (
        "when_full = \"wait\"",
        "a waiting list of those who have paid",
    ),
    ("paid = {", "a price by the payment"),
    ("received = {", "a price by the money's arrival"),
    ("first   = ", "the first so many"),
    ("members = {", "so many of a club"),
    ("[[promotion]]", "two teams together"),
    ("[[question]]", "questions of its own"),
    ("= \"agreed\"", "agreed prices"),
    ("percent = ", "percentages"),
    ("combine = \"best\"", "the best reduction"),
    ("combine = \"last\"", "the last charge"),
    ("\nends", "rows that end others"),
    ("born = {", "years of birth"),
    ("age = {", "ages"),
    ("title = ", "titles"),
    ("rating = {", "ratings"),
    ("licence = ", "licences"),
    ("[[capacity]]", "seats"),
    ("[[refund.tier]]", "refund tiers"),
    ("[byes]", "byes"),
];

const HEAD: &str = "# Gallery

Regulations of real tournaments, each a file of [the language](regulation-language.md): the three that Enroc was made for, and
those that the engine is tried on. Who starts a file of their own finds one here that is like it. Where a text leaves room, the
reading taken stands beside the row. This page is written by a test (`UPDATE_DOCS=1 cargo test -p rules --test gallery`).
";

/// The paths of the files, the project's own first.
fn files() -> Vec<String> {
    let of = |folder: &str| -> Vec<String> {
        let files = std::fs::read_dir(project(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).collect();
        names.sort();
        names
            .into_iter()
            .map(|name| format!("{folder}/{name}"))
            .collect()
    };
    let own = of("regulations").into_iter();
    own.chain(of("rules/tests/fixtures/regulations")).collect()
}

fn entry(path: &str) -> String {
    let text = read(path);
    let regulation = Regulation::parse(path, &text, 1).unwrap_or_else(|error| panic!("{error}"));
    let name = regulation.name().in_language(Language::En);
    let source = text.lines().next().unwrap_or_default();
    let source = source.trim_start_matches(['#', ' ']).split(". ");
    let source = source
        .map(|part| part.trim_end_matches('.'))
        .next()
        .unwrap_or_default();
    let said = |line: &str| line.split('#').next().unwrap_or_default().to_owned() + "\n";
    let text: String = text.lines().map(said).collect();
    let uses: Vec<&str> = USES
        .iter()
        .filter(|(mark, _)| text.contains(mark))
        .map(|(_, name)| *name)
        .collect();
    let table = fee_table(&regulation).to_markdown(Language::En);
    format!(
        "\n## {name}\n\n{source}.\n\n[{file}](../{path}). Uses {uses}.\n\n{table}",
        file = path.rsplit('/').next().unwrap(),
        uses = uses.join(", "),
    )
}

#[test]
fn the_gallery_shows_every_regulation() {
    let page = files()
        .iter()
        .fold(HEAD.to_owned(), |page, path| page + &entry(path));
    let path = project("docs/gallery.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/gallery.md is not what the files say; run the test again with UPDATE_DOCS=1 and look at the difference"
    );
}

#[test]
fn nothing_of_the_list_is_used_by_nobody() {
    let texts: Vec<String> = files().iter().map(|path| read(path)).collect();
    let unused = USES
        .iter()
        .filter(|(mark, _)| texts.iter().all(|text| !text.contains(mark)));
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}
