//! Amounts: `i64` in ISO 4217 minor units beside their currency, and percentages in basis points. No floating point.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Language;

/// An ISO 4217 currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// How many decimals the minor unit has (EUR 2, JPY 0, TND 3), as ISO 4217 lists it.
    #[must_use]
    pub fn exponent(self) -> u32 {
        self.0.exponent().map_or(0, u32::from)
    }

    /// The three-letter code, upper case.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.0.code()
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    fn from_str(code: &str) -> Result<Self, MoneyError> {
        iso_currency::Currency::from_code(&code.to_ascii_uppercase())
            .map(Currency)
            .ok_or_else(|| MoneyError::UnknownCurrency(code.to_owned()))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// Why a sum could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The code is not in ISO 4217.
    #[error("{0} is not an ISO 4217 currency")]
    UnknownCurrency(String),
    /// Two currencies met in one sum.
    #[error("{0} and {1} cannot be added")]
    Mixed(Currency, Currency),
    /// The sum does not fit in 64 bits.
    #[error("the sum is too large")]
    Overflow,
}

/// A sum of money in minor units of its currency (6000 EUR is sixty euros).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// Minor units; may be negative where a difference is meant.
    pub amount: i64,
    /// The currency of `amount`.
    pub currency: Currency,
}

impl Money {
    /// A sum of `amount` minor units.
    #[must_use]
    pub fn new(amount: i64, currency: Currency) -> Self {
        Money { amount, currency }
    }

    /// Adds a sum of the same currency.
    ///
    /// # Errors
    /// [`MoneyError::Mixed`] for another currency, [`MoneyError::Overflow`] past 64 bits.
    pub fn plus(self, other: Money) -> Result<Money, MoneyError> {
        if self.currency != other.currency {
            return Err(MoneyError::Mixed(self.currency, other.currency));
        }
        let amount = self
            .amount
            .checked_add(other.amount)
            .ok_or(MoneyError::Overflow)?;
        Ok(Money { amount, ..self })
    }

    /// The sum as a language writes it: `60.00 EUR`, `60,00 EUR`.
    #[must_use]
    pub fn in_language(self, language: Language) -> String {
        let plain = self.to_string();
        match language {
            Language::En => plain,
            Language::Ca | Language::Es => plain.replace('.', ","),
        }
    }

    /// Reads major units as people type them, with a point or a comma: `60`, `60.00`, `60,5`. `None` for anything else,
    /// for more decimals than the currency has, and for a sum below zero.
    #[must_use]
    pub fn typed(text: &str, currency: Currency) -> Option<Money> {
        let (whole, part) = text
            .trim()
            .split_once(['.', ','])
            .unwrap_or((text.trim(), ""));
        let digits = usize::try_from(currency.exponent()).ok()?;
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !plain(whole) || !plain(part) || part.len() > digits {
            return None;
        }
        let amount = format!("{whole}{part:0<digits$}").parse().ok()?;
        Some(Money { amount, currency })
    }
}

impl fmt::Display for Money {
    /// Major units with the currency's decimals, then the code: `60.00 EUR`, `500 JPY`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.amount < 0 { "-" } else { "" };
        let (units, digits) = (self.amount.unsigned_abs(), self.currency.exponent());
        let scale = 10u64.pow(digits);
        if digits == 0 {
            return write!(f, "{sign}{units} {}", self.currency);
        }
        let (whole, part) = (units / scale, units % scale);
        write!(
            f,
            "{sign}{whole}.{part:0width$} {}",
            self.currency,
            width = digits as usize
        )
    }
}

/// A percentage in basis points: 5000 is 50 %.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BasisPoints(pub u32);

impl BasisPoints {
    /// The whole: 100 %.
    pub const WHOLE: BasisPoints = BasisPoints(10_000);

    /// This share of a non-negative amount, to the nearest multiple of `unit` minor units, an exact half **up**: for
    /// what goes to the payer (reductions, refunds).
    #[must_use]
    pub fn of_half_up(self, amount: i64, unit: i64) -> i64 {
        self.rounded(amount, unit, 0)
    }

    /// This share of a non-negative amount, to the nearest multiple of `unit` minor units, an exact half **down**: for
    /// what the payer bears (charges, what is kept), so that the half goes to the payer.
    #[must_use]
    pub fn of_half_down(self, amount: i64, unit: i64) -> i64 {
        self.rounded(amount, unit, 1)
    }

    fn rounded(self, amount: i64, unit: i64, less: i128) -> i64 {
        let exact = i128::from(amount) * i128::from(self.0);
        let whole = 10_000 * i128::from(unit.max(1));
        let multiples = (exact + whole / 2 - less).div_euclid(whole);
        i64::try_from(multiples * i128::from(unit.max(1))).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eur() -> Currency {
        "EUR".parse().unwrap()
    }

    #[test]
    fn an_exact_half_goes_to_the_payer() {
        assert_eq!(BasisPoints(5_000).of_half_up(10_001, 1), 5_001);
        assert_eq!(BasisPoints(5_000).of_half_down(10_001, 1), 5_000);
        assert_eq!(BasisPoints(3_333).of_half_up(100, 1), 33);
        assert_eq!(BasisPoints(6_667).of_half_down(100, 1), 67);
        assert_eq!(BasisPoints::WHOLE.of_half_down(i64::MAX, 1), i64::MAX);
        // 17.50 in whole units, and in fives.
        assert_eq!(BasisPoints(5_000).of_half_up(3_500, 100), 1_800);
        assert_eq!(BasisPoints(5_000).of_half_down(3_500, 100), 1_700);
        assert_eq!(BasisPoints(5_000).of_half_up(3_500, 500), 2_000);
        assert_eq!(BasisPoints(1_000).of_half_up(3_333, 5), 335);
        assert_eq!(BasisPoints(1_000).of_half_down(3_325, 5), 330);
    }

    #[test]
    fn currencies_have_their_own_decimals() {
        for (code, amount, shown) in [
            ("EUR", 6_000, "60.00 EUR"),
            ("JPY", 500, "500 JPY"),
            ("TND", 1_005, "1.005 TND"),
            ("EUR", -5, "-0.05 EUR"),
        ] {
            assert_eq!(Money::new(amount, code.parse().unwrap()).to_string(), shown);
        }
    }

    #[test]
    fn sums_are_written_and_read_as_people_do() {
        assert_eq!(
            Money::new(-5_050, eur()).in_language(Language::Ca),
            "-50,50 EUR"
        );
        assert_eq!(
            Money::new(-5_050, eur()).in_language(Language::En),
            "-50.50 EUR"
        );
        for (text, amount) in [
            ("60", Some(6_000)),
            (" 60.00 ", Some(6_000)),
            ("60,5", Some(6_050)),
            ("0,05", Some(5)),
            ("", None),
            (",5", None),
            ("60.005", None),
            ("-60", None),
            ("+60", None),
            ("6 0", None),
            ("1.000,00", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(
                Money::typed(text, eur()).map(|m| m.amount),
                amount,
                "{text}"
            );
        }
        let yen = "JPY".parse().unwrap();
        assert_eq!(Money::typed("500", yen), Some(Money::new(500, yen)));
        assert_eq!(Money::typed("500.0", yen), None);
    }

    #[test]
    fn currencies_never_mix() {
        let pen = Money::new(1, "PEN".parse().unwrap());
        assert!(matches!(
            Money::new(1, eur()).plus(pen),
            Err(MoneyError::Mixed(..))
        ));
        assert_eq!(
            Money::new(i64::MAX, eur()).plus(Money::new(1, eur())),
            Err(MoneyError::Overflow)
        );
    }
}
