//! The sandbox over real HTTP.

mod cards;
mod desk;
mod sessions;
