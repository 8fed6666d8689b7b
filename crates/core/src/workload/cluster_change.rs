//! The change of a Shoot, as far as it concerns workload.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use garden_gate_model::api::DurationText;
use garden_gate_text::json::decode;
use serde::Deserialize;

use super::node_requirements::LabelValue;
use crate::plan::Timeouts;

/// The label with the zone of a node.
pub(crate) const ZONE: &str = "topology.kubernetes.io/zone";
/// The label with the zone of a node before Kubernetes 1.17, which old volumes still have.
const OLD_ZONE: &str = "failure-domain.beta.kubernetes.io/zone";
/// The labels with the pool of a node.
const POOL: [&str; 2] = ["worker.gardener.cloud/pool", "worker.garden.sapcloud.io/group"];

/// The change of the Shoot in which the workload runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterChange {
    /// The cluster before the change; `None` if it is created.
    pub before: Option<ClusterState>,
    /// The cluster after the change.
    pub after: ClusterState,
    /// Reports whether the change may drain nodes.
    pub may_drain: bool,
}

/// The part of a Shoot that concerns workload.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterState {
    /// The version of Kubernetes.
    pub kubernetes: String,
    /// The region.
    pub region: String,
    /// The worker pools.
    pub pools: Vec<NodePool>,
}

/// The nodes of a worker pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePool {
    /// The name.
    pub name: String,
    /// The labels in the Shoot.
    pub labels: BTreeMap<String, String>,
    /// The zones; empty for a pool without zones.
    pub zones: Vec<String>,
    /// The architecture; empty if unknown.
    pub architecture: String,
    /// The time after which a drain deletes pods that cannot be evicted; `None` if the Shoot has an invalid one.
    pub drain_timeout: Option<Duration>,
}

/// The labels of the nodes of a pool in one zone.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct NodeProfile {
    pool: String,
    labels: BTreeMap<String, Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Shoot {
    spec: Spec,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Spec {
    region: String,
    kubernetes: Kubernetes,
    provider: Provider,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Kubernetes {
    version: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Provider {
    workers: Vec<Worker>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Worker {
    name: String,
    labels: BTreeMap<String, String>,
    zones: Vec<String>,
    machine: Machine,
    machine_controller_manager: Settings,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Machine {
    architecture: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    machine_drain_timeout: Option<DurationText>,
}

impl ClusterState {
    /// Decodes the cluster from a Shoot.
    ///
    /// # Errors
    /// Fails if a field has another type than in a Shoot.
    pub fn of_shoot(text: &str) -> serde_json::Result<Self> {
        let Spec { region, kubernetes, provider } = decode::<Shoot>(text)?.spec;
        let pools = provider.workers.into_iter().map(|worker| NodePool {
            drain_timeout: match worker.machine_controller_manager.machine_drain_timeout {
                None => Some(Timeouts::default().drain),
                Some(timeout) => Duration::try_from(timeout.value).ok(),
            },
            name: worker.name,
            labels: worker.labels,
            zones: worker.zones,
            architecture: worker.machine.architecture,
        });
        Ok(Self { kubernetes: kubernetes.version, region, pools: pools.collect() })
    }

    /// Returns the zones of all pools.
    pub(crate) fn zones(&self) -> BTreeSet<&str> {
        self.pools.iter().flat_map(|it| &it.zones).map(String::as_str).collect()
    }

    /// Returns the profiles of all nodes, without duplicates.
    pub(crate) fn profiles(&self) -> BTreeSet<NodeProfile> {
        self.pools.iter().flat_map(|pool| self.profiles_of(pool)).collect()
    }

    fn profiles_of(&self, pool: &NodePool) -> Vec<NodeProfile> {
        let mut labels = BTreeMap::new();
        for (key, value) in &pool.labels {
            labels.insert(key.clone(), vec![value.clone()]);
        }
        for key in POOL {
            labels.insert(key.to_owned(), vec![pool.name.clone()]);
        }
        labels.insert("kubernetes.io/os".to_owned(), vec!["linux".to_owned()]);
        labels.insert("node.kubernetes.io/role".to_owned(), vec!["node".to_owned()]);
        if !pool.architecture.is_empty() {
            labels.insert("kubernetes.io/arch".to_owned(), vec![pool.architecture.clone()]);
        }
        let profile = NodeProfile { pool: pool.name.clone(), labels };
        if pool.zones.is_empty() {
            return vec![profile];
        }
        let in_zone = |zone: &String| {
            let mut profile = profile.clone();
            profile.labels.insert(ZONE.to_owned(), self.spellings(zone));
            profile
        };
        pool.zones.iter().map(in_zone).collect()
    }

    /// Returns the values of a label for a zone: its name, with the region before it for providers that number zones.
    fn spellings(&self, zone: &str) -> Vec<String> {
        vec![zone.to_owned(), format!("{}-{zone}", self.region)]
    }

    /// Reports whether the value of a label is one of these zones.
    pub(crate) fn is_zone(&self, value: &str, zones: &BTreeSet<&str>) -> bool {
        let number = value.strip_prefix(&*self.region).and_then(|it| it.strip_prefix('-'));
        zones.contains(value) || number.is_some_and(|it| zones.contains(it))
    }
}

impl ClusterChange {
    /// Returns the zones in which no pool has nodes after the change.
    pub(crate) fn removed_zones(&self) -> BTreeSet<&str> {
        let before = self.before.as_ref().map(ClusterState::zones).unwrap_or_default();
        let after = self.after.zones();
        before.into_iter().filter(|it| !after.contains(it)).collect()
    }

    /// Reports whether nodes are removed, or lose labels of the Shoot.
    pub(crate) fn removes_nodes(&self) -> bool {
        let after = self.after.profiles();
        self.before.as_ref().is_some_and(|it| !it.profiles().is_subset(&after))
    }

    /// Returns the longest time for which a drain waits for pods; `None` if it is unknown.
    pub(crate) fn drain_timeout(&self) -> Option<Duration> {
        let pools = self.before.as_ref().map_or(&self.after.pools, |it| &it.pools);
        let timeouts: Option<Vec<Duration>> = pools.iter().map(|it| it.drain_timeout).collect();
        timeouts?.into_iter().max()
    }

    /// Returns the keys of labels that the Shoot has for nodes of any pool.
    pub(crate) fn label_keys(&self) -> BTreeSet<&str> {
        let states = self.before.iter().chain([&self.after]);
        let labels = states.flat_map(|it| &it.pools).flat_map(|it| it.labels.keys());
        labels.map(String::as_str).chain(POOL).collect()
    }
}

impl NodeProfile {
    /// Returns the name of the pool.
    pub(crate) fn pool(&self) -> &str {
        &self.pool
    }

    /// Returns what is known of a label; other components may set labels that no pool of the Shoot has.
    pub(crate) fn value(&self, key: &str, keys_of_shoot: &BTreeSet<&str>) -> LabelValue<'_> {
        match self.labels.get(key) {
            Some(values) => LabelValue::Is(values),
            None if keys_of_shoot.contains(key) => LabelValue::Absent,
            None => LabelValue::Unknown,
        }
    }
}

/// Reports whether a label, or a topology key of a storage driver, is for zones.
pub(crate) fn is_zone_key(key: &str) -> bool {
    let is_of_driver = key.starts_with("topology.") && key.ends_with("/zone");
    key == ZONE || key == OLD_ZONE || is_of_driver
}
