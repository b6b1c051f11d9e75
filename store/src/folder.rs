//! An order with everything that hangs on it.

use std::collections::BTreeMap;

use domain::OrderId;

use crate::entries::{self, Entry};
use crate::orders::{self, Order};
use crate::payments::{self, Payment};
use crate::refunds::{self, Refund};
use crate::{Conn, StoreError};

/// An order, its entries in form order, its payments and refunds as they came.
#[derive(Clone, PartialEq, Debug)]
pub struct Folder {
    /// The order.
    pub order: Order,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// Its payments.
    pub payments: Vec<Payment>,
    /// Its refunds.
    pub refunds: Vec<Refund>,
}

/// The folders of these orders, as far as there are such: four questions, however many they are.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn find_all(c: &mut Conn, ids: &[OrderId]) -> Result<BTreeMap<OrderId, Folder>, StoreError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let empty = |order: Order| Folder {
        order,
        entries: Vec::new(),
        payments: Vec::new(),
        refunds: Vec::new(),
    };
    let found = orders::find_all(c, ids)?;
    let mut folders: BTreeMap<OrderId, Folder> = found
        .into_iter()
        .map(|order| (order.id, empty(order)))
        .collect();
    for entry in entries::of_orders(c, ids)? {
        if let Some(folder) = folders.get_mut(&entry.order) {
            folder.entries.push(entry);
        }
    }
    for payment in payments::of_orders(c, ids)? {
        if let Some(folder) = folders.get_mut(&payment.order) {
            folder.payments.push(payment);
        }
    }
    for refund in refunds::of_orders(c, ids)? {
        if let Some(folder) = folders.get_mut(&refund.order) {
            folder.refunds.push(refund);
        }
    }
    Ok(folders)
}
