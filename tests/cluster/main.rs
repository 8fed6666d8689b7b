// SPDX-License-Identifier: Apache-2.0
//! Tests with a real kube-apiserver and etcd, and with the chart.
//!
//! If `GARDENER_APISERVER` is set, they also use a gardener-apiserver.
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

mod cluster;
#[expect(dead_code, reason = "other test binaries use the rest")]
#[path = "../server/https/common/mod.rs"]
mod common;
#[path = "../support/gardener.rs"]
mod gardener;
#[path = "../support/http.rs"]
mod http;
#[path = "../support/manifest_texts.rs"]
mod manifest_texts;
#[path = "../support/policy_mutations.rs"]
mod policy_mutations;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/recorded_mutations.rs"]
mod recorded_mutations;
#[path = "../support/recorded_policies.rs"]
mod recorded_policies;

#[path = "chart/main.rs"]
mod chart;
mod cluster_policies;
mod cluster_smoke;
mod cluster_texts;
#[path = "e2e/main.rs"]
mod e2e;
#[path = "parity/main.rs"]
mod parity;
