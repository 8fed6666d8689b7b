// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::future::pending;
use std::iter::once;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwap;
use http::{HeaderMap, Request, StatusCode, Uri, header};
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use kube::Client;
use kube::client::Body;
use tokio::sync::{Notify, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};
use tower::{BoxError, service_fn};
use tower_http::timeout::TimeoutBody;

use super::{LiveError, LiveSource};
use garden_gate_text::escape;

/// Interval at which the kubeconfig files are checked for changes.
const INTERVAL: Duration = Duration::from_secs(10);
/// Minimum interval between two checks, regardless of the number of refused requests.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);
/// Interval for recreating a client that is refused with unchanged files.
///
/// A credential plugin may return new credentials.
const REFUSED_INTERVAL: Duration = Duration::from_mins(1);
/// Timeout for the response headers, and between two chunks of the body.
const TIMEOUT: Duration = Duration::from_secs(10);
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
    observers: Arc<Observers>,
}

/// Observers of all responses of the API server.
#[derive(Default)]
struct Observers {
    /// Notified of every 401 response.
    refused: Notify,
    /// Gets the `Date` header and the latency of every response.
    dates: OnceLock<Box<dyn Fn(Timestamp, Duration) + Send + Sync>>,
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
    pub fn fixed(client: Client) -> Self {
        Self::new(client, None, 0)
    }

    fn new(client: Client, source: Option<LiveSource>, fingerprint: u64) -> Self {
        let observers = Arc::<Observers>::default();
        let client = patient(client, Arc::clone(&observers));
        Self {
            source,
            fingerprint,
            client: ArcSwap::from_pointee(client),
            generation: watch::Sender::new(0),
            observers,
        }
    }

    /// Returns the current client.
    /// Get it again for every request.
    pub fn client(&self) -> Client {
        Client::clone(&self.client.load())
    }

    /// Passes the `Date` header and the latency of every response to `observe`, of which only the first one counts.
    ///
    /// Responses without a valid `Date` are skipped.
    pub fn observe_dates(&self, observe: impl Fn(Timestamp, Duration) + Send + Sync + 'static) {
        let _ = self.observers.dates.set(Box::new(observe));
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
                () = self.observers.refused.notified() => true,
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
                let client = patient(client, Arc::clone(&self.observers));
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
            () => (TIMEOUT, TIMEOUT),
        };
        Self { head, silence }
    }
}

impl Observers {
    fn observe(&self, status: StatusCode, headers: &HeaderMap, latency: Duration) {
        if status == StatusCode::UNAUTHORIZED {
            self.refused.notify_one();
        }
        if let Some((observe, date)) = self.dates.get().zip(date(headers)) {
            observe(date, latency);
        }
    }
}

/// Returns the time of the `Date` header; `None` if it is missing or invalid.
fn date(headers: &HeaderMap) -> Option<Timestamp> {
    let date = headers.get(header::DATE)?.to_str().ok()?;
    DateTimeParser::new().parse_timestamp(date).ok()
}

/// Wraps a client with timeouts and observers.
fn patient(client: Client, observers: Arc<Observers>) -> Client {
    let namespace = client.default_namespace().to_owned();
    let service = service_fn(move |request: Request<Body>| {
        let (client, observers) = (client.clone(), Arc::clone(&observers));
        async move {
            let (limits, sent) = (Limits::of(request.uri()), Instant::now());
            let answered = timeout(limits.head, client.send(request)).await;
            let late = |_| BoxError::from(format!("it did not answer within {:?}", limits.head));
            let response = answered.map_err(late)??;
            observers.observe(response.status(), response.headers(), sent.elapsed());
            Ok::<_, BoxError>(response.map(|body| TimeoutBody::new(limits.silence, body)))
        }
    });
    Client::new(service, namespace)
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};
    use jiff::Timestamp;
    use rstest::rstest;

    use super::date;

    #[rstest]
    #[case::valid(b"Sun, 01 Mar 2026 00:00:00 GMT", Some("2026-03-01T00:00:00Z"))]
    #[case::first_year(b"Sat, 01 Jan 0001 00:00:00 GMT", None)]
    #[case::empty(b"", None)]
    #[case::number(b"1772323200", None)]
    #[case::iso(b"2026-03-01T00:00:00Z", None)]
    #[case::wrong_weekday(b"Mon, 01 Mar 2026 00:00:00 GMT", None)]
    #[case::absurd_year(b"Sun, 01 Mar 99999999999999999999 00:00:00 GMT", None)]
    #[case::absurd_day(b"Sun, 31 Feb 2026 00:00:00 GMT", None)]
    #[case::absurd_offset(b"Sun, 01 Mar 2026 00:00:00 +9999", None)]
    #[case::text_after_it(b"Sun, 01 Mar 2026 00:00:00 GMT GMT", None)]
    #[case::no_utf8(b"Sun, 01 Mar 2026 00:00:00 \xff", None)]
    #[case::parentheses(b"Sun, 01 Mar 2026 00:00:00 GMT ((((((((((", None)]
    fn invalid_date_is_skipped(#[case] value: &[u8], #[case] expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        assert_eq!(date(&headers), None);
        let value = HeaderValue::from_bytes(value).unwrap();
        headers.insert(header::DATE, value);
        assert_eq!(date(&headers), expected.map(|it| it.parse::<Timestamp>().unwrap()));
    }
}
