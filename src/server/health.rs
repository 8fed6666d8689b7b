// SPDX-License-Identifier: Apache-2.0
//! Health, readiness and metrics, served by a separate thread that never waits for reviews.

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;

use super::connections::{PortOptions, PortThread};
use super::endpoints;
use super::state::State;

/// Maximum number of connections of scrapers and probes.
const CONNECTIONS: usize = 100;

/// Starts the thread that serves the metrics port.
pub(super) fn start(listener: TcpListener, state: &Arc<State>) -> io::Result<PortThread> {
    let options = PortOptions {
        name: "metrics",
        router: endpoints::metrics(state),
        connections: CONNECTIONS,
        once: true,
        tls: None,
    };
    PortThread::start(listener, options, state)
}
