// SPDX-License-Identifier: Apache-2.0
//! Pods and their templates.

use std::collections::BTreeMap;

use garden_gate_model::api::LabelSelector;
use serde::Deserialize;

use super::Metadata;
use super::node_requirements::{NodeAffinity, NodeRequirements};

/// Marks the copy of a static pod in the API server, which drains ignore.
const MIRROR: &str = "kubernetes.io/config.mirror";

/// A pod.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pod {
    pub(crate) metadata: Metadata,
    pub(crate) spec: PodSpec,
    pub(crate) status: PodStatus,
}

/// The template of the pods of a controller.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PodTemplate {
    pub(crate) metadata: Metadata,
    pub(crate) spec: PodSpec,
}

/// The part of a pod's status that checks read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PodStatus {
    phase: String,
}

/// The part of a pod that checks read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PodSpec {
    pub(crate) restart_policy: String,
    node_selector: BTreeMap<String, String>,
    affinity: Affinity,
    pub(crate) volumes: Vec<PodVolume>,
    pub(crate) topology_spread_constraints: Vec<Spread>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Affinity {
    node_affinity: NodeAffinity,
}

/// A volume of a pod.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PodVolume {
    pub(crate) name: String,
    pub(crate) empty_dir: Option<EmptyDir>,
    pub(crate) host_path: Option<HostPath>,
    pub(crate) persistent_volume_claim: Option<ClaimVolume>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClaimVolume {
    pub(crate) claim_name: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct EmptyDir {
    pub(crate) medium: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct HostPath {}

/// A topology spread constraint.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Spread {
    pub(crate) max_skew: i64,
    pub(crate) min_domains: Option<i64>,
    pub(crate) topology_key: String,
    pub(crate) when_unsatisfiable: String,
    pub(crate) node_taints_policy: String,
    pub(crate) node_affinity_policy: String,
    pub(crate) label_selector: Option<LabelSelector>,
}

impl Pod {
    /// Reports whether a drain evicts the pod: it is neither finished, nor in deletion, nor the mirror of a static pod.
    pub(crate) fn is_drained(&self) -> bool {
        let is_finished = ["Succeeded", "Failed"].contains(&self.status.phase.as_str());
        let is_mirror = self.metadata.annotations.contains_key(MIRROR);
        !is_finished && !is_mirror && self.metadata.deletion_timestamp.is_none()
    }
}

impl PodSpec {
    /// Returns the requirements on the node; `None` if there are none.
    pub(crate) fn node_requirements(&self) -> Option<NodeRequirements<'_>> {
        NodeRequirements::of(&self.node_selector, &self.affinity.node_affinity)
    }
}
