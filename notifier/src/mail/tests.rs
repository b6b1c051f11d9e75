//! Every mail in every language, and names that try to be more than names.

mod samples;

use domain::{Language, LineKind, Money, Status};
use lettre::message::Mailbox;

use super::message::{Envelope, build, message_id};
use super::occasion::News;
use super::story::{RefundNews, Story};
use super::{MailKind, letter, page};
use crate::backoff::Class;
use samples::{EVIL, at, byes, clause, eur, every_news, line, placed, priced, story};

#[test]
fn every_mail_has_its_sentences_in_every_language() {
    for kind in MailKind::ALL {
        for language in Language::ALL {
            for status in Status::ALL.into_iter().filter(|s| *s != Status::New) {
                let mut story = story(*kind, language, status);
                story.refund = Some(RefundNews {
                    to_card: 1_000,
                    by_transfer: 1_750,
                    as_credit: 1_000,
                    currency: None,
                    kept: 2_750,
                    clauses: vec![clause()],
                });
                story.news = every_news();
                let letter = letter::write(&story);
                let plain = page::text(&letter);
                assert!(
                    !letter.subject.starts_with(kind.as_str()),
                    "{}",
                    letter.subject
                );
                assert!(letter.subject.contains(story.order.reference.as_str()));
                for part in [&plain, &letter.subject] {
                    assert!(!part.contains(['{', '}']), "{part}");
                }
                // A sentence that is not there is answered with its own name.
                for name in [
                    "refund-",
                    "status-",
                    "entry-number",
                    "-title",
                    "-link",
                    ".body",
                    "section-",
                    "bye-",
                    "byes-",
                ] {
                    assert!(
                        !plain.contains(name),
                        "{kind:?} {language:?}: {name} in {plain}"
                    );
                }
                assert!(plain.contains("art. 9") && plain.contains(&story.link));
            }
        }
    }
}

#[test]
fn a_held_order_is_told_its_lines_and_until_when_to_pay() {
    let letter = letter::write(&story(MailKind::Held, Language::Ca, Status::Held));
    let plain = page::text(&letter);
    for part in [
        "Cal pagar 55,00 EUR abans de 02/07/2026, 12:00 (Europe/Madrid)",
        "Línia <base> (art. 5): 60,00 EUR",
        "Línia <base>: -5,00 EUR",
        "Total: 55,00 EUR",
        "https://desk.example/o?a=1&t=secret",
    ] {
        assert!(plain.contains(part), "{part} in {plain}");
    }
}

#[test]
fn a_cancelled_order_is_told_what_comes_back_and_why() {
    let mut story = story(MailKind::Cancelled, Language::En, Status::CancelledByPlayer);
    (story.order.total, story.order.paid, story.order.hold_until) = (0, 5_500, None);
    (story.order.refunded, story.order.kept) = (2_750, 2_750);
    story.refund = Some(RefundNews {
        to_card: 2_750,
        kept: 2_750,
        clauses: vec![clause()],
        ..RefundNews::default()
    });
    let plain = page::text(&letter::write(&story));
    for part in [
        "27.50 EUR goes back to the card",
        "The organiser keeps 27.50 EUR.",
        "(art. 9): en La meitat",
    ] {
        assert!(plain.contains(part), "{part} in {plain}");
    }
    assert!(
        !plain.contains("must be paid") && !plain.contains("art. 5"),
        "{plain}"
    );
    story.refund = Some(RefundNews {
        kept: 5_500,
        ..RefundNews::default()
    });
    let plain = page::text(&letter::write(&story));
    assert!(
        plain.contains("Nothing comes back.") && plain.contains("keeps 55.00 EUR"),
        "{plain}"
    );
}

#[test]
fn a_slip_that_is_being_checked_is_not_asked_for_again() {
    let mut story = story(MailKind::Held, Language::En, Status::Held);
    story.processing = Some(5_500);
    let plain = page::text(&letter::write(&story));
    assert!(
        plain.contains("Your payment of 55.00 EUR is noted"),
        "{plain}"
    );
    assert!(!plain.contains("must be paid"), "{plain}");
}

