// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use thiserror::Error;

use super::memory::{BODY_LIMIT, ReserveError, UID_LIMIT, USER_LIMIT};
use garden_gate_core::admission::RequestError;
use garden_gate_text::escape::value_within;

/// Maximum length of a message, which may quote the body, in bytes.
const MESSAGE_LIMIT: usize = 1024;

/// The reason why a request gets no verdict.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error("the content type is {0}; send `application/json`")]
    ContentType(String),
    #[error("the body is larger than the limit of {} MiB", BODY_LIMIT >> 20)]
    BodyTooLarge,
    #[error("the body was not complete after {0:.1?}; send it at 1 MiB a second or faster")]
    BodyTooSlow(Duration),
    #[error(
        "judging this body could take more than the {} MiB of memory that one request may; send an object with fewer list elements, or raise the memory limit of garden-gate",
        .0 >> 20
    )]
    TooMuchMemory(u64),
    #[error("`request.uid` has {0} bytes; send at most {UID_LIMIT}")]
    UidTooLong(usize),
    #[error("`request.userInfo` is larger than {} KiB; send a user with fewer groups", USER_LIMIT >> 10)]
    UserTooLarge,
    #[error("the body cannot be read: {0}")]
    BodyBroken(String),
    #[error("the query has no usable `timeout`: {0}")]
    Timeout(String),
    #[error(transparent)]
    Review(#[from] RequestError),
    #[error("not ready: {0}")]
    NotReady(String),
    #[error("the memory for requests is in use; try again")]
    Overloaded,
    #[error(
        "there was no verdict after {0:.1?}, as other large objects are being judged; try again"
    )]
    TooLate(Duration),
    #[error("a rule panicked, which is a bug in garden-gate; see its log")]
    Panic,
}

impl Refusal {
    /// Returns the status code, the Kubernetes reason, and the label in metrics.
    fn kind(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::ContentType(_) => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType", "content_type")
            }
            Self::BodyTooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", "body_too_large")
            }
            Self::TooMuchMemory(_) => {
                (StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", "too_much_memory")
            }
            Self::BodyTooSlow(_) => (StatusCode::REQUEST_TIMEOUT, "Timeout", "body_too_slow"),
            Self::BodyBroken(_) => (StatusCode::BAD_REQUEST, "BadRequest", "body_broken"),
            Self::Timeout(_) => (StatusCode::BAD_REQUEST, "BadRequest", "timeout"),
            Self::UidTooLong(_) | Self::UserTooLarge | Self::Review(_) => {
                (StatusCode::BAD_REQUEST, "BadRequest", "review")
            }
            Self::NotReady(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable", "not_ready")
            }
            Self::Overloaded => {
                (StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable", "overloaded")
            }
            Self::TooLate(_) => (StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailable", "too_late"),
            Self::Panic => (StatusCode::INTERNAL_SERVER_ERROR, "InternalError", "panic"),
        }
    }

    /// Reports whether the client may still be sending the refused body.
    pub(super) fn is_about_size(&self) -> bool {
        matches!(self, Self::BodyTooLarge | Self::TooMuchMemory(_) | Self::Overloaded)
    }

    /// Returns the label in metrics.
    pub(super) fn label(&self) -> &'static str {
        self.kind().2
    }
}

impl From<ReserveError> for Refusal {
    fn from(lack: ReserveError) -> Self {
        match lack {
            ReserveError::ExceedsCapacity(most) => Self::TooMuchMemory(most),
            ReserveError::Exhausted => Self::Overloaded,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (code, reason, _) = self.kind();
        let status = json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": value_within(self.to_string(), MESSAGE_LIMIT),
            "reason": reason,
            "code": code.as_u16(),
        });
        let mut response = (code, axum::Json(status)).into_response();
        if code == StatusCode::SERVICE_UNAVAILABLE {
            let soon = HeaderValue::from_static("1");
            response.headers_mut().insert(header::RETRY_AFTER, soon);
        }
        response
    }
}
