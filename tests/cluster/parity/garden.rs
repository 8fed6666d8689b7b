// SPDX-License-Identifier: Apache-2.0
//! The garden of random requests, and the recorded requests about it.

use std::path::Path;

use serde_json::Value;

use crate::parity::corpus::Corpus;
use crate::recorded;

/// Families recorded with a running server.
const FAMILIES: &[&str] = &[
    "shoot_bindings",
    "shoot_control_plane",
    "shoot_dns",
    "shoot_extensions",
    "shoot_identity",
    "shoot_kubelet",
    "shoot_machines",
    "shoot_maintenance",
    "shoot_networking",
    "shoot_pools",
    "shoot_references_quota",
    "shoot_removed_fields",
    "shoot_update_rules",
    "project_static",
    "cloud_profile_static",
    "namespaced_cloud_profile_static",
    "seed_static",
    "small_kinds",
];

/// The family of the garden.
const GARDEN: &str = "shoot_update_rules";

/// A family with the objects of the garden and more of them, in other states: changed, with a status, or in deletion.
const STATES: &str = "tests/cluster/parity/recorded/random_shoot_7.json.gz";

/// Returns the recorded garden, and the corpus of random requests about it.
pub(crate) fn garden() -> (Value, Corpus) {
    let read =
        |family: &&str| recorded::read(Path::new(&format!("tests/conformance/{family}.json.gz")));
    let families: Vec<Value> = FAMILIES.iter().map(read).collect();
    let garden = read(&GARDEN)["gardens"][0].take();
    let corpus = Corpus::of(&families, garden["manifests"].as_array().unwrap(), &[]);
    (garden, corpus)
}

/// Returns the configuration of the garden with the objects of [`states`].
pub(crate) fn with_states() -> Value {
    let mut family = recorded::read(Path::new(STATES));
    family["gardens"][0].take()
}

/// Returns the objects of the garden, and more of them in other states.
pub(crate) fn states() -> Vec<Value> {
    serde_json::from_value(with_states()["manifests"].take()).unwrap()
}
