//! What Stripe's account holds, page by page, newest first.

use domain::UtcTime;
use registration::{GatewayError, Seen, SeenDispute, SeenRefund};
use stripe_core::dispute::ListDispute;
use stripe_core::payment_intent::ListPaymentIntent;
use stripe_core::refund::ListRefund;
use stripe_types::RangeQueryTs;

use super::{PAGE, StripeGateway, seen};

/// Objects of a page with their ids. One that cannot be read stands there as its error.
pub(crate) type Page<T> = Vec<(String, Result<T, GatewayError>)>;

/// One page of a list.
pub(crate) struct Listed<T> {
    pub objects: Page<T>,
    /// After which object the next page begins, where there is one.
    pub next: Option<String>,
}

impl StripeGateway {
    /// Intents that were made since an instant, those of pages too.
    pub(crate) async fn intents(
        &self,
        since: UtcTime,
        after: Option<String>,
    ) -> Result<Listed<Seen>, GatewayError> {
        let mut request = ListPaymentIntent::new()
            .created(RangeQueryTs::gte(since.as_seconds()))
            .expand(vec!["data.latest_charge".to_owned()])
            .limit(PAGE);
        if let Some(after) = after {
            request = request.starting_after(after);
        }
        let list = self.calls.send(&request).await?;
        let last = list.data.last().map(|intent| intent.id.to_string());
        let objects = list.data.iter();
        Ok(Listed {
            objects: objects
                .map(|intent| (intent.id.to_string(), seen::intent(intent)))
                .collect(),
            next: last.filter(|_| list.has_more),
        })
    }

    /// Refunds that were made since an instant.
    pub(crate) async fn refunds(
        &self,
        since: UtcTime,
        after: Option<String>,
    ) -> Result<Listed<SeenRefund>, GatewayError> {
        let mut request = ListRefund::new()
            .created(RangeQueryTs::gte(since.as_seconds()))
            .limit(PAGE);
        if let Some(after) = after {
            request = request.starting_after(after);
        }
        let list = self.calls.send(&request).await?;
        let last = list.data.last().map(|refund| refund.id.to_string());
        let objects = list.data.iter();
        Ok(Listed {
            objects: objects
                .map(|refund| (refund.id.to_string(), seen::refund(refund)))
                .collect(),
            next: last.filter(|_| list.has_more),
        })
    }

    /// Disputes that were opened since an instant.
    pub(crate) async fn disputes(
        &self,
        since: UtcTime,
        after: Option<String>,
    ) -> Result<Listed<SeenDispute>, GatewayError> {
        let mut request = ListDispute::new()
            .created(RangeQueryTs::gte(since.as_seconds()))
            .limit(PAGE);
        if let Some(after) = after {
            request = request.starting_after(after);
        }
        let list = self.calls.send(&request).await?;
        let last = list.data.last().map(|dispute| dispute.id.to_string());
        let objects = list.data.iter();
        Ok(Listed {
            objects: objects
                .map(|dispute| (dispute.id.to_string(), seen::dispute(dispute)))
                .collect(),
            next: last.filter(|_| list.has_more),
        })
    }
}
