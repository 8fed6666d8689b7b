// SPDX-License-Identifier: Apache-2.0
//! Changes that Gardener's API server makes before it calls a validating webhook.
//!
//! These are defaults, removals of fields, and conversions.
//!
//! They have no effect after a real API server; they are needed for raw manifests.

mod architecture;
mod canonicalize;
mod cloud_profile;
mod inactive;
mod incomplete;
mod project;
mod seed;
mod shoot;
mod shoot_json;
mod tolerations;
mod worker;

pub use architecture::sync_architectures;
pub use canonicalize::{RESERVED, drop_unstored, refill, reserve, sync_references};
pub use cloud_profile::cloud_profile;
pub use inactive::{drop_from_cloud_profile, drop_from_namespaced_cloud_profile};
pub use incomplete::incomplete;
pub use project::{canonicalize_project, project};
pub use seed::{NAME_LABEL_PREFIX, seed};
pub use shoot::{shoot, stored_status, system_fields};
pub use shoot_json::shoot_spec_json;
pub use tolerations::protected;
pub use worker::{kubelet_json, worker, worker_json};

use std::sync::Arc;

use crate::api::GardenObject;

/// Applies the defaults to an object of the garden.
pub fn kept(object: &mut GardenObject) {
    match object {
        GardenObject::Project(it) => project(Arc::make_mut(it)),
        GardenObject::CloudProfile(it) => cloud_profile(Arc::make_mut(it)),
        GardenObject::Seed(it) => seed(Arc::make_mut(it)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::kept;
    use crate::api::{GardenObject, Seed};

    #[test]
    fn seed_of_the_garden_gets_the_label_of_its_provider() {
        let seed = json!({"metadata": {"name": "s"}, "spec": {"provider": {"type": "aws"}}});
        let seed: Seed = from_value(seed).unwrap();
        let mut object = GardenObject::from(seed);
        kept(&mut object);
        let label = match &object {
            GardenObject::Seed(it) => it.metadata.labels.get("seed.gardener.cloud/provider"),
            _ => None,
        };
        assert_eq!(label.map(String::as_str), Some("aws"));
    }
}
