// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use http::{Method, Request, header};
use http_body_util::BodyExt as _;
use k8s_openapi::api::core::v1::Secret;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::garden::live::{LiveClient, innermost};
use garden_gate_text::json::without_values;

/// API client for a few named objects, which distinguishes the errors that the keeper handles.
pub(super) struct Api {
    pub(super) client: Arc<LiveClient>,
}

/// The reason why a request failed.
#[derive(Debug)]
pub(super) enum ApiError {
    /// The object does not exist.
    NotFound,
    /// The object was changed or created concurrently.
    Conflict,
    /// Any other error, in one line.
    Other(String),
}

impl Api {
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiError> {
        self.send(Method::GET, path, "application/json", Vec::new()).await
    }

    pub(super) async fn create(&self, path: &str, object: &Secret) -> Result<(), ApiError> {
        self.write(Method::POST, path, "application/json", object).await
    }

    pub(super) async fn replace(&self, path: &str, object: &Secret) -> Result<(), ApiError> {
        self.write(Method::PUT, path, "application/json", object).await
    }

    pub(super) async fn patch(&self, path: &str, patch: &Value) -> Result<(), ApiError> {
        self.write(Method::PATCH, path, "application/json-patch+json", patch).await
    }

    async fn write(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: &impl Serialize,
    ) -> Result<(), ApiError> {
        let body = serde_json::to_vec(body).map_err(|error| ApiError::Other(error.to_string()))?;
        let IgnoredAny = self.send(method, path, content_type, body).await?;
        Ok(())
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
    ) -> Result<T, ApiError> {
        let what = format!("{method} {path}");
        let failed = |why: String| ApiError::Other(format!("failed to {what}: {why}"));
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, content_type)
            .body(body.into())
            .map_err(|error| failed(error.to_string()))?;
        let response =
            self.client.client().send(request).await.map_err(|error| failed(innermost(&error)))?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| failed(innermost(&error)))?.to_bytes();
        let code = head.status.as_u16();
        let answered = |why: &str| failed(format!("the API server answered {code}: {why}"));
        match code {
            200..300 => serde_json::from_slice(&body).map_err(|it| answered(&without_values(&it))),
            404 => Err(ApiError::NotFound),
            409 => Err(ApiError::Conflict),
            _ => {
                let body: Value = serde_json::from_slice(&body).unwrap_or_default();
                let why = body["message"].as_str();
                Err(answered(why.unwrap_or("the response is not JSON")))
            }
        }
    }
}
