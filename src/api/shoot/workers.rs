//! `spec.provider.workers[]`: pools of machines.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::Constraint::{
    AtLeast, AtMost, Called, DistinctBy, Enum, Filled, Format, LastsAtLeast, MaxBytes, NotEmpty,
};
use crate::api::Format::{DnsLabel, Gibibytes, Pem};
use crate::api::scalar::{DurationText, IntOrPercent};
use crate::api::shared::extensions::Backup;
use crate::api::shared::machines::Cri;
use crate::api::shared::taints::NodeTaint;
use crate::api::shoot::kubelet::KubeletConfig;
use crate::api::{null_is_default, object};

object! {
    /// A pool of machines that are alike.
    #[derive(Serialize)]
    Worker {
        /// Name of the pool; unique in the cluster.
        "name": String required -> name: String => [Format(DnsLabel), MaxBytes(15)];
        /// Type and image of the machines.
        "machine": Machine required -> #[serde(deserialize_with = "null_is_default")] machine: Machine;
        /// Fewest machines.
        "minimum": Integer32 filled -> minimum: i32 => [AtLeast(0.0)];
        /// Most machines.
        "maximum": Integer32 filled -> maximum: i32 => [AtLeast(0.0)];
        /// How many machines, or what part of them, may be added for an update.
        "maxSurge": IntOrString -> #[mutated] max_surge: Option<IntOrPercent>;
        /// How many machines, or what part of them, may be missing during an update.
        "maxUnavailable": IntOrString -> #[mutated] max_unavailable: Option<IntOrPercent>;
        /// How machines are updated: `AutoRollingUpdate`, `AutoInPlaceUpdate` or `ManualInPlaceUpdate`.
        "updateStrategy": String -> #[mutated] update_strategy: Option<String>;
        /// Which pool grows first; the highest.
        "priority": Integer32 => [AtLeast(-1.0)];
        /// Zones that the machines are spread over.
        "zones": [String] -> zones: Vec<String>;
        /// The machines' root disk.
        "volume": Volume -> volume: Option<Volume>;
        /// Further disks.
        "dataVolumes": [DataVolume] -> data_volumes: Vec<Volume> => [DistinctBy("name")];
        /// Name of the further disk that the kubelet keeps its data on.
        "kubeletDataVolumeName": String;
        /// Labels of the nodes.
        "labels": {String};
        /// Annotations of the nodes.
        "annotations": {String};
        /// Taints of the nodes.
        "taints": [NodeTaint] -> taints: Vec<NodeTaint>;
        /// Certificates that the nodes trust, in PEM.
        "caBundle": String => [Format(Pem)];
        /// Container runtimes of the nodes.
        "cri": Cri -> #[mutated] cri: Option<Cri>;
        /// Version of Kubernetes and kubelet of this pool.
        "kubernetes": WorkerKubernetes -> #[mutated] kubernetes: Option<WorkerKubernetes>;
        /// The cluster autoscaler for this pool.
        "clusterAutoscaler": ClusterAutoscalerOptions => [Called("autoscaler")];
        /// How machines are watched over.
        "machineControllerManager": MachineControllerManagerSettings -> #[mutated] machine_controller_manager: Option<MachineControllerManagerSettings>
            => [Called("machineControllerManagerSettings")];
        /// Whether components of the system run here.
        "systemComponents": WorkerSystemComponents -> #[mutated] system_components: Option<WorkerSystemComponents>;
        /// Kernel settings.
        "sysctls": {String};
        /// Marks a pool that runs the control plane of its cluster.
        "controlPlane": WorkerControlPlane -> control_plane: Option<Box<RawValue>>;
        /// What the provider extension reads about this pool.
        "providerConfig": Any -> provider_config: Option<Box<RawValue>>;
    }
}

object! {
    /// Type and image of machines.
    #[derive(PartialEq, Serialize)]
    Machine {
        /// The machine type, one of the profile's.
        "type": String required -> machine_type: String => [Filled];
        /// The machine image; the profile's first one if it is left out.
        "image": ShootMachineImage -> #[mutated] image: Option<ShootMachineImage>;
        /// `amd64` or `arm64`.
        "architecture": String -> #[mutated] architecture: Option<String> => [Enum(&["amd64", "arm64"])];
    }
}

object! {
    /// A machine image.
    #[derive(Serialize)]
    ShootMachineImage {
        /// Its name, one of the profile's.
        "name": String required -> #[mutated] name: String;
        /// Its version; the latest supported one if it is left out.
        "version": String -> #[mutated] version: String;
        /// What the extension of the operating system reads.
        "providerConfig": Any -> #[serde(skip_serializing_if = "Option::is_none")] provider_config: Option<Box<RawValue>>;
    }
}

