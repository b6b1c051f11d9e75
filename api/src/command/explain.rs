//! `enroc explain ORDER`: every cent of one order, from its price to its last refund.

use api::failure::Failure;
use api::house::OpenDesk;
use api::say;
use domain::{Actor, Currency, Language, Line, Money, OrderId, OrderReference};
use registration::{Explanation, Step};
use serde_json::Value;

use super::print_json;

pub async fn run(open: &OpenDesk, order: &str, json: bool) -> Result<(), Failure> {
    let explanation = open.desk.explain(find(open, order).await?).await?;
    if json {
        return print_json(&explanation);
    }
    print(&explanation)
}

async fn find(open: &OpenDesk, text: &str) -> Result<OrderId, Failure> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let reference: OrderReference = text.parse().map_err(|_| {
        Failure::broken(format!(
            "`{text}` is neither an order's id (ord_…) nor its reference (7K3M-9QXA-42)"
        ))
    })?;
    Ok(open.desk.order_of_reference(reference).await?)
}

fn print(explanation: &Explanation) -> Result<(), Failure> {
    let currency = explanation.currency;
    say!("Order {} ({})", explanation.reference, explanation.order);
    say!(
        "priced under version {} of the regulation, {}\n",
        explanation.version,
        explanation.hash
    );
    made_of(&explanation.lines, currency)?;
    if !explanation.now.is_empty() {
        say!("\nWhat it is made of now:\n");
        made_of(&explanation.now, currency)?;
    }
    say!("\nWhat happened:\n");
    for step in &explanation.steps {
        tell(step, currency)?;
    }
    say!("\nWhere the money is:\n");
    if explanation.balances.is_empty() {
        say!("    no money has moved");
    }
    for (account, sum) in &explanation.balances {
        say!("{:>14}  {account}", sum.to_string());
    }
    Ok(())
}

fn made_of(lines: &[Line], currency: Currency) -> Result<(), Failure> {
    for line in lines {
        let sum = Money::new(line.amount, currency).to_string();
        let text = line.text.in_language(Language::En);
        say!("{sum:>14}  {text} ({}; rule {})", line.article, line.rule);
    }
    Ok(())
}

fn tell(step: &Step, currency: Currency) -> Result<(), Failure> {
    let row = &step.row;
    let who = match &row.actor {
        Actor::Payer => "payer".to_owned(),
        Actor::Staff(key) => format!("staff {key}"),
        Actor::Timer => "timer".to_owned(),
        Actor::Gateway(account) => account.clone(),
        Actor::Operator => "command line".to_owned(),
    };
    let why = if row.reason.is_empty() {
        String::new()
    } else {
        format!(" “{}”", row.reason)
    };
    say!(
        "  #{:<5} {}  {who}{why}: {}",
        row.number,
        row.at,
        words(serde_json::to_value(&row.event)?, currency)
    );
    for (account, sum) in &step.postings {
        say!("{:>30}  {account}", sum.to_string());
    }
    Ok(())
}

/// Fields of events that are sums in minor units.
const SUMS: &[&str] = &[
    "amount",
    "total",
    "kept",
    "price",
    "difference",
    "from",
    "to",
];

/// An event in its own words: what it is called, then its fields.
fn words(event: Value, currency: Currency) -> String {
    let Value::Object(mut fields) = event else {
        return plain(event, currency);
    };
    let kind = fields.remove("kind").map(|kind| plain(kind, currency));
    // A currency that stands beside a sum is the sum's.
    let named = fields.get("currency").and_then(Value::as_str);
    let currency = named.and_then(|c| c.parse().ok()).unwrap_or(currency);
    let told = fields.into_iter().map(|(name, value)| {
        let sum = value.as_i64().filter(|_| SUMS.contains(&name.as_str()));
        let value = sum.map_or_else(
            || plain(value, currency),
            |sum| Money::new(sum, currency).to_string(),
        );
        format!("{name} {value}")
    });
    kind.into_iter().chain(told).collect::<Vec<_>>().join(", ")
}

fn plain(value: Value, currency: Currency) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => "–".to_owned(),
        Value::Array(items) => {
            let items = items
                .into_iter()
                .map(|item| format!("[{}]", words(item, currency)));
            items.collect()
        }
        Value::Object(_) => words(value, currency),
        other => other.to_string(),
    }
}
