//! A mail as paragraphs and tables, before it is text or HTML.

use domain::{ByePoints, EntryId, Language, Money, SectionId, Status};

use super::MailKind;
use super::occasion::News;
use super::story::{PayBy, RefundNews, Story};
use super::words::Words;

/// A row of a table: what, and the sum beside it.
pub(crate) struct Row {
    pub what: String,
    pub sum: String,
}

/// A table with its title.
pub(crate) struct Table {
    pub title: String,
    pub rows: Vec<Row>,
    /// Below the rows, in bold.
    pub totals: Vec<String>,
}

/// One mail in one language.
pub(crate) struct Letter {
    pub language: Language,
    pub subject: String,
    pub greeting: String,
    pub paragraphs: Vec<String>,
    pub tables: Vec<Table>,
    pub link: String,
    pub link_text: String,
    pub footer: String,
}

/// Writes the mail of a story.
pub(crate) fn write(story: &Story) -> Letter {
    let mut words = Words::new(story.language);
    words.set(
        "tournament",
        one_line(story.venue.name.in_language(story.language)),
    );
    words.set("reference", story.order.reference.to_string());
    words.set(
        "payer",
        one_line(story.payer.as_deref().unwrap_or_default()),
    );
    words.set("due", words.sum(story.money(story.due())));
    words.set("total", words.sum(story.money(story.order.total)));
    words.set("paid", words.sum(story.money(story.order.paid)));
    let gone_back = story.refund.as_ref().map(RefundNews::back);
    let amount = story
        .amount
        .unwrap_or_else(|| story.money(gone_back.unwrap_or(story.order.paid)));
    words.set("amount", words.sum(amount));
    words.set(
        "number",
        one_line(story.slip_number.as_deref().unwrap_or("-")),
    );

    let kind = story.kind.as_str();
    let subject = words.say(&format!("{kind}.subject"));
    let greeting = words.say(if story.payer.is_some() {
        "greeting"
    } else {
        "greeting-nobody"
    });
    let mut paragraphs = vec![words.say(&body(story))];
    if ended(story.kind)
        && !story.passed
        && let Some(sum) = story.processing
    {
        words.set("amount", words.sum(story.money(sum)));
        paragraphs.push(words.say("slip-still-in-check"));
    }
    if let Some(position) = story.position {
        words.set("position", position.to_string());
        paragraphs.push(words.say("waiting-position"));
    }
    if let Some(reason) = &story.reason {
        words.set("reason", one_line(reason));
        paragraphs.push(words.say("reason"));
    }
    for news in &story.news {
        news_paragraph(&mut words, story, news, &mut paragraphs);
    }
    if let Some(refund) = &story.refund {
        refund_paragraphs(&mut words, story, refund, &mut paragraphs);
    }
    let to_pay = to_pay(&mut words, story, &mut paragraphs);
    Letter {
        language: story.language,
        subject,
        greeting,
        tables: tables(&mut words, story),
        link: story.link.clone(),
        link_text: words.say(if to_pay { "pay-link" } else { "see-link" }),
        footer: words.say("footer"),
        paragraphs,
    }
}

/// The sentence that opens the mail: an order that came with its slip is told what the slip is worth.
fn body(story: &Story) -> String {
    let with_slip = story.kind == MailKind::Held && story.slip_number.is_some();
    match (with_slip, story.venue.counts_from_slip) {
        (true, true) => "held-counts-from-slip".to_owned(),
        (true, false) => "held-with-slip".to_owned(),
        (false, _) if story.credit => "credit-spent".to_owned(),
        (false, _) if story.unseated => "unseated".to_owned(),
        (false, _) if story.kind == MailKind::Waitlisted && story.credited() > 0 => {
            "waits-with-money".to_owned()
        }
        (false, _) => format!("{}.body", story.kind.as_str()),
    }
}

/// Whether the mail is about entries that somebody ended.
fn ended(kind: MailKind) -> bool {
    matches!(kind, MailKind::Cancelled | MailKind::Rejected)
}

/// What is to be paid and until when; whether anything is.
fn to_pay(words: &mut Words<'_>, story: &Story, paragraphs: &mut Vec<String>) -> bool {
    let Some(pay_by) = story.payable() else {
        return false;
    };
    if let Some(sum) = story.processing {
        if story.kind != MailKind::SlipReported {
            words.set("amount", words.sum(story.money(sum)));
            paragraphs.push(words.say("in-process"));
        }
        return false;
    }
    match pay_by {
        PayBy::Until(until) => {
            words.set("pay_by", until.in_language(story.language, story.zone()));
            paragraphs.push(words.say("pay-by"));
        }
        PayBy::NoDay => paragraphs.push(words.say("still-due")),
    }
    true
}

