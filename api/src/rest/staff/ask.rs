//! What staff ask: each request as a plain struct, which reads itself into the act and its reason.

use domain::{Money, RefundMethod, SectionId};
use registration::{Confirmation, NewCode, StaffRefund};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::{Faults, MoneyIn, Read, Rule};

/// An act that needs no more than a reason.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct ReasonIn {
    /// Why.
    pub reason: Option<String>,
}

impl ReasonIn {
    pub(super) fn read(self) -> Read<()> {
        let mut faults = Faults::default();
        let reason = faults.text("reason", self.reason);
        faults.finish(Some(((), reason)))
    }
}

/// An act that needs a reason.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct GroundsIn {
    /// Why; must be said.
    pub reason: Option<String>,
}

impl GroundsIn {
    pub(super) fn read(self) -> Read<()> {
        let mut faults = Faults::default();
        let reason = faults.reason(self.reason);
        faults.finish(reason.map(|reason| ((), Some(reason))))
    }
}

/// Where an entry is to play.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct SectionIn {
    /// The section, as the regulation names it.
    pub section: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl SectionIn {
    pub(super) fn read(self) -> Read<SectionId> {
        let mut faults = Faults::default();
        let section = faults.required_parsed("section", self.section.as_deref(), Rule::NotAnId);
        let reason = faults.text("reason", self.reason);
        faults.finish(section.map(|section| (section, reason)))
    }
}

/// What staff found a declared fact to be.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct FactIn {
    /// Whether it is as declared.
    pub upheld: Option<bool>,
    /// What it is instead, as text; none as if the fact were not there.
    pub value: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl FactIn {
    pub(super) fn read(self) -> Read<(bool, Option<String>)> {
        let mut faults = Faults::default();
        let upheld = faults.required("upheld", self.upheld);
        let value = faults.text("value", self.value);
        let reason = faults.text("reason", self.reason);
        faults.finish(upheld.map(|upheld| ((upheld, value), reason)))
    }
}

/// The arbiter's decision on the byes of an entry.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct DecisionIn {
    /// Whether they are granted.
    pub granted: Option<bool>,
    /// Why.
    pub reason: Option<String>,
}

impl DecisionIn {
    pub(super) fn read(self) -> Read<bool> {
        let mut faults = Faults::default();
        let granted = faults.required("granted", self.granted);
        let reason = faults.text("reason", self.reason);
        faults.finish(granted.map(|granted| (granted, reason)))
    }
}

/// The figure that a text leaves to the organiser.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct CapacityIn {
    /// Seats, 1 to 100000.
    pub capacity: Option<i64>,
    /// Why.
    pub reason: Option<String>,
}

impl CapacityIn {
    pub(super) fn read(self) -> Read<i64> {
        let mut faults = Faults::default();
        let capacity = faults.required("capacity", self.capacity);
        let reason = faults.text("reason", self.reason);
        faults.finish(capacity.map(|capacity| (capacity, reason)))
    }
}

/// An invitation code to be given out.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct CodeIn {
    /// What the organiser calls it; no name of a person.
    pub label: Option<String>,
    /// How many entries may use it; one where nothing is said.
    pub uses: Option<i32>,
    /// A price agreed with whom it is given to.
    pub agreed_price: Option<MoneyIn>,
    /// Why.
    pub reason: Option<String>,
}

impl CodeIn {
    pub(super) fn read(self) -> Read<NewCode> {
        let mut faults = Faults::default();
        let label = faults.text("label", self.label);
        let label = faults.required("label", label);
        let asked = self.agreed_price;
        let agreed_price = asked.and_then(|price| price.read("agreed_price", &mut faults));
        let reason = faults.text("reason", self.reason);
        let new = label.map(|label| NewCode {
            label,
            uses: self.uses.unwrap_or(1),
            agreed_price,
        });
        faults.finish(new.map(|new| (new, reason)))
    }
}

/// A sum to give back.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct StaffRefundIn {
    /// The sum, at most what is left of what was paid.
    pub amount: Option<MoneyIn>,
    /// `card`, `transfer` or `credit`; to the card it came from where nothing is said. What no card can take goes by transfer.
    pub method: Option<String>,
    /// Why; must be said, and the payer reads it in a mail.
    pub reason: Option<String>,
}

impl StaffRefundIn {
    pub(super) fn read(self) -> Read<StaffRefund> {
        let mut faults = Faults::default();
        let amount = sum(&mut faults, "amount", self.amount);
        let method = match self.method.as_deref().unwrap_or("card") {
            "card" => RefundMethod::Card,
            "transfer" => RefundMethod::Transfer,
            "credit" => RefundMethod::Credit,
            _ => {
                faults.add("method", Rule::UnknownValue);
                RefundMethod::Card
            }
        };
        let reason = faults.reason(self.reason);
        faults.finish(amount.map(|amount| (StaffRefund { amount, method }, reason)))
    }
}

/// Money of a slip or transfer that is in.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct ConfirmationIn {
    /// What came in.
    pub received: Option<MoneyIn>,
    /// The day on the slip or transfer, `YYYY-MM-DD`; none for the day that the payer told.
    pub date: Option<String>,
    /// The day on which the money came to the account, `YYYY-MM-DD`; none for today.
    pub received_on: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl ConfirmationIn {
    pub(super) fn read(self) -> Read<Confirmation> {
        let mut faults = Faults::default();
        let received = sum(&mut faults, "received", self.received);
        let date = self.date.and_then(|day| faults.date("date", &day));
        let received_on = self
            .received_on
            .and_then(|day| faults.date("received_on", &day));
        let reason = faults.text("reason", self.reason);
        faults.finish(received.map(|received| {
            let found = Confirmation {
                received,
                date,
                received_on,
            };
            (found, reason)
        }))
    }
}

/// A refund that was transferred.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct TransferIn {
    /// The bank's reference.
    pub reference: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl TransferIn {
    pub(super) fn read(self) -> Read<String> {
        let mut faults = Faults::default();
        let reference = faults.text("reference", self.reference);
        let reference = faults.required("reference", reference);
        let reason = faults.text("reason", self.reason);
        faults.finish(reference.map(|reference| (reference, reason)))
    }
}

/// A proof that was seen.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::rest) struct ProofIn {
    /// The tier of the refund clause that asks for it.
    pub tier: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl ProofIn {
    pub(super) fn read(self) -> Read<String> {
        let mut faults = Faults::default();
        let tier = faults.text("tier", self.tier);
        let tier = faults.required("tier", tier);
        let reason = faults.text("reason", self.reason);
        faults.finish(tier.map(|tier| (tier, reason)))
    }
}

/// A sum that must be there.
fn sum(faults: &mut Faults, field: &str, money: Option<MoneyIn>) -> Option<Money> {
    faults.required(field, money)?.read(field, faults)
}