#[test]
fn an_order_with_its_slip_is_told_what_the_slip_is_worth() {
    let mut story = story(MailKind::Held, Language::En, Status::Held);
    (story.slip_number, story.processing) = (Some("0042".into()), Some(5_500));
    for (counts, said) in [
        (
            true,
            "The entry counts from now on, until the organiser has checked",
        ),
        (false, "We keep your place until the organiser has checked"),
    ] {
        story.venue.counts_from_slip = counts;
        let plain = page::text(&letter::write(&story));
        for part in [
            "with the slip 0042 of 55.00 EUR",
            said,
            "slip being checked",
        ] {
            assert!(plain.contains(part), "{part} in {plain}");
        }
        assert!(
            !plain.contains("to be paid") && !plain.contains("must be paid"),
            "{plain}"
        );
    }
}

#[test]
fn who_leaves_hears_that_a_slip_is_still_in_check() {
    for language in [Language::Ca, Language::Es, Language::En] {
        let mut story = story(MailKind::Cancelled, language, Status::CancelledByPlayer);
        let before = page::text(&letter::write(&story));
        story.processing = Some(5_500);
        let plain = page::text(&letter::write(&story));
        let sum = Money::new(5_500, eur()).in_language(language);
        assert!(
            plain.contains(&sum) && plain.len() > before.len() + 100,
            "{plain}"
        );
    }
}

#[test]
fn what_came_in_another_currency_goes_back_in_it() {
    let mut story = story(MailKind::NoSeat, Language::En, Status::Held);
    let dollars = "USD".parse().unwrap();
    story.amount = Some(Money::new(6_500, dollars));
    story.refund = Some(RefundNews {
        to_card: 6_500,
        currency: Some(dollars),
        ..RefundNews::default()
    });
    let plain = page::text(&letter::write(&story));
    assert!(plain.contains("65.00 USD goes back to the card"), "{plain}");
    assert!(!plain.contains("65.00 EUR"), "{plain}");
}

#[test]
fn a_move_is_told_from_where_to_where_and_with_its_difference() {
    let told = |from, difference, language| {
        let mut story = story(MailKind::SectionChanged, language, Status::Confirmed);
        story.news = vec![placed(from, difference)];
        (story.order.hold_until, story.order.paid) = (None, 5_500 - difference);
        page::text(&letter::write(&story))
    };
    let plain = told(Some("B"), 1_000, Language::Ca);
    for part in [
        "passa de «B» a «Grup A».",
        "Costa 10,00 EUR més: 55,00 EUR en comptes de 45,00 EUR.",
        "Queden per pagar 10,00 EUR.",
        " · Grup A · ",
    ] {
        assert!(plain.contains(part), "{part} in {plain}");
    }
    let plain = told(Some("B"), -500, Language::En);
    assert!(
        plain.contains("5.00 EUR less: 55.00 EUR in place of 60.00 EUR."),
        "{plain}"
    );
    assert!(!plain.contains("still to be paid"), "{plain}");
    let plain = told(Some("B"), 0, Language::Es);
    assert!(
        plain.contains("a «Grupo A».") && plain.contains("no cambia: 55,00 EUR"),
        "{plain}"
    );
    let plain = told(None, 5_500, Language::En);
    assert!(
        plain.contains("plays in Group A.") && plain.contains("The price is 55.00 EUR."),
        "{plain}"
    );
}

#[test]
fn money_that_came_in_is_told_once() {
    for (kind, times) in [
        (MailKind::Confirmed, 1),
        (MailKind::AwaitingApproval, 1),
        (MailKind::Paid, 1),
        (MailKind::NoSeat, 0),
    ] {
        let mut story = story(kind, Language::En, Status::Confirmed);
        story.news = vec![News::Received(5_500)];
        let plain = page::text(&letter::write(&story));
        let said = plain.matches("We have received your payment of 55.00 EUR.");
        assert_eq!(said.count(), times, "{kind:?}: {plain}");
    }
}

#[test]
fn whose_money_waits_is_told_so_and_whose_never_got_a_place_too() {
    for (language, waits, unseated) in [
        (Language::Ca, "us ho tornarem tot", "us tornem tot"),
        (Language::Es, "se le devolverá todo", "se le devuelve todo"),
        (
            Language::En,
            "all of it goes back",
            "all that you have paid goes back",
        ),
    ] {
        let mut told = story(MailKind::Waitlisted, language, Status::Waitlisted);
        let plain = page::text(&letter::write(&told));
        assert!(!plain.contains(waits), "{plain}");
        told.order.paid = told.order.total;
        let plain = page::text(&letter::write(&told));
        assert!(plain.contains(waits) && plain.contains(" 4 "), "{plain}");
        let mut told = story(MailKind::Cancelled, language, Status::CancelledByOrganiser);
        told.unseated = true;
        let plain = page::text(&letter::write(&told));
        assert!(plain.contains(unseated), "{plain}");
    }
}

