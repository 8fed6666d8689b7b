use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{BoxError, Router};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use prometheus_client::encoding::text::encode;
use tower::Service as _;
use tower_http::catch_panic::CatchPanicLayer;

use super::refusal::Refusal;
use super::state::State;
use super::{exposition, review};
use crate::engine::Door;
use crate::escape;

/// The doors of a server, by their paths.
const DOORS: [(&str, Door); 2] = [("/mutate", Door::Mutate), ("/validate", Door::Validate)];

/// What a port serves.
#[derive(Clone, Debug)]
pub(super) struct Endpoints {
    state: Arc<State>,
    /// Where nearly all requests go, which is why none of them takes the way through the router.
    doors: &'static [(&'static str, Door)],
    /// What leads to all the rest.
    router: Router,
}

impl Endpoints {
    /// What is served over HTTPS.
    pub(super) fn main(state: &Arc<State>) -> Self {
        let endpoints = "POST /mutate, POST /validate, GET /healthz, GET /readyz";
        let not_posted = move || async move {
            let refusal = wrong_method(endpoints);
            ([(header::ALLOW, "POST")], refusal).into_response()
        };
        let paths = DOORS.iter().map(|(path, _)| path);
        let router = paths.fold(probes(state), |router, path| {
            router.route(path, any(not_posted))
        });
        Self {
            state: Arc::clone(state),
            doors: &DOORS,
            router: complete(router, endpoints, state),
        }
    }

    /// What is served on the metrics port.
    pub(super) fn metrics(state: &Arc<State>) -> Self {
        let endpoints = "GET /metrics, GET /healthz, GET /readyz";
        let registry = Arc::new(exposition::registry(state));
        let exposition = move || {
            let registry = Arc::clone(&registry);
            async move { expose(&registry) }
        };
        let router = probes(state).route("/metrics", get(exposition));
        Self {
            state: Arc::clone(state),
            doors: &[],
            router: complete(router, endpoints, state),
        }
    }

    /// Answers a request. In a box, since whoever passes it on would move it as it is, which is large.
    pub(super) fn answer<B>(&self, request: Request<B>) -> BoxFuture<'static, Response>
    where
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        match self.door(&request) {
            Some(door) => {
                let (state, request) = (Arc::clone(&self.state), request.map(Body::new));
                Box::pin(at_door(door, state, request))
            }
            None => {
                // A router is always ready.
                let answer = self.router.clone().call(request);
                Box::pin(answer.map(|Ok(answer)| answer))
            }
        }
    }

    /// The door that a request wants to come through, if there is one.
    fn door<B>(&self, request: &Request<B>) -> Option<Door> {
        let path = request.uri().path();
        let (_, door) = self.doors.iter().find(|(its, _)| *its == path)?;
        (request.method() == Method::POST).then_some(*door)
    }
}

async fn at_door(door: Door, state: Arc<State>, request: Request) -> Response {
    let answer = AssertUnwindSafe(review::answer(door, &state, request)).catch_unwind();
    answer.await.unwrap_or_else(|_| panicked(&state))
}

/// With answers to what leads nowhere, and to panics.
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
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
}

/// Fails if no review has been answered for so long that a restart is due, for whatever reason.
fn liveness(state: &State) -> (StatusCode, String) {
    match state.heartbeat.complaint() {
        None => (StatusCode::OK, "ok\n".to_owned()),
        Some(why) => {
            state.heartbeat.log(&why);
            (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"))
        }
    }
}

/// Who lacks a right that not every rule needs, or does not know all of the garden, is ready nevertheless: one that judges less than
/// all is better than none, and the other replicas lack the same.
fn readiness(state: &State) -> (StatusCode, String) {
    let is_stale = state.metrics.config_reloads.is_failing();
    let stale = is_stale.then(|| {
        "the changed configuration cannot be loaded, the last valid one is used".to_owned()
    });
    let reservations: Vec<String> = state.ready.reservation().into_iter().chain(stale).collect();
    let reservation = Some(reservations.join("; ")).filter(|it| !it.is_empty());
    let (code, text) = match (state.complaint(), reservation) {
        (None, None) => (StatusCode::OK, "ok\n".to_owned()),
        (None, Some(missing)) => (StatusCode::OK, format!("ok, but {missing}\n")),
        (Some(why), None) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
        (Some(why), Some(missing)) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{why}; {missing}\n"),
        ),
    };
    (code, escape::lines(&text).into_owned())
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

/// A panic is a 500, so that the cluster's failure policy decides.
fn panicked(state: &State) -> Response {
    state.metrics.panics.inc();
    Refusal::Panic.into_response()
}
