// SPDX-License-Identifier: Apache-2.0
use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, Request, Version, header};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::Service as _;

use super::activity::Watched;
use super::answered::Answered;
use super::limit::ConnectionGuard;
use crate::server::log::TEXT_LIMIT;
use crate::server::state::State;
use garden_gate_text::escape::value_within;

/// Timeout of the TLS handshake, which takes two round trips and two signatures.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// Buffer limit for a request before it is read, in bytes.
/// Headers of API servers are far smaller.
const BUFFER: usize = 32 << 10;
/// Read buffer for a whole TLS record, in bytes.
/// By default, rustls reads 4 KiB per system call.
const RECORD: usize = 17 << 10;
/// Send buffer limit for a peer that does not read, for TLS and for each HTTP/2 stream, in bytes.
const SEND_BUFFER: usize = 32 << 10;
/// Flow-control window of one HTTP/2 stream in bytes …
const STREAM_WINDOW: u32 = 256 << 10;
/// … and of the whole connection.
const CONNECTION_WINDOW: u32 = 1 << 20;
/// Maximum size of the headers of an HTTP/2 request, in bytes.
const HEAD: u32 = 8 << 10;
/// Maximum number of concurrent HTTP/2 streams.
///
/// An API server opens another connection if these are not sufficient.
const STREAMS: u32 = 100;
/// Interval of HTTP/2 pings, which detect a peer that is gone.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// The [`client_network`] of the client, as a request extension.
///
/// [`client_network`]: crate::garden::live::client_network
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The shared state for serving connections.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) router: Router,
    pub(crate) state: Arc<State>,
    /// Set to true when connections must end after the current request.
    pub(crate) closing: watch::Receiver<bool>,
    /// Whether a connection serves one request only.
    pub(crate) once: bool,
}

impl Service {
    /// Serves one connection until it ends, with TLS if it is configured.
    pub(crate) async fn serve(
        self,
        stream: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        guard: &ConnectionGuard,
    ) {
        // Disables Nagle's algorithm for small responses. A failure only affects latency.
        let _ = stream.set_nodelay(true);
        let Some(config) = tls else {
            self.http(stream, false, guard).await;
            return;
        };
        let handshake = TlsAcceptor::from(config).accept_with(
            BufReader::with_capacity(RECORD, stream),
            |tls| {
                tls.set_buffer_limit(Some(SEND_BUFFER));
            },
        );
        match timeout(HANDSHAKE_LIMIT, handshake).await {
            Ok(Ok(stream)) => {
                let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                self.http(stream, http2, guard).await;
            }
            Ok(Err(error)) => {
                // Load balancers open and close connections as a health check.
                let gone = error.kind() == io::ErrorKind::UnexpectedEof;
                self.handshake_failed(&error.to_string(), !gone);
            }
            Err(_) => {
                self.handshake_failed(&format!("not complete after {HANDSHAKE_LIMIT:?}"), true);
            }
        }
    }

    fn handshake_failed(&self, failure: &str, worth_a_warning: bool) {
        self.state.metrics.tls_handshake_failures.inc();
        let failure = value_within(failure, TEXT_LIMIT);
        if worth_a_warning && self.state.handshake_warnings.allows().is_some() {
            tracing::warn!(
                "TLS handshake failed: {failure}; more within a minute are only counted"
            );
        } else {
            tracing::debug!("TLS handshake failed: {failure}");
        }
    }

    async fn http<S>(mut self, stream: S, http2: bool, guard: &ConnectionGuard)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (activity, peer) = (&guard.activity, Peer(guard.peer));
        activity.greeted(http2);
        let watched = Watched::new(stream, activity);
        let (router, state, once) = (self.router.clone(), Arc::clone(&self.state), self.once);
        let service = service_fn(|mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            let answering = activity.begin();
            let last = once || close_after(&request, &state);
            let response = router.clone().call(request);
            async move {
                let Ok(mut response) = response.await;
                if last {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                }
                Ok::<_, Infallible>(response.map(|body| Answered::new(body, answering)))
            }
        });
        let builder = builder(http2);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(watched), service));
        let mut closing = false;
        loop {
            // Dropping an arm loses nothing: the connection is polled again, and the flag remains set.
            tokio::select! {
                result = connection.as_mut() => {
                    if let Err(error) = result {
                        tracing::debug!("connection failed: {error}");
                    }
                    return;
                }
                _ = self.closing.wait_for(|closing| *closing), if !closing => {
                    closing = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// Reports whether a client should use another server for its next request.
/// HTTP/2 uses GOAWAY instead.
fn close_after(request: &Request<Incoming>, state: &State) -> bool {
    state.ready.is_stopping() && request.version() < Version::HTTP_2
}

fn builder(http2: bool) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_send_buf_size(SEND_BUFFER)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_header_list_size(HEAD)
        .keep_alive_interval(PING_INTERVAL);
    if http2 { builder.http2_only() } else { builder.http1_only() }
}
