//! Local dates and times of a file, made instants by the venue's time zone.
//!
//! A local time that a clock change repeats means the later one; one that it skips means the first instant after the
//! gap. A bare date after `from` or `before` is its first instant, after `until` or `after` its last.

use domain::UtcTime;
use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::{AmbiguousOffset, TimeZone};
use toml::de::DeValue;

use super::reader::Item;
use super::table::Table;
use crate::regulation::DoubtKind;
use crate::terms::Window;

/// The venue's zone, and the start of play.
pub(super) struct Clockwork {
    pub zone: TimeZone,
    /// The first day of play, and the start of its first round, once they are read.
    pub start: Option<(Date, UtcTime)>,
}

/// A date, or a date with its time.
#[derive(Clone, Copy)]
enum Local {
    Day(Date),
    Time(DateTime),
}

impl Clockwork {
    /// `{ from | after, before | until, weekday }`, as the design says it: `before` and `after` leave out what they
    /// name, `from` and `until` take all of it in. `before_start` and `until_start` are so long before play: days of the
    /// calendar before its first day, hours and minutes before its first round.
    pub(super) fn window(&self, item: &Item<'_, '_>) -> Option<Window> {
        let mut table = item.table()?;
        let from = self.end(&mut table, "from", false)?;
        let after = self.end(&mut table, "after", true)?;
        let before = self.end(&mut table, "before", false)?;
        let until = self.end(&mut table, "until", true)?;
        let before_start = self.ahead(&mut table, "before_start", false)?;
        let until_start = self.ahead(&mut table, "until_start", true)?;
        self.weekday(&mut table);
        table.done();
        let ends = [before, until, before_start, until_start];
        if from.is_some() && after.is_some() || ends.iter().flatten().count() > 1 {
            return item.refuse("from and after, or two ends, cannot stand together");
        }
        let window = Window {
            from: from.or(after),
            before: ends.into_iter().flatten().next(),
        };
        match (window.from, window.before) {
            (None, None) => item.refuse("expected before, until, from or after with a date"),
            (Some(from), Some(before)) if from >= before => item.refuse("it ends before it begins"),
            _ => Some(window),
        }
    }

    /// A window that has its end and nothing else: a deadline.
    pub(super) fn deadline(&self, item: &Item<'_, '_>) -> Option<UtcTime> {
        match self.window(item)? {
            Window {
                from: None,
                before: Some(before),
            } => Some(before),
            _ => item.refuse("expected before or until, and nothing else"),
        }
    }

    /// A window that has its beginning and nothing else.
    pub(super) fn beginning(&self, item: &Item<'_, '_>) -> Option<UtcTime> {
        match self.window(item)? {
            Window {
                from: Some(from),
                before: None,
            } => Some(from),
            _ => item.refuse("expected from or after, and nothing else"),
        }
    }

    /// A local time as it is, such as the start of a round.
    pub(super) fn instant(&self, item: &Item<'_, '_>) -> Option<UtcTime> {
        match local(item)? {
            Local::Day(_) => item.refuse("expected a date with its time"),
            Local::Time(time) => self.resolve(item, time),
        }
    }

    /// Nothing where the end cannot be read, `Some(None)` where it is not there.
    fn end(&self, table: &mut Table<'_, '_>, key: &str, past_it: bool) -> Option<Option<UtcTime>> {
        let Some(item) = table.get(key) else {
            return Some(None);
        };
        let instant = match local(&item)? {
            Local::Day(day) => {
                let next = || day.tomorrow().ok();
                let day = if past_it { next() } else { Some(day) };
                self.midnight(&item, day)?
            }
            Local::Time(time) => self.resolve(&item, time)?.plus_seconds(past_it.into()),
        };
        Some(Some(instant))
    }

    /// So long before play begins. Nothing where it cannot be read, `Some(None)` where it is not there.
    fn ahead(
        &self,
        table: &mut Table<'_, '_>,
        key: &str,
        past_it: bool,
    ) -> Option<Option<UtcTime>> {
        let Some(item) = table.get(key) else {
            return Some(None);
        };
        let Some((first, begins)) = self.start else {
            return item.refuse("nothing is known of the start of play here");
        };
        let seconds = duration(&item)?;
        if !item.string()?.ends_with('d') {
            return Some(Some(begins.plus_seconds(i64::from(past_it) - seconds)));
        }
        let days = seconds / DAY - i64::from(past_it);
        let day = first.checked_sub(days.days()).ok();
        self.midnight(&item, day).map(Some)
    }

