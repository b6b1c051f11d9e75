//! Who acts on what the gateway shows.

use async_trait::async_trait;
use domain::Problem;
use registration::{Seen, SeenDispute, SeenRefund};

/// Whether the desk knew the thing it was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observed {
    /// It did, and has acted if there was anything to do.
    Known,
    /// It did not, or not yet: the event may have overtaken the call that made the thing.
    Unknown,
}

/// The desk, as the inbox sees it. Each call may be repeated and may come late or out of order: it shows how the thing
/// stands now, never what happened.
#[async_trait]
pub trait Observer: Send + Sync {
    /// A payment as the gateway shows it now.
    ///
    /// # Errors
    /// [`Problem`] when the desk could not act; it is shown the payment again later.
    async fn payment(&self, account: &str, seen: Seen) -> Result<Observed, Problem>;

    /// A refund as the gateway shows it now.
    ///
    /// # Errors
    /// [`Problem`] when the desk could not act; it is shown the refund again later.
    async fn refund(&self, account: &str, seen: SeenRefund) -> Result<Observed, Problem>;

    /// A dispute as the gateway shows it now.
    ///
    /// # Errors
    /// [`Problem`] when the desk could not act; it is shown the dispute again later.
    async fn dispute(&self, account: &str, seen: SeenDispute) -> Result<Observed, Problem>;
}
