//! Amounts as Stripe takes them: scale, smallest and largest charge of each currency.
//! <https://docs.stripe.com/currencies>

use crate::refusal::Refusal;

const ZERO_DECIMAL: &[&str] = &[
    "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf",
    "xof", "xpf",
];
const THREE_DECIMAL: &[&str] = &["bhd", "jod", "kwd", "omr", "tnd"];
/// Two decimals in the API, whole units only.
const WHOLE_UNITS: &[&str] = &["isk", "ugx"];

/// The other presentment currencies, two decimals each.
const TWO_DECIMAL: &str = "usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd \
    cad cdf chf cny cop crc cve czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr \
    jmd kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd \
    pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah \
    uyu uzs wst xcd yer zar zmw";

/// The least that can be charged, in the currency's API units. Currencies that are not named have no
/// published figure and are held to one unit; PEN 2.00 is not confirmed by Stripe.
const MINIMUM: &[(&str, i64)] = &[
    ("usd", 50),
    ("aed", 200),
    ("aud", 50),
    ("bgn", 100),
    ("brl", 50),
    ("cad", 50),
    ("chf", 50),
    ("czk", 1500),
    ("dkk", 250),
    ("eur", 50),
    ("gbp", 30),
    ("hkd", 400),
    ("huf", 17_500),
    ("inr", 50),
    ("jpy", 50),
    ("mxn", 1000),
    ("myr", 200),
    ("nok", 300),
    ("nzd", 50),
    ("pen", 200),
    ("pln", 200),
    ("ron", 200),
    ("sek", 300),
    ("sgd", 50),
    ("thb", 1000),
];

const MAXIMUM: i64 = 99_999_999;

fn minimum(currency: &str) -> i64 {
    MINIMUM
        .iter()
        .find(|(code, _)| *code == currency)
        .map_or(1, |(_, least)| *least)
}

/// The currency in lower case, or a refusal that names the parameter.
pub(crate) fn parse(code: &str, param: &str) -> Result<String, Refusal> {
    let code = code.to_ascii_lowercase();
    let known = TWO_DECIMAL.split_whitespace().any(|other| other == code)
        || [ZERO_DECIMAL, THREE_DECIMAL, WHOLE_UNITS]
            .concat()
            .contains(&code.as_str());
    if known {
        Ok(code)
    } else {
        Err(Refusal::invalid(format!(
            "Invalid currency: {code}. It is not one that Stripe supports."
        ))
        .param(param))
    }
}

/// Judges the amount of a charge in the currency's API units.
pub(crate) fn check_charge(amount: i64, currency: &str, param: &str) -> Result<(), Refusal> {
    if amount < 1 {
        return Err(
            Refusal::invalid("This value must be greater than or equal to 1.")
                .code("parameter_invalid_integer")
                .param(param),
        );
    }
    let step = if THREE_DECIMAL.contains(&currency) {
        10
    } else if WHOLE_UNITS.contains(&currency) {
        100
    } else {
        1
    };
    if amount % step != 0 {
        return Err(Refusal::invalid(format!(
            "Invalid amount: amounts in {currency} must be divisible by {step}."
        ))
        .code("invalid_charge_amount_no_decimal_compatible")
        .param(param));
    }
    if amount < minimum(currency) {
        let least = display(minimum(currency), currency);
        return Err(Refusal::invalid(format!("Amount must be at least {least}"))
            .code("amount_too_small")
            .param(param));
    }
    if amount > MAXIMUM {
        let most = display(MAXIMUM, currency);
        return Err(
            Refusal::invalid(format!("Amount must be no more than {most}"))
                .code("amount_too_large")
                .param(param),
        );
    }
    Ok(())
}

/// `40.00 EUR`, `500 JPY`, `1.230 KWD`.
pub(crate) fn display(amount: i64, currency: &str) -> String {
    let digits: usize = if ZERO_DECIMAL.contains(&currency) {
        0
    } else if THREE_DECIMAL.contains(&currency) {
        3
    } else {
        2
    };
    let code = currency.to_ascii_uppercase();
    if digits == 0 {
        return format!("{amount} {code}");
    }
    let scale = 10_i64.pow(u32::try_from(digits).unwrap_or(2));
    format!("{}.{:0digits$} {code}", amount / scale, amount % scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_judged_by_currency() {
        let cases: &[(i64, &str, Option<&str>)] = &[
            (50, "eur", None),
            (49, "eur", Some("amount_too_small")),
            (0, "eur", Some("parameter_invalid_integer")),
            (-1, "eur", Some("parameter_invalid_integer")),
            (99_999_999, "eur", None),
            (100_000_000, "eur", Some("amount_too_large")),
            (50, "jpy", None),
            (49, "jpy", Some("amount_too_small")),
            (1230, "kwd", None),
            (
                1234,
                "kwd",
                Some("invalid_charge_amount_no_decimal_compatible"),
            ),
            (500, "isk", None),
            (
                550,
                "isk",
                Some("invalid_charge_amount_no_decimal_compatible"),
            ),
            (
                550,
                "ugx",
                Some("invalid_charge_amount_no_decimal_compatible"),
            ),
            (199, "pen", Some("amount_too_small")),
            (17_500, "huf", None),
        ];
        for (amount, currency, refused) in cases {
            let verdict = check_charge(*amount, currency, "amount")
                .err()
                .map(|refusal| refusal.inner()["code"].clone());
            assert_eq!(
                verdict.as_ref().and_then(|code| code.as_str()),
                *refused,
                "{amount} {currency}"
            );
        }
    }

    #[test]
    fn currencies_are_known_and_shown() {
        assert_eq!(parse("EUR", "currency").unwrap(), "eur");
        assert!(parse("xxx", "currency").is_err());
        assert_eq!(display(4005, "eur"), "40.05 EUR");
        assert_eq!(display(500, "jpy"), "500 JPY");
        assert_eq!(display(1230, "kwd"), "1.230 KWD");
    }
}
