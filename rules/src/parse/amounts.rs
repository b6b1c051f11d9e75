//! Sums and percentages as a file writes them: whole units, or a string with decimals; never a binary fraction.

use domain::{Currency, SectionId};
use toml::de::DeValue;

use super::reader::Item;
use crate::terms::{EntrantKind, Section};

/// The sections of the file, by position.
pub(super) struct Sections {
    pub ids: Vec<SectionId>,
    pub kinds: Vec<EntrantKind>,
}

impl Sections {
    pub(super) fn of(sections: &[Section]) -> Sections {
        Sections {
            ids: sections.iter().map(|section| section.id.clone()).collect(),
            kinds: sections.iter().map(|section| section.kind).collect(),
        }
    }

    pub(super) fn position(&self, item: &Item<'_, '_>) -> Option<usize> {
        let name = item.string()?;
        self.find(item, name)
    }

    fn find(&self, item: &Item<'_, '_>, name: &str) -> Option<usize> {
        let place = self.ids.iter().position(|id| id.as_str() == name);
        place.or_else(|| item.refuse(&format!("there is no section `{name}`")))
    }

    pub(super) fn positions(&self, item: &Item<'_, '_>) -> Option<Vec<usize>> {
        let members = item.some()?;
        let places: Vec<_> = members.iter().map(|member| self.position(member)).collect();
        places.into_iter().collect()
    }

    /// A value for each section: one for all, or a table by section.
    pub(super) fn each<T: Clone>(
        &self,
        item: &Item<'_, '_>,
        read: impl Fn(&Item<'_, '_>) -> Option<T>,
    ) -> Option<Vec<Option<T>>> {
        let mut values = vec![None; self.ids.len()];
        if !matches!(item.value(), DeValue::Table(_)) {
            let value = read(item)?;
            values.fill(Some(value));
            return Some(values);
        }
        let by_section = item.table()?.all();
        if by_section.is_empty() {
            return item.refuse("expected at least one section");
        }
        for (name, value) in by_section {
            let place = self.find(&value, &name)?;
            values[place] = Some(read(&value)?);
        }
        Some(values)
    }
}

/// A sum in minor units of the currency; negative where the file says so.
pub(super) fn money(item: &Item<'_, '_>, currency: Currency) -> Option<i64> {
    match decimal(
        item,
        currency.exponent(),
        "a sum in whole units or a string",
    ) {
        Some(Ok(minor)) => Some(minor),
        Some(Err(digits)) => item.refuse(&format!(
            "{currency} has {} decimals, this has {digits}",
            currency.exponent()
        )),
        None => None,
    }
}

/// A sum that is not negative.
pub(super) fn fee(item: &Item<'_, '_>, currency: Currency) -> Option<i64> {
    let sum = money(item, currency)?;
    if sum < 0 {
        return item.refuse("a sum here is not negative");
    }
    Some(sum)
}

/// A percentage in basis points, from -1000 % to 1000 %.
pub(super) fn percent(item: &Item<'_, '_>) -> Option<i32> {
    match decimal(item, 2, "a percentage in whole numbers or a string") {
        Some(Ok(points)) if points.abs() <= 100_000 => i32::try_from(points).ok(),
        Some(Ok(_)) => item.refuse("expected a percentage from -1000 to 1000"),
        Some(Err(_)) => item.refuse("a percentage has two decimals at most"),
        None => None,
    }
}

/// A decimal scaled by ten to `exponent`; `Err` with the number of decimals where there are too many.
fn decimal(item: &Item<'_, '_>, exponent: u32, wanted: &str) -> Option<Result<i64, usize>> {
    const LARGEST: i64 = 1_000_000_000;
    let scale = 10i64.pow(exponent);
    if let DeValue::Integer(_) = item.value() {
        let units = item.integer(-LARGEST..LARGEST + 1)?;
        return Some(Ok(units * scale));
    }
    let DeValue::String(text) = item.value() else {
        return item.wrong_type(wanted);
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.as_ref()),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(part) || digits.ends_with('.') {
        return item.refuse(&format!(
            "`{text}` is no number: write digits and a point (\"32.50\")"
        ));
    }
    let places = exponent as usize;
    if part.len() > places {
        return Some(Err(part.len()));
    }
    let padded: String = whole
        .chars()
        .chain(part.chars().chain("000000".chars()).take(places))
        .collect();
    match padded.parse::<i64>() {
        Ok(value) if value <= LARGEST * scale => Some(Ok(if negative { -value } else { value })),
        _ => item.refuse("the sum is too large"),
    }
}
