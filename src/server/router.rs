use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use prometheus_client::encoding::text::encode;
use tower_http::catch_panic::CatchPanicLayer;

use super::refusal::Refusal;
use super::state::State;
use super::{exposition, review};
use crate::engine::Door;

/// What is served over HTTPS.
pub(super) fn main(state: &Arc<State>) -> Router {
    let endpoints = "POST /mutate, POST /validate, GET /healthz, GET /readyz";
    probes(state)
        .route("/mutate", door(Door::Mutate, state))
        .route("/validate", door(Door::Validate, state))
        .fallback(move || async move { absent(endpoints) })
        .method_not_allowed_fallback(move || async move { wrong_method(endpoints) })
        .layer(catch_panics(state))
}

/// What is served on the metrics port.
pub(super) fn metrics(state: &Arc<State>) -> Router {
    let endpoints = "GET /metrics, GET /healthz, GET /readyz";
    let registry = Arc::new(exposition::registry(state));
    let exposition = move || {
        let registry = Arc::clone(&registry);
        async move { expose(&registry) }
    };
    probes(state)
        .route("/metrics", get(exposition))
        .fallback(move || async move { absent(endpoints) })
        .method_not_allowed_fallback(move || async move { wrong_method(endpoints) })
        .layer(catch_panics(state))
}

fn probes(state: &Arc<State>) -> Router {
    let state = Arc::clone(state);
    let readyz = move || async move { readiness(&state) };
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(readyz))
}

/// Who lacks a right that not every rule needs, or does not know all of the garden, is ready nevertheless: one that judges less than
/// all is better than none, and the other replicas lack the same.
fn readiness(state: &State) -> (StatusCode, String) {
    match (state.complaint(), state.ready.reservation()) {
        (None, None) => (StatusCode::OK, "ok\n".to_owned()),
        (None, Some(missing)) => (StatusCode::OK, format!("ok, but {missing}\n")),
        (Some(why), None) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
        (Some(why), Some(missing)) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{why}; {missing}\n"),
        ),
    }
}

fn door(door: Door, state: &Arc<State>) -> MethodRouter {
    let state = Arc::clone(state);
    let answer = move |request: Request| async move { review::answer(door, &state, request).await };
    // In a box here, since the layers would move it as it is, which is large.
    post(move |request| Box::pin(answer(request)))
}

fn absent(endpoints: &str) -> Response {
    let text = format!("there is nothing here; the endpoints are {endpoints}\n");
    (StatusCode::NOT_FOUND, text).into_response()
}

fn wrong_method(endpoints: &str) -> Response {
    let text = format!("not with this method; the endpoints are {endpoints}\n");
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

type OnPanic = Box<dyn Any + Send + 'static>;

/// A panic is a 500, so that the cluster's failure policy decides.
fn catch_panics(
    state: &Arc<State>,
) -> CatchPanicLayer<impl FnMut(OnPanic) -> Response + Clone + Send + Sync + 'static> {
    let state = Arc::clone(state);
    CatchPanicLayer::custom(move |_: OnPanic| {
        state.metrics.panics.inc();
        Refusal::Panic.into_response()
    })
}
