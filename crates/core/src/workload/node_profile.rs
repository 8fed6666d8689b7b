// SPDX-License-Identifier: Apache-2.0
//! Worker pools, and the labels of their nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::node_requirements::LabelValue;

/// The label with the zone of a node.
pub(crate) const ZONE: &str = "topology.kubernetes.io/zone";
/// The label with the zone of a node before Kubernetes 1.17, which old volumes still have.
const OLD_ZONE: &str = "failure-domain.beta.kubernetes.io/zone";
/// The label with the name of the pool of a node.
pub(crate) const POOL: &str = "worker.gardener.cloud/pool";
/// The label of pools in which system components may run; others do not have it.
const SYSTEM_COMPONENTS: &str = "worker.gardener.cloud/system-components";
/// The prefix of labels with the types of additional container runtimes; pools without a runtime do not have its label.
const RUNTIME: &str = "containerruntime.worker.gardener.cloud/";

/// The nodes of a worker pool. Text is empty if the Shoot does not have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePool {
    /// The name.
    pub name: String,
    /// The labels in the Shoot.
    pub labels: BTreeMap<String, String>,
    /// The zones; empty for a pool without zones.
    pub zones: Vec<String>,
    /// The architecture.
    pub architecture: String,
    /// The machine type.
    pub machine_type: String,
    /// The name of the machine image.
    pub image: String,
    /// The version of the machine image.
    pub image_version: String,
    /// The version of Kubernetes.
    pub kubernetes: String,
    /// The container runtime interface.
    pub cri: String,
    /// The types of additional container runtimes.
    pub runtimes: Vec<String>,
    /// Reports whether system components may run in the pool.
    pub has_system_components: bool,
    /// Reports whether the pool may have nodes: its maximum is not 0.
    pub has_nodes: bool,
    /// The time after which a drain deletes pods that cannot be evicted; `None` if the Shoot has an invalid one.
    pub drain_timeout: Option<Duration>,
}

/// The labels of the nodes of a pool in one zone.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct NodeProfile {
    pool: String,
    /// The spellings of values; `None` for a label whose value the Shoot does not have.
    labels: BTreeMap<String, Option<Vec<String>>>,
}

impl NodeProfile {
    /// Returns the profiles of the nodes of a pool, one for each zone.
    ///
    /// Mirrors NodeLabelsForWorkerPool in `pkg/utils/gardener/shoot.go`, with the labels that node agents and cloud providers
    /// derive from fields of the pool.
    pub(crate) fn of_pool(pool: &NodePool, region: &str) -> Vec<Self> {
        let known = |text: &str| (!text.is_empty()).then(|| vec![text.to_owned()]);
        let mut labels = BTreeMap::new();
        for (key, value) in &pool.labels {
            labels.insert(key.clone(), Some(vec![value.clone()]));
        }
        let derived = [
            ("kubernetes.io/os", "linux"),
            ("beta.kubernetes.io/os", "linux"),
            ("kubernetes.io/arch", &pool.architecture),
            ("beta.kubernetes.io/arch", &pool.architecture),
            ("node.kubernetes.io/role", "node"),
            ("node.kubernetes.io/instance-type", &pool.machine_type),
            ("beta.kubernetes.io/instance-type", &pool.machine_type),
            ("topology.kubernetes.io/region", region),
            ("failure-domain.beta.kubernetes.io/region", region),
            (POOL, &pool.name),
            ("worker.garden.sapcloud.io/group", &pool.name),
            ("worker.gardener.cloud/kubernetes-version", &pool.kubernetes),
            ("worker.gardener.cloud/image-name", &pool.image),
            ("worker.gardener.cloud/image-version", &pool.image_version),
            ("worker.gardener.cloud/cri-name", &pool.cri),
        ];
        labels.extend(derived.map(|(key, value)| (key.to_owned(), known(value))));
        if pool.has_system_components {
            labels.insert(SYSTEM_COMPONENTS.to_owned(), known("true"));
        }
        let runtimes = pool.runtimes.iter().map(|it| (format!("{RUNTIME}{it}"), known("true")));
        labels.extend(runtimes);
        let profile = Self { pool: pool.name.clone(), labels };
        if pool.zones.is_empty() {
            return vec![profile];
        }
        let in_zone = |zone: &String| {
            let mut profile = profile.clone();
            // Providers that number zones write the region before the number.
            let spellings = vec![zone.clone(), format!("{region}-{zone}")];
            profile.labels.insert(ZONE.to_owned(), Some(spellings));
            profile
        };
        pool.zones.iter().map(in_zone).collect()
    }

    /// Returns the name of the pool.
    pub(crate) fn pool(&self) -> &str {
        &self.pool
    }

    /// Returns the known value of a label; other components may set labels that no pool of the Shoot has.
    pub(crate) fn value(&self, key: &str, keys_of_shoot: &BTreeSet<&str>) -> LabelValue<'_> {
        let is_of_gardener = key == SYSTEM_COMPONENTS || key.starts_with(RUNTIME);
        match self.labels.get(if is_zone_key(key) { ZONE } else { key }) {
            Some(Some(values)) => LabelValue::Is(values),
            None if is_of_gardener || keys_of_shoot.contains(key) => LabelValue::Absent,
            Some(None) | None => LabelValue::Unknown,
        }
    }

    /// Reports whether a node with these labels may have this profile, by its pool and zone.
    pub(crate) fn may_be_of(&self, labels: &BTreeMap<String, String>) -> bool {
        let is_in_zone = |zone: &String| match self.labels.get(ZONE) {
            Some(Some(zones)) => zones.contains(zone),
            _ => true,
        };
        labels.get(POOL) == Some(&self.pool) && labels.get(ZONE).is_none_or(is_in_zone)
    }
}

/// Reports whether a label, or a topology key of a storage driver, is for zones.
pub(crate) fn is_zone_key(key: &str) -> bool {
    let is_of_driver =
        key.starts_with("topology.") && (key.ends_with("/zone") || key.ends_with("/k8s-zone"));
    key == ZONE || key == OLD_ZONE || is_of_driver
}
