//! The blocks of `docs/regulation-language.md` together are a regulation.

mod support;

use rules::Regulation;
use rules::check::{Limits, check};
use support::markdown::{Part, parts};
use support::read;

#[test]
fn the_blocks_of_the_page_are_one_regulation_that_checks() {
    let blocks = parts(&read("docs/regulation-language.md"));
    let blocks = blocks.into_iter().filter_map(|part| match part {
        Part::Toml(text) => Some(text),
        Part::Table(_) => None,
    });
    let text: String = blocks.collect();
    let regulation = Regulation::parse("docs/regulation-language.md", &text, 1);
    let regulation = regulation.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(regulation.sections().count(), 5);
    let limits = Limits {
        minimum_charge: 50,
        ..Limits::ANY_SUM
    };
    let findings = check(&regulation, &limits);
    let errors = findings
        .iter()
        .filter(|finding| finding.code != "article_missing");
    assert_eq!(
        errors.collect::<Vec<_>>(),
        Vec::<&rules::check::Finding>::new()
    );
}
