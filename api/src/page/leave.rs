//! Before an order is cancelled its payer reads what comes back.

use domain::{Language, Money, Text};
use registration::{Cancellation, OrderView};

use super::html::{Safe, frame, paragraph};
use super::words;

/// Asks once more, with the sums and the clause that decides them.
pub(super) fn draw(
    view: &OrderView,
    tournament: &Text,
    preview: &Cancellation,
    credit: Option<&Cancellation>,
) -> String {
    let language = view.language;
    let mut body =
        paragraph(words::TITLE.with(language, &[("reference", view.reference.as_str())]));
    body += &said(preview, language);
    body += &yes(view, words::LEAVE_YES.say(language), false);
    if let Some(credit) = credit {
        body += &paragraph(words::LEAVE_OR_CREDIT.say(language));
        body += &said(credit, language);
        body += &yes(view, words::LEAVE_CREDIT.say(language), true);
    }
    body += &format!(
        "<p><a class=\"button plain\" href=\"/orders/{order}\">{no}</a></p>\n",
        order = view.order,
        no = Safe(words::LEAVE_NO.say(language)),
    );
    let (name, ask) = (
        tournament.in_language(language),
        words::LEAVE_ASK.say(language),
    );
    frame(language, name, ask, &body)
}

/// What comes back, and the clauses that decide it.
fn said(preview: &Cancellation, language: Language) -> String {
    let sum = |amount| Money::new(amount, preview.currency).in_language(language);
    let mut body = String::new();
    if preview.refund == 0 && preview.kept == 0 {
        body += &paragraph(words::LEAVE_NOTHING.say(language));
    } else {
        let (back, kept) = (sum(preview.refund), sum(preview.kept));
        body += &paragraph(words::LEAVE_BACK.with(language, &[("back", &back), ("kept", &kept)]));
    }
    let mut clauses: Vec<String> = Vec::new();
    let paid = preview.entries.iter().filter(|part| part.paid > 0);
    for part in paid.flat_map(|part| part.quote.clone().by_rule()) {
        let clause = part.text.in_language(language);
        let told = [("article", &*part.article), ("clause", clause)];
        let told = words::LEAVE_ARTICLE.with(language, &told);
        if !part.article.is_empty() && !clauses.contains(&told) {
            body += &paragraph(&told);
            clauses.push(told);
        }
    }
    body
}

/// The button that goes on.
fn yes(view: &OrderView, text: &str, credit: bool) -> String {
    format!(
        "<form method=\"post\" action=\"/orders/{order}/cancellation\">\
         <input type=\"hidden\" name=\"key\" value=\"page-{key:016x}\">\
         <input type=\"hidden\" name=\"credit\" value=\"{credit}\"><button>{text}</button></form>\n",
        order = view.order,
        key = rand::random::<u64>(),
        text = Safe(text),
    )
}