#[test]
fn the_word_on_byes_names_their_rounds() {
    for (granted, word) in [(true, "Concedit a"), (false, "No concedit a")] {
        let mut story = story(MailKind::ByesDecided, Language::Ca, Status::Confirmed);
        story.news = vec![byes(granted)];
        let plain = page::text(&letter::write(&story));
        assert!(plain.contains(word), "{plain}");
        assert!(
            plain.contains("ronda 2 (mig punt), ronda 7 (sense punts)."),
            "{plain}"
        );
    }
}

#[test]
fn a_mail_that_time_has_passed_asks_for_nothing() {
    let late = |change: fn(&mut Story)| {
        let mut story = story(MailKind::Held, Language::En, Status::Held);
        change(&mut story);
        page::text(&letter::write(&story))
    };
    assert!(late(|_| ()).contains("must be paid"));
    for plain in [
        late(|story| story.passed = true),
        late(|story| story.now = story.order.hold_until.unwrap()),
    ] {
        assert!(
            !plain.contains("must be paid") && !plain.contains("Pay and see"),
            "{plain}"
        );
        assert!(plain.contains("See your entry"), "{plain}");
    }
    assert!(
        !late(|story| story.passed = true).contains("Total"),
        "sums are of the present"
    );
}

#[test]
fn who_waits_for_approval_is_asked_for_money_only_after_the_first_payment() {
    for (paid, asked) in [(0, false), (4_500, true)] {
        let mut story = story(
            MailKind::SectionChanged,
            Language::En,
            Status::PendingApproval,
        );
        (story.order.hold_until, story.order.paid) = (None, paid);
        let plain = page::text(&letter::write(&story));
        assert_eq!(
            plain.contains("10.00 EUR is still to be paid."),
            asked,
            "{plain}"
        );
    }
}

#[test]
fn a_price_that_changed_is_told_with_its_reason_and_its_new_lines() {
    let mut story = story(MailKind::Changed, Language::En, Status::Confirmed);
    story.news = vec![priced("paid")];
    story.lines = vec![line(LineKind::Base, 6_500, "art. 6")];
    story.order.total = 6_500;
    let plain = page::text(&letter::write(&story));
    assert!(plain.contains("goes by the day of the payment"), "{plain}");
    assert!(
        plain.contains("art. 6") && !plain.contains("art. 5"),
        "{plain}"
    );
}

#[test]
fn names_stay_names() {
    let story = story(MailKind::Held, Language::En, Status::Held);
    let letter = letter::write(&story);
    let html = page::html(&letter);
    assert!(
        !html.contains("<script") && html.contains("&lt;script&gt;"),
        "{html}"
    );
    assert!(html.contains("href=\"https://desk.example/o?a=1&amp;t=secret\""));

    let from: Mailbox = "Ciutat <desk@example.org>".parse().unwrap();
    let id = message_id(&story.tournament, story.number, story.kind, &from);
    let envelope = |to_address| Envelope {
        from: &from,
        to_name: Some(EVIL),
        to_address,
        message_id: id.clone(),
        date: at("2026-07-01T10:00:05Z"),
    };
    let message = build(&letter, &envelope("ana@example.org")).unwrap();
    let raw = String::from_utf8(message.formatted()).unwrap();
    let (headers, _) = raw.split_once("\r\n\r\n").unwrap();
    let names: Vec<&str> = headers
        .lines()
        .filter(|line| !line.starts_with([' ', '\t']))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, _)| name)
        .collect();
    assert!(!names.contains(&"Bcc"), "{headers}");
    assert_eq!(message.envelope().to().len(), 1);
    assert!(
        headers.contains("Message-ID: <ciutat-2026.12.held@example.org>"),
        "{headers}"
    );
    assert!(
        headers.contains("Date: Wed, 01 Jul 2026 10:00:05 +0000"),
        "{headers}"
    );
    assert!(
        headers.contains("Auto-Submitted: auto-generated"),
        "{headers}"
    );
    assert!(raw.contains("text/plain") && raw.contains("text/html"));

    for wrong in [
        "",
        "ana",
        "ana@example.org\r\nBcc: b@example.org",
        "a@b, c@d",
    ] {
        let refused = build(&letter, &envelope(wrong)).unwrap_err();
        assert_eq!(refused.class, Class::Refused, "{wrong}");
    }
}
