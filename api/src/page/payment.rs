//! What a payer may pay and how: by card, or at a bank with a slip or transfer that is told of afterwards.

use domain::{Money, PaymentKind, PaymentStatus, UtcTime};
use registration::OrderView;
use rules::Regulation;
use serde::Deserialize;
use store::payments::Payment;

use super::html::{Safe, pairs, paragraph};
use super::words::{self, Words};

/// What an order is drawn from.
pub(super) struct Sheet<'a> {
    pub view: &'a OrderView,
    pub regulation: &'a Regulation,
    /// By the desk clock.
    pub now: UtcTime,
    /// Whether a card may be charged: the regulation says so and a gateway is set up.
    pub cards: bool,
    /// What was typed and refused just now.
    pub typed: Option<&'a SlipForm>,
}

/// A slip as the form sends it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SlipForm {
    pub method: String,
    pub number: String,
    pub date: String,
    pub amount: String,
    /// The idempotency key that the form was drawn with.
    pub key: String,
}

/// What is on its way, what was refused, and what is to be paid.
pub(super) fn section(sheet: &Sheet<'_>) -> String {
    let (view, language) = (sheet.view, sheet.view.language);
    let mut body = String::new();
    for payment in &view.payments {
        if let Some(sentence) = told(payment, &view.payments) {
            let sum = match payment.status {
                PaymentStatus::Quarantined => payment.came_in(),
                _ => Money::new(payment.amount, payment.currency),
            };
            let sum = sum.in_language(language);
            let number = payment.slip_number.as_deref().unwrap_or("-");
            body += &paragraph(sentence.with(language, &[("sum", &sum), ("number", number)]));
        }
    }
    let on_its_way = |p: &Payment| p.status == PaymentStatus::Processing;
    if view.payable && !view.payments.iter().any(on_its_way) {
        body += &to_pay(sheet);
    }
    match body.as_str() {
        "" => body,
        _ => format!(
            "<section><h2>{}</h2>\n{body}</section>\n",
            words::PAYMENT.say(language)
        ),
    }
}

/// What the payer is told of a payment, if anything: of a slip that was not found only while no later one was told of.
fn told(payment: &Payment, all: &[Payment]) -> Option<Words> {
    let at_the_desk = |p: &Payment| matches!(p.method, PaymentKind::Slip | PaymentKind::Transfer);
    match payment.status {
        PaymentStatus::Processing if at_the_desk(payment) => Some(words::IN_CHECK),
        PaymentStatus::Processing => Some(words::IN_PROCESS),
        PaymentStatus::Quarantined => Some(words::SET_ASIDE),
        PaymentStatus::Failed if at_the_desk(payment) => {
            let last = all.iter().rev().find(|p| at_the_desk(p));
            last.filter(|last| last.id == payment.id)
                .map(|_| words::NOT_FOUND)
        }
        _ => None,
    }
}

fn to_pay(sheet: &Sheet<'_>) -> String {
    let (view, language) = (sheet.view, sheet.view.language);
    let due = Money::new(view.due, view.currency).in_language(language);
    let until = view
        .hold_until
        .map(|at| at.in_language(language, sheet.regulation.time_zone()));
    if view.hold_until.is_some_and(|until| until <= sheet.now) {
        return paragraph(words::RUN_OUT.say(language));
    }
    let mut out = paragraph(match &until {
        Some(until) => words::PAY_BY.with(language, &[("due", &due), ("until", until)]),
        None => words::STILL_DUE.with(language, &[("due", &due)]),
    });
    if let Some(until) = view.price_valid_until {
        let until = until.in_language(language, sheet.regulation.time_zone());
        out += &paragraph(words::PRICE_UNTIL.with(language, &[("until", &until)]));
    }
    if sheet.cards {
        out += &format!(
            "<form method=\"post\" action=\"/orders/{}/payment\"><input type=\"hidden\" name=\"due\" value=\"{}\">\
             <button>{}</button></form>\n",
            view.order,
            view.due,
            Safe(words::PAY.with(language, &[("due", &due)])),
        );
    }
    let methods = sheet.regulation.payment_methods();
    if methods.slip || methods.transfer {
        out += &instructions(sheet, &due, until);
        out += &form(sheet, &due);
    }
    out
}

/// Where to pay it, how much, until when, and what to write on it.
fn instructions(sheet: &Sheet<'_>, due: &str, until: Option<String>) -> String {
    let language = sheet.view.language;
    let pay_to = sheet.regulation.payment_methods().pay_to.as_ref();
    let place = pay_to.map_or(words::THE_ORGANISERS.say(language), |text| {
        text.in_language(language)
    });
    let mut facts = vec![
        (words::WHERE, place.to_owned()),
        (words::AMOUNT, due.to_owned()),
        (words::WRITE, sheet.view.reference.to_string()),
    ];
    if let Some(until) = until {
        facts.insert(2, (words::BEFORE, until));
    }
    let facts = facts
        .into_iter()
        .map(|(word, value)| (word.say(language), value));
    format!(
        "<h3>{}</h3>\n{}",
        words::AT_THE_BANK.say(language),
        pairs(facts)
    )
}

/// Tells of a slip or transfer that was paid.
fn form(sheet: &Sheet<'_>, due: &str) -> String {
    let (view, language) = (sheet.view, sheet.view.language);
    let fresh = SlipForm {
        amount: due.split(' ').next().unwrap_or_default().to_owned(),
        key: format!("page-{:016x}", rand::random::<u64>()),
        ..SlipForm::default()
    };
    let typed = sheet.typed.unwrap_or(&fresh);
    let currency = view.currency.to_string();
    let field = |name: &str, label: Words, rest: &str, value: &str| {
        let label = label.with(language, &[("currency", &currency)]);
        format!(
            "<label for=\"{name}\">{}</label>\n<input id=\"{name}\" name=\"{name}\" {rest} value=\"{}\">\n",
            Safe(label),
            Safe(value)
        )
    };
    format!(
        "<h3>{}</h3>\n<form method=\"post\" action=\"/orders/{}/slip\">\n\
         <input type=\"hidden\" name=\"key\" value=\"{}\">\n{}{}{}{}<button>{}</button>\n</form>\n",
        words::TELL_US.say(language),
        view.order,
        Safe(&fresh.key),
        method(sheet, typed),
        field(
            "number",
            words::NUMBER,
            "required maxlength=\"300\" autocomplete=\"off\"",
            &typed.number
        ),
        field("date", words::DATE, "type=\"date\"", &typed.date),
        field(
            "amount",
            words::SUM,
            "required inputmode=\"decimal\" autocomplete=\"off\"",
            &typed.amount
        ),
        words::SEND.say(language),
    )
}

/// A choice where the regulation leaves one.
fn method(sheet: &Sheet<'_>, typed: &SlipForm) -> String {
    let language = sheet.view.language;
    let methods = sheet.regulation.payment_methods();
    if !methods.slip || !methods.transfer {
        let only = if methods.slip { "slip" } else { "transfer" };
        return format!("<input type=\"hidden\" name=\"method\" value=\"{only}\">\n");
    }
    let option = |value: &str, label: Words| {
        let chosen = if typed.method == value {
            " selected"
        } else {
            ""
        };
        format!(
            "<option value=\"{value}\"{chosen}>{}</option>",
            label.say(language)
        )
    };
    format!(
        "<label for=\"method\">{}</label>\n<select id=\"method\" name=\"method\">{}{}</select>\n",
        words::METHOD.say(language),
        option("transfer", words::TRANSFER),
        option("slip", words::SLIP),
    )
}
