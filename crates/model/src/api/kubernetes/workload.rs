// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;

use crate::api::{ObjectMeta, bounded};

/// Workload of a Shoot cluster, or an object that Gardener deletes like workload.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Workload {
    /// Name, namespace, labels and annotations.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The pod itself, or the template of the pods; without both in other objects.
    #[serde(default)]
    pub spec: WorkloadSpec,
}

/// A pod, or an object with a template of pods.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct WorkloadSpec {
    /// The template; absent in pods.
    pub template: Option<PodTemplate>,
    /// The template of the Jobs of a CronJob.
    #[serde(rename = "jobTemplate")]
    pub job_template: Option<JobTemplate>,
    /// The taints of nodes that the pod tolerates; empty if there is a template.
    #[serde(default, deserialize_with = "bounded::list")]
    pub tolerations: Vec<PodToleration>,
    /// The containers of the pod; empty if there is a template.
    #[serde(default, deserialize_with = "bounded::list")]
    pub containers: Vec<Container>,
}

/// The template of the Jobs of a CronJob.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct JobTemplate {
    /// Labels and annotations of the Jobs.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The Jobs.
    #[serde(default)]
    pub spec: JobSpec,
}

/// The part of a Job that rules read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct JobSpec {
    /// The template of the pods.
    pub template: Option<PodTemplate>,
}

/// The template of pods.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PodTemplate {
    /// Labels and annotations of the pods.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The pods.
    #[serde(default)]
    pub spec: PodSpec,
}

/// The part of a pod that rules read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PodSpec {
    /// The taints of nodes that the pod tolerates.
    #[serde(default, deserialize_with = "bounded::list")]
    pub tolerations: Vec<PodToleration>,
    /// The containers.
    #[serde(default, deserialize_with = "bounded::list")]
    pub containers: Vec<Container>,
}

/// A toleration of a pod.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PodToleration {
    /// The key; empty means every key.
    #[serde(default)]
    pub key: String,
    /// `Exists` or `Equal`; empty means `Equal`.
    #[serde(default)]
    pub operator: String,
    /// The value.
    #[serde(default)]
    pub value: String,
    /// The effect; empty means every effect.
    #[serde(default)]
    pub effect: String,
}

/// A container.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Container {
    /// The name.
    #[serde(default)]
    pub name: String,
    /// The image.
    #[serde(default)]
    pub image: String,
}
