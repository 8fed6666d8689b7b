// SPDX-License-Identifier: Apache-2.0
//! garden-gate in a cluster: a real API server calls it, and it watches the API server.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

mod admission;
mod certificates;
mod client_certificates;
mod deleting;
mod faults;
mod instead_of_plugins;
mod load;
mod match_conditions;
mod mutations;
mod policies;
mod random_mutations;
mod random_policies;
mod review;
mod seeds;
mod service;
mod shoot_cluster;
mod size;
mod tutorial;
mod watching;
mod world;
