//! The gate in a cluster: a real API server asks it, and is watched by it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

#[path = "../cluster/mod.rs"]
mod cluster;
#[expect(dead_code, reason = "every test binary uses its own part of it")]
#[path = "../https/common/mod.rs"]
mod common;
#[path = "../support/gardener.rs"]
mod gardener;
#[expect(dead_code, reason = "every test binary uses its own part of it")]
#[path = "../support/http.rs"]
mod http;
#[expect(dead_code, reason = "every test binary uses its own part of it")]
#[path = "../support/recorded.rs"]
mod recorded;

mod admission;
mod certificates;
mod client_certificates;
mod deleting;
mod faults;
mod instead_of_plugins;
mod load;
mod review;
mod seeds;
mod service;
mod shoot_cluster;
mod size;
mod watching;
mod world;
