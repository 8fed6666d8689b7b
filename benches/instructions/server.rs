// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use axum::body::Bytes;
use garden_gate::garden::directory;
use garden_gate::policy_files;
use garden_gate::server::Endpoints;
use garden_gate_core::config::Config;
use garden_gate_core::policies::OwnPolicy;
use tokio::runtime::{Builder, Runtime};

use crate::requests;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A request, and a server that has answered it once, so that everything is initialized that the first request initializes.
pub(crate) struct Post {
    path: &'static str,
    body: Bytes,
    is_allowed: bool,
    endpoints: Endpoints,
    runtime: Runtime,
}

impl Post {
    fn new(path: &'static str, body: Bytes, is_allowed: bool, policies: Vec<OwnPolicy>) -> Self {
        let garden = directory::load(&Path::new(ROOT).join("examples/garden")).unwrap();
        let now = "2026-12-01T00:00:00Z".parse().unwrap();
        let post = Self {
            path,
            body,
            is_allowed,
            endpoints: Endpoints::new(garden.snapshot, Config::default(), policies, now),
            runtime: Builder::new_current_thread().enable_time().build().unwrap(),
        };
        post.check();
        post
    }

    /// Returns a request of the benchmark `load`.
    pub(crate) fn named(name: &str) -> Self {
        let mut all = requests::all().into_iter();
        let request = all.find(|request| request.name == name).unwrap();
        Self::new(request.path, request.body, request.is_allowed, Vec::new())
    }

    pub(crate) fn label_update(path: &'static str) -> Self {
        let body = requests::recorded("002-validate-update-shoots");
        Self::new(path, body.into(), true, Vec::new())
    }

    pub(crate) fn status_update() -> Self {
        let body = requests::recorded("012-validate-update-shoots-status");
        Self::new("/validate", body.into(), true, Vec::new())
    }

    /// Returns the same request to a server with a policy that concerns it.
    pub(crate) fn with_policy(self) -> Self {
        let policy = Path::new(ROOT).join("examples/policies/pool-size/policy.yaml");
        let policies = policy_files::load(&[policy]).unwrap();
        assert_eq!(policies.len(), 1);
        Self::new(self.path, self.body, self.is_allowed, policies)
    }

    /// Sends the request, and returns the status code and the body of the response.
    pub(crate) fn send(&self) -> (u16, Bytes) {
        let post = self.endpoints.post(self.path, self.body.clone());
        self.runtime.block_on(post).unwrap()
    }

    fn check(&self) {
        let (status, answer) = self.send();
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(status, 200, "{answer}");
        assert_eq!(answer["response"]["allowed"], self.is_allowed, "{answer}");
    }
}
