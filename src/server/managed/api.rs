use http::{Method, Request, header};
use kube::Client;
use serde_json::Value;

/// JSON requests to an API server, for objects of which we touch a few fields only.
#[derive(Clone)]
pub(super) struct Api(pub(super) Client);

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
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, content_type)
            .body(
                body.map(|body| body.to_string().into_bytes())
                    .unwrap_or_default(),
            )
            .map_err(|error| ApiError::Other(format!("failed to {what}: {error}")))?;
        self.0.request(request).await.map_err(|error| match error {
            kube::Error::Api(status) => match status.code {
                404 => ApiError::NotFound,
                409 => ApiError::Conflict,
                code => {
                    let message = &status.message;
                    ApiError::Other(format!(
                        "failed to {what}: the API server answered {code}: {message}"
                    ))
                }
            },
            other => ApiError::Other(format!("failed to {what}: {other}")),
        })
    }
}
