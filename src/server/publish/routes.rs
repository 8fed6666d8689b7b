// SPDX-License-Identifier: Apache-2.0
use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::Publisher;
use super::denial::Denial;
use super::page::{Format, Page};
use super::playground;
use super::query::prefers_json;
use super::readers::Readers;
use super::secured::{secured, secured_by};
use super::tags::{not_modified, tag, with_tag};
use garden_gate_products::report::{IndexEntry, SITE_POLICY, SITE_STYLE, index_html, site_script};

/// Pages with a fixed format.
const PAGES: [(&str, Page); 3] = [
    ("/forecast.ics", Page::Forecast(Format::Ics)),
    ("/forecast.json", Page::Forecast(Format::Json)),
    ("/audit.json", Page::Audit(Format::Json)),
];
/// Pages of which the client selects HTML or JSON.
const NEGOTIATED: [(&str, Negotiated); 2] =
    [("/forecast", Page::Forecast), ("/audit", Page::Audit)];
type Negotiated = fn(Format) -> Page;
/// The files of the site, which need no token.
const FILES: [(&str, &str, Content); 2] = [
    ("/site.css", "text/css; charset=utf-8", || SITE_STYLE),
    ("/site.js", "text/javascript; charset=utf-8", site_script),
];
type Content = fn() -> &'static str;
const ENDPOINTS: &str = "GET /, GET /api/v1/overview, GET /forecast, GET /forecast.ics, GET /forecast.json, GET /audit, GET /audit.json";

/// Returns the routes of the port for people.
pub(crate) fn router(publisher: &Arc<Publisher>) -> Router {
    let mut router = Router::new();
    for (path, page) in PAGES {
        let own = Arc::clone(publisher);
        let answer =
            move |request: Request| async move { respond(&own, page, &head(request)).await };
        router = router.route(path, get(answer));
    }
    for (path, page) in NEGOTIATED {
        let own = Arc::clone(publisher);
        let answer = move |request: Request| async move {
            let head = head(request);
            let is_json = prefers_json(&head.headers);
            respond(&own, page(if is_json { Format::Json } else { Format::Html }), &head).await
        };
        router = router.route(path, get(answer));
    }
    for (path, content_type, content) in FILES {
        let (content, tag) = (content(), tag(content()));
        let answer =
            move |headers: HeaderMap| async move { file((content_type, content), &tag, &headers) };
        router = router.route(path, get(answer));
    }
    let own = Arc::clone(publisher);
    let document = move |name: Result<Path<String>, PathRejection>, request: Request| async move {
        // What is not UTF-8 is no name.
        let name = name.map_or_else(|_| "\u{fffd}".to_owned(), |Path(name)| name);
        respond(&own, Page::Document(name), &head(request)).await
    };
    router = router.route("/api/v1/{*name}", get(document));
    let own = Arc::clone(publisher);
    let index = move |request: Request| async move {
        let head = head(request);
        let needs_token = matches!(own.readers, Readers::Users(_));
        if needs_token && !head.headers.contains_key(header::AUTHORIZATION) {
            return secured(Html(about(own.playground.is_some())).into_response());
        }
        respond(&own, Page::Site, &head).await
    };
    router = router.route("/", get(index));
    if let Some(playground) = &publisher.playground {
        router = playground::routes(router, Arc::clone(playground), absent);
    }
    let own = Arc::clone(publisher);
    let on_panic = move |_: Box<dyn Any + Send>| {
        own.state.metrics.panics.inc();
        secured(Denial::Defect.into_response())
    };
    router
        .fallback(|| async { absent() })
        .method_not_allowed_fallback(|| async {
            other(StatusCode::METHOD_NOT_ALLOWED, "method not allowed")
        })
        .layer(CatchPanicLayer::custom(on_panic))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
}

/// Returns the page about the port, which needs no token.
fn about(has_playground: bool) -> String {
    let about = [
        concat!(
            "Forecasts of maintenance and audits of a landscape, published by garden-gate ",
            env!("CARGO_PKG_VERSION"),
            "."
        ),
        "Each request needs a token of the garden's API server, as `Authorization: Bearer TOKEN`. `?project=NAME` selects a Project; without it, callers who may read all Projects get all of them.",
    ];
    let mut entries = vec![
        IndexEntry::page("/", "the site: what happens to clusters, when, and what people must do"),
        IndexEntry::page("/api/v1/overview", "the data of the site as JSON"),
        IndexEntry::page("/forecast", "the updates of a Project: which, when and why"),
        IndexEntry::page("/forecast.json", "the same as JSON"),
        IndexEntry::page("/forecast.ics", "a calendar with the maintenance windows"),
        IndexEntry::page("/audit", "findings about the Shoots of a Project"),
        IndexEntry::page("/audit.json", "the same as JSON"),
    ];
    if has_playground {
        entries.push(IndexEntry::page(playground::PLACE, "judges manifests in your browser"));
    }
    index_html("garden-gate", &about, &entries, &[])
}

fn head(request: Request) -> Parts {
    request.into_parts().0
}

async fn respond(publisher: &Arc<Publisher>, page: Page, head: &Parts) -> Response {
    let policy = page.policy();
    match publisher.answer(page, head).await {
        Ok(response) => secured_by(response, policy),
        Err(denial) => secured(denial.into_response()),
    }
}

/// Returns a file that is the same for all readers.
fn file(
    (content_type, content): (&'static str, &'static str),
    tag: &str,
    headers: &HeaderMap,
) -> Response {
    let whole = || ([(header::CONTENT_TYPE, content_type)], content).into_response();
    let response = not_modified(headers, tag).unwrap_or_else(whole);
    secured_by(with_tag(response, tag), SITE_POLICY)
}

fn absent() -> Response {
    other(StatusCode::NOT_FOUND, "not found")
}

fn other(status: StatusCode, what: &str) -> Response {
    secured((status, format!("{what}; the endpoints are {ENDPOINTS}\n")).into_response())
}
