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
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ControllerSpec {
    pub(crate) replicas: Option<i64>,
    pub(crate) template: PodTemplate,
    /// The template of the Jobs of a CronJob.
    job_template: JobTemplate,
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
    /// Returns the controller with the template of its pods in one place.
    pub(crate) fn with_template(mut self, kind: &str) -> Self {
        if kind == "CronJob" {
            self.spec.template = std::mem::take(&mut self.spec.job_template.spec.template);
        }
        self
    }
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
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BudgetStatus {
    pub(crate) observed_generation: Option<i64>,
    pub(crate) disruptions_allowed: i64,
    pub(crate) current_healthy: i64,
    pub(crate) desired_healthy: i64,
    /// Absent in manifests; the disruption controller always writes it.
    pub(crate) expected_pods: Option<i64>,
}

impl Budget {
    /// Returns the status and the expected number of pods, if the disruption controller has seen the current spec.
    pub(crate) fn current(&self) -> Option<(&BudgetStatus, u64)> {
        let status = &self.status;
        let expected = status.expected_pods?;
        let is_stale = status
            .observed_generation
            .zip(self.metadata.generation)
            .is_some_and(|(observed, generation)| observed < generation);
        (!is_stale).then(|| (status, u64::try_from(expected).unwrap_or_default()))
    }
}

/// A PersistentVolume.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Volume {
    pub(crate) metadata: Metadata,
    pub(crate) spec: VolumeSpec,
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
