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
use crate::server::log::Rarely;
use crate::server::state::WARNING_INTERVAL;

/// After a failed accept, usually for lack of file descriptors: time for connections to end.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);
/// For clients whose connection was accepted last to send the request that they opened it for.
const SETTLE: Duration = Duration::from_millis(250);
/// For requests that are being answered at the end; the longest that one may take.
const DRAIN: Duration = Duration::from_secs(30);

/// A port and the connections that came in through it.
pub(in crate::server) struct Port {
    listener: TcpListener,
    connections: Arc<Connections>,
    service: Service,
    failures: Rarely,
}

impl Port {
    /// At most `limit` connections at a time are served; metrics call the port by its `name`.
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
            failures: Rarely::new(1, WARNING_INTERVAL),
        }
    }

    /// Accepts connections for ever; each has its own task and its place among the others to its end.
    pub(in crate::server) async fn accept(&self, tls: Option<&ArcSwap<ServerConfig>>) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let Some(place) = self.connections.admit(peer.ip().to_canonical()) else {
                        continue;
                    };
                    let (service, tls) = (self.service.clone(), tls.map(ArcSwap::load_full));
                    tokio::spawn(async move {
                        // Either may be dropped: it is the end of the connection.
                        tokio::select! {
                            () = service.serve(stream, tls, &place.activity) => {}
                            () = place.activity.ended() => {}
                        }
                    });
                    // So that it is looked at before it has to give way to others.
                    yield_now().await;
                }
                Err(error) => {
                    if self.failures.allows().is_some() {
                        tracing::warn!(
                            "failed to accept a connection: {error}; more within a minute are not told of"
                        );
                    }
                    sleep(ACCEPT_BACKOFF).await;
                }
            }
        }
    }

    /// Stops listening, lets every connection end after the request it is at, and waits for that.
    pub(in crate::server) async fn drain(self, close: &watch::Sender<bool>) {
        drop(self.listener);
        sleep(SETTLE).await;
        close.send_replace(true);
        if timeout(DRAIN, self.connections.drained()).await.is_err() {
            tracing::warn!("gave up on requests that were not answered after {DRAIN:?}");
        }
    }
}
