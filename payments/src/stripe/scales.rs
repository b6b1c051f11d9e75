//! Stripe's own scales. Inside Enroc an amount is ISO 4217 minor units; Stripe counts some currencies otherwise.
//! <https://docs.stripe.com/currencies>

use domain::{Currency, Money};

/// Stripe counts whole units.
const ZERO_DECIMAL: &[&str] = &[
    "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF",
    "XOF", "XPF",
];
/// Stripe counts thousandths, of which the last digit is zero.
const THREE_DECIMAL: &[&str] = &["BHD", "JOD", "KWD", "OMR", "TND"];
/// Stripe counts hundredths and takes whole units only.
const WHOLE_UNITS: &[&str] = &["ISK", "UGX"];
/// Stripe takes at most eight digits.
const MOST: i64 = 99_999_999;

/// The least that Stripe charges, in ISO 4217 minor units. It holds after conversion into the currency in which Stripe
/// pays out. PEN is not confirmed by any page of Stripe's: look at it again before a tournament charges in soles.
const MINIMUM: &[(&str, i64)] = &[
    ("AED", 200),
    ("AUD", 50),
    ("BGN", 100),
    ("BRL", 50),
    ("CAD", 50),
    ("CHF", 50),
    ("CZK", 1_500),
    ("DKK", 250),
    ("EUR", 50),
    ("GBP", 30),
    ("HKD", 400),
    ("HUF", 17_500),
    ("INR", 50),
    ("JPY", 50),
    ("MXN", 1_000),
    ("MYR", 200),
    ("NOK", 300),
    ("NZD", 50),
    ("PEN", 200),
    ("PLN", 200),
    ("RON", 200),
    ("SEK", 300),
    ("SGD", 50),
    ("THB", 1_000),
    ("USD", 50),
];

/// The least that a card can be charged, in ISO 4217 minor units; `None` where Stripe publishes no figure. A refund has
/// no such minimum.
#[must_use]
pub fn minimum(currency: Currency) -> Option<i64> {
    MINIMUM
        .iter()
        .find(|(code, _)| *code == currency.code())
        .map(|(_, least)| *least)
}

/// What a card can be charged is a multiple of this, in ISO 4217 minor units.
#[must_use]
pub fn step(currency: Currency) -> i64 {
    iso_step(currency.code(), currency.exponent())
}

/// The most that a card can be charged, in ISO 4217 minor units.
#[must_use]
pub fn maximum(currency: Currency) -> i64 {
    let (up, down) = (
        10_i64.pow(currency.exponent()),
        10_i64.pow(decimals(currency.code())),
    );
    let most = MOST * up / down;
    most - most % step(currency)
}

/// Why an amount has no form on the other side.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScaleError {
    /// Stripe has no unit that small.
    #[error("Stripe takes {currency} in steps of {step} minor units")]
    Step {
        /// The currency.
        currency: Currency,
        /// The step in ISO 4217 minor units.
        step: i64,
    },
    /// Zero, negative, or more than eight of Stripe's digits.
    #[error("{0} is not between one unit and what Stripe takes at most")]
    Range(Money),
    /// ISO 4217 has no unit that small, or no such currency.
    #[error("an amount of {0} {1} has no ISO 4217 form")]
    Foreign(i64, String),
}

/// Stripe's decimals for a currency.
fn decimals(code: &str) -> u32 {
    if ZERO_DECIMAL.contains(&code) {
        0
    } else if THREE_DECIMAL.contains(&code) {
        3
    } else {
        2
    }
}

/// The smallest step that Stripe takes, in its own units.
fn own_step(code: &str) -> i64 {
    if THREE_DECIMAL.contains(&code) {
        10
    } else if WHOLE_UNITS.contains(&code) {
        100
    } else {
        1
    }
}

/// `amount` counted with `from` decimals, counted with `to` decimals; `None` where it does not come out even.
fn rescale(amount: i64, from: u32, to: u32) -> Option<i64> {
    let (up, down) = (10_i64.checked_pow(to)?, 10_i64.checked_pow(from)?);
    let scaled = i128::from(amount) * i128::from(up);
    let down = i128::from(down);
    (scaled % down == 0)
        .then(|| i64::try_from(scaled / down).ok())
        .flatten()
}

/// An amount as Stripe counts it.
///
/// # Errors
/// [`ScaleError`].
pub(super) fn to_stripe(money: Money) -> Result<i64, ScaleError> {
    let (currency, code) = (money.currency, money.currency.code());
    let (iso, stripe) = (currency.exponent(), decimals(code));
    let out = rescale(money.amount, iso, stripe)
        .filter(|amount| amount % own_step(code) == 0)
        .ok_or_else(|| ScaleError::Step {
            currency,
            step: iso_step(code, iso),
        })?;
    if (1..=MOST).contains(&out) {
        Ok(out)
    } else {
        Err(ScaleError::Range(money))
    }
}

