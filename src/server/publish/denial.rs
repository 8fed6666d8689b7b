// SPDX-License-Identifier: Apache-2.0
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use thiserror::Error;

use crate::server::log::TEXT_LIMIT;
use crate::server::memory::ReserveError;
use garden_gate_products::report::{IndexEntry, index_html};
use garden_gate_text::escape::value_within;

/// The reason why a request gets no page.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub(super) enum Denial {
    #[error("no token; send a token of the garden's API server as `Authorization: Bearer TOKEN`")]
    NoToken,
    #[error("the API server of the garden does not accept this token; it may be expired")]
    InvalidToken,
    /// The same for Projects that do not exist, so that callers learn no names.
    #[error(
        "the Project `{0}` does not exist, or you may not get and list shoots.core.gardener.cloud in its namespace"
    )]
    Project(String),
    #[error(
        "you may not get and list shoots.core.gardener.cloud in all namespaces, which the list of all Projects requires; select a Project with `?project=NAME`"
    )]
    AllProjects,
    /// The Projects that the reader may read.
    #[error("select a Project with `?project=NAME`")]
    Choice(Vec<String>),
    #[error("there is no document `{}`; `api/v1/overview` is one", value_within(.0, TEXT_LIMIT))]
    Document(String),
    #[error(
        "without an API server, pages are only for programs on this machine; use `localhost` as the name of the server"
    )]
    Host,
    #[error("the query cannot be read; send one `project=NAME`")]
    Query,
    #[error("a calendar has one Project; select it with `?project=NAME`")]
    NoProject,
    #[error("the API server of the garden did not answer; try again")]
    Unanswered,
    #[error("the first forecast is not complete yet; try again")]
    NotReady,
    #[error("too many other requests; try again")]
    Busy,
    #[error(
        "the page could take more than the {} MiB of memory that one page may; use `garden-gate forecast` or `garden-gate audit`, or raise the memory limit of the server",
        .0 >> 20
    )]
    TooLarge(u64),
    #[error("the page could not be rendered, which is a bug in garden-gate; see its log")]
    Defect,
}

impl Denial {
    fn status(&self) -> StatusCode {
        match self {
            Self::NoToken | Self::InvalidToken => StatusCode::UNAUTHORIZED,
            Self::Project(_) | Self::AllProjects | Self::Host => StatusCode::FORBIDDEN,
            Self::Choice(_) => StatusCode::OK,
            Self::Document(_) => StatusCode::NOT_FOUND,
            Self::Query | Self::NoProject => StatusCode::BAD_REQUEST,
            Self::Unanswered | Self::NotReady | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooLarge(_) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Defect => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<ReserveError> for Denial {
    fn from(error: ReserveError) -> Self {
        match error {
            ReserveError::ExceedsCapacity(most) => Self::TooLarge(most),
            ReserveError::Exhausted => Self::Busy,
        }
    }
}

impl IntoResponse for Denial {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = match &self {
            Self::Choice(projects) => Html(choice(projects)).into_response(),
            _ => (status, format!("{self}\n")).into_response(),
        };
        let challenge = match self {
            Self::NoToken => Some("Bearer realm=\"garden-gate\""),
            Self::InvalidToken => Some("Bearer realm=\"garden-gate\", error=\"invalid_token\""),
            _ => None,
        };
        let headers = response.headers_mut();
        if let Some(challenge) = challenge {
            let challenge = HeaderValue::from_static(challenge);
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

/// Returns a page that links to the sites of Projects.
fn choice(projects: &[String]) -> String {
    let paths: Vec<String> = projects.iter().map(|it| format!("/?project={it}")).collect();
    let entries: Vec<IndexEntry<'_>> =
        paths.iter().map(|it| IndexEntry::page(it, "the clusters of this Project")).collect();
    let about = ["You may read these Projects, one at a time."];
    index_html("garden-gate", &about, &entries, &[])
}
