//! The gateway behind a gate: a call has its effect, and its answer waits until the test lets it through.

use std::sync::Arc;

use async_trait::async_trait;
use domain::Currency;
use payments::StripeGateway;
use registration::{
    Gateway, GatewayError, Opened, PaymentAsk, RefundCall, Seen, SeenDispute, SeenRefund,
};
use tokio::sync::watch;

pub struct Gate {
    gateway: Arc<StripeGateway>,
    open: watch::Sender<bool>,
    /// The keys of the calls that had their effect.
    calls: watch::Sender<Vec<String>>,
}

impl Gate {
    pub fn closed(gateway: &Arc<StripeGateway>) -> Arc<Gate> {
        Arc::new(Gate {
            gateway: Arc::clone(gateway),
            open: watch::Sender::new(false),
            calls: watch::Sender::default(),
        })
    }

    pub fn let_through(&self) {
        self.open.send_replace(true);
    }

    /// Waits until so many calls had their effect; their keys.
    pub async fn calls(&self, number: usize) -> Vec<String> {
        let mut calls = self.calls.subscribe();
        let calls = calls.wait_for(|calls| calls.len() >= number).await;
        calls.unwrap().clone()
    }

    async fn through<T>(&self, key: &str, answer: T) -> T {
        self.calls.send_modify(|calls| calls.push(key.to_owned()));
        let mut open = self.open.subscribe();
        open.wait_for(|open| *open).await.unwrap();
        answer
    }
}

#[async_trait]
impl Gateway for Gate {
    fn account(&self) -> &str {
        self.gateway.account()
    }

    fn minimum(&self, currency: Currency) -> Option<i64> {
        self.gateway.minimum(currency)
    }

    async fn open(&self, ask: &PaymentAsk) -> Result<Opened, GatewayError> {
        let answer = self.gateway.open(ask).await;
        self.through(&ask.key, answer).await
    }

    async fn look(&self, reference: &str) -> Result<Seen, GatewayError> {
        self.gateway.look(reference).await
    }

    async fn close(&self, reference: &str) -> Result<Seen, GatewayError> {
        self.gateway.close(reference).await
    }

    async fn refund(&self, call: &RefundCall) -> Result<SeenRefund, GatewayError> {
        let answer = self.gateway.refund(call).await;
        self.through(&call.key, answer).await
    }

    async fn look_refund(&self, reference: &str) -> Result<SeenRefund, GatewayError> {
        self.gateway.look_refund(reference).await
    }

    async fn look_dispute(&self, reference: &str) -> Result<SeenDispute, GatewayError> {
        self.gateway.look_dispute(reference).await
    }
}