/// The smallest amount of ISO 4217 minor units that Stripe can say.
fn iso_step(code: &str, iso: u32) -> i64 {
    (0..=iso)
        .map(|power| 10_i64.pow(power))
        .find(|least| {
            rescale(*least, iso, decimals(code)).is_some_and(|out| out % own_step(code) == 0)
        })
        .unwrap_or(1)
}

/// An amount of Stripe's as ISO 4217 counts it.
///
/// # Errors
/// [`ScaleError::Foreign`].
pub(super) fn from_stripe(amount: i64, code: &str) -> Result<Money, ScaleError> {
    let foreign = || ScaleError::Foreign(amount, code.to_ascii_uppercase());
    let currency: Currency = code.parse().map_err(|_| foreign())?;
    let iso =
        rescale(amount, decimals(currency.code()), currency.exponent()).ok_or_else(foreign)?;
    Ok(Money::new(iso, currency))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(amount: i64, code: &str) -> Money {
        Money::new(amount, code.parse().unwrap())
    }

    /// ISO minor units, currency, Stripe's units.
    const EVEN: &[(i64, &str, i64)] = &[
        (6_000, "EUR", 6_000),
        (1, "EUR", 1),
        (500, "JPY", 500),
        (500, "KRW", 500),
        (10_000, "CLP", 10_000),
        (1_230, "TND", 1_230),
        (1_230, "KWD", 1_230),
        (15, "ISK", 1_500),
        (5_000, "UGX", 500_000),
        (50_000, "HUF", 50_000),
        (100, "TWD", 100),
        (5_000, "PEN", 5_000),
        (5_000, "COP", 5_000),
        (500_000, "MGA", 5_000),
        (99_999_999, "EUR", 99_999_999),
        (999_999, "ISK", 99_999_900),
    ];

    #[test]
    fn amounts_come_out_even_there_and_back() {
        for (iso, code, stripe) in EVEN {
            assert_eq!(to_stripe(money(*iso, code)), Ok(*stripe), "{iso} {code}");
            let back = from_stripe(*stripe, &code.to_lowercase());
            assert_eq!(back, Ok(money(*iso, code)), "{stripe} {code}");
        }
    }

    #[test]
    fn what_stripe_cannot_say_is_refused() {
        for (iso, code, step) in [(1_235, "TND", 10), (1_001, "BHD", 10), (150, "MGA", 100)] {
            let currency = code.parse().unwrap();
            assert_eq!(
                to_stripe(money(iso, code)),
                Err(ScaleError::Step { currency, step }),
                "{iso} {code}"
            );
        }
        for (iso, code) in [
            (0, "EUR"),
            (-1, "EUR"),
            (100_000_000, "EUR"),
            (i64::MAX, "JPY"),
            (1_000_000, "ISK"),
        ] {
            assert_eq!(
                to_stripe(money(iso, code)),
                Err(ScaleError::Range(money(iso, code))),
                "{iso} {code}"
            );
        }
        assert!(to_stripe(money(i64::MAX, "UGX")).is_err());
    }

    #[test]
    fn what_iso_cannot_say_is_refused() {
        assert_eq!(
            from_stripe(150, "isk"),
            Err(ScaleError::Foreign(150, "ISK".to_owned()))
        );
        assert_eq!(
            from_stripe(150, "zzz"),
            Err(ScaleError::Foreign(150, "ZZZ".to_owned()))
        );
    }

    #[test]
    fn minimums_are_in_iso_minor_units() {
        let least = |code: &str| minimum(code.parse().unwrap());
        assert_eq!(
            (least("EUR"), least("JPY"), least("HUF"), least("PEN")),
            (Some(50), Some(50), Some(17_500), Some(200))
        );
        assert_eq!(least("ISK"), None);
        for (code, amount) in MINIMUM {
            assert!(to_stripe(money(*amount, code)).is_ok(), "{code}");
        }
    }

    #[test]
    fn the_most_and_the_step_are_what_stripe_takes() {
        for code in ["EUR", "JPY", "BHD", "ISK", "MGA", "HUF"] {
            let currency: Currency = code.parse().unwrap();
            let (most, step) = (maximum(currency), step(currency));
            assert!(to_stripe(money(most, code)).is_ok(), "{code}");
            assert!(to_stripe(money(most + step, code)).is_err(), "{code}");
            assert!(to_stripe(money(step, code)).is_ok(), "{code}");
            assert!(
                step == 1 || to_stripe(money(most - 1, code)).is_err(),
                "{code}"
            );
        }
    }
}
