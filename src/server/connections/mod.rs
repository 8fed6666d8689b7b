//! Who is connected: ports, connections and how many of them there may be, and how long each may be idle.

mod activity;
pub(super) mod answered;
mod connection;
mod places;
mod port;

pub(super) use connection::{Peer, Service};
pub(super) use port::Port;
