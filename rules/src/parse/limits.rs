//! How much a file may say. Far more than any tournament needs, and little enough that a file is read, and looked at, in
//! a time that its length does not stretch.

/// Bytes of the text.
pub(super) const TEXT: usize = 1 << 20;
/// Sections.
pub(super) const SECTIONS: usize = 64;
/// Rows of fees, and promotions.
pub(super) const ROWS: usize = 500;
/// What conditions say: each comparison, each `any`, `all` and `not`. A name of `[who]` says as much as what it stands for.
pub(super) const CONDITIONS: usize = 4_000;
/// Stretches of time between the instants at which prices begin and end: those of the form, by those of the payment, by those
/// of the arrival of the money.
pub(super) const STRETCHES: usize = 64;
/// Bytes of a name in `[who]`.
pub(super) const NAME: usize = 64;
