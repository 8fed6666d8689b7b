//! Listeners and connections, with limits on their number and idle time.

mod activity;
pub(super) mod answered;
mod connection;
mod places;
mod port;

pub(super) use connection::{Peer, Service};
pub(super) use port::Port;
