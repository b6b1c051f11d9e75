//! Payments that are open at the gateway are closed before an entry ends or another payment is opened.

use domain::{OrderId, PaymentStatus, Problem, Slug, Text};
use store::payments::{self, Payment};

use crate::desk::Desk;
use crate::gateway::SeenState;
use crate::slip::DESK;

impl Desk {
    /// Closes every payment of an order that is open at the gateway; whatever turns out to be paid is credited first.
    ///
    /// # Errors
    /// [`Slug::GatewayDown`] where the gateway does not say; [`Slug::IllegalMove`] while one is on its way.
    pub(crate) async fn close_open_payments(&self, order: OrderId) -> Result<(), Problem> {
        self.close_payments(order, |_| true).await
    }

    /// The same for those that are chosen.
    ///
    /// # Errors
    /// Those of [`Desk::close_open_payments`].
    pub(crate) async fn close_payments(
        &self,
        order: OrderId,
        chosen: impl Fn(&Payment) -> bool + Send,
    ) -> Result<(), Problem> {
        let open = self
            .store()
            .read(move |c| Ok::<_, Problem>(payments::of_order(c, order)?))
            .await?;
        for payment in open
            .into_iter()
            .filter(|p| p.account != DESK && is_unsettled(p) && chosen(p))
        {
            if payment.status == PaymentStatus::Creating {
                // The call may have had its effect: made again with its key, it shows what there is to close.
                match self.finish_opening(payment.id).await {
                    Err(problem) if problem.slug == Slug::PaymentRefused => continue,
                    other => other.map(drop)?,
                }
            }
            let id = payment.id;
            let known = self
                .store()
                .read(move |c| Ok::<_, Problem>(payments::find(c, id)?))
                .await?;
            let Some(reference) = known.and_then(|p| p.reference.or(p.intent)) else {
                continue;
            };
            let gateway = self.gateway()?;
            match gateway.close(&reference).await {
                Ok(seen) => {
                    let processing = seen.state == SeenState::Processing;
                    self.observe_payment(gateway.account(), seen).await?;
                    if processing {
                        return Err(in_processing());
                    }
                }
                Err(error) => {
                    let source = Some(error.to_string().into());
                    return Err(Problem {
                        retry_after: Some(2),
                        source,
                        ..Problem::new(Slug::GatewayDown)
                    });
                }
            }
        }
        Ok(())
    }
}

fn in_processing() -> Problem {
    let text = Text::new(
        "Hi ha un pagament en curs: espereu que acabi i torneu-ho a demanar.",
        "Hay un pago en curso: espere a que termine y vuelva a pedirlo.",
        "A payment is on its way: wait until it has ended, then ask again.",
    );
    Problem::new(Slug::IllegalMove).field("payment", "payment_in_processing", text)
}

/// Whether money may still come in on a payment.
pub(crate) fn is_unsettled(payment: &Payment) -> bool {
    matches!(
        payment.status,
        PaymentStatus::Creating | PaymentStatus::Open | PaymentStatus::Processing
    )
}
