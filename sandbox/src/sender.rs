//! Sends the webhooks, one at a time, in the order in which they fall due.

use std::sync::Arc;
use std::time::Duration;

use crate::outbox::{self, Parcel};
use crate::shared::{Shared, wall_ms};

/// Stripe gives up on an endpoint that is slower than this.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest that the sender sleeps: the test clock may have been moved meanwhile.
const LONGEST_NAP: i64 = 1000;

/// Runs until it is aborted.
pub(crate) async fn run(shared: Arc<Shared>, client: reqwest::Client) {
    loop {
        let changed = shared.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let parcel = shared.peek(|world| outbox::next_parcel(world, wall_ms().div_euclid(1000)));
        match parcel {
            Some(parcel) => {
                let status = send(&client, &parcel).await;
                shared.enter(|world| outbox::settle(world, parcel, status));
            }
            None => {
                let nap = shared.peek(|world| {
                    let next = [world.outbox.next_due(), world.next_timer()]
                        .into_iter()
                        .flatten()
                        .min();
                    next.map_or(LONGEST_NAP, |next| {
                        (next - world.now_ms()).clamp(1, LONGEST_NAP)
                    })
                });
                let nap = Duration::from_millis(nap.unsigned_abs());
                let _either = tokio::time::timeout(nap, changed).await;
            }
        }
    }
}

async fn send(client: &reqwest::Client, parcel: &Parcel) -> Option<u16> {
    let request = client
        .post(&parcel.url)
        .timeout(PATIENCE)
        .header("content-type", "application/json; charset=utf-8")
        .header("user-agent", "Stripe/1.0 (sandbox)")
        .header("stripe-signature", &parcel.signature)
        .body(parcel.body.clone());
    match request.send().await {
        Ok(response) => Some(response.status().as_u16()),
        Err(error) => {
            tracing::debug!(%error, "the webhook endpoint could not be reached");
            None
        }
    }
}
