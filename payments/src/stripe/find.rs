//! What an earlier call has made though it answered nothing, or a failure: found by its metadata in Stripe's lists. Its
//! search would lag behind. <https://docs.stripe.com/search#data-freshness>

use domain::PaymentKind;
use registration::{GatewayError, Opened, PaymentAsk, RefundCall};
use stripe::StripeRequest;
use stripe_checkout::checkout_session::ListCheckoutSession;
use stripe_core::payment_intent::ListPaymentIntent;
use stripe_core::refund::ListRefund;
use stripe_shared::Refund;
use stripe_types::{List, RangeQueryTs};

use super::{PAGE, StripeGateway, opened_intent, opened_page, plain, seen};

/// So many pages of a list are read. More were opened meanwhile only where the key is given up after hours of a rush.
const MOST_PAGES: usize = 50;
/// How far Stripe's clock may be behind ours, in seconds.
const CLOCKS_APART: i64 = 300;

impl StripeGateway {
    /// The page or intent that a call with this key has made.
    ///
    /// # Errors
    /// [`GatewayError::NoAnswer`] where that cannot be told.
    pub(super) async fn opened_before(
        &self,
        ask: &PaymentAsk,
    ) -> Result<Option<Opened>, GatewayError> {
        let since = || RangeQueryTs::gte(ask.since.as_seconds() - CLOCKS_APART);
        if ask.method == PaymentKind::Intent {
            let list = ListPaymentIntent::new().created(since()).limit(PAGE);
            let page = |after: Option<String>| match after {
                Some(after) => list.clone().starting_after(after),
                None => list.clone(),
            };
            let found = self
                .first(
                    page,
                    |intent| intent.id.to_string(),
                    |intent| seen::made_by(&intent.metadata, &ask.key),
                )
                .await?;
            return Ok(found.map(opened_intent));
        }
        let list = ListCheckoutSession::new().created(since()).limit(PAGE);
        let page = |after: Option<String>| match after {
            Some(after) => list.clone().starting_after(after),
            None => list.clone(),
        };
        let found = self
            .first(
                page,
                |page| page.id.to_string(),
                |page| {
                    page.metadata
                        .as_ref()
                        .is_some_and(|metadata| seen::made_by(metadata, &ask.key))
                },
            )
            .await?;
        Ok(found.map(opened_page))
    }

    /// The refund that an earlier call for the same refund of ours has made: Stripe forgets keys after a day, and a key
    /// may have been given up; the metadata stay.
    ///
    /// # Errors
    /// [`GatewayError`].
    pub(super) async fn made_before(
        &self,
        call: &RefundCall,
    ) -> Result<Option<Refund>, GatewayError> {
        let request = ListRefund::new()
            .payment_intent(plain(&call.intent)?)
            .limit(PAGE);
        let made = self.calls.send(&request).await?.data;
        Ok(made
            .into_iter()
            .find(|refund| seen::ours(refund) == Some(call.refund)))
    }

    async fn first<R, T>(
        &self,
        page: impl Fn(Option<String>) -> R + Send,
        id: impl Fn(&T) -> String + Send,
        wanted: impl Fn(&T) -> bool + Send,
    ) -> Result<Option<T>, GatewayError>
    where
        R: StripeRequest<Output = List<T>> + Send + Sync,
        List<T>: miniserde::Deserialize + Send,
    {
        let mut after = None;
        for _ in 0..MOST_PAGES {
            let list = self.calls.send(&page(after)).await?;
            after = list.data.last().map(&id);
            if let Some(found) = list.data.into_iter().find(&wanted) {
                return Ok(Some(found));
            }
            if !list.has_more || after.is_none() {
                return Ok(None);
            }
        }
        let why = "too much was opened meanwhile to tell what the call has made";
        Err(GatewayError::NoAnswer(why.to_owned()))
    }
}
