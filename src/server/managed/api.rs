use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use http::{HeaderMap, Method, Request, header};
use http_body_util::BodyExt as _;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use serde_json::Value;

use crate::garden::live::LiveClient;

/// JSON requests to an API server, for objects of which we touch a few fields only.
pub(super) struct Api {
    client: Arc<LiveClient>,
    /// By how many seconds our clock was ahead of the API server's at its last answer.
    ahead: AtomicI64,
}

/// Why a request failed that may be worth another try.
#[derive(Debug)]
pub(super) enum ApiError {
    /// There is no such object.
    NotFound,
    /// Somebody else has just changed or made it.
    Conflict,
    /// Anything else, in one line.
    Other(String),
}

impl Api {
    pub(super) fn new(client: Arc<LiveClient>) -> Self {
        Self {
            client,
            ahead: AtomicI64::new(0),
        }
    }

    /// By how many seconds our clock is ahead of the API server's; 0 as long as it has told no time.
    pub(super) fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, ApiError> {
        self.send(Method::GET, path, "application/json", None).await
    }

    pub(super) async fn create(&self, path: &str, object: &Value) -> Result<Value, ApiError> {
        let json = "application/json";
        self.send(Method::POST, path, json, Some(object)).await
    }

    pub(super) async fn replace(&self, path: &str, object: &Value) -> Result<Value, ApiError> {
        let json = "application/json";
        self.send(Method::PUT, path, json, Some(object)).await
    }

    pub(super) async fn patch(&self, path: &str, patch: &Value) -> Result<Value, ApiError> {
        let json = "application/json-patch+json";
        self.send(Method::PATCH, path, json, Some(patch)).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Option<&Value>,
    ) -> Result<Value, ApiError> {
        let what = format!("{method} {path}");
        let failed = |why: String| ApiError::Other(format!("failed to {what}: {why}"));
        let body = body.map(|body| body.to_string().into_bytes());
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, content_type)
            .body(body.unwrap_or_default().into())
            .map_err(|error| failed(error.to_string()))?;
        let response = self.client.client().send(request).await;
        let response = response.map_err(|error| failed(innermost(&error)))?;
        let (head, body) = response.into_parts();
        self.look_at_the_clock(&head.headers);
        let body = body.collect().await;
        let body = body.map_err(|error| failed(innermost(&error)))?.to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        match head.status.as_u16() {
            200..300 if body.is_object() => Ok(body),
            404 => Err(ApiError::NotFound),
            409 => Err(ApiError::Conflict),
            code => {
                let message = body["message"].as_str().unwrap_or("nothing that is JSON");
                Err(failed(format!("the API server answered {code}: {message}")))
            }
        }
    }

    fn look_at_the_clock(&self, headers: &HeaderMap) {
        let date = headers.get(header::DATE).and_then(|it| it.to_str().ok());
        let date = date.and_then(|date| DateTimeParser::new().parse_timestamp(date).ok());
        if let Some(theirs) = date {
            let ahead = Timestamp::now().as_second() - theirs.as_second();
            self.ahead.store(ahead, Ordering::Relaxed);
        }
    }
}

/// The deepest cause: what wraps it repeats it, or says nothing.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(cause) = error.source() {
        error = cause;
    }
    error.to_string()
}
