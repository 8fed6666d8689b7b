// SPDX-License-Identifier: Apache-2.0
//! Listeners and connections, with limits on their number and idle time.

mod activity;
pub(super) mod answered;
mod connection;
mod limit;
mod port;
mod thread;
mod turns;

pub(super) use connection::{Peer, Service};
pub(super) use port::Port;
pub(super) use thread::{PortOptions, PortThread};
