//! The second look: payments that no webhook settled, as when Stripe sent none or we were away.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{PaymentId, PaymentStatus, Problem, UtcTime};
use registration::{Desk, Gateway, Observed};
use store::CLOCKS_APART;
use store::payments::{self, Payment};

use crate::StripeGateway;

/// How many unsettled payments of an account are considered.
const CONSIDERED: i64 = 10_000;

/// Looks at payments of one account that have not settled.
pub struct Reconciler {
    desk: Desk,
    gateway: Arc<StripeGateway>,
    /// Seconds that a payment is left to its webhooks.
    patience: i64,
    looked: Mutex<HashMap<PaymentId, UtcTime>>,
}

impl Reconciler {
    /// A reconciler that leaves a payment to its webhooks for `patience` seconds of the wall clock.
    #[must_use]
    pub fn new(desk: Desk, gateway: Arc<StripeGateway>, patience: i64) -> Self {
        Reconciler {
            desk,
            gateway,
            patience,
            looked: Mutex::default(),
        }
    }

    /// Shows the desk how up to `limit` unsettled payments stand, those first that were not looked at longest; says how
    /// many it looked at. Payments that the gateway has not opened yet are the desk's own to open again.
    ///
    /// # Errors
    /// [`Problem`] where the database fails. A payment that fails is logged and looked at again.
    pub async fn step(&self, limit: usize) -> Result<usize, Problem> {
        let account = self.gateway.account().to_owned();
        let (wall, patience) = (self.desk.clock().wall(), self.patience);
        let unsettled = self
            .desk
            .store()
            .read(move |c| payments::unsettled(c, &account, (wall, patience), CONSIDERED))
            .await?;
        let turn = self.turn(unsettled, wall, limit);
        for (payment, reference) in &turn {
            if let Err(why) = self.look(reference).await {
                tracing::warn!(payment = %payment.id, why, "not reconciled");
            }
        }
        Ok(turn.len())
    }

    /// Whose turn it is; notes that it was.
    fn turn(&self, unsettled: Vec<Payment>, wall: UtcTime, limit: usize) -> Vec<(Payment, String)> {
        let lately = wall.plus_seconds(-self.patience)..=wall.plus_seconds(CLOCKS_APART);
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.retain(|id, _| unsettled.iter().any(|payment| payment.id == *id));
        let opened = |payment: Payment| {
            let reference = payment
                .reference
                .clone()
                .or_else(|| payment.intent.clone())?;
            (payment.status != PaymentStatus::Creating).then_some((payment, reference))
        };
        let mut turn: Vec<(Payment, String)> = unsettled
            .into_iter()
            .filter_map(opened)
            .filter(|(payment, _)| {
                looked
                    .get(&payment.id)
                    .is_none_or(|at| !lately.contains(at))
            })
            .collect();
        turn.sort_by_key(|(payment, _)| looked.get(&payment.id).copied());
        turn.truncate(limit);
        looked.extend(turn.iter().map(|(payment, _)| (payment.id, wall)));
        turn
    }

    async fn look(&self, reference: &str) -> Result<(), String> {
        let seen = self
            .gateway
            .look(reference)
            .await
            .map_err(|error| error.to_string())?;
        match self
            .desk
            .observe_payment(self.gateway.account(), seen)
            .await
        {
            Ok(Observed::Known) => Ok(()),
            Ok(Observed::NotYet | Observed::Foreign) => {
                Err(format!("the desk does not know {reference}"))
            }
            Err(problem) => Err(problem.to_string()),
        }
    }
}
