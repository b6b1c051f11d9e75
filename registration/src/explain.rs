//! Every cent of one order, from the journal.

use std::collections::BTreeMap;
use std::fmt;

use domain::{
    Currency, Event, Language, Line, Money, OrderId, OrderReference, Problem, Recorded, Slug,
};
use serde::Serialize;
use store::ledger::{self, LedgerLine};
use store::{entries, journal, lines, orders};

use crate::desk::Desk;

/// One journal row of an order with what it posted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// The row.
    pub row: Recorded,
    /// Account and sum, debit positive.
    pub postings: Vec<(String, Money)>,
}

/// An order, told from its price to its last cent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Explanation {
    /// The order.
    pub order: OrderId,
    /// What the payer reads aloud.
    pub reference: OrderReference,
    /// Currency of every amount that stands without one.
    pub currency: Currency,
    /// Which version of the regulation priced it.
    pub version: i32,
    /// The hash of that version.
    pub hash: String,
    /// The priced lines, frozen at registration.
    pub lines: Vec<Line>,
    /// What its total is made of now, where that is something else.
    pub now: Vec<Line>,
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// What each account holds of this order in the end, in each currency.
    pub balances: Vec<(String, Money)>,
}

impl Desk {
    /// Explains an order.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`].
    pub async fn explain(&self, id: OrderId) -> Result<Explanation, Problem> {
        self.store()
            .read(move |c| {
                let order = orders::find(c, id)?.ok_or_else(|| Problem::new(Slug::UnknownOrder))?;
                let posted = ledger::of_order(c, id)?;
                let mut now = lines::now(&order, &entries::of_order(c, id)?);
                if now == order.quote.lines {
                    now.clear();
                }
                let steps = journal::of_order(c, id)?
                    .into_iter()
                    .map(|row| step(row, &posted))
                    .collect::<Result<_, Problem>>()?;
                let mut sums: BTreeMap<(String, &str), Money> = BTreeMap::new();
                for line in posted {
                    let money = money_of(&line)?;
                    sums.entry((line.account, money.currency.code()))
                        .and_modify(|sum| sum.amount += money.amount)
                        .or_insert(money);
                }
                let named = |((account, _), sum)| (account, sum);
                let balances = sums.into_iter().map(named).collect();
                Ok(Explanation {
                    order: id,
                    reference: order.reference,
                    currency: order.currency,
                    version: order.version,
                    hash: order.quote.regulation.hash.to_string(),
                    lines: order.quote.lines,
                    now,
                    steps,
                    balances,
                })
            })
            .await
    }

    /// The order of a reference that a payer reads aloud.
    ///
    /// # Errors
    /// [`Slug::UnknownOrder`].
    pub async fn order_of_reference(&self, reference: OrderReference) -> Result<OrderId, Problem> {
        let found = self
            .store()
            .read(move |c| Ok::<_, Problem>(orders::find_by_reference(c, &reference)?))
            .await?;
        found.ok_or_else(|| Problem::new(Slug::UnknownOrder))
    }
}

fn money_of(line: &LedgerLine) -> Result<Money, Problem> {
    let currency = line.currency.parse().map_err(Problem::internal)?;
    Ok(Money::new(line.amount, currency))
}

fn step(row: Recorded, posted: &[LedgerLine]) -> Result<Step, Problem> {
    let own = posted
        .iter()
        .filter(|line| line.journal_number == row.number);
    Ok(Step {
        postings: own
            .map(|line| Ok((line.account.clone(), money_of(line)?)))
            .collect::<Result<_, Problem>>()?,
        row,
    })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let money = |amount: i64| Money::new(amount, self.currency).to_string();
        writeln!(f, "Order {} ({})", self.reference, self.order)?;
        writeln!(
            f,
            "Priced under version {} of the regulation, {}",
            self.version, self.hash
        )?;
        for (title, lines) in [("", &self.lines), ("Now:", &self.now)] {
            if lines.is_empty() {
                continue;
            }
            writeln!(f, "{title}")?;
            for line in lines {
                let said = line.text.in_language(Language::En);
                writeln!(
                    f,
                    "  {:>14}  entry {}  {said} [{}; {}]",
                    money(line.amount),
                    line.entry + 1,
                    line.rule,
                    line.article
                )?;
            }
        }
        writeln!(f)?;
        for step in &self.steps {
            let told = tell(&step.row.event, &money);
            write!(f, "{:>6}  {}  {told}", step.row.number, step.row.at)?;
            if !step.row.reason.is_empty() {
                write!(f, " ({})", step.row.reason)?;
            }
            writeln!(f)?;
            for (account, amount) in &step.postings {
                writeln!(f, "{:>40}  {account}", amount.to_string())?;
            }
        }
        writeln!(f)?;
        for (account, sum) in self.balances.iter().filter(|(_, sum)| sum.amount != 0) {
            writeln!(f, "{:>40}  {account}", sum.to_string())?;
        }
        Ok(())
    }
}

