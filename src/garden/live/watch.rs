use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use futures_util::StreamExt as _;
use http::Request;
use http_body_util::BodyExt as _;
use kube::client::Body;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client};
use tower::service_fn;

use super::LiveClient;
use super::error::reason;
use super::object::Object;
use super::state::{Failure, State, WatchState};
use crate::model::Kind;

/// An API server that restarts is back after a moment; being late costs stale verdicts.
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// However long it is away, it is looked for this often at least.
const LAST_DELAY: Duration = Duration::from_secs(10);
/// A list of Shoots comes in pieces of some megabytes.
const PAGE: u32 = 500;
/// Seconds after which a watch is begun anew; a connection that died silently is noticed five seconds later.
const WATCH_TIMEOUT: u32 = 60;

/// Watches a kind for ever; anew, without forgetting anything, when there is another client.
pub(super) async fn watch(kind: Kind, client: &LiveClient, state: &Arc<State>) {
    let (mut delays, mut generations) = (delays(), client.generations());
    loop {
        generations.mark_unchanged();
        let api = Api::all_with(telling(client.client(), kind, state), &kind);
        // A view that is dropped half-way has shown nothing of the list that it was reading.
        tokio::select! {
            () = view(kind, api, state, &mut delays) => {}
            _ = generations.changed() => {}
        }
    }
}

/// Lists a kind and follows its changes until it has to be listed again.
async fn view(kind: Kind, api: Api<Object>, state: &State, delays: &mut Delays) {
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
                if must_list_again(&error) || state.is_withheld(kind) {
                    return;
                }
                continue;
            }
        }
        *delays = self::delays();
    }
}

/// A client that tells the state of every sign of life in a watch: that it was let in, and whatever arrives, even if it only
/// says that nothing has happened. (The watcher keeps those to itself.)
fn telling(client: Client, kind: Kind, state: &Arc<State>) -> Client {
    let (namespace, state) = (client.default_namespace().to_owned(), Arc::clone(state));
    let service = service_fn(move |request: Request<Body>| {
        let (client, state) = (client.clone(), Arc::clone(&state));
        async move {
            let query = request.uri().query().unwrap_or_default();
            let watches = query.contains("watch=true");
            let response = client.send(request).await?;
            let counts = watches && response.status().is_success();
            if counts {
                state.heard(kind);
            }
            let body = |body: Body| {
                body.map_frame(move |frame| {
                    if counts && frame.data_ref().is_some_and(is_good) {
                        state.heard(kind);
                    }
                    frame
                })
            };
            Ok::<_, kube::Error>(response.map(body))
        }
    });
    Client::new(service, namespace)
}

fn is_good(event: &Bytes) -> bool {
    !event.starts_with(b"{\"type\":\"ERROR\"")
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
fn explain(kind: Kind, error: &watcher::Error) -> Failure {
    let resource = kind.full_resource();
    let (verb, status) = match error {
        watcher::Error::InitialListFailed(kube::Error::Api(status)) => ("list", Some(status)),
        watcher::Error::WatchStartFailed(kube::Error::Api(status)) => ("watch", Some(status)),
        watcher::Error::WatchError(status) => ("watch", Some(status)),
        _ => ("watch", None),
    };
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
            let why = format!("failed to {verb} {resource}: {}", watch_reason(error));
            tracing::warn!("{why}");
            (WatchState::Failing(why), None)
        }
    };
    Failure { state, refused }
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
