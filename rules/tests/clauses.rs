//! What the three regulations say besides prices.

mod support;

use domain::{Language, SectionId};
use rules::{Approval, Effective, IdentityScope, Ordering, Regulation};
use support::{TOURNAMENTS, regulation};

#[test]
fn deadlines_approval_seats_and_methods_are_those_of_the_texts() {
    let barcelona = regulation("ciutat-barcelona-2026");
    let llobregat = regulation("ellobregat-2026");
    let rojas = regulation("hermanos-rojas-2019");
    let deadlines = |regulation: &Regulation| {
        let shown = |instant: Option<domain::UtcTime>| instant.map(|instant| instant.to_string());
        (shown(regulation.closes()), shown(regulation.pay_by()))
    };
    let told = |text: &str| Some(text.to_owned());
    let noon = told("2026-08-20T12:00:00Z");
    assert_eq!(deadlines(&barcelona), (noon.clone(), noon));
    assert_eq!(deadlines(&llobregat), (told("2026-12-03T16:00:00Z"), None));
    assert_eq!(deadlines(&rojas), (told("2019-02-15T23:00:00Z"), None));

    let manner = |regulation: &Regulation| {
        let scope = regulation.identity_scope();
        (
            regulation.approval(),
            regulation.effective(),
            scope,
            regulation.order(),
        )
    };
    use IdentityScope::{Section, Tournament};
    let form = Ordering::ByForm;
    assert_eq!(
        manner(&barcelona),
        (Approval::None, Effective::Paid, Tournament, form)
    );
    assert_eq!(
        manner(&llobregat),
        (
            Approval::AfterPayment,
            Effective::Approved,
            Tournament,
            form
        )
    );
    assert_eq!(
        manner(&rojas),
        (Approval::None, Effective::SlipGiven, Section, form)
    );

    let seats = |regulation: &Regulation| -> Vec<(Vec<SectionId>, Option<u32>, Option<u32>)> {
        let rules = regulation.capacity().iter();
        rules
            .map(|rule| (rule.sections.clone(), rule.seats, rule.warn_at))
            .collect()
    };
    let section = |id: &str| vec![id.parse::<SectionId>().unwrap()];
    assert_eq!(seats(&barcelona), [(vec![], None, None)]);
    assert_eq!(
        seats(&llobregat),
        [
            (section("A"), Some(220), Some(180)),
            (section("B"), Some(100), Some(80))
        ]
    );
    assert_eq!(seats(&rojas), []);

    assert!(barcelona.payment_methods().card && llobregat.payment_methods().card);
    assert_eq!(llobregat.payment_methods().off, ["bizum"]);
    let methods = rojas.payment_methods();
    assert!(methods.slip && methods.slip_with_entry && !methods.card && !methods.transfer);
    let pay_to = methods.pay_to.as_ref().unwrap();
    assert!(pay_to.es.contains("3.2"), "{pay_to:?}");
    assert_eq!(barcelona.payment_methods().pay_to, None);
    assert_eq!(barcelona.prevailing_language(), Some(Language::Ca));
    assert!(barcelona.organiser_rights().annul && barcelona.organiser_rights().place);
    assert!(llobregat.organiser_rights().refuse && !llobregat.organiser_rights().place);
}

#[test]
fn consents_and_appeals_are_those_of_the_texts() {
    let consents = |id: &str| -> Vec<(String, bool)> {
        let regulation = regulation(id);
        let consents = regulation.consents().iter();
        consents
            .map(|consent| (consent.id.clone(), consent.required))
            .collect()
    };
    let player = [("bases", true), ("images", true), ("sponsors", false)];
    let player = player.map(|(id, required)| (id.to_owned(), required));
    assert_eq!(consents("ciutat-barcelona-2026"), player);
    assert_eq!(consents("ellobregat-2026"), player);
    assert_eq!(consents("hermanos-rojas-2019"), player[..1]);
    let appeals = TOURNAMENTS.map(|id| {
        let regulation = regulation(id);
        let appeal = &regulation.appeals()[0];
        (appeal.deposits[0].amount, appeal.within_seconds)
    });
    assert_eq!(appeals, [(0, 1_800), (5_000, 3_600), (5_000, 300)]);
}

#[test]
fn every_row_cites_its_article_and_speaks_three_languages() {
    for id in TOURNAMENTS {
        let table = rules::table::fee_table(&regulation(id));
        for row in table.rows {
            assert!(!row.article.is_empty(), "{id} {}", row.rule);
            for language in Language::ALL {
                assert!(
                    !row.text.in_language(language).is_empty(),
                    "{id} {}",
                    row.rule
                );
            }
        }
    }
}

#[test]
fn no_telephone_account_or_address_of_a_person_is_in_the_files() {
    for id in TOURNAMENTS {
        let regulation = regulation(id);
        let text = regulation.source();
        assert!(!text.contains('@'), "{id}");
        let digits = text.split(|c: char| !c.is_ascii_digit());
        assert!(digits.clone().all(|run| run.len() < 7), "{id}");
    }
}
