// SPDX-License-Identifier: Apache-2.0
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

use garden_gate_products::report::page_policy;

/// Adds the headers that keep a page out of caches and other sites.
pub(super) fn secured(response: Response) -> Response {
    secured_by(response, page_policy())
}

/// As [`secured`], with the content security policy of a page. Readers keep responses with a tag, and ask for them again.
pub(crate) fn secured_by(mut response: Response, policy: &str) -> Response {
    let policy = format!("{policy}; frame-ancestors 'none'");
    let policy = HeaderValue::from_str(&policy);
    let fallback = HeaderValue::from_static("default-src 'none'");
    let is_tagged = response.headers().contains_key(header::ETAG);
    let caching = if is_tagged { "private, no-cache" } else { "private, no-store" };
    let headers: [(HeaderName, HeaderValue); 6] = [
        (header::CONTENT_SECURITY_POLICY, policy.unwrap_or(fallback)),
        (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
        (header::VARY, HeaderValue::from_static("authorization")),
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
