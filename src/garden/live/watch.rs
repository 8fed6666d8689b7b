// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use futures_util::{AsyncBufRead, AsyncBufReadExt as _};
use kube::Client;
use kube::api::{ListParams, WatchParams};
use kube::core::{Request, Status};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep, timeout};

use super::LiveClient;
use super::error::{innermost, reason};
use super::object::Object;
use super::pages::{Pages, Part, as_text, path};
use super::state::{Failure, State, WatchState};
use garden_gate_core::garden::GardenObject;
use garden_gate_core::garden::Interner;
use garden_gate_model::api::Kind;
use garden_gate_text::json::without_position;

/// Initial retry delay.
///
/// A restarting API server is available quickly, and stale data causes outdated verdicts.
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// Maximum retry delay.
const LAST_DELAY: Duration = Duration::from_secs(10);
/// Timeout in seconds after which the API server ends a watch.
const WATCH_TIMEOUT: u32 = 60;
/// Silence after which a watch is considered disconnected.
const SILENCE: Duration = Duration::from_secs(65);
/// A watch that ends within this time and without events is restarted after a delay.
const SHORT: Duration = Duration::from_secs(1);

/// Watches a kind, with each new client.
/// Known objects are kept in between. Never returns.
pub(super) async fn watch(kind: Kind, client: &LiveClient, state: &Arc<State>) {
    let (mut delays, mut generations) = (delays(), client.generations());
    loop {
        generations.mark_unchanged();
        let watcher = Watcher { kind, client: client.client(), state };
        // Dropping the future in the middle of a list applies nothing of that list.
        tokio::select! {
            biased;
            _ = generations.changed() => {}
            () = watcher.view(&mut delays) => {}
        }
    }
}

/// Watches a kind with one client.
struct Watcher<'a> {
    kind: Kind,
    client: Client,
    state: &'a State,
}

/// The reason why a list or a watch ended.
#[derive(Debug)]
enum WatchError {
    /// The list failed.
    List(kube::Error),
    /// The API server did not start the watch.
    Start(kube::Error),
    /// The connection of the watch failed.
    Read(io::Error),
    /// The watch returned data that is not an event.
    Event(serde_json::Error),
    /// The API server ended the watch with a status.
    Status(Box<Status>),
    /// A list or an event has no resource version.
    NoResourceVersion,
    /// An event is older than a previous one.
    Reordered { version: String, before: String },
}

/// A line of a watch response.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type")]
    change: &'a str,
    #[serde(borrow)]
    object: &'a RawValue,
}

type Lines = Pin<Box<dyn AsyncBufRead + Send>>;

impl Watcher<'_> {
    /// Lists the kind and follows its changes until a new list is required.
    async fn view(&self, delays: &mut Delays) {
        let mut version = match self.list().await {
            Ok(version) => version,
            Err(error) => return self.wait_after(&error, delays).await,
        };
        loop {
            let (start, before) = (Instant::now(), version.clone());
            match self.follow(&mut version, delays).await {
                Ok(()) if version == before && start.elapsed() < SHORT => {
                    sleep(delays.next().unwrap_or(LAST_DELAY)).await;
                }
                Ok(()) => {}
                Err(error) => {
                    self.wait_after(&error, delays).await;
                    if error.must_list_again() || self.state.is_withheld(self.kind) {
                        return;
                    }
                }
            }
        }
    }

    async fn wait_after(&self, error: &WatchError, delays: &mut Delays) {
        self.state.failed(self.kind, explain(self.kind, error));
        sleep(delays.next().unwrap_or(LAST_DELAY)).await;
    }

    /// Reads the whole list and returns its version.
    /// Keeps only the parsed objects of each page in memory.
    async fn list(&self) -> Result<String, WatchError> {
        let (client, params) = (self.client.clone(), ListParams::default());
        let mut pages = Pages::new(client, self.kind, "", Part::Whole, params);
        let (mut listed, mut unchanged) = (Vec::new(), Vec::new());
        let mut strings = Interner::default();
        while let Some(page) = pages.next().await.map_err(WatchError::List)? {
            for object in page {
                let object = object.keep_reduced(self.kind);
                if self.state.has(&object) {
                    unchanged.push(object.key());
                    continue;
                }
                listed.push(match object {
                    GardenObject::Shoot(shoot) => {
                        GardenObject::Shoot(Box::new(strings.share(*shoot)))
                    }
                    object => object,
                });
            }
        }
        let version = pages.resource_version().ok_or(WatchError::NoResourceVersion)?;
        self.state.reset(self.kind, listed, &unchanged);
        Ok(version)
    }

    /// Applies the changes after `version`, and updates it, until the watch ends.
    async fn follow(&self, version: &mut String, delays: &mut Delays) -> Result<(), WatchError> {
        let mut lines = self.start(version).await?;
        self.state.heard(self.kind);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = timeout(SILENCE, lines.read_until(b'\n', &mut line));
            match read.await {
                Err(_) => return Ok(()),
                Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Ok(Err(error)) => return Err(WatchError::Read(error)),
                // An event that was only partly written is sent again.
                Ok(Ok(_)) if line.last() != Some(&b'\n') => return Ok(()),
                Ok(Ok(_)) => self.apply(&as_text(std::mem::take(&mut line)), version)?,
            }
            *delays = self::delays();
        }
    }

    async fn start(&self, version: &str) -> Result<Lines, WatchError> {
        let params = WatchParams::default().timeout(WATCH_TIMEOUT);
        let request = Request::new(path(self.kind, ""))
            .watch(&params, version)
            .map_err(|error| WatchError::Start(kube::Error::BuildRequest(error)));
        let lines = self.client.request_stream(request?).await;
        Ok(Box::pin(lines.map_err(WatchError::Start)?))
    }

    fn apply(&self, line: &str, version: &mut String) -> Result<(), WatchError> {
        let (kind, state) = (self.kind, self.state);
        let event: Event<'_> = serde_json::from_str(line).map_err(WatchError::Event)?;
        if event.change == "ERROR" {
            let status = serde_json::from_str(event.object.get()).map_err(WatchError::Event)?;
            return Err(WatchError::Status(status));
        }
        let object: Object = serde_json::from_str(event.object.get()).map_err(WatchError::Event)?;
        let next = object
            .resource_version()
            .filter(|it| !it.is_empty())
            .ok_or(WatchError::NoResourceVersion)?
            .to_owned();
        if is_older(&next, version) {
            let before = std::mem::take(version);
            return Err(WatchError::Reordered { version: next, before });
        }
        *version = next;
        match event.change {
            "ADDED" | "MODIFIED" => state.apply(kind, object.keep_reduced(kind)),
            "DELETED" => state.remove(kind, &object.key(kind)),
            // A bookmark.
            _ => state.heard(kind),
        }
        Ok(())
    }
}

