// SPDX-License-Identifier: Apache-2.0
//! Kinds of Kubernetes as far as checks read them.

use garden_gate_model::api::{IntOrPercent, LabelSelector};
use serde::Deserialize;

use super::node_requirements::NodeSelectorTerm;
use super::{Metadata, PodTemplate};

/// A controller of pods: a Deployment, StatefulSet, ReplicaSet, ReplicationController, DaemonSet, Job or CronJob.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Controller {
    pub(crate) metadata: Metadata,
    pub(crate) spec: ControllerSpec,
    status: ControllerStatus,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct ControllerStatus {
    /// Of a Job, `Complete` or `Failed` are those of its end.
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ControllerSpec {
    pub(crate) replicas: Option<i64>,
    /// Reports whether a Job or CronJob starts no pods.
    suspend: bool,
    pub(crate) template: PodTemplate,
    /// The template of the Jobs of a CronJob.
    job_template: JobTemplate,
    /// The claims that a StatefulSet creates for each pod.
    pub(crate) volume_claim_templates: Vec<Labelled>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct JobTemplate {
    spec: JobSpec,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct JobSpec {
    template: PodTemplate,
}

impl Controller {
    /// Reports whether a Job or CronJob is suspended, or a Job has ended, so that it creates no further pods.
    pub(crate) fn is_finished(&self) -> bool {
        let is_end = |it: &Condition| {
            ["Complete", "Failed"].contains(&it.kind.as_str()) && it.status == "True"
        };
        self.spec.suspend || self.status.conditions.iter().any(is_end)
    }

    /// Returns the controller with the template of its pods in one place.
    pub(crate) fn with_template(mut self, kind: &str) -> Self {
        if kind == "CronJob" {
            self.spec.template = std::mem::take(&mut self.spec.job_template.spec.template);
        }
        self
    }
}

/// A HorizontalPodAutoscaler.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Autoscaler {
    pub(crate) spec: AutoscalerSpec,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AutoscalerSpec {
    pub(crate) min_replicas: Option<u64>,
    pub(crate) scale_target_ref: ScaleTarget,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ScaleTarget {
    pub(crate) kind: String,
    pub(crate) name: String,
}

/// A PodDisruptionBudget.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Budget {
    pub(crate) metadata: Metadata,
    pub(crate) spec: BudgetSpec,
    pub(crate) status: BudgetStatus,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BudgetSpec {
    pub(crate) selector: Option<LabelSelector>,
    pub(crate) min_available: Option<IntOrPercent>,
    pub(crate) max_unavailable: Option<IntOrPercent>,
    unhealthy_pod_eviction_policy: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BudgetStatus {
    pub(crate) observed_generation: Option<i64>,
    pub(crate) disruptions_allowed: i64,
    pub(crate) current_healthy: i64,
    pub(crate) desired_healthy: i64,
    expected_pods: Option<i64>,
    conditions: Vec<Condition>,
}

/// A condition of an object.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Condition {
    #[serde(rename = "type")]
    kind: String,
    status: String,
    reason: String,
}

impl Budget {
    /// Returns the status and the expected number of pods, if the disruption controller has seen the current spec.
    pub(crate) fn current(&self) -> Option<(&BudgetStatus, u64)> {
        let status = &self.status;
        // Manifests may have a status with zeros, but never a generation.
        let observed = status.observed_generation.filter(|it| *it > 0)?;
        let is_stale = self.metadata.generation.is_some_and(|it| it != observed);
        let expected = u64::try_from(status.expected_pods?).unwrap_or_default();
        (!is_stale).then_some((status, expected))
    }

    /// Reports whether pods that are not ready are evicted, whatever the budget allows.
    pub(crate) fn allows_unhealthy(&self) -> bool {
        self.spec.unhealthy_pod_eviction_policy == "AlwaysAllow"
    }
}

impl BudgetStatus {
    /// Reports whether the disruption controller could not count the pods, so that it allows no eviction.
    pub(crate) fn is_failed(&self) -> bool {
        let is_failed = |it: &Condition| {
            it.kind == "DisruptionAllowed" && it.status == "False" && it.reason == "SyncFailed"
        };
        self.conditions.iter().any(is_failed)
    }
}

/// A PersistentVolume.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Volume {
    pub(crate) metadata: Metadata,
    pub(crate) spec: VolumeSpec,
    status: VolumeStatus,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct VolumeStatus {
    phase: String,
}

impl Volume {
    /// Reports whether no claim uses the volume.
    pub(crate) fn is_unused(&self) -> bool {
        ["Available", "Released", "Failed"].contains(&self.status.phase.as_str())
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VolumeSpec {
    pub(crate) claim_ref: Option<ClaimReference>,
    pub(crate) node_affinity: VolumeAffinity,
    pub(crate) local: Option<Directory>,
    pub(crate) host_path: Option<Directory>,
}

/// A directory of a node.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Directory {
    pub(crate) path: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ClaimReference {
    pub(crate) namespace: String,
    pub(crate) name: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct VolumeAffinity {
    pub(crate) required: VolumeNodes,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VolumeNodes {
    pub(crate) node_selector_terms: Vec<NodeSelectorTerm>,
}

/// A node, or another object of which only the metadata counts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Labelled {
    pub(crate) metadata: Metadata,
}
