//! `spec.provider.workers[]`: pools of machines.

use crate::fields::Constraint::{
    AtLeast, AtMost, Called, DistinctBy, Enum, Filled, Format, LastsAtLeast, MaxBytes, NotEmpty,
};
use crate::fields::Format::{DnsLabel, Gibibytes, Pem};
use crate::fields::object;
use crate::fields::shared::extensions::Backup;
use crate::fields::shared::machines::Cri;
use crate::fields::shared::taints::NodeTaint;
use crate::fields::shoot::kubelet::KubeletConfig;

object! {
    /// A pool of machines that are alike.
    Worker {
        /// Name of the pool; unique in the cluster.
        name: String required => [Format(DnsLabel), MaxBytes(15)];
        /// Type and image of the machines.
        machine: Machine required;
        /// Fewest machines.
        minimum: Integer32 filled => [AtLeast(0.0)];
        /// Most machines.
        maximum: Integer32 filled => [AtLeast(0.0)];
        /// How many machines, or what part of them, may be added for an update.
        maxSurge: IntOrString;
        /// How many machines, or what part of them, may be missing during an update.
        maxUnavailable: IntOrString;
        /// How machines are updated: `AutoRollingUpdate`, `AutoInPlaceUpdate` or `ManualInPlaceUpdate`.
        updateStrategy: String;
        /// Which pool grows first; the highest.
        priority: Integer32 => [AtLeast(-1.0)];
        /// Zones that the machines are spread over.
        zones: [String];
        /// The machines' root disk.
        volume: Volume;
        /// Further disks.
        dataVolumes: [DataVolume] => [DistinctBy("name")];
        /// Name of the further disk that the kubelet keeps its data on.
        kubeletDataVolumeName: String;
        /// Labels of the nodes.
        labels: {String};
        /// Annotations of the nodes.
        annotations: {String};
        /// Taints of the nodes.
        taints: [NodeTaint];
        /// Certificates that the nodes trust, in PEM.
        caBundle: String => [Format(Pem)];
        /// Container runtimes of the nodes.
        cri: Cri;
        /// Version of Kubernetes and kubelet of this pool.
        kubernetes: WorkerKubernetes;
        /// The cluster autoscaler for this pool.
        clusterAutoscaler: ClusterAutoscalerOptions => [Called("autoscaler")];
        /// How machines are watched over.
        machineControllerManager: MachineControllerManagerSettings => [Called("machineControllerManagerSettings")];
        /// Whether components of the system run here.
        systemComponents: WorkerSystemComponents;
        /// Kernel settings.
        sysctls: {String};
        /// Marks a pool that runs the control plane of its cluster.
        controlPlane: WorkerControlPlane;
        /// What the provider extension reads about this pool.
        providerConfig: Any;
    }
}

object! {
    /// Type and image of machines.
    Machine {
        /// The machine type, one of the profile's.
        type: String required => [Filled];
        /// The machine image; the profile's first one if it is left out.
        image: ShootMachineImage;
        /// `amd64` or `arm64`.
        architecture: String => [Enum(&["amd64", "arm64"])];
    }
}

object! {
    /// A machine image.
    ShootMachineImage {
        /// Its name, one of the profile's.
        name: String required;
        /// Its version; the latest supported one if it is left out.
        version: String;
        /// What the extension of the operating system reads.
        providerConfig: Any;
    }
}

object! {
    /// The root disk of machines.
    Volume {
        /// Its size, for example `50Gi`.
        size: String required => [Format(Gibibytes)];
        /// Its type, one of the profile's.
        type: String;
        /// Its name.
        name: String => [NotEmpty, Format(DnsLabel), MaxBytes(15)];
        /// Whether it is encrypted.
        encrypted: Boolean;
    }
}

object! {
    /// A further disk of machines.
    DataVolume {
        /// Its name.
        name: String required => [Filled, Format(DnsLabel), MaxBytes(15)];
        /// Its size, for example `50Gi`.
        size: String required => [Format(Gibibytes)];
        /// Its type, one of the profile's.
        type: String;
        /// Whether it is encrypted.
        encrypted: Boolean;
    }
}

object! {
    /// Version of Kubernetes and kubelet of one pool.
    WorkerKubernetes {
        /// Version of Kubernetes; the control plane's if it is left out, and not more than some minor versions behind.
        version: String;
        /// The kubelet, in place of the whole cluster's settings.
        kubelet: KubeletConfig;
    }
}

object! {
    /// Whether components of the system run in a pool.
    WorkerSystemComponents {
        /// Whether they may.
        allow: Boolean filled;
    }
}

object! {
    /// The cluster autoscaler for one pool.
    ClusterAutoscalerOptions {
        /// How long it waits for a node.
        maxNodeProvisionTime: Duration => [LastsAtLeast(0.0)];
        /// How long a node has to be idle before it goes.
        scaleDownUnneededTime: Duration => [LastsAtLeast(0.0)];
        /// How long a node has to be unready before it goes.
        scaleDownUnreadyTime: Duration => [LastsAtLeast(0.0)];
        /// Usage below which a node counts as idle, as a fraction.
        scaleDownUtilizationThreshold: Number => [AtLeast(0.0), AtMost(1.0)];
        /// Usage of GPUs below which a node counts as idle, as a fraction.
        scaleDownGpuUtilizationThreshold: Number => [AtLeast(0.0), AtMost(1.0)];
    }
}

object! {
    /// How machines of a pool are watched over.
    MachineControllerManagerSettings {
        /// How long a machine may take to come.
        machineCreationTimeout: Duration;
        /// How long pods may take to leave a machine.
        machineDrainTimeout: Duration;
        /// How long a machine may be unhealthy before it is replaced.
        machineHealthTimeout: Duration;
        /// How long a failed machine is kept for inspection.
        machinePreserveTimeout: Duration;
        /// Most machines that failed and are kept.
        autoPreserveFailedMachineMax: Integer32;
        /// The timeout for an update in place.
        inPlaceUpdateTimeout: Duration;
        /// Whether unhealthy machines are not replaced.
        disableHealthTimeout: Boolean;
        /// Maximum number of attempts to evict a pod.
        maxEvictRetries: Integer32;
        /// Conditions of nodes that make a machine unhealthy.
        nodeConditions: [String];
    }
}

object! {
    /// A pool that runs the control plane of its cluster.
    WorkerControlPlane {
        /// Where backups of the control plane go.
        backup: Backup;
        /// How the control plane is reached.
        exposure: Exposure;
    }
}

object! {
    /// How the control plane is reached; one of these.
    Exposure {
        /// By DNS records of the nodes.
        dns: DNSExposure;
        /// By what an extension sets up.
        extension: ExtensionExposure;
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
        type: String;
        /// What the extension reads.
        providerConfig: Any;
    }
}
