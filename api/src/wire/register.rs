//! An order to be registered, and a payment to be opened.

use domain::{Language, PaymentKind, Problem, TournamentId};
use registration::{OpenPayment, Register};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ask::{currency, each};
use super::entrant::MoneyIn;
use super::faults::{Faults, Rule};
use super::grades::Word;
use super::order::{EntryIn, PayerIn, SlipIn};

/// What one payer orders at once.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterIn {
    /// Who pays.
    #[serde(default)]
    pub payer: PayerIn,
    /// Who enters, in the order of the form.
    #[serde(default)]
    pub entries: Vec<EntryIn>,
    /// ISO 4217 code of the currency to be paid in, where the tournament has several; none for the first in which each entry has a
    /// price.
    pub currency: Option<String>,
    /// The slip that was paid already, where the regulation lets its number come with the entry.
    pub slip: Option<SlipIn>,
    /// The total that the payer was shown: another is refused.
    pub expected_total: Option<MoneyIn>,
}

impl RegisterIn {
    /// The order to be registered.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] with every field.
    pub fn read(self, tournament: TournamentId, spoken: Language) -> Result<Register, Problem> {
        let mut faults = Faults::default();
        let payer = self.payer.read(&"payer", spoken, &mut faults);
        let entries = each(
            self.entries,
            &"entries",
            &mut faults,
            |entry, path, faults| entry.read(path, Word::Entrant, faults),
        );
        let currency = currency(&mut faults, self.currency);
        let slip = self.slip.and_then(|slip| slip.read(&"slip", &mut faults));
        let expected = self
            .expected_total
            .and_then(|money| money.read("expected_total", &mut faults));
        faults.finish(Some(Register {
            tournament,
            payer,
            entries,
            slip,
            currency,
            expected,
        }))
    }
}

/// How the payer wants to pay.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenPaymentIn {
    /// `session` or `intent`.
    pub method: Option<String>,
    /// The sum that the payer was shown: another is refused.
    pub expected: Option<MoneyIn>,
    /// Where the gateway's own page sends the payer back to; none for the desk's own address.
    pub return_url: Option<String>,
}

impl OpenPaymentIn {
    /// The payment asked for; `home` is where a payer goes back to who names no place.
    ///
    /// # Errors
    /// [`domain::Slug::InvalidFields`] with every field.
    pub fn read(self, home: &str) -> Result<OpenPayment, Problem> {
        let mut faults = Faults::default();
        let method = faults.required("method", self.method.filter(|m| !m.is_empty()));
        let method = method.and_then(|word| {
            let kind = PaymentKind::from_word(&word);
            if kind.is_none() {
                faults.add("method", Rule::UnknownValue);
            }
            kind
        });
        let expected = self
            .expected
            .and_then(|money| money.read("expected", &mut faults));
        let return_url = faults.text("return_url", self.return_url);
        if return_url.as_deref().is_some_and(|url| !is_web(url)) {
            faults.add("return_url", Rule::UnknownValue);
        }
        let ask = method.map(|method| OpenPayment {
            method,
            expected,
            return_url: return_url.unwrap_or_else(|| home.to_owned()),
        });
        faults.finish(ask)
    }
}

fn is_web(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|host| !host.is_empty()) && url.chars().all(|c| c.is_ascii_graphic())
}
