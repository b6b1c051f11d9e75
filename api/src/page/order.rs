//! An order as its payer reads it: who is entered and how that stands, what it costs, what has come back.

use domain::{Language, Line, Money, Problem, RefundMethod, RefundStatus, SectionId};
use registration::{EntryView, OrderView};
use rules::Regulation;
use store::refunds::Refund;

use super::html::{Safe, frame, pairs, paragraph};
use super::payment::{self, Sheet};
use super::words;

/// The page of an order, with what was refused just now.
pub(super) fn draw(sheet: &Sheet<'_>, problem: Option<&Problem>) -> String {
    let (view, language) = (sheet.view, sheet.view.language);
    let reference = view.reference.to_string();
    let mut body = problem.map_or_else(String::new, |problem| alert(problem, language));
    body += &payment::section(sheet);
    body += &entries(view, sheet.regulation);
    body += &price(view);
    body += &refunds(view);
    if view.entries.iter().any(|entry| entry.status.is_live()) {
        let leave = words::LEAVE.say(language);
        let href = format!("/orders/{}/cancellation", view.order);
        body += &format!("<p><a class=\"button plain\" href=\"{href}\">{leave}</a></p>\n");
    }
    let title = words::TITLE.with(language, &[("reference", &reference)]);
    let name = sheet.regulation.name().in_language(language);
    frame(language, name, &title, &body)
}

/// What was refused, and each field at fault.
pub(super) fn alert(problem: &Problem, language: Language) -> String {
    let mut said: Vec<&str> = Vec::new();
    let sentence = problem.sentence(language);
    for fault in &problem.fields {
        let text = fault.text.in_language(language);
        if text != sentence && !said.contains(&text) {
            said.push(text);
        }
    }
    let items: String = said
        .iter()
        .map(|text| format!("<li>{}</li>", Safe(text)))
        .collect();
    format!(
        "<div class=\"alert\" role=\"alert\"><p><strong>{}</strong> {}</p>{}</div>\n",
        words::REFUSED.say(language),
        Safe(sentence),
        if items.is_empty() {
            items
        } else {
            format!("<ul>{items}</ul>")
        },
    )
}

fn entries(view: &OrderView, regulation: &Regulation) -> String {
    let language = view.language;
    let one = |entry: &EntryView| {
        let name = entry.entrant.as_ref().map(domain::Entrant::label);
        let name = name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| words::ERASED.say(language).to_owned());
        let price = Money::new(entry.price, view.currency).in_language(language);
        let mut facts = vec![
            (words::FORM, entry.form_number.to_string()),
            (
                words::SECTION,
                section(entry.section.as_ref(), regulation, language),
            ),
            (
                words::STATUS,
                words::of_status(entry.status).say(language).to_owned(),
            ),
            (words::PRICE, price),
        ];
        if let Some(place) = entry.waiting_position {
            facts.insert(3, (words::PLACE, place.to_string()));
        }
        let facts = facts
            .into_iter()
            .map(|(word, value)| (word.say(language), value));
        format!(
            "<li><h3>{}</h3>\n{}{}{}</li>\n",
            Safe(name),
            pairs(facts),
            waits(entry, view),
            byes(entry, language)
        )
    };
    let items: String = view.entries.iter().map(one).collect();
    let title = words::ENTRIES.say(language);
    format!("<section><h2>{title}</h2>\n<ul class=\"entries\">\n{items}</ul>\n</section>\n")
}

/// What becomes of money that is in line for a seat.
fn waits(entry: &EntryView, view: &OrderView) -> String {
    let paid = view.paid > view.refunded;
    match entry.waiting_since.filter(|_| paid) {
        Some(_) => paragraph(words::MONEY_WAITS.say(view.language)),
        None => String::new(),
    }
}

fn section(id: Option<&SectionId>, regulation: &Regulation, language: Language) -> String {
    let Some(id) = id else {
        return words::TO_BE_DECIDED.say(language).to_owned();
    };
    let known = regulation.section(id);
    known.map_or_else(
        || id.to_string(),
        |section| section.name.in_language(language).to_owned(),
    )
}

fn byes(entry: &EntryView, language: Language) -> String {
    if entry.byes.is_empty() {
        return String::new();
    }
    let one = |bye: &registration::ByeView| {
        let (sentence, word) = words::of_bye(bye.request.points, &bye.status);
        let round = bye.request.round.to_string();
        let said = sentence.with(language, &[("round", &round), ("word", word.say(language))]);
        format!("<li>{}</li>\n", Safe(said))
    };
    let items: String = entry.byes.iter().map(one).collect();
    format!(
        "<h4>{}</h4>\n<ul>\n{items}</ul>\n",
        words::BYES.say(language)
    )
}

/// The lines of the price, and what has become of it.
fn price(view: &OrderView) -> String {
    let language = view.language;
    let sum = |amount| Money::new(amount, view.currency).in_language(language);
    let row = |what: String, amount| {
        format!(
            "<tr><td>{}</td><td>{}</td></tr>\n",
            Safe(what),
            Safe(sum(amount))
        )
    };
    let mut rows = String::new();
    for line in &view.lines {
        let text = of_whom(view, line);
        rows += &row(
            match &*line.article {
                "" => text,
                article => format!("{text} ({article})"),
            },
            line.amount,
        );
    }
    let totals = [
        (words::TOTAL, view.total),
        (words::PAID, view.paid),
        (words::REFUNDED, view.refunded),
        (words::KEPT, view.kept),
        (words::DUE, view.due),
    ];
    let mut sums = String::new();
    for (place, (word, amount)) in totals.into_iter().enumerate() {
        if place == 0 || amount != 0 {
            sums += &format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n",
                word.say(language),
                Safe(sum(amount))
            );
        }
    }
    format!(
        "<section><h2>{}</h2>\n<table>\n<tbody>\n{rows}</tbody>\n<tfoot>\n{sums}</tfoot>\n</table>\n</section>\n",
        words::PRICE.say(language)
    )
}

/// What a line is, and whose, where there is more than one entry.
fn of_whom(view: &OrderView, line: &Line) -> String {
    let text = line.text.in_language(view.language);
    match view.entries.get(line.entry) {
        Some(entry) if view.entries.len() > 1 => {
            let number = entry.form_number.to_string();
            words::OF_ENTRY.with(view.language, &[("number", &number), ("text", text)])
        }
        _ => text.to_owned(),
    }
}

fn refunds(view: &OrderView) -> String {
    let language = view.language;
    let said = |refund: &Refund| {
        let credit = refund.method == RefundMethod::Credit;
        let sentence = match refund.status {
            RefundStatus::Owed if credit => words::BACK_CREDIT,
            RefundStatus::Succeeded if credit => words::BACK_SPENT,
            RefundStatus::Reserved | RefundStatus::Sent => words::BACK_UNDER_WAY,
            RefundStatus::Succeeded => words::BACK_DONE,
            RefundStatus::Failed | RefundStatus::Owed => words::BACK_OWED,
        };
        let sum = Money::new(refund.amount, refund.currency).in_language(language);
        paragraph(sentence.with(language, &[("sum", &sum)]))
    };
    let lines: String = view
        .refunds
        .iter()
        .filter(|r| r.amount > 0)
        .map(said)
        .collect();
    match lines.as_str() {
        "" => lines,
        _ => format!(
            "<section><h2>{}</h2>\n{lines}</section>\n",
            words::REFUNDS.say(language)
        ),
    }
}
