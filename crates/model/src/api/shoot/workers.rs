// SPDX-License-Identifier: Apache-2.0
//! `spec.provider.workers[]`: worker pools.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::Constraint::{
    AtLeast, AtMost, Called, DistinctBy, Enum, Filled, Format, LastsAtLeast, MaxBytes, NotEmpty,
    Since,
};
use crate::api::Format::{DnsLabel, Gibibytes, Pem};
use crate::api::object;
use crate::api::scalar::{DurationText, IntOrPercent};
use crate::api::shared::extensions::Backup;
use crate::api::shared::machines::Cri;
use crate::api::shared::taints::NodeTaint;
use crate::api::shoot::kubelet::KubeletConfig;

object! {
    /// Pool of identical machines.
    #[derive(Serialize)]
    Worker {
        /// Name of the pool; unique in the cluster.
        "name": String required -> name: String => [Format(DnsLabel), MaxBytes(15)];
        /// Machine type and image.
        "machine": Machine required -> #[serialized] machine: Machine;
        /// Minimum number of machines.
        "minimum": Integer32 filled -> minimum: i32 => [AtLeast(0.0)];
        /// Maximum number of machines.
        "maximum": Integer32 filled -> maximum: i32 => [AtLeast(0.0)];
        /// Maximum number or percentage of additional machines during an update.
        "maxSurge": IntOrString -> #[mutated] max_surge: Option<IntOrPercent>;
        /// Maximum number or percentage of unavailable machines during an update.
        "maxUnavailable": IntOrString -> #[mutated] max_unavailable: Option<IntOrPercent>;
        /// Update strategy: `AutoRollingUpdate`, `AutoInPlaceUpdate` or `ManualInPlaceUpdate`.
        "updateStrategy": String -> #[mutated] update_strategy: Option<String>;
        /// Priority of the pool when the cluster autoscaler scales up; higher values first.
        "priority": Integer32 => [AtLeast(-1.0)];
        /// Availability zones of the machines.
        "zones": [String] -> zones: Vec<String>;
        /// Root volume of the machines.
        "volume": Volume -> volume: Option<Volume>;
        /// Data volumes of the machines.
        "dataVolumes": [DataVolume] -> data_volumes: Vec<Volume> => [DistinctBy("name")];
        /// Name of the data volume that stores the kubelet's data.
        "kubeletDataVolumeName": String;
        /// Labels of the nodes.
        "labels": {String};
        /// Annotations of the nodes.
        "annotations": {String};
        /// Taints of the nodes.
        "taints": [NodeTaint] -> taints: Vec<NodeTaint>;
        /// CA certificates that the nodes trust, in PEM.
        "caBundle": String => [Format(Pem)];
        /// Container runtime interface (CRI) and container runtimes of the nodes.
        "cri": Cri -> #[mutated] cri: Option<Cri>;
        /// Kubernetes version and kubelet configuration of the pool.
        "kubernetes": WorkerKubernetes -> #[mutated] kubernetes: Option<WorkerKubernetes>;
        /// Cluster autoscaler settings for the pool.
        "clusterAutoscaler": ClusterAutoscalerOptions => [Called("autoscaler")];
        /// Settings of the machine-controller-manager for the pool.
        "machineControllerManager": MachineControllerManagerSettings -> #[mutated] machine_controller_manager: Option<MachineControllerManagerSettings>
            => [Called("machineControllerManagerSettings")];
        /// Placement of system components on the pool.
        "systemComponents": WorkerSystemComponents -> #[mutated] system_components: Option<WorkerSystemComponents>;
        /// Kernel parameters (sysctls) of the nodes.
        "sysctls": {String};
        /// Marks the pool that runs the control plane of its cluster.
        "controlPlane": WorkerControlPlane -> control_plane: Option<Box<RawValue>>;
        /// Provider-specific configuration of the pool.
        "providerConfig": Any -> provider_config: Option<Box<RawValue>>;
    }
}