    /// The first instant of a day.
    fn midnight(&self, item: &Item<'_, '_>, day: Option<Date>) -> Option<UtcTime> {
        let start = day.and_then(|day| day.to_zoned(self.zone.clone()).ok());
        match start {
            Some(start) => Some(start.timestamp().into()),
            None => item.refuse("no calendar goes so far"),
        }
    }

    /// A day on which ages count: doubtful where it is more than a year from play.
    pub(super) fn ages_on(&self, item: &Item<'_, '_>) -> Option<Date> {
        let day = date(item)?;
        let (first, _) = self.start?;
        if (day - first).get_days().abs() > 366 {
            item.reader.doubt(item.line, DoubtKind::AgesFar);
        }
        Some(day)
    }

    fn resolve(&self, item: &Item<'_, '_>, time: DateTime) -> Option<UtcTime> {
        let ambiguous = self.zone.to_ambiguous_timestamp(time);
        let kind = match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { .. } => None,
            AmbiguousOffset::Fold { .. } => Some(DoubtKind::RepeatedTime),
            AmbiguousOffset::Gap { .. } => Some(DoubtKind::SkippedTime),
        };
        if let Some(kind) = kind {
            item.reader.doubt(item.line, kind);
        }
        let resolved = match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(time),
            AmbiguousOffset::Fold { after, .. } => after.to_timestamp(time),
            AmbiguousOffset::Gap { after, .. } => after.to_timestamp(time).map(|early| {
                let change = self.zone.following(early).next();
                change.map_or(early, |change| change.timestamp())
            }),
        };
        match resolved {
            Ok(instant) => Some(instant.into()),
            Err(_) => item.refuse("no calendar goes so far"),
        }
    }

    /// `weekday = "thursday"` beside a date: `check` says where the two disagree.
    fn weekday(&self, table: &mut Table<'_, '_>) {
        let Some(item) = table.get("weekday") else {
            return;
        };
        let said = item.word(&WEEKDAYS);
        let named = ["from", "after", "before", "until"]
            .iter()
            .find_map(|key| table.get(key));
        let day = match named.as_ref().and_then(local) {
            Some(Local::Day(day)) => day,
            Some(Local::Time(time)) => time.date(),
            None if named.is_none() => {
                item.refuse::<()>("a weekday stands beside a date");
                return;
            }
            None => return,
        };
        if said.is_some_and(|said| said != day.weekday()) {
            item.reader.doubt(item.line, DoubtKind::Weekday);
        }
    }
}

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// A bare date.
pub(super) fn date(item: &Item<'_, '_>) -> Option<Date> {
    match local(item)? {
        Local::Day(day) => Some(day),
        Local::Time(_) => item.refuse("expected a date without a time"),
    }
}

fn local(item: &Item<'_, '_>) -> Option<Local> {
    let DeValue::Datetime(value) = item.value() else {
        return item.wrong_type("a date such as 2026-07-21 or a time such as 2026-07-21T14:00:00");
    };
    if value.offset.is_some() {
        return item.refuse("write the venue's local time, without an offset");
    }
    let Some(date) = value.date.and_then(|date| {
        let (year, month, day) = (
            i16::try_from(date.year).ok()?,
            i8::try_from(date.month).ok()?,
            i8::try_from(date.day).ok()?,
        );
        Date::new(year, month, day).ok()
    }) else {
        return item.refuse("expected a date");
    };
    let Some(time) = value.time else {
        return Some(Local::Day(date));
    };
    let (Ok(hour), Ok(minute), Ok(second)) = (
        i8::try_from(time.hour),
        i8::try_from(time.minute),
        i8::try_from(time.second),
    ) else {
        return item.refuse("there is no such time");
    };
    if time.nanosecond != 0 {
        return item.refuse("instants compare to the second: leave the fraction out");
    }
    match Time::new(hour, minute, second, 0) {
        Ok(time) => Some(Local::Time(date.to_datetime(time))),
        Err(_) => item.refuse("there is no such time"),
    }
}

/// Seconds.
const DAY: i64 = 86_400;

/// `"24h"`, `"30m"` or `"2d"` in seconds.
pub(super) fn duration(item: &Item<'_, '_>) -> Option<i64> {
    let text = item.string()?;
    let unit = match text.chars().last() {
        Some('m') => 60,
        Some('h') => 3_600,
        Some('d') => DAY,
        _ => 0,
    };
    let digits = text.get(..text.len().saturating_sub(1)).unwrap_or("");
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    match digits.parse::<u16>() {
        Ok(number) if unit > 0 && plain => Some(i64::from(number) * unit),
        _ => item.refuse("expected a time such as \"30m\", \"24h\" or \"2d\""),
    }
}
