// SPDX-License-Identifier: Apache-2.0
//! The configurations and policies of replicas.

use std::sync::{Arc, LazyLock};

use serde_json::json;

use garden_gate_core::config::{Config, Profile, TolerationLists, VersionSource};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_model::api::{GardenPolicy, GardenerVersion, Toleration};

/// The number of different settings.
pub(super) const COUNT: usize = 3;

/// A configuration with the policies of operators.
pub(super) struct Settings {
    pub(super) config: Config,
    pub(super) policies: Arc<[OwnPolicy]>,
}

static POLICIES: LazyLock<[Arc<[OwnPolicy]>; COUNT]> = LazyLock::new(|| {
    let cluster = [
        policy("taints", "shoots", "garden.seed == null || size(garden.seed.spec.taints) == 0"),
        policy(
            "versions",
            "shoots",
            "garden.cloudProfile.spec.kubernetes.versions.exists(it, it.version == '1.34.7')",
        ),
    ];
    let number = [
        policy("number", "*", "size(garden.shoots(request.namespace)) < 3"),
        policy("whitelist", "shoots", "size(garden.project.spec.tolerations.whitelist) < 2"),
    ];
    [Arc::from([]), Arc::from(cluster), Arc::from(number)]
});

/// Returns settings by their number.
pub(super) fn settings(number: usize) -> Settings {
    let whitelist = match number {
        2 => vec![Toleration::bare("reserved")],
        _ => Vec::new(),
    };
    let config = Config {
        profile: if number == 1 { Profile::Documented } else { Profile::Gardener },
        tolerations: TolerationLists { defaults: Vec::new(), whitelist },
        gardener_version: GardenerVersion::of_minor(147),
        version_source: VersionSource::Configuration,
        ..Config::default()
    };
    Settings { config, policies: Arc::clone(&POLICIES[number]) }
}

/// Creates a policy for CREATE and UPDATE of a resource.
fn policy(name: &str, resource: &str, expression: &str) -> OwnPolicy {
    let rule = json!({
        "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"], "operations": ["CREATE", "UPDATE"], "resources": [resource],
    });
    let policy = json!({
        "metadata": {"name": name},
        "spec": {"matchConstraints": {"resourceRules": [rule]}, "validations": [{"expression": expression}]},
    });
    let policy: GardenPolicy = serde_json::from_value(policy).unwrap();
    OwnPolicy::of(&policy).unwrap()
}
