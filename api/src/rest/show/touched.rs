//! Those who are in already, and what a new version means to them.

use domain::{Currency, EntryId, SectionId};
use registration::{Example, Shift, Touched};
use serde::Serialize;
use utoipa::ToSchema;

use super::money::MoneyOut;

/// Entries that were priced under a version.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfVersionOut {
    /// The version.
    pub version: i32,
    /// How many.
    pub entries: i64,
}

/// What a new version means to the orders that stand. They keep their price, whatever it says of prices here.
#[derive(Debug, Serialize, ToSchema)]
pub struct TouchedOut {
    /// Orders with an entry that stands.
    pub orders: i64,
    /// Entries that stand: waiting, held, to be approved, confirmed, withdrawn.
    pub entries: i64,
    /// Under which versions they were priced.
    pub versions: Vec<OfVersionOut>,
    /// Who would pay more, had the text counted at the instant of the form.
    pub dearer: ShiftOut,
    /// Who would pay less.
    pub cheaper: ShiftOut,
    /// Whose order would not have been taken; `after` is zero.
    pub refused: ShiftOut,
    /// Entries that cannot be asked about, since the person was erased.
    pub erased: i64,
    /// Who would get more back, leaving now, than under the published version.
    pub refund_more: ShiftOut,
    /// Who would get less back: a version between theirs and the text was better than both.
    pub refund_less: ShiftOut,
    /// Who leaves by the clause of the own version, since that of the text is worse: `before` by the text, `after` by the
    /// own.
    pub refund_own: ShiftOut,
    /// Entries that wait for a seat.
    pub waiting: i64,
    /// Those of them that would be offered one at once.
    pub offered: i64,
    /// Held orders whose seat is kept, and may be paid, beyond the text's last instant for payments.
    pub held_past_pay_by: i64,
    /// Held orders that could be paid by card, and could not any more.
    pub held_without_card: i64,
}

impl TouchedOut {
    pub(super) fn of(touched: Touched, currency: Currency) -> Self {
        let versions = touched.versions.into_iter();
        let shift = |shift| ShiftOut::of(shift, currency);
        TouchedOut {
            orders: touched.orders,
            entries: touched.entries,
            versions: versions
                .map(|(version, entries)| OfVersionOut { version, entries })
                .collect(),
            dearer: shift(touched.dearer),
            cheaper: shift(touched.cheaper),
            refused: shift(touched.refused),
            erased: touched.erased,
            refund_more: shift(touched.refund_more),
            refund_less: shift(touched.refund_less),
            refund_own: shift(touched.refund_own),
            waiting: touched.waiting,
            offered: touched.offered,
            held_past_pay_by: touched.held_past_pay_by,
            held_without_card: touched.held_without_card,
        }
    }
}

/// Entries for which something is different in one direction.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShiftOut {
    /// How many.
    pub entries: i64,
    /// What the differences come to in the first currency of the tournament, never negative.
    pub sum: MoneyOut,
    /// What they come to in each currency.
    pub sums: Vec<MoneyOut>,
    /// The first of them, by form number.
    pub examples: Vec<ExampleOut>,
}

impl ShiftOut {
    fn of(shift: Shift, currency: Currency) -> Self {
        let example = |one: Example| ExampleOut {
            entry: one.entry,
            form_number: one.form_number,
            section: one.section,
            before: one.before.into(),
            after: one.after.into(),
        };
        ShiftOut {
            entries: shift.entries,
            sum: shift.sum(currency).into(),
            sums: shift.sums.iter().copied().map(Into::into).collect(),
            examples: shift.examples.into_iter().map(example).collect(),
        }
    }
}

/// One of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExampleOut {
    /// The entry (`ent_…`).
    #[schema(value_type = String)]
    pub entry: EntryId,
    /// Form number.
    pub form_number: i64,
    /// Its section; none until the organiser places it.
    #[schema(value_type = Option<String>)]
    pub section: Option<SectionId>,
    /// As it is.
    pub before: MoneyOut,
    /// As it would be.
    pub after: MoneyOut,
}
