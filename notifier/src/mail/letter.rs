//! A mail as paragraphs and tables, before it is text or HTML.

use domain::{Language, Status};

use super::MailKind;
use super::story::{RefundNews, Story};
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
    let mut paragraphs = vec![words.say(&format!("{kind}.body"))];
    if let Some(position) = story.position {
        words.set("position", position.to_string());
        paragraphs.push(words.say("waiting-position"));
    }
    if let Some(reason) = &story.reason {
        words.set("reason", one_line(reason));
        paragraphs.push(words.say("reason"));
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

/// What is to be paid and until when; whether anything is.
fn to_pay(words: &mut Words<'_>, story: &Story, paragraphs: &mut Vec<String>) -> bool {
    let stands = |status| story.entries.iter().any(|entry| entry.status == status);
    if story.due() == 0 {
        return false;
    }
    if let Some(sum) = story.processing {
        if story.kind != MailKind::SlipReported {
            words.set("amount", words.sum(story.money(sum)));
            paragraphs.push(words.say("in-process"));
        }
        return false;
    }
    match story.order.hold_until {
        Some(until) if stands(Status::Held) => {
            words.set("pay_by", words.instant(until, story.zone()));
            paragraphs.push(words.say("pay-by"));
            true
        }
        None if stands(Status::Confirmed) => {
            paragraphs.push(words.say("still-due"));
            true
        }
        _ => false,
    }
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
    ] {
        if sum > 0 {
            words.set("amount", words.sum(story.money(sum)));
            paragraphs.push(words.say(sentence));
        }
    }
    if refund.back() == 0 {
        paragraphs.push(words.say("refund-nothing"));
    }
    if refund.kept > 0 {
        paragraphs.push(words.say("refund-kept"));
    }
    if let Some(clause) = &refund.clause {
        words.set("article", one_line(&clause.article));
        words.set("clause", one_line(clause.text.in_language(story.language)));
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
    );
    let lines = &story.order.quote.lines;
    // A price that changed since is told by the entries alone.
    let same = lines.iter().map(|line| line.amount).sum::<i64>() == story.order.total;
    if priced && same && !lines.is_empty() {
        let row = |line: &domain::Line| Row {
            what: match line.article.as_str() {
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
            entry
                .label
                .as_deref()
                .map_or_else(|| words.say("erased"), one_line),
            entry
                .section
                .clone()
                .unwrap_or_else(|| words.say("without-section")),
            words.say(&format!("status-{}", entry.status)),
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
