use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::{
    ContainerRuntime, DurationText, IntOrPercent, Kubelet, NodeTaint, bounded, is_default,
    null_is_default,
};

/// A worker pool: machines of one kind, scaled together.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Worker {
    /// The name of the pool; pools are matched by it, never by their position in the list.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub name: String,
    /// Minimum number of machines.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub minimum: i32,
    /// Maximum number of machines.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub maximum: i32,
    /// Type, image and architecture of the machines.
    #[serde(default, deserialize_with = "null_is_default")]
    pub machine: Machine,
    /// The root volume.
    #[serde(skip_serializing)]
    pub volume: Option<Volume>,
    /// Further volumes.
    #[serde(default, deserialize_with = "bounded::list", skip_serializing)]
    pub data_volumes: Vec<Volume>,
    /// The container runtime.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cri: Option<WorkerCri>,
    /// The pool's own version and settings; absent means the Shoot's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kubernetes: Option<WorkerKubernetes>,
    /// `AutoRollingUpdate`, `AutoInPlaceUpdate`, `ManualInPlaceUpdate`, or free text that validation refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_strategy: Option<String>,
    /// The number of additional machines during an update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<IntOrPercent>,
    /// The number of unavailable machines during an update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrPercent>,
    /// Settings of the machine controller manager.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_controller_manager: Option<MachineControllerManager>,
    /// Whether the pool hosts Gardener's own components.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_components: Option<WorkerSystemComponents>,
    /// Set on the pool that hosts the control plane of a self-hosted Shoot.
    #[serde(skip_serializing)]
    pub control_plane: Option<Box<RawValue>>,
    /// Settings that only the infrastructure provider understands.
    #[serde(skip_serializing)]
    pub provider_config: Option<Box<RawValue>>,
    /// The zones of the machines.
    #[serde(default, deserialize_with = "null_is_default", skip_serializing)]
    pub zones: Vec<String>,
    /// Taints of the nodes.
    #[serde(default, deserialize_with = "bounded::list", skip_serializing)]
    pub taints: Vec<NodeTaint>,
}

/// Type, image and architecture of the machines of a [`Worker`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Machine {
    /// The machine type of the CloudProfile.
    #[serde(
        rename = "type",
        default,
        deserialize_with = "null_is_default",
        skip_serializing
    )]
    pub machine_type: String,
    /// The machine image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ShootMachineImage>,
    /// The CPU architecture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
}

/// The machine image of a [`Worker`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootMachineImage {
    /// The image's name in the CloudProfile.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub name: String,
    /// The image's version in the CloudProfile; empty if absent.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub version: String,
    /// Settings that only the operating system's extension understands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_config: Option<Box<RawValue>>,
}

impl PartialEq for ShootMachineImage {
    fn eq(&self, other: &Self) -> bool {
        let config = |image: &Self| image.provider_config.as_ref().map(ToString::to_string);
        self.name == other.name && self.version == other.version && config(self) == config(other)
    }
}

/// A volume of a [`Worker`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Volume {
    /// The name by which other fields refer to it.
    pub name: Option<String>,
    /// The volume type of the CloudProfile; absent and empty are different.
    #[serde(rename = "type")]
    pub volume_type: Option<String>,
    /// The size as written, for example `50Gi`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub size: String,
    /// Whether it is encrypted.
    pub encrypted: Option<bool>,
}

/// The container runtime of a [`Worker`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkerCri {
    /// Its name; `containerd` is the only one today.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub name: String,
    /// Additional container runtimes.
    #[serde(default, deserialize_with = "bounded::list", skip_serializing)]
    pub container_runtimes: Vec<ContainerRuntime>,
}

/// The own version and settings of a [`Worker`], which replace the Shoot's.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct WorkerKubernetes {
    /// The Kubernetes version of the pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The kubelet settings of the pool; they replace all of the Shoot's.
    #[serde(skip_serializing)]
    pub kubelet: Option<Box<Kubelet>>,
}

/// Settings of the machine controller manager for a [`Worker`].
///
/// Gardener's error paths contain `machineControllerManagerSettings` instead.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineControllerManager {
    /// The timeout for draining.
    #[serde(skip_serializing)]
    pub machine_drain_timeout: Option<DurationText>,
    /// The timeout for an unhealthy machine.
    #[serde(skip_serializing)]
    pub machine_health_timeout: Option<DurationText>,
    /// The timeout for a machine to join.
    #[serde(skip_serializing)]
    pub machine_creation_timeout: Option<DurationText>,
    /// The time for which a failed machine is kept.
    #[serde(skip_serializing)]
    pub machine_preserve_timeout: Option<DurationText>,
    /// The timeout for an update in place.
    #[serde(skip_serializing)]
    pub in_place_update_timeout: Option<DurationText>,
    /// Whether unhealthy machines are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disable_health_timeout: Option<bool>,
    /// Maximum number of attempts to evict a pod.
    #[serde(skip_serializing)]
    pub max_evict_retries: Option<i32>,
    /// Maximum number of failed machines that are kept for inspection.
    #[serde(skip_serializing)]
    pub auto_preserve_failed_machine_max: Option<i32>,
}

/// The setting whether a [`Worker`] hosts Gardener's own components.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct WorkerSystemComponents {
    /// Whether it hosts them.
    #[serde(default, deserialize_with = "null_is_default")]
    pub allow: bool,
}

/// The way in which the nodes of a [`Worker`] are updated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UpdateStrategy {
    /// New machines replace the old ones.
    Rolling,
    /// Machines are updated without replacement, automatically.
    AutoInPlace,
    /// Machines are updated without replacement, once their nodes are selected.
    ManualInPlace,
}

impl UpdateStrategy {
    /// Reports whether machines are kept.
    #[must_use]
    pub fn is_in_place(self) -> bool {
        self != UpdateStrategy::Rolling
    }
}

impl Worker {
    /// Returns the strategy; an absent, empty or unknown one counts as rolling.
    ///
    /// Mirrors IsUpdateStrategyInPlace in `pkg/api/core/helper/shoot.go`.
    #[must_use]
    pub fn strategy(&self) -> UpdateStrategy {
        match self.update_strategy.as_deref() {
            Some("AutoInPlaceUpdate") => UpdateStrategy::AutoInPlace,
            Some("ManualInPlaceUpdate") => UpdateStrategy::ManualInPlace,
            _ => UpdateStrategy::Rolling,
        }
    }

    /// Reports whether the pool's machines are updated without replacement.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.strategy().is_in_place()
    }

    /// Returns the pool's own Kubernetes version.
    #[must_use]
    pub fn own_version(&self) -> Option<&str> {
        self.kubernetes.as_ref()?.version.as_deref()
    }

    /// Returns the pool's own kubelet settings.
    #[must_use]
    pub fn own_kubelet(&self) -> Option<&Kubelet> {
        self.kubernetes.as_ref()?.kubelet.as_deref()
    }

    /// Returns the version of the pool's machine image; empty if there is none.
    #[must_use]
    pub fn image_version(&self) -> &str {
        self.machine
            .image
            .as_ref()
            .map_or("", |image| &image.version)
    }
}
