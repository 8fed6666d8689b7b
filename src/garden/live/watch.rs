use std::pin::pin;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use futures_util::StreamExt as _;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client};

use super::error::reason;
use super::kinds::WatchedKind;
use super::object::Object;
use super::state::{State, WatchState};

/// An API server that restarts is back after a moment; being late costs stale verdicts.
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// However long it is away, it is looked for this often at least.
const LAST_DELAY: Duration = Duration::from_secs(10);
/// A list of Shoots comes in pieces of some megabytes.
const PAGE: u32 = 500;
/// Seconds after which a watch is begun anew; a connection that died silently is noticed five seconds later.
const WATCH_TIMEOUT: u32 = 60;

/// Watches a kind for ever.
pub(super) async fn watch(kind: &'static WatchedKind, client: Client, state: &State) {
    let mut delays = delays();
    loop {
        let api: Api<Object> = Api::all_with(client.clone(), &kind);
        let config = watcher::Config::default()
            .page_size(PAGE)
            .timeout(WATCH_TIMEOUT);
        let mut events = pin!(watcher(api, config));
        let mut listed = Vec::new();
        while let Some(event) = events.next().await {
            match event {
                Ok(Event::Init) => {
                    listed.clear();
                    continue;
                }
                Ok(Event::InitApply(object)) => listed.push(object.keep(kind)),
                Ok(Event::InitDone) => state.reset(kind, std::mem::take(&mut listed)),
                Ok(Event::Apply(object)) => state.apply(kind, object.keep(kind)),
                Ok(Event::Delete(object)) => state.remove(kind, &object.key(kind)),
                Err(error) => {
                    state.failed(kind, explain(kind, &error));
                    tokio::time::sleep(delays.next().unwrap_or(LAST_DELAY)).await;
                    if must_list_again(&error) {
                        break;
                    }
                    continue;
                }
            }
            delays = self::delays();
        }
    }
}

fn delays() -> impl Iterator<Item = Duration> {
    ExponentialBuilder::default()
        .with_min_delay(FIRST_DELAY)
        .with_max_delay(LAST_DELAY)
        .without_max_times()
        .with_jitter()
        .build()
}

/// Whether going on from the last seen version is hopeless: it is too old, or the server was restored to an older state.
/// (The watcher itself lists again only if that comes as an event, not if the watch is refused.)
fn must_list_again(error: &watcher::Error) -> bool {
    match error {
        watcher::Error::WatchStartFailed(kube::Error::Api(status)) => {
            matches!(status.code, 404 | 410 | 504)
        }
        watcher::Error::WatchError(status) => status.code == 504,
        _ => false,
    }
}

/// Says in one line what failed and what to do about it.
fn explain(kind: &WatchedKind, error: &watcher::Error) -> WatchState {
    let resource = kind.resource();
    let (verb, status) = match error {
        watcher::Error::InitialListFailed(kube::Error::Api(status)) => ("list", Some(status)),
        watcher::Error::WatchStartFailed(kube::Error::Api(status)) => ("watch", Some(status)),
        watcher::Error::WatchError(status) => ("watch", Some(status)),
        _ => ("watch", None),
    };
    match status.map(|status| status.code) {
        Some(404) => {
            tracing::warn!(
                "the API server does not serve {resource}; looking for it again and again"
            );
            WatchState::NotServed
        }
        Some(code @ (401 | 403)) => {
            let why = format!(
                "the API server answered {code} to `{verb}` of {resource}; grant the verbs get, list and watch on it"
            );
            tracing::error!("{why}");
            WatchState::Failing(why)
        }
        Some(410) => {
            tracing::info!("the watch of {resource} fell behind; listing again");
            WatchState::Waiting
        }
        _ => {
            let why = format!("failed to {verb} {resource}: {}", watch_reason(error));
            tracing::warn!("{why}");
            WatchState::Failing(why)
        }
    }
}

fn watch_reason(error: &watcher::Error) -> String {
    match error {
        watcher::Error::InitialListFailed(error)
        | watcher::Error::WatchStartFailed(error)
        | watcher::Error::WatchFailed(error) => reason(error),
        watcher::Error::WatchError(status) => {
            format!(
                "the API server answered {}: {}",
                status.code, status.message
            )
        }
        watcher::Error::NoResourceVersion => "it tells no resource version".to_owned(),
    }
}