/// Reports whether one resource version is older than another; false if they are not comparable.
fn is_older(version: &str, other: &str) -> bool {
    let number = |version: &str| version.parse::<u128>();
    matches!((number(version), number(other)), (Ok(version), Ok(other)) if version < other)
}

type Delays = ExponentialBackoff;

fn delays() -> Delays {
    ExponentialBuilder::default()
        .with_min_delay(FIRST_DELAY)
        .with_max_delay(LAST_DELAY)
        .without_max_times()
        .with_jitter()
        .build()
}

impl WatchError {
    /// Reports whether the watch cannot resume from the last version.
    ///
    /// The version may be too old, the server may have been restored from a backup, or events may have been lost.
    fn must_list_again(&self) -> bool {
        match self {
            WatchError::List(_)
            | WatchError::Event(_)
            | WatchError::NoResourceVersion
            | WatchError::Reordered { .. } => true,
            WatchError::Start(kube::Error::Api(status)) => matches!(status.code, 404 | 410 | 504),
            WatchError::Status(status) => matches!(status.code, 410 | 504),
            WatchError::Start(_) | WatchError::Read(_) => false,
        }
    }

    fn status(&self) -> Option<&Status> {
        match self {
            WatchError::List(kube::Error::Api(status))
            | WatchError::Start(kube::Error::Api(status))
            | WatchError::Status(status) => Some(status),
            _ => None,
        }
    }

    fn verb(&self) -> &'static str {
        match self {
            WatchError::List(_) => "list",
            _ => "watch",
        }
    }
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WatchError::List(error) | WatchError::Start(error) => f.write_str(&reason(error)),
            WatchError::Read(error) => {
                let cause = innermost(error);
                write!(f, "the API server cannot be asked: {cause}")
            }
            WatchError::Event(error) => {
                let error = without_position(error);
                write!(f, "the API server sent an event that cannot be read: {error}")
            }
            WatchError::Status(status) => {
                let Status { code, message, .. } = &**status;
                write!(f, "the API server answered {code}: {message}")
            }
            WatchError::NoResourceVersion => f.write_str("it tells no resource version"),
            WatchError::Reordered { version, before } => write!(
                f,
                "the API server sent version {version} after version {before}; listing again"
            ),
        }
    }
}

/// Logs a failure, and returns it with its reason and remedy.
fn explain(kind: Kind, error: &WatchError) -> Failure {
    let resource = kind.full_resource();
    let (verb, status) = (error.verb(), error.status());
    let (state, refused) = match status.map(|status| status.code) {
        Some(404) => {
            tracing::warn!(
                "the API server does not serve {resource}; looking for it again and again"
            );
            (WatchState::NotServed, None)
        }
        Some(code @ (401 | 403)) => {
            let remedy = match code {
                401 => "renew the credentials in the kubeconfig",
                _ => "grant the verbs get, list and watch on it",
            };
            let why = format!("the API server answered {code} to `{verb}` of {resource}; {remedy}");
            tracing::error!("{why}");
            (WatchState::Failing(why.clone()), Some(why))
        }
        Some(410) => {
            tracing::info!("the watch of {resource} fell behind; listing again");
            (WatchState::Waiting, None)
        }
        _ => {
            let why = format!("failed to {verb} {resource}: {error}");
            tracing::warn!("{why}");
            (WatchState::Failing(why), None)
        }
    };
    Failure { state, refused }
}
