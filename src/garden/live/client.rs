use std::fmt;
use std::future::pending;
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

/// How often it is looked whether the files behind a client have changed.
const INTERVAL: Duration = Duration::from_secs(10);
/// However many requests are refused, the files are looked at no more often than this.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
/// Who is refused with unchanged files tries a new client this often: a plugin may give other credentials by then.
const REFUSED_INTERVAL: Duration = Duration::from_secs(60);
/// For the head of an answer, and between two pieces of its body.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same for a page of a list, which the API server may have to read from its store, and for a dry run, about which it may have to
/// ask several webhooks.
const PATIENCE_WITH_LISTS: Duration = Duration::from_secs(30);
/// Between two pieces of a watch: longer than a watch lasts, so that whoever reads it notices silence first.
const SILENCE: Duration = Duration::from_secs(75);

/// The way to an API server: a client that is made anew when its kubeconfig changes, or when what it shows is refused.
pub struct LiveClient {
    /// Where the next client comes from; `None` if there will be no other.
    source: Option<LiveSource>,
    /// Of what the first client was made from.
    fingerprint: u64,
    client: ArcSwap<Client>,
    /// Counts the clients.
    generation: watch::Sender<u64>,
    /// Told of every answer 401.
    refused: Arc<Notify>,
}

impl fmt::Debug for LiveClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveClient").finish_non_exhaustive()
    }
}

impl LiveClient {
    /// A client for what `source` names; connects when it is first used. [`Self::follow`] has to run for changes to be seen.
    ///
    /// # Errors
    /// When no API server is named, or what names it cannot be used.
    pub async fn open(source: LiveSource) -> Result<Self, LiveError> {
        let fingerprint = source.fingerprint();
        let client = source.client().await?;
        Ok(Self::new(client, Some(source), fingerprint))
    }

    /// A client that stays the same.
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

    /// The client of the moment; to be asked for again with every request.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::clone(&self.client.load())
    }

    /// Changes with every new client.
    pub(super) fn generations(&self) -> watch::Receiver<u64> {
        self.generation.subscribe()
    }

    /// Makes a new client whenever the files behind it change or its credentials are refused, for ever.
    pub async fn follow(&self) {
        let Some(source) = &self.source else {
            return pending().await;
        };
        let mut seen = self.fingerprint;
        let mut last = Instant::now();
        loop {
            let refused = tokio::select! {
                () = sleep(INTERVAL) => false,
                () = self.refused.notified() => true,
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

    /// A kubeconfig that cannot be used leaves the client that there is.
    async fn renew(&self, source: &LiveSource) {
        match source.client().await {
            Ok(client) => {
                let client = patient(client, Arc::clone(&self.refused));
                self.client.store(Arc::new(client));
                self.generation.send_modify(|generation| *generation += 1);
                tracing::info!("connecting to the API server with what is in the kubeconfig now");
            }
            Err(error) => {
                let cause = std::error::Error::source(&error);
                let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
                tracing::error!("keeping the last good kubeconfig: {error}{cause}");
            }
        }
    }
}

/// How long an answer may take, by what is asked for.
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

/// A client that gives up on an API server that accepts requests and does not answer, and tells of refused credentials.
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
