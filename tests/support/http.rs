// SPDX-License-Identifier: Apache-2.0
//! Requests to an API server, and its responses.

use axum::http::{Method, Request};
use http_body_util::BodyExt as _;
use kube::Client;
use serde_json::Value;

/// A response of an API server.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The status code; 0 without a response, for example if the server panics.
    pub(crate) code: u16,
    pub(crate) warnings: Vec<String>,
    /// An object, or a `Status`; `null` if the body is no JSON.
    pub(crate) body: Value,
}

impl Reply {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.code)
    }
}

/// A user whom an administrator impersonates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InNameOf<'a> {
    pub(crate) user: &'a str,
    pub(crate) groups: &'a [String],
}

/// Sends a request, optionally impersonating another user.
pub(crate) async fn send(
    client: &Client,
    method: Method,
    path: &str,
    body: String,
    user: Option<InNameOf<'_>>,
) -> Reply {
    let mut request =
        Request::builder().method(method).uri(path).header("content-type", "application/json");
    if let Some(InNameOf { user, groups }) = user {
        request = request.header("impersonate-user", user);
        for group in groups {
            request = request.header("impersonate-group", group);
        }
    }
    let request = request.body(body.into_bytes().into()).unwrap();
    let Ok(response) = client.send(request).await else {
        return Reply { code: 0, warnings: Vec::new(), body: Value::Null };
    };
    let code = response.status().as_u16();
    let warnings = response
        .headers()
        .get_all("warning")
        .iter()
        .filter_map(|it| warning(it.to_str().ok()?))
        .collect();
    let body = match response.into_body().collect().await {
        Ok(body) => serde_json::from_slice(&body.to_bytes()).unwrap_or_default(),
        Err(_) => Value::Null,
    };
    Reply { code, warnings, body }
}

/// Returns the text of `299 - "text"`.
fn warning(header: &str) -> Option<String> {
    let text = header.split_once(" - ")?.1;
    serde_json::from_str(text).ok()
}