object! {
    /// The root disk of machines.
    #[derive(PartialEq, Serialize)]
    Volume {
        /// Its size, for example `50Gi`.
        "size": String required -> #[serde(deserialize_with = "null_is_default")] size: String => [Format(Gibibytes)];
        /// Its type, one of the profile's.
        "type": String -> #[serde()] volume_type: Option<String>;
        /// Its name.
        "name": String -> #[serde()] name: Option<String> => [NotEmpty, Format(DnsLabel), MaxBytes(15)];
        /// Whether it is encrypted.
        "encrypted": Boolean -> #[serde()] encrypted: Option<bool>;
    }
}

object! {
    /// A further disk of machines.
    DataVolume {
        /// Its name.
        "name": String required => [Filled, Format(DnsLabel), MaxBytes(15)];
        /// Its size, for example `50Gi`.
        "size": String required => [Format(Gibibytes)];
        /// Its type, one of the profile's.
        "type": String;
        /// Whether it is encrypted.
        "encrypted": Boolean;
    }
}

object! {
    /// Version of Kubernetes and kubelet of one pool.
    #[derive(PartialEq, Serialize)]
    WorkerKubernetes {
        /// Version of Kubernetes; the control plane's if it is left out, and not more than some minor versions behind.
        "version": String -> #[mutated] version: Option<String>;
        /// The kubelet, in place of the whole cluster's settings.
        "kubelet": KubeletConfig -> kubelet: Option<Box<KubeletConfig>>;
    }
}

object! {
    /// Whether components of the system run in a pool.
    #[derive(PartialEq, Serialize)]
    WorkerSystemComponents {
        /// Whether they may.
        "allow": Boolean filled -> #[serde(deserialize_with = "null_is_default")] allow: bool;
    }
}

object! {
    /// The cluster autoscaler for one pool.
    ClusterAutoscalerOptions {
        /// How long it waits for a node.
        "maxNodeProvisionTime": Duration => [LastsAtLeast(0.0)];
        /// How long a node has to be idle before it goes.
        "scaleDownUnneededTime": Duration => [LastsAtLeast(0.0)];
        /// How long a node has to be unready before it goes.
        "scaleDownUnreadyTime": Duration => [LastsAtLeast(0.0)];
        /// Usage below which a node counts as idle, as a fraction.
        "scaleDownUtilizationThreshold": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Usage of GPUs below which a node counts as idle, as a fraction.
        "scaleDownGpuUtilizationThreshold": Number => [AtLeast(0.0), AtMost(1.0)];
    }
}

object! {
    /// How machines of a pool are watched over.
    #[derive(PartialEq, Serialize)]
    MachineControllerManagerSettings {
        /// How long a machine may take to come.
        "machineCreationTimeout": Duration -> machine_creation_timeout: Option<DurationText>;
        /// How long pods may take to leave a machine.
        "machineDrainTimeout": Duration -> machine_drain_timeout: Option<DurationText>;
        /// How long a machine may be unhealthy before it is replaced.
        "machineHealthTimeout": Duration -> machine_health_timeout: Option<DurationText>;
        /// How long a failed machine is kept for inspection.
        "machinePreserveTimeout": Duration -> machine_preserve_timeout: Option<DurationText>;
        /// Most machines that failed and are kept.
        "autoPreserveFailedMachineMax": Integer32 -> auto_preserve_failed_machine_max: Option<i32>;
        /// The timeout for an update in place.
        "inPlaceUpdateTimeout": Duration -> in_place_update_timeout: Option<DurationText>;
        /// Whether unhealthy machines are not replaced.
        "disableHealthTimeout": Boolean -> #[mutated] disable_health_timeout: Option<bool>;
        /// Maximum number of attempts to evict a pod.
        "maxEvictRetries": Integer32 -> max_evict_retries: Option<i32>;
        /// Conditions of nodes that make a machine unhealthy.
        "nodeConditions": [String];
    }
}

object! {
    /// A pool that runs the control plane of its cluster.
    WorkerControlPlane {
        /// Where backups of the control plane go.
        "backup": Backup;
        /// How the control plane is reached.
        "exposure": Exposure;
    }
}

object! {
    /// How the control plane is reached; one of these.
    Exposure {
        /// By DNS records of the nodes.
        "dns": DNSExposure;
        /// By what an extension sets up.
        "extension": ExtensionExposure;
    }
}

object! {
    /// The control plane is reached by DNS records; nothing can be set.
    DNSExposure {}
}

object! {
    /// The control plane is reached by what an extension sets up.
    ExtensionExposure {
        /// The extension; the infrastructure's if it is left out.
        "type": String;
        /// What the extension reads.
        "providerConfig": Any;
    }
}

impl PartialEq for ShootMachineImage {
    fn eq(&self, other: &Self) -> bool {
        let config = |image: &Self| image.provider_config.as_ref().map(ToString::to_string);
        self.name == other.name && self.version == other.version && config(self) == config(other)
    }
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
    pub fn own_kubelet(&self) -> Option<&KubeletConfig> {
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
