// SPDX-License-Identifier: Apache-2.0
//! The change of a Shoot, as far as it concerns workload.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use garden_gate_model::api::DurationText;
use garden_gate_text::json::decode;
use serde::Deserialize;

use super::{NodePool, NodeProfile};
use crate::plan::Timeouts;

/// The architecture of pools without one.
const ARCHITECTURE: &str = "amd64";
/// The container runtime interface of pools without one.
const CRI: &str = "containerd";

/// The change of the Shoot in which the workload runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterChange {
    /// The cluster before the change; `None` if it is created.
    pub before: Option<ClusterState>,
    /// The cluster after the change.
    pub after: ClusterState,
    /// The names of the pools whose nodes the change drains, or may drain.
    pub drained: BTreeSet<String>,
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
    maximum: Option<i64>,
    machine: Machine,
    kubernetes: Kubernetes,
    cri: Option<Cri>,
    system_components: Option<SystemComponents>,
    machine_controller_manager: Settings,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Machine {
    architecture: String,
    #[serde(rename = "type")]
    machine_type: String,
    image: Image,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Image {
    name: String,
    version: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Cri {
    name: String,
    container_runtimes: Vec<ContainerRuntime>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ContainerRuntime {
    #[serde(rename = "type")]
    runtime: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SystemComponents {
    allow: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    machine_drain_timeout: Option<DurationText>,
}

impl Worker {
    /// Returns the nodes of the pool, with the defaults of Gardener.
    fn nodes(self, kubernetes: &str) -> NodePool {
        let or = |text: String, default: &str| {
            if text.is_empty() { default.to_owned() } else { text }
        };
        let Machine { architecture, machine_type, image } = self.machine;
        let cri = self
            .cri
            .unwrap_or_else(|| Cri { name: CRI.to_owned(), container_runtimes: Vec::new() });
        NodePool {
            drain_timeout: match self.machine_controller_manager.machine_drain_timeout {
                None => Some(Timeouts::default().drain),
                Some(timeout) => Duration::try_from(timeout.value).ok(),
            },
            name: self.name,
            labels: self.labels,
            zones: self.zones,
            architecture: or(architecture, ARCHITECTURE),
            machine_type,
            image: image.name,
            image_version: image.version,
            kubernetes: or(self.kubernetes.version, kubernetes),
            cri: cri.name,
            runtimes: cri.container_runtimes.into_iter().map(|it| it.runtime).collect(),
            has_system_components: self.system_components.is_none_or(|it| it.allow),
            has_nodes: self.maximum != Some(0),
        }
    }
}

impl ClusterState {
    /// Decodes the cluster from a Shoot.
    ///
    /// # Errors
    /// Fails if a field has another type than in a Shoot.
    pub fn of_shoot(text: &str) -> serde_json::Result<Self> {
        let Spec { region, kubernetes, provider } = decode::<Shoot>(text)?.spec;
        let pools = provider.workers.into_iter().map(|it| it.nodes(&kubernetes.version)).collect();
        Ok(Self { kubernetes: kubernetes.version, region, pools })
    }

    /// Returns the pools that may have nodes.
    pub(crate) fn pools_with_nodes(&self) -> impl Iterator<Item = &NodePool> {
        self.pools.iter().filter(|it| it.has_nodes)
    }

    /// Returns the zones of all nodes.
    pub(crate) fn zones(&self) -> BTreeSet<&str> {
        self.pools_with_nodes().flat_map(|it| &it.zones).map(String::as_str).collect()
    }

    /// Returns the profiles of all nodes, without duplicates.
    pub(crate) fn profiles(&self) -> BTreeSet<NodeProfile> {
        self.pools_with_nodes().flat_map(|pool| NodeProfile::of_pool(pool, &self.region)).collect()
    }

    /// Reports whether the value of a label is one of these zones.
    pub(crate) fn is_zone(&self, value: &str, zones: &BTreeSet<&str>) -> bool {
        let number = value.strip_prefix(&*self.region).and_then(|it| it.strip_prefix('-'));
        zones.contains(value) || number.is_some_and(|it| zones.contains(it))
    }
}

impl ClusterChange {
    /// Reports whether the change drains nodes, or may do so.
    pub fn may_drain(&self) -> bool {
        !self.drained.is_empty()
    }

    /// Returns the zones in which no pool has nodes after the change.
    pub(crate) fn removed_zones(&self) -> BTreeSet<&str> {
        let before = self.before.as_ref().map(ClusterState::zones).unwrap_or_default();
        let after = self.after.zones();
        before.into_iter().filter(|it| !after.contains(it)).collect()
    }

    /// Reports whether nodes are removed or replaced, or lose labels of the Shoot.
    pub(crate) fn changes_nodes(&self) -> bool {
        let after = self.after.profiles();
        let loses = self.before.as_ref().is_some_and(|it| !it.profiles().is_subset(&after));
        loses || self.may_drain()
    }

    /// Returns the longest time for which a drain waits for pods; `None` if it is unknown.
    pub(crate) fn drain_timeout(&self) -> Option<Duration> {
        let pools = self.before.as_ref().map_or(&self.after.pools, |it| &it.pools);
        let drained = pools.iter().filter(|it| self.drained.contains(&it.name));
        let timeouts: Option<Vec<Duration>> = drained.map(|it| it.drain_timeout).collect();
        timeouts?.into_iter().max()
    }

    /// Returns the keys of labels that the Shoot has for nodes of any pool.
    pub(crate) fn label_keys(&self) -> BTreeSet<&str> {
        let states = self.before.iter().chain([&self.after]);
        let labels = states.flat_map(|it| &it.pools).flat_map(|it| it.labels.keys());
        labels.map(String::as_str).collect()
    }
}
