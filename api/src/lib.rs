//! The program `enroc` and the only wiring: settings, the REST and gRPC doors, the command line, the loops that call the
//! use cases' steps. It parses what comes in, calls one use case, renders what goes out.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod app;
pub mod archive;
pub mod auth;
pub mod clock;
pub mod failure;
pub mod fault;
pub mod grpc;
pub mod house;
pub mod logs;
pub mod measure;
pub mod regulations;
pub mod rehearse;
pub mod rest;
pub mod say;
pub mod secret;
pub mod settings;
pub mod wire;

mod health;
mod loops;
mod page;
pub mod stop;
mod words;

#[cfg(test)]
mod docs;
