use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;

use super::Publisher;
use super::denial::Denial;
use super::page::{Format, Topic};
use super::query::prefers_json;
use garden_gate_products::report::{IndexEntry, index_html, page_policy};

/// Endpoints with their contents; `None` means that the client selects HTML or JSON.
const PAGES: [(&str, Topic, Option<Format>); 5] = [
    ("/forecast", Topic::Forecast, None),
    ("/forecast.ics", Topic::Forecast, Some(Format::Ics)),
    ("/forecast.json", Topic::Forecast, Some(Format::Json)),
    ("/audit", Topic::Audit, None),
    ("/audit.json", Topic::Audit, Some(Format::Json)),
];

/// Returns the routes of the port for people.
pub(crate) fn router(publisher: &Arc<Publisher>) -> Router {
    let mut router = Router::new();
    for (path, topic, format) in PAGES {
        let own = Arc::clone(publisher);
        let page =
            move |request: Request| async move { respond(&own, topic, format, request).await };
        router = router.route(path, get(page));
    }
    let index = index();
    let index = move || {
        let page = Html(index.clone());
        async move { secured(page.into_response()) }
    };
    router = router.route("/", get(index));
    let own = Arc::clone(publisher);
    let on_panic = move |_: Box<dyn Any + Send>| {
        own.state.metrics.panics.inc();
        secured(Denial::Defect.into_response())
    };
    router
        .fallback(|| async { other(StatusCode::NOT_FOUND, "not found") })
        .method_not_allowed_fallback(|| async {
            other(StatusCode::METHOD_NOT_ALLOWED, "method not allowed")
        })
        .layer(CatchPanicLayer::custom(on_panic))
}

/// Returns the page about the port, which needs no token.
fn index() -> String {
    let about = [
        concat!(
            "Forecasts of maintenance and audits of Shoots, published by garden-gate ",
            env!("CARGO_PKG_VERSION"),
            "."
        ),
        "Each request needs a token of the garden's API server, as `Authorization: Bearer TOKEN`. `?project=NAME` selects a Project; without it, `/forecast` lists all Projects for callers who may read all of them.",
    ];
    let entries = [
        IndexEntry::page("/forecast", "the updates of a Project: which, when and why"),
        IndexEntry::page("/forecast.json", "the same as JSON"),
        IndexEntry::page("/forecast.ics", "a calendar with the maintenance windows"),
        IndexEntry::page("/audit", "findings about the Shoots of a Project"),
        IndexEntry::page("/audit.json", "the same as JSON"),
    ];
    index_html("garden-gate", &about, &entries, &[])
}

async fn respond(
    publisher: &Arc<Publisher>,
    topic: Topic,
    format: Option<Format>,
    request: Request,
) -> Response {
    let format = format.unwrap_or_else(|| {
        if prefers_json(request.headers()) { Format::Json } else { Format::Html }
    });
    let (head, _) = request.into_parts();
    let response = publisher.answer(topic, format, &head).await;
    secured(response.unwrap_or_else(IntoResponse::into_response))
}

fn other(status: StatusCode, what: &str) -> Response {
    let pages: Vec<String> = PAGES.iter().map(|(path, ..)| format!("GET {path}")).collect();
    let text = format!("{what}; the endpoints are {}\n", pages.join(", "));
    secured((status, text).into_response())
}

/// Adds the headers that keep a page out of caches and other sites.
pub(crate) fn secured(response: Response) -> Response {
    secured_by(response, page_policy())
}

/// As [`secured`], with the content security policy of a page.
pub(crate) fn secured_by(mut response: Response, policy: &str) -> Response {
    let policy = format!("{policy}; frame-ancestors 'none'");
    let policy = HeaderValue::from_str(&policy);
    let fallback = HeaderValue::from_static("default-src 'none'");
    let headers: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_SECURITY_POLICY, policy.unwrap_or(fallback)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("same-origin"),
        ),
    ];
    response.headers_mut().extend(headers);
    response
}
