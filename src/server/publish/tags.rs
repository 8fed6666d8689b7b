// SPDX-License-Identifier: Apache-2.0
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use ring::digest::{SHA256, digest};

use garden_gate_text::hexadecimal;

/// Returns the response for a client that has the content with a tag; `None` for others.
pub(super) fn not_modified(headers: &HeaderMap, tag: &str) -> Option<Response> {
    is_known(headers, tag).then(|| StatusCode::NOT_MODIFIED.into_response())
}

/// Adds the tag of its content to a response.
pub(super) fn with_tag(mut response: Response, tag: &str) -> Response {
    // Tags are ASCII.
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |it: &str| it.trim().trim_start_matches("W/").to_owned();
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|it| it.to_str().ok());
    let mut tags = lists.flat_map(|it| it.split(','));
    tags.any(|it| it.trim() == "*" || opaque(it) == opaque(tag))
}

/// Returns the tag of a content.
pub(super) fn tag(content: &str) -> String {
    tag_of(&hexadecimal(digest(&SHA256, content.as_bytes()).as_ref()))
}

/// Returns the tag of the content with a SHA-256 checksum; a weak one, since compressed responses have the same.
pub(super) fn tag_of(checksum: &str) -> String {
    let digits: String = checksum.chars().take(24).collect();
    format!("W/\"{digits}\"")
}
