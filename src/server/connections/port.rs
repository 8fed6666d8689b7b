// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use futures_util::FutureExt as _;
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use super::connection::Service;
use super::limit::Connections;
use super::turns::Turns;
use crate::garden::live::client_network;
use crate::server::log::{RateLimiter, WARNING_INTERVAL};

/// Maximum number of connections that are accepted before the next one starts.
///
/// The order of starts can only be fair between accepted connections.
const ACCEPTED_PER_START: usize = 16;
/// Delay after a failed accept, usually for lack of file descriptors, so that connections can end.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);
/// Time for the last accepted clients to send their first request.
const SETTLE: Duration = Duration::from_millis(250);
/// Maximum time for requests in progress at shutdown, equal to the maximum for one request.
const DRAIN: Duration = Duration::from_secs(30);

/// A listener and its connections.
pub(crate) struct Port {
    listener: TcpListener,
    connections: Arc<Connections>,
    service: Service,
    failures: RateLimiter,
}

impl Port {
    /// Creates a port with at most `limit` connections and the label `name` in metrics.
    pub(crate) fn new(
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
    pub(crate) async fn accept(&self, tls: Option<&ArcSwap<ServerConfig>>) {
        let mut turns = Turns::default();
        for number in 0_u64.. {
            self.accept_some(tls, &mut turns).await;
            match number % 2 {
                0 => turns.start_fewest(|peer| self.connections.number_of(peer)),
                _ => turns.start_oldest(),
            }
            // Lets the connections proceed that have started.
            yield_now().await;
        }
    }

    /// Accepts the connections in the backlog, up to a limit; waits for one only if none waits for its start.
    async fn accept_some(&self, tls: Option<&ArcSwap<ServerConfig>>, turns: &mut Turns) {
        for _ in 0..ACCEPTED_PER_START {
            let accepted = if turns.is_empty() {
                Some(self.listener.accept().await)
            } else {
                self.listener.accept().now_or_never()
            };
            match accepted {
                Some(Ok((stream, peer))) => {
                    let current = tls.map(ArcSwap::load_full);
                    self.admit(stream, client_network(peer.ip()), current, turns);
                }
                Some(Err(error)) => {
                    self.log_failure(&error);
                    if turns.is_empty() {
                        sleep(ACCEPT_BACKOFF).await;
                    }
                    return;
                }
                None => return,
            }
        }
    }

    /// Adds a task for a connection, which waits for its start; or closes it at the limit.
    fn admit(
        &self,
        stream: TcpStream,
        peer: IpAddr,
        tls: Option<Arc<ServerConfig>>,
        turns: &mut Turns,
    ) {
        let Some(guard) = self.connections.admit(peer) else {
            return;
        };
        let (service, turn) = (self.service.clone(), turns.wait(peer));
        tokio::spawn(async move {
            let serve = async {
                // An error means that the port stops, after which this connection is served.
                let _ = turn.await;
                service.serve(stream, tls, &guard).await;
            };
            // Either branch ends the connection.
            tokio::select! {
                () = serve => {}
                () = guard.activity.ended() => {}
            }
        });
    }

    fn log_failure(&self, error: &io::Error) {
        if self.failures.allows().is_some() {
            tracing::warn!(
                "failed to accept a connection: {error}; more within a minute are not logged"
            );
        }
    }

    /// Stops listening, asks all connections to end after the current request, and waits for that.
    pub(crate) async fn drain(self, close: &watch::Sender<bool>) {
        drop(self.listener);
        sleep(SETTLE).await;
        close.send_replace(true);
        if timeout(DRAIN, self.connections.drained()).await.is_err() {
            tracing::warn!("aborted requests that were not answered after {DRAIN:?}");
        }
    }
}
