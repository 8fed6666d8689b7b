//! `spec.provider.workers[]`: pools of machines.

use crate::fields::object;
use crate::fields::shared::extensions::Backup;
use crate::fields::shared::machines::Cri;
use crate::fields::shared::taints::NodeTaint;
use crate::fields::shoot::kubelet::KubeletConfig;

object! {
    Worker {
        annotations: {String};
        caBundle: String;
        clusterAutoscaler: ClusterAutoscalerOptions;
        controlPlane: WorkerControlPlane;
        cri: Cri;
        dataVolumes: [DataVolume];
        kubeletDataVolumeName: String;
        kubernetes: WorkerKubernetes;
        labels: {String};
        machine: Machine required;
        machineControllerManager: MachineControllerManagerSettings;
        maxSurge: IntOrString;
        maxUnavailable: IntOrString;
        maximum: Integer32 filled;
        minimum: Integer32 filled;
        name: String required;
        priority: Integer32;
        providerConfig: Any;
        sysctls: {String};
        systemComponents: WorkerSystemComponents;
        taints: [NodeTaint];
        updateStrategy: String;
        volume: Volume;
        zones: [String];
    }
}

object! {
    Machine {
        architecture: String;
        image: ShootMachineImage;
        type: String required;
    }
}

object! {
    ShootMachineImage {
        name: String required;
        providerConfig: Any;
        version: String;
    }
}

object! {
    Volume {
        encrypted: Boolean;
        name: String;
        size: String required;
        type: String;
    }
}

object! {
    DataVolume {
        encrypted: Boolean;
        name: String required;
        size: String required;
        type: String;
    }
}

object! {
    WorkerKubernetes {
        kubelet: KubeletConfig;
        version: String;
    }
}

object! {
    WorkerSystemComponents {
        allow: Boolean filled;
    }
}

object! {
    ClusterAutoscalerOptions {
        maxNodeProvisionTime: Duration;
        scaleDownGpuUtilizationThreshold: Number;
        scaleDownUnneededTime: Duration;
        scaleDownUnreadyTime: Duration;
        scaleDownUtilizationThreshold: Number;
    }
}

object! {
    MachineControllerManagerSettings {
        autoPreserveFailedMachineMax: Integer32;
        disableHealthTimeout: Boolean;
        inPlaceUpdateTimeout: Duration;
        machineCreationTimeout: Duration;
        machineDrainTimeout: Duration;
        machineHealthTimeout: Duration;
        machinePreserveTimeout: Duration;
        maxEvictRetries: Integer32;
        nodeConditions: [String];
    }
}

object! {
    WorkerControlPlane {
        backup: Backup;
        exposure: Exposure;
    }
}

object! {
    Exposure {
        dns: DNSExposure;
        extension: ExtensionExposure;
    }
}

object! {
    DNSExposure {}
}

object! {
    ExtensionExposure {
        providerConfig: Any;
        type: String;
    }
}