object! {
    /// Machine type and image.
    #[derive(PartialEq, Serialize)]
    Machine {
        /// Name of a machine type in the CloudProfile.
        "type": String required -> machine_type: String => [Filled];
        /// Machine image; the first image in the CloudProfile if omitted.
        "image": ShootMachineImage -> #[mutated] image: Option<ShootMachineImage>;
        /// CPU architecture: `amd64` or `arm64`.
        "architecture": String -> #[mutated] architecture: Option<String> => [Enum(&["amd64", "arm64"])];
    }
}

object! {
    /// Machine image of a pool.
    #[derive(Serialize)]
    ShootMachineImage {
        /// Name of a machine image in the CloudProfile.
        "name": String required -> #[mutated] name: String;
        /// Version of the image; the latest supported version if omitted.
        "version": String -> #[mutated] version: String;
        /// Configuration of the operating system extension.
        "providerConfig": Any -> #[serde(skip_serializing_if = "Option::is_none")] provider_config: Option<Box<RawValue>>;
    }
}

object! {
    /// Root volume of machines.
    #[derive(PartialEq, Serialize)]
    Volume {
        /// Size of the volume, for example `50Gi`.
        "size": String required -> #[serialized] size: String => [Format(Gibibytes)];
        /// Name of a volume type in the CloudProfile.
        "type": String -> #[serialized] volume_type: Option<String>;
        /// Name of the volume.
        "name": String -> #[serialized] name: Option<String> => [NotEmpty, Format(DnsLabel), MaxBytes(15)];
        /// Enables encryption of the volume.
        "encrypted": Boolean -> #[serialized] encrypted: Option<bool>;
    }
}

object! {
    /// Data volume of machines.
    DataVolume {
        /// Name of the data volume.
        "name": String required => [Filled, Format(DnsLabel), MaxBytes(15)];
        /// Size of the data volume, for example `50Gi`.
        "size": String required => [Format(Gibibytes)];
        /// Name of a volume type in the CloudProfile.
        "type": String;
        /// Enables encryption of the data volume.
        "encrypted": Boolean;
    }
}

object! {
    /// Kubernetes version and kubelet configuration of a pool.
    #[derive(PartialEq, Serialize)]
    WorkerKubernetes {
        /// Kubernetes version; that of the control plane if omitted, and at most some minor versions behind it.
        "version": String -> #[mutated] version: Option<String>;
        /// Kubelet configuration; replaces that of the whole cluster.
        "kubelet": KubeletConfig -> kubelet: Option<Box<KubeletConfig>>;
    }
}

object! {
    /// Placement of system components on a pool.
    #[derive(PartialEq, Serialize)]
    WorkerSystemComponents {
        /// Allows system components on the pool.
        "allow": Boolean filled -> #[serialized] allow: bool;
    }
}

object! {
    /// Cluster autoscaler settings for a pool.
    ClusterAutoscalerOptions {
        /// Maximum time to wait for a node to be provisioned.
        "maxNodeProvisionTime": Duration => [LastsAtLeast(0.0)];
        /// Time for which a node must be unneeded before it is removed.
        "scaleDownUnneededTime": Duration => [LastsAtLeast(0.0)];
        /// Time for which a node must be unready before it is removed.
        "scaleDownUnreadyTime": Duration => [LastsAtLeast(0.0)];
        /// Utilization below which a node is considered for removal, as a fraction.
        "scaleDownUtilizationThreshold": Number => [AtLeast(0.0), AtMost(1.0)];
        /// GPU utilization below which a node is considered for removal, as a fraction.
        "scaleDownGpuUtilizationThreshold": Number => [AtLeast(0.0), AtMost(1.0)];
    }
}

