//! The accounts of the ledger and what is posted to them.

use domain::Currency;

/// An account of the ledger.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Account {
    /// Money at a card gateway's account (`gateway:stripe:main`).
    Gateway(String),
    /// Money in the organiser's bank, by transfer or slip.
    Bank,
    /// Entry fees earned.
    EntryFees,
    /// What the regulation lets the organiser keep of refunded fees.
    Administration,
    /// Owed to payers.
    RefundsPayable,
    /// Money that came in and belongs to no seat.
    Suspense,
    /// Taken back by the gateway while a dispute runs, or for good.
    Disputes,
}

impl Account {
    /// The account's name in the ledger.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Account::Gateway(name) => format!("gateway:{name}"),
            Account::Bank => "bank".into(),
            Account::EntryFees => "entry_fees".into(),
            Account::Administration => "administration".into(),
            Account::RefundsPayable => "refunds_payable".into(),
            Account::Suspense => "suspense".into(),
            Account::Disputes => "disputes".into(),
        }
    }
}

/// One line of the ledger: debit positive, credit negative, minor units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Posting {
    /// Which account.
    pub account: Account,
    /// Minor units.
    pub amount: i64,
    /// Their currency.
    pub currency: Currency,
}

/// Moves a sum: debits `to`, credits `from`. Nothing for zero.
#[must_use]
pub fn transfer(from: Account, to: Account, amount: i64, currency: Currency) -> Vec<Posting> {
    if amount == 0 {
        return Vec::new();
    }
    vec![
        Posting {
            account: to,
            amount,
            currency,
        },
        Posting {
            account: from,
            amount: -amount,
            currency,
        },
    ]
}
