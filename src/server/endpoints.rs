// SPDX-License-Identifier: Apache-2.0
use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use prometheus_client::encoding::text::encode;
use tower_http::catch_panic::CatchPanicLayer;

use super::publish::secured_by;
use super::refusal::Refusal;
use super::state::State;
use super::{exposition, review};
use garden_gate_core::admission::EntryPoint;
use garden_gate_text::escape;

/// The response to `GET /` of the HTTPS port.
const MAIN: &str = concat!(
    "garden-gate ",
    env!("CARGO_PKG_VERSION"),
    ": admission webhook for Gardener

POST /mutate    patches with defaults, for AdmissionReviews
POST /validate  verdicts, for AdmissionReviews
GET  /healthz   liveness
GET  /readyz    readiness, with the reason if it is not ready
"
);

/// The response to `GET /` of the metrics port.
const METRICS: &str = concat!(
    "garden-gate ",
    env!("CARGO_PKG_VERSION"),
    ": metrics and probes

GET /metrics  metrics for Prometheus
GET /healthz  liveness
GET /readyz   readiness, with the reason if it is not ready
"
);

/// Returns the routes of the HTTPS port: reviews and probes.
pub(super) fn main(state: &Arc<State>) -> Router {
    let endpoints = "POST /mutate, POST /validate, GET /healthz, GET /readyz";
    complete(reviewing(state).route("/", get(MAIN)), endpoints, state)
}

/// Returns the routes of the metrics port.
pub(super) fn metrics(state: &Arc<State>) -> Router {
    let endpoints = "GET /metrics, GET /healthz, GET /readyz";
    let router = probes(state).route("/metrics", exposition(state)).route("/", get(METRICS));
    complete(router, endpoints, state)
}

/// A page of `garden-gate demo` with a fixed content.
#[derive(Clone, Debug)]
pub struct DemoPage {
    /// The path, beginning with `/`.
    pub path: String,
    /// The content type.
    pub content_type: &'static str,
    /// The content security policy.
    pub policy: &'static str,
    /// The content.
    pub body: Bytes,
}

/// Returns the routes of `garden-gate demo`: pages, reviews, metrics and probes.
pub(super) fn demo(state: &Arc<State>, pages: Vec<DemoPage>) -> Router {
    let endpoints = "GET /, which lists them";
    let mut router = reviewing(state).route("/metrics", exposition(state));
    for DemoPage { path, content_type, policy, body } in pages {
        let page = move || {
            let page = ([(header::CONTENT_TYPE, content_type)], body.clone());
            async move { secured_by(page.into_response(), policy) }
        };
        router = router.route(&path, get(page));
    }
    complete(router, endpoints, state)
}

/// Returns the routes of reviews and probes.
fn reviewing(state: &Arc<State>) -> Router {
    probes(state)
        .route("/mutate", reviews(EntryPoint::Mutate, state))
        .route("/validate", reviews(EntryPoint::Validate, state))
}

fn exposition(state: &Arc<State>) -> MethodRouter {
    let registry = Arc::new(exposition::registry(state));
    get(move || {
        let registry = Arc::clone(&registry);
        async move { expose(&registry) }
    })
}

fn reviews(entry_point: EntryPoint, state: &Arc<State>) -> MethodRouter {
    let state = Arc::clone(state);
    post(move |request: Request| async move { review::answer(entry_point, &state, request).await })
}

/// Adds responses to unknown paths, other methods and panics.
fn complete(router: Router, endpoints: &'static str, state: &Arc<State>) -> Router {
    let state = Arc::clone(state);
    let on_panic = move |_: Box<dyn Any + Send>| panicked(&state);
    router
        .fallback(move || async move { absent(endpoints) })
        .method_not_allowed_fallback(move || async move { wrong_method(endpoints) })
        .layer(CatchPanicLayer::custom(on_panic))
}

fn probes(state: &Arc<State>) -> Router {
    let own = Arc::clone(state);
    let healthz = move || async move { liveness(&own) };
    let own = Arc::clone(state);
    let readyz = move || async move { readiness(&own) };
    Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz))
}

/// Fails if no review has been answered for so long that a restart is due.
fn liveness(state: &State) -> (StatusCode, String) {
    match state.heartbeat.complaint() {
        None => (StatusCode::OK, "ok\n".to_owned()),
        Some(why) => {
            state.heartbeat.log(&why);
            (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"))
        }
    }
}

/// Reports readiness.
///
/// Missing optional permissions or unknown parts of the garden do not make a replica unready.
///
/// A partial review is better than none, and other replicas have the same restrictions.
fn readiness(state: &State) -> (StatusCode, String) {
    let metrics = &state.metrics;
    let sources = [
        (
            &metrics.config_reloads,
            "the changed configuration cannot be loaded, the last valid one is used",
        ),
        (
            &metrics.policy_reloads,
            "the changed policies cannot be loaded, the last valid ones are used",
        ),
    ];
    let stale = sources
        .into_iter()
        .filter(|(reloads, _)| reloads.is_failing())
        .map(|(_, text)| text.to_owned());
    let reservations: Vec<String> = state.reservation().into_iter().chain(stale).collect();
    let reservation = Some(reservations.join("; ")).filter(|it| !it.is_empty());
    let (code, text) = match (state.complaint(), reservation) {
        (None, None) => (StatusCode::OK, "ok\n".to_owned()),
        (None, Some(missing)) => (StatusCode::OK, format!("ok, but {missing}\n")),
        (Some(why), None) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
        (Some(why), Some(missing)) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("{why}; {missing}\n"))
        }
    };
    (code, escape::lines(&text).into_owned())
}

fn absent(endpoints: &str) -> Response {
    let text = format!("not found; the endpoints are {endpoints}\n");
    (StatusCode::NOT_FOUND, text).into_response()
}

fn wrong_method(endpoints: &str) -> Response {
    let text = format!("method not allowed; the endpoints are {endpoints}\n");
    (StatusCode::METHOD_NOT_ALLOWED, text).into_response()
}

fn expose(registry: &prometheus_client::registry::Registry) -> Response {
    let mut text = String::new();
    if let Err(error) = encode(&mut text, registry) {
        tracing::error!("failed to encode the metrics: {error}");
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Converts a panic to status 500, so that the webhook's failure policy applies.
fn panicked(state: &State) -> Response {
    state.metrics.panics.inc();
    Refusal::Panic.into_response()
}