/// Where the organiser placed an entry and what that costs, or what the arbiter said of its byes.
fn news_paragraph(words: &mut Words<'_>, story: &Story, news: &News, paragraphs: &mut Vec<String>) {
    match news {
        News::Received(sum) => {
            // Where the mail is about this money its body says what became of it.
            if !matches!(story.kind, MailKind::Paid | MailKind::NoSeat) {
                words.set("amount", words.sum(story.money(*sum)));
                paragraphs.push(words.say("paid.body"));
            }
        }
        News::Section {
            entry,
            from,
            to,
            price,
            difference,
        } => {
            words.set("name", name(words, story, *entry));
            words.set("to", section(words, story, Some(to)));
            words.set("from", section(words, story, from.as_ref()));
            words.set("price", words.sum(story.money(*price)));
            words.set("before", words.sum(story.money(price - difference)));
            words.set("difference", words.sum(story.money(difference.abs())));
            let moved = from.is_some();
            paragraphs.push(words.say(if moved {
                "section-moved"
            } else {
                "section-placed"
            }));
            paragraphs.push(words.say(match difference.signum() {
                _ if !moved => "section-price",
                1 => "section-dearer",
                -1 => "section-cheaper",
                _ => "section-same-price",
            }));
        }
        News::Price {
            entry,
            from,
            to,
            rule,
        } => {
            words.set("name", name(words, story, *entry));
            words.set("price", words.sum(story.money(*to)));
            words.set("before", words.sum(story.money(*from)));
            paragraphs.push(words.say(price_changed(rule)));
        }
        News::Byes {
            entry,
            byes,
            granted,
        } => {
            words.set("name", name(words, story, *entry));
            let mut rounds = Vec::new();
            for bye in byes {
                words.set("round", bye.round.to_string());
                rounds.push(words.say(match bye.points {
                    ByePoints::Half => "bye-half",
                    ByePoints::Zero => "bye-zero",
                }));
            }
            words.set("rounds", rounds.join(", "));
            paragraphs.push(words.say(if *granted {
                "byes-granted"
            } else {
                "byes-refused"
            }));
        }
    }
}

/// The sentence that says why a price is another one.
fn price_changed(rule: &str) -> &'static str {
    match rule {
        "paid" => "price-by-payment",
        "members" => "price-by-members",
        "promotion" => "price-by-promotion",
        "fact_upheld" | "fact_not_upheld" => "price-by-fact",
        "deposit" => "price-by-deposit",
        _ => "price-changed",
    }
}

/// Who an entry is.
fn name(words: &Words<'_>, story: &Story, entry: EntryId) -> String {
    let known = story.names.get(&entry);
    known.map_or_else(|| words.say("erased"), |name| one_line(name))
}

/// What people call a section.
fn section(words: &Words<'_>, story: &Story, section: Option<&SectionId>) -> String {
    let Some(id) = section else {
        return words.say("without-section");
    };
    let title = story.venue.sections.get(id);
    title.map_or_else(
        || id.to_string(),
        |title| one_line(title.in_language(story.language)),
    )
}

fn refund_paragraphs(
    words: &mut Words<'_>,
    story: &Story,
    refund: &RefundNews,
    paragraphs: &mut Vec<String>,
) {
    words.set("kept", words.sum(story.money(refund.kept)));
    for (sum, sentence) in [
        (refund.to_card, "refund-card"),
        (refund.by_transfer, "refund-transfer"),
        (refund.as_credit, "refund-credit"),
    ] {
        if sum > 0 {
            let currency = refund.currency.unwrap_or(story.order.currency);
            words.set("amount", words.sum(Money::new(sum, currency)));
            paragraphs.push(words.say(sentence));
        }
    }
    if refund.back() == 0 {
        paragraphs.push(words.say("refund-nothing"));
    }
    if refund.kept > 0 {
        paragraphs.push(words.say("refund-kept"));
    }
    for (article, clause) in &refund.clauses {
        words.set("article", one_line(article));
        words.set("clause", one_line(clause.in_language(story.language)));
        paragraphs.push(words.say("refund-article"));
    }
}

fn tables(words: &mut Words<'_>, story: &Story) -> Vec<Table> {
    let mut tables = vec![entries(words, story)];
    let priced = matches!(
        story.kind,
        MailKind::Held
            | MailKind::Waitlisted
            | MailKind::Offer
            | MailKind::Approved
            | MailKind::AwaitingApproval
            | MailKind::Confirmed
            | MailKind::Paid
            | MailKind::SectionChanged
            | MailKind::Changed
    );
    let lines = &story.lines;
    // They are of the present.
    if priced && !story.passed && !lines.is_empty() {
        let row = |line: &domain::Line| Row {
            what: match &*line.article {
                "" => one_line(line.text.in_language(story.language)),
                article => one_line(&format!(
                    "{} ({article})",
                    line.text.in_language(story.language)
                )),
            },
            sum: words.sum(story.money(line.amount)),
        };
        let mut totals = vec![words.say("total")];
        if story.order.paid > 0 {
            totals.push(words.say("paid-so-far"));
        }
        tables.push(Table {
            title: words.say("lines-title"),
            rows: lines.iter().map(row).collect(),
            totals,
        });
    }
    tables
}

fn entries(words: &mut Words<'_>, story: &Story) -> Table {
    let mut rows = Vec::new();
    for entry in &story.entries {
        words.set("number", entry.form_number.to_string());
        let parts = [
            words.say("entry-number"),
            name(words, story, entry.entry),
            section(words, story, entry.section.as_ref()),
            words.say(&status(story, entry.status)),
        ];
        rows.push(Row {
            what: parts.join(" · "),
            sum: words.sum(story.money(entry.price)),
        });
    }
    Table {
        title: words.say("entries-title"),
        rows,
        totals: Vec::new(),
    }
}

/// Where an entry stands: one whose slip is in check is not to be paid.
fn status(story: &Story, status: Status) -> String {
    if status == Status::Held && story.kind == MailKind::Held && story.slip_number.is_some() {
        return "status-slip".to_owned();
    }
    format!("status-{status}")
}

/// A text from outside in one line: whatever could end a header or begin another is a space.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| {
            if c.is_control() || c == '\u{2028}' || c == '\u{2029}' {
                ' '
            } else {
                c
            }
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
