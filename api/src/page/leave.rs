//! Before an order is cancelled its payer reads what comes back.

use domain::{Money, Text};
use registration::{Cancellation, OrderView};

use super::html::{Safe, frame, paragraph};
use super::words;

/// Asks once more, with the sums and the clause that decides them.
pub(super) fn draw(view: &OrderView, tournament: &Text, preview: &Cancellation) -> String {
    let language = view.language;
    let sum = |amount| Money::new(amount, preview.currency).in_language(language);
    let mut body =
        paragraph(words::TITLE.with(language, &[("reference", view.reference.as_str())]));
    if preview.refund == 0 && preview.kept == 0 {
        body += &paragraph(words::LEAVE_NOTHING.say(language));
    } else {
        let (back, kept) = (sum(preview.refund), sum(preview.kept));
        body += &paragraph(words::LEAVE_BACK.with(language, &[("back", &back), ("kept", &kept)]));
    }
    let mut clauses: Vec<String> = Vec::new();
    for part in preview
        .entries
        .iter()
        .filter(|part| !part.quote.article.is_empty())
    {
        let (article, clause) = (&part.quote.article, part.quote.text.in_language(language));
        let said = words::LEAVE_ARTICLE.with(language, &[("article", article), ("clause", clause)]);
        if part.paid > 0 && !clauses.contains(&said) {
            body += &paragraph(&said);
            clauses.push(said);
        }
    }
    body += &format!(
        "<form method=\"post\" action=\"/orders/{order}/cancellation\">\
         <input type=\"hidden\" name=\"key\" value=\"page-{key:016x}\"><button>{yes}</button></form>\n\
         <p><a class=\"button plain\" href=\"/orders/{order}\">{no}</a></p>\n",
        order = view.order,
        key = rand::random::<u64>(),
        yes = Safe(words::LEAVE_YES.say(language)),
        no = Safe(words::LEAVE_NO.say(language)),
    );
    let (name, ask) = (
        tournament.in_language(language),
        words::LEAVE_ASK.say(language),
    );
    frame(language, name, ask, &body)
}