fn tell(event: &Event, money: &impl Fn(i64) -> String) -> String {
    match event {
        Event::OrderRegistered { total, entries, .. } => {
            let forms: Vec<String> = entries.iter().map(|e| e.form_number.to_string()).collect();
            format!(
                "registered for {}, form {}",
                money(*total),
                forms.join(", ")
            )
        }
        Event::EntryMoved {
            from, to, cause, ..
        } => format!("{from} -> {to} ({cause})"),
        Event::OfferMade { hold_until } => format!("to be paid by {hold_until}"),
        Event::EntryApproved { hold_until, .. } => match hold_until {
            Some(until) => format!("approved, to be paid by {until}"),
            None => "approved".into(),
        },
        Event::PaymentOpened { method, amount, .. } => {
            format!("payment of {} opened ({})", money(*amount), method.as_str())
        }
        Event::PaymentSucceeded {
            amount, charged_at, ..
        } => format!("{} came in, charged {charged_at}", money(*amount)),
        Event::PaymentFailed { code, .. } => format!("payment ended: {code}"),
        Event::PaymentQuarantined {
            amount,
            currency,
            code,
            ..
        } => {
            let sum = currency.parse().map(|c| Money::new(*amount, c).to_string());
            let sum = sum.unwrap_or_else(|_| format!("{amount} {currency}"));
            format!("{sum} set aside: {code}")
        }
        Event::SectionChanged {
            to,
            price,
            difference,
            ..
        } => {
            format!(
                "now in section {to} for {}, difference {}",
                money(*price),
                money(*difference)
            )
        }
        Event::PriceChanged { from, to, rule, .. } => {
            format!("price {} -> {} ({rule})", money(*from), money(*to))
        }
        Event::FactChecked { fact, upheld, .. } => {
            format!(
                "{} {}",
                fact.as_str(),
                if *upheld { "upheld" } else { "not upheld" }
            )
        }
        Event::ByesRequested { byes, .. } => format!("byes asked for: {}", byes.len()),
        Event::ByesDecided { granted, .. } => {
            format!("byes {}", if *granted { "granted" } else { "refused" })
        }
        Event::TokenRolled { .. } => "secret link made anew".into(),
        Event::RegulationPublished { version, .. } => format!("version {version} published"),
        Event::TournamentOpened { capacity } => format!("opened with {capacity} seats"),
        Event::CodeIssued { code, uses } => format!("code {code} given out for {uses}"),
        money_back => tell_money_back(money_back, money),
    }
}

/// What goes back, and what is kept or waived.
fn tell_money_back(event: &Event, money: &impl Fn(i64) -> String) -> String {
    match event {
        Event::RefundReserved {
            amount,
            kept,
            method,
            rule,
            ..
        } => {
            format!(
                "{} goes back by {}, {} kept ({rule})",
                money(*amount),
                method.as_str(),
                money(*kept)
            )
        }
        Event::FeesKept { amount, rule, .. } => format!("{} kept ({rule})", money(*amount)),
        Event::PriceWaived { amount } => format!("{} waived", money(*amount)),
        Event::RefundSent { .. } => "refund at the gateway".into(),
        Event::RefundSucceeded { amount, .. } => format!("{} refunded", money(*amount)),
        Event::RefundFailed { amount, code, .. } => {
            format!("refund of {} came back: {code}", money(*amount))
        }
        Event::RefundObserved { amount, .. } => {
            format!("{} refunded at the gateway by hand", money(*amount))
        }
        Event::DisputeOpened { amount, .. } => format!("{} disputed", money(*amount)),
        Event::DisputeClosed { amount, won, .. } => format!(
            "dispute over {} {}",
            money(*amount),
            if *won { "won" } else { "lost" }
        ),
        other => format!("{other:?}"),
    }
}
