//! A payer who comes back from the gateway's page is not told to wait for its webhook: the desk looks by itself.

use domain::{OrderId, Problem};
use store::payments;

use crate::close::is_unsettled;
use crate::desk::Desk;
use crate::slip::DESK;

impl Desk {
    /// Looks at the payments of an order that are open at the gateway, and takes what it shows. A gateway that does not
    /// answer leaves the order as it is: its webhook, or the reconciler, will come.
    ///
    /// # Errors
    /// [`Problem`] when the database fails.
    pub async fn look_at_payments(&self, order: OrderId) -> Result<(), Problem> {
        let read = move |c: &mut store::Conn| Ok::<_, Problem>(payments::of_order(c, order)?);
        let all = self.store().read(read).await?;
        for payment in all.iter().filter(|p| p.account != DESK && is_unsettled(p)) {
            let (Ok(gateway), Some(reference)) = (self.gateway(), &payment.reference) else {
                continue;
            };
            match gateway.look(reference).await {
                Ok(seen) => {
                    self.observe_payment(gateway.account(), seen).await?;
                }
                Err(error) => tracing::info!(payment.id = %payment.id, %error, "not seen yet"),
            }
        }
        Ok(())
    }
}
