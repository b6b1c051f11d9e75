//! The use cases of the desk, one file each, and the port to the gateway.

mod gateway;

pub use gateway::{
    Gateway, GatewayError, Opened, PaymentAsk, RefundCall, RefundState, Seen, SeenDispute, SeenRefund, SeenState,
};
