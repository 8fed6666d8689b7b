use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, Request, Version, header};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use jiff::Timestamp;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

use super::activity::{Activity, Watched};
use super::state::State;

/// Two round trips and two signatures; anything slower is no client.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// Strangers must not be able to fill the log.
const WARNING_SECONDS: i64 = 60;
/// What may be buffered of a request before it is read; heads are well below, and API servers send no large ones.
const BUFFER: usize = 64 << 10;
/// Go's default; an API server sends all its reviews over one connection.
const STREAMS: u32 = 250;
/// Finds out that an HTTP/2 peer is gone without having said so.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// What a connection needs to be served.
#[derive(Clone, Debug)]
pub(super) struct Service {
    pub(super) router: Router,
    pub(super) state: Arc<State>,
    /// Becomes true when connections are to end after the request they are at.
    pub(super) closing: watch::Receiver<bool>,
}

impl Service {
    /// Serves one connection to its end; with TLS if there is a configuration for it.
    pub(super) async fn serve(self, stream: TcpStream, tls: Option<Arc<ServerConfig>>) {
        // Answers are small and awaited; if the socket refuses, it is only slower.
        let _ = stream.set_nodelay(true);
        let Some(config) = tls else {
            self.http(stream, false).await;
            return;
        };
        let handshake = TlsAcceptor::from(config).accept(stream);
        match timeout(HANDSHAKE_LIMIT, handshake).await {
            Ok(Ok(stream)) => {
                let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                self.http(stream, http2).await;
            }
            Ok(Err(error)) => {
                // Health checks of load balancers connect and go, which is nothing to worry about.
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
        let (now, last) = (Timestamp::now().as_second(), &self.state.handshake_warning);
        if worth_a_warning && now - last.load(Ordering::Relaxed) >= WARNING_SECONDS {
            last.store(now, Ordering::Relaxed);
            tracing::warn!(
                "TLS handshake failed: {failure}; more within a minute are only counted"
            );
        } else {
            tracing::debug!("TLS handshake failed: {failure}");
        }
    }

    async fn http<S>(mut self, stream: S, http2: bool)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let activity = Activity::new(!http2);
        let watched = Watched {
            stream,
            activity: Arc::clone(&activity),
        };
        let (router, state) = (self.router.clone(), Arc::clone(&self.state));
        let service = service_fn(|request: Request<Incoming>| {
            let answering = activity.begin();
            let last = close_after(&request, &state);
            let response = router.clone().oneshot(request);
            async move {
                let mut response = response.await;
                drop(answering);
                if let (Ok(response), true) = (&mut response, last) {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                }
                response
            }
        });
        let builder = builder(http2);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(watched), service));
        let mut ended = pin!(activity.ended());
        let mut closing = false;
        loop {
            // Nothing is lost when an arm is dropped: the connection and the limit are polled again, and a value that
            // was set stays set.
            tokio::select! {
                result = connection.as_mut() => {
                    if let Err(error) = result {
                        tracing::debug!("connection failed: {error}");
                    }
                    return;
                }
                () = ended.as_mut() => return,
                _ = self.closing.wait_for(|closing| *closing), if !closing => {
                    closing = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// Whether a client should go elsewhere with its next request. HTTP/2 has its own way to say so.
fn close_after(request: &Request<Incoming>, state: &State) -> bool {
    state.ready.is_stopping() && request.version() < Version::HTTP_2
}

fn builder(http2: bool) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(PING_INTERVAL);
    if http2 {
        builder.http2_only()
    } else {
        builder.http1_only()
    }
}
