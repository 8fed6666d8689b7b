// SPDX-License-Identifier: Apache-2.0
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Request, header};
use jiff::Timestamp;
use tower::ServiceExt as _;

use super::clock::Clock;
use super::endpoints;
use super::memory::Memory;
use super::state::State;
use garden_gate_core::config::Config;
use garden_gate_core::garden::Snapshot;
use garden_gate_core::policies::OwnPolicy;

/// The memory limit of a process, in bytes.
const MEMORY: u64 = 512 << 20;

/// The endpoints of the HTTPS port without connections, for tests and benchmarks.
///
/// They run on one thread, and the same body always has the same answer: the time, the memory limit and the number of
/// threads do not depend on the machine.
#[derive(Clone, Debug)]
pub struct Endpoints(Router);

impl Endpoints {
    /// Creates the endpoints of a ready server without an API server; `now` is the time of all reviews.
    #[must_use]
    pub fn new(garden: Snapshot, config: Config, policies: Vec<OwnPolicy>, now: Timestamp) -> Self {
        let mut state = State::new(garden, config, Memory::new(Some(MEMORY)));
        state.clock = Clock::stopped(now);
        state.has_threads = false;
        state.set_policies(policies.into());
        state.ready.set_listening();
        state.ready.set_certificate(i64::MAX);
        state.ready.set_garden();
        Self(endpoints::main(&Arc::new(state)))
    }

    /// Posts a body of JSON to `path`, and returns the status code and the body of the response.
    ///
    /// Needs a Tokio runtime with a timer.
    ///
    /// # Errors
    /// Fails if `path` is not the path of a URI.
    pub async fn post(&self, path: &str, body: Bytes) -> Result<(u16, Bytes), axum::Error> {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .map_err(axum::Error::new)?;
        let Ok(response) = self.0.clone().oneshot(request).await;
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await?;
        Ok((status, body))
    }
}
