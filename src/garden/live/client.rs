use std::fmt;
use std::future::pending;
use std::iter::once;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use http::{Request, StatusCode, Uri};
use kube::Client;
use kube::client::Body;
use tokio::sync::{Notify, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};
use tower::{BoxError, service_fn};
use tower_http::timeout::TimeoutBody;

use super::{LiveError, LiveSource};
use crate::escape;

/// Interval at which the kubeconfig files are checked for changes.
const INTERVAL: Duration = Duration::from_secs(10);
/// Minimum interval between two checks, regardless of the number of refused requests.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
/// Interval for recreating a client that is refused with unchanged files.
///
/// A credential plugin may return new credentials.
const REFUSED_INTERVAL: Duration = Duration::from_secs(60);
/// Timeout for the response headers, and between two chunks of the body.
const PATIENCE: Duration = Duration::from_secs(10);
/// Timeout for list pages, which may be read from etcd, and for dry runs, which call webhooks.
const PATIENCE_WITH_LISTS: Duration = Duration::from_secs(30);
/// Timeout between two chunks of a watch.
///
/// Exceeds the duration of a watch, so that its reader detects silence first.
const SILENCE: Duration = Duration::from_secs(75);

/// A client for an API server.
///
/// It is recreated when its kubeconfig changes or its credentials are refused.
pub struct LiveClient {
    /// The source of new clients; `None` for a fixed client.
    source: Option<LiveSource>,
    /// The fingerprint of the files behind the first client.
    fingerprint: u64,
    client: ArcSwap<Client>,
    /// The number of the current client.
    generation: watch::Sender<u64>,
    /// Notified of every 401 response.
    refused: Arc<Notify>,
}

impl fmt::Debug for LiveClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveClient").finish_non_exhaustive()
    }
}

impl LiveClient {
    /// Creates a client for `source`, which connects on first use.
    ///
    /// Changes require a running [`Self::follow`].
    ///
    /// # Errors
    /// Fails if `source` names no API server or is invalid.
    pub async fn open(source: LiveSource) -> Result<Self, LiveError> {
        let fingerprint = source.fingerprint();
        let client = source.client().await?;
        Ok(Self::new(client, Some(source), fingerprint))
    }

    /// Wraps a client that is never recreated.
    #[must_use]
    pub fn fixed(client: Client) -> Self {
        Self::new(client, None, 0)
    }

    fn new(client: Client, source: Option<LiveSource>, fingerprint: u64) -> Self {
        let refused = Arc::<Notify>::default();
        let client = patient(client, Arc::clone(&refused));
        Self {
            source,
            fingerprint,
            client: ArcSwap::from_pointee(client),
            generation: watch::Sender::new(0),
            refused,
        }
    }

    /// Returns the current client.
    /// Get it again for every request.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::clone(&self.client.load())
    }

    /// Returns a receiver that changes with every new client.
    pub(super) fn generations(&self) -> watch::Receiver<u64> {
        self.generation.subscribe()
    }

    /// Recreates the client whenever its files change or its credentials are refused.
    /// Never returns.
    pub async fn follow(&self) {
        let Some(source) = &self.source else {
            return pending().await;
        };
        let mut seen = self.fingerprint;
        let mut last = Instant::now();
        loop {
            let refused = tokio::select! {
                biased;
                () = self.refused.notified() => true,
                () = sleep(INTERVAL) => false,
            };
            let reading = source.clone();
            let Ok(fingerprint) = spawn_blocking(move || reading.fingerprint()).await else {
                return;
            };
            if fingerprint != seen || (refused && last.elapsed() >= REFUSED_INTERVAL) {
                self.renew(source).await;
                (seen, last) = (fingerprint, Instant::now());
            }
            sleep(SHORTEST_INTERVAL).await;
        }
    }

    /// Replaces the client.
    /// If the kubeconfig is invalid, the current client is kept.
    async fn renew(&self, source: &LiveSource) {
        match source.client().await {
            Ok(client) => {
                let client = patient(client, Arc::clone(&self.refused));
                self.client.store(Arc::new(client));
                self.generation.send_modify(|generation| *generation += 1);
                tracing::info!("connecting to the API server with what is in the kubeconfig now");
            }
            Err(error) => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                let why = escape::causes(once(error.to_string()).chain(cause));
                tracing::error!("keeping the last valid kubeconfig: {why}");
            }
        }
    }
}

/// Timeouts of a response, depending on the request.
struct Limits {
    head: Duration,
    silence: Duration,
}

impl Limits {
    fn of(uri: &Uri) -> Self {
        let query = uri.query().unwrap_or_default();
        let has = |name: &str| query.split('&').any(|part| part.starts_with(name));
        let (head, silence) = match () {
            () if has("watch=") => (PATIENCE_WITH_LISTS, SILENCE),
            () if has("limit=") || has("dryRun=") => (PATIENCE_WITH_LISTS, PATIENCE_WITH_LISTS),
            () => (PATIENCE, PATIENCE),
        };
        Self { head, silence }
    }
}

/// Wraps a client with timeouts, and with a notification about refused credentials.
fn patient(client: Client, refused: Arc<Notify>) -> Client {
    let namespace = client.default_namespace().to_owned();
    let service = service_fn(move |request: Request<Body>| {
        let (client, refused) = (client.clone(), Arc::clone(&refused));
        async move {
            let limits = Limits::of(request.uri());
            let response = timeout(limits.head, client.send(request)).await;
            let late = |_| BoxError::from(format!("it did not answer within {:?}", limits.head));
            let response = response.map_err(late)??;
            if response.status() == StatusCode::UNAUTHORIZED {
                refused.notify_one();
            }
            Ok::<_, BoxError>(response.map(|body| TimeoutBody::new(limits.silence, body)))
        }
    });
    Client::new(service, namespace)
}
