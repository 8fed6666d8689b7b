// SPDX-License-Identifier: Apache-2.0
//! The server of `garden-gate demo`: the endpoints of the webhook and fixed pages on one port of plain HTTP.

use std::net::SocketAddr;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::ServerError;
use super::build::{listen, local_address};
use super::clock::Clock;
use super::connections::{Port, Service};
use super::endpoints::{self, DemoPage};
use super::memory::Memory;
use super::state::State;
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;

/// Maximum number of connections; browsers open a few.
const CONNECTIONS: usize = 100;

/// A server with a bound listener and a fixed garden.
#[derive(Debug)]
pub struct DemoServer {
    listener: TcpListener,
    state: Arc<State>,
}

impl DemoServer {
    /// Binds the listener; `now` is the time of all reviews.
    ///
    /// # Errors
    /// Fails if the address cannot be bound.
    pub async fn bind(
        address: SocketAddr,
        garden: Snapshot,
        config: Config,
        now: Timestamp,
    ) -> Result<Self, ServerError> {
        let listener = listen("--listen", address).await?;
        let mut state = State::new(garden, config, Memory::new(None));
        state.clock = Clock::stopped(now);
        state.ready.set_listening();
        // There is no certificate that could expire.
        state.ready.set_certificate(i64::MAX);
        state.ready.set_garden();
        Ok(Self { listener, state: Arc::new(state) })
    }

    /// Returns the listen address with the actual port.
    pub fn address(&self) -> SocketAddr {
        local_address(&self.listener)
    }

    /// Serves until `shutdown`, then answers pending requests and returns.
    pub async fn run(self, pages: Vec<DemoPage>, shutdown: impl Future<Output = ()>) {
        let own = Arc::clone(&self.state);
        tokio::spawn(async move { own.heartbeat.beat().await });
        let (close, closing) = watch::channel(false);
        let service = Service {
            router: endpoints::demo(&self.state, pages),
            state: Arc::clone(&self.state),
            closing,
            once: false,
        };
        let port = Port::new("demo", self.listener, CONNECTIONS, service);
        // Dropping the accept loop loses no connection: each has a separate task.
        tokio::select! {
            () = port.accept(None) => {}
            () = shutdown => {}
        }
        self.state.ready.set_stopping();
        port.drain(&close).await;
    }
}
