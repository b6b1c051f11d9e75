//! Balance transactions: what each movement of money did to the account.
//! <https://docs.stripe.com/api/balance_transactions>

use serde_json::{Value, json};

use crate::form::Form;
use crate::refusal::Refusal;
use crate::table::Object;
use crate::world::World;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movement {
    Charge,
    Refund,
    RefundFailure,
    Dispute,
    DisputeReversal,
}

impl Movement {
    /// Type, reporting category.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Charge => ("charge", "charge"),
            Self::Refund => ("refund", "refund"),
            Self::RefundFailure => ("refund_failure", "refund_failure"),
            Self::Dispute => ("adjustment", "dispute"),
            Self::DisputeReversal => ("adjustment", "dispute_reversal"),
        }
    }

    /// The fee in minor units: 1.5 % and 25 on a charge, as for a European card; 2000 on a dispute.
    fn fee(self, amount: i64) -> i64 {
        match self {
            Self::Charge => amount * 15 / 1000 + 25,
            Self::Dispute => 2000,
            _ => 0,
        }
    }
}

#[derive(Debug)]
pub(crate) struct BalanceTransaction {
    id: String,
    created: i64,
    amount: i64,
    fee: i64,
    currency: String,
    source: String,
    movement: Movement,
}

impl Object for BalanceTransaction {
    const KIND: &'static str = "balance transaction";
    const PARAM: &'static str = "id";

    fn id(&self) -> &str {
        &self.id
    }

    fn created(&self) -> i64 {
        self.created
    }

    fn json(&self) -> Value {
        let (kind, category) = self.movement.names();
        let mut fees = Vec::new();
        if self.fee != 0 {
            fees.push(json!({ "amount": self.fee, "application": null, "currency": self.currency, "description": "Processing fees", "type": "stripe_fee" }));
        }
        json!({
            "id": self.id,
            "object": "balance_transaction",
            "amount": self.amount,
            "available_on": self.created,
            "balance_type": "payments",
            "created": self.created,
            "currency": self.currency,
            "description": null,
            "exchange_rate": null,
            "fee": self.fee,
            "fee_details": fees,
            "net": self.amount - self.fee,
            "reporting_category": category,
            "source": self.source,
            "status": "available",
            "type": kind,
        })
    }
}

/// Books a movement; `amount` is what comes in, negative for what goes out. Gives its id.
pub(crate) fn book(
    world: &mut World,
    movement: Movement,
    source: &str,
    amount: i64,
    currency: &str,
) -> String {
    let id = world.new_id("txn_");
    let row = BalanceTransaction {
        id: id.clone(),
        created: world.now(),
        amount,
        fee: movement.fee(amount),
        currency: currency.to_owned(),
        source: source.to_owned(),
        movement,
    };
    world.balance.add(row);
    id
}

pub(crate) fn retrieve(world: &mut World, id: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[])?;
    Ok(world.balance.get(id)?.json())
}

pub(crate) fn list(world: &mut World, _: &str, form: &Form) -> Result<Value, Refusal> {
    form.only(&[
        "limit",
        "starting_after",
        "ending_before",
        "created",
        "type",
        "source",
        "currency",
    ])?;
    let (kind, source, currency) = (
        form.text("type"),
        form.text("source"),
        form.text("currency"),
    );
    world.balance.page("/v1/balance_transactions", form, |row| {
        kind.is_none_or(|kind| kind == row.movement.names().0)
            && source.is_none_or(|source| source == row.source)
            && currency.is_none_or(|currency| currency == row.currency)
    })
}