object! {
    /// Settings of the machine-controller-manager for a pool.
    #[derive(PartialEq, Serialize)]
    MachineControllerManagerSettings {
        /// Timeout for the creation of a machine.
        "machineCreationTimeout": Duration -> machine_creation_timeout: Option<DurationText>;
        /// Timeout for draining a machine.
        "machineDrainTimeout": Duration -> machine_drain_timeout: Option<DurationText>;
        /// Period after which an unhealthy machine is replaced.
        "machineHealthTimeout": Duration -> machine_health_timeout: Option<DurationText>;
        /// Period for which a failed machine is kept for inspection.
        "machinePreserveTimeout": Duration -> machine_preserve_timeout: Option<DurationText> => [Since(147)];
        /// Maximum number of failed machines that are kept.
        "autoPreserveFailedMachineMax": Integer32 -> auto_preserve_failed_machine_max: Option<i32> => [Since(147)];
        /// Timeout for an in-place update.
        "inPlaceUpdateTimeout": Duration -> in_place_update_timeout: Option<DurationText>;
        /// Disables the replacement of unhealthy machines.
        "disableHealthTimeout": Boolean -> #[mutated] disable_health_timeout: Option<bool>;
        /// Maximum number of attempts to evict a pod.
        "maxEvictRetries": Integer32 -> max_evict_retries: Option<i32>;
        /// Node conditions that mark a machine as unhealthy.
        "nodeConditions": [String];
    }
}

object! {
    /// Pool that runs the control plane of its cluster.
    WorkerControlPlane {
        /// Backup of the control plane's etcd.
        "backup": Backup;
        /// Exposure of the control plane.
        "exposure": Exposure;
    }
}

object! {
    /// Exposure of the control plane; set one of the fields.
    Exposure {
        /// Exposure by DNS records of the nodes.
        "dns": DNSExposure;
        /// Exposure by an extension.
        "extension": ExtensionExposure;
    }
}

object! {
    /// Exposure of the control plane by DNS records; it has no settings.
    DNSExposure {}
}

object! {
    /// Exposure of the control plane by an extension.
    ExtensionExposure {
        /// Type of the extension; the infrastructure provider's if omitted.
        "type": String;
        /// Extension-specific configuration.
        "providerConfig": Any;
    }
}

impl PartialEq for ShootMachineImage {
    fn eq(&self, other: &Self) -> bool {
        let config = |image: &Self| image.provider_config.as_ref().map(ToString::to_string);
        self.name == other.name && self.version == other.version && config(self) == config(other)
    }
}

/// The way in which the nodes of a `Worker` are updated.
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
    /// The names of all strategies.
    pub const NAMES: [&'static str; 3] =
        ["AutoInPlaceUpdate", "AutoRollingUpdate", "ManualInPlaceUpdate"];

    /// Reports whether machines are kept.
    pub fn is_in_place(self) -> bool {
        self != UpdateStrategy::Rolling
    }
}

impl Worker {
    /// Reports whether an update in place replaces as many nodes as `maxSurge` instead of updating them.
    pub fn replaces_surge(&self) -> bool {
        let is_automatic = self.strategy() == UpdateStrategy::AutoInPlace;
        is_automatic
            && match &self.max_surge {
                None => false,
                Some(IntOrPercent::Int(number)) => *number > 0,
                Some(text) => text.percent().is_some_and(|it| it > 0),
            }
    }

    /// Returns the strategy; an absent, empty or unknown one counts as rolling.
    ///
    /// Mirrors IsUpdateStrategyInPlace in `pkg/api/core/helper/shoot.go`.
    pub fn strategy(&self) -> UpdateStrategy {
        match self.update_strategy.as_deref() {
            Some("AutoInPlaceUpdate") => UpdateStrategy::AutoInPlace,
            Some("ManualInPlaceUpdate") => UpdateStrategy::ManualInPlace,
            _ => UpdateStrategy::Rolling,
        }
    }

    /// Reports whether the pool's machines are updated without replacement.
    pub fn is_in_place(&self) -> bool {
        self.strategy().is_in_place()
    }

    /// Returns the pool's own Kubernetes version.
    pub fn own_version(&self) -> Option<&str> {
        self.kubernetes.as_ref()?.version.as_deref()
    }

    /// Returns the pool's own kubelet settings.
    pub fn own_kubelet(&self) -> Option<&KubeletConfig> {
        self.kubernetes.as_ref()?.kubelet.as_deref()
    }

    /// Returns the version of the pool's machine image; empty if there is none.
    pub fn image_version(&self) -> &str {
        self.machine.image.as_ref().map_or("", |image| &image.version)
    }
}
