use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use super::connection::Service;
use super::places::Connections;
use crate::garden::live::client_network;
use crate::server::log::{RateLimiter, WARNING_INTERVAL};

/// Delay after a failed accept, usually for lack of file descriptors, so that connections can end.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);
/// Time for the last accepted clients to send their first request.
const SETTLE: Duration = Duration::from_millis(250);
/// Maximum time for requests in progress at shutdown, equal to the maximum for one request.
const DRAIN: Duration = Duration::from_secs(30);

/// A listener and its connections.
pub(in crate::server) struct Port {
    listener: TcpListener,
    connections: Arc<Connections>,
    service: Service,
    failures: RateLimiter,
}

impl Port {
    /// Creates a port with at most `limit` connections and the label `name` in metrics.
    pub(in crate::server) fn new(
        name: &'static str,
        listener: TcpListener,
        limit: usize,
        service: Service,
    ) -> Self {
        let (count, evicted) = service.state.metrics.connections(name);
        Self {
            listener,
            connections: Connections::new(limit, count, evicted),
            service,
            failures: RateLimiter::new(1, WARNING_INTERVAL),
        }
    }

    /// Accepts connections.
    ///
    /// Each is served by a separate task and holds its slot until it ends. Never returns.
    pub(in crate::server) async fn accept(&self, tls: Option<&ArcSwap<ServerConfig>>) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let Some(place) = self.connections.admit(client_network(peer.ip())) else {
                        continue;
                    };
                    let (service, tls) = (self.service.clone(), tls.map(ArcSwap::load_full));
                    tokio::spawn(async move {
                        // Either branch ends the connection.
                        tokio::select! {
                            () = service.serve(stream, tls, &place) => {}
                            () = place.activity.ended() => {}
                        }
                    });
                    // Lets the new connection be polled before it may be evicted.
                    yield_now().await;
                }
                Err(error) => {
                    if self.failures.allows().is_some() {
                        tracing::warn!(
                            "failed to accept a connection: {error}; more within a minute are not logged"
                        );
                    }
                    sleep(ACCEPT_BACKOFF).await;
                }
            }
        }
    }

    /// Stops listening, asks all connections to end after the current request, and waits for that.
    pub(in crate::server) async fn drain(self, close: &watch::Sender<bool>) {
        drop(self.listener);
        sleep(SETTLE).await;
        close.send_replace(true);
        if timeout(DRAIN, self.connections.drained()).await.is_err() {
            tracing::warn!("aborted requests that were not answered after {DRAIN:?}");
        }
    }
}
