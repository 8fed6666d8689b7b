//! Kubernetes versions and machine images on offer.

use crate::fields::object;
use crate::fields::shared::machines::Cri;

object! {
    KubernetesSettings {
        versions: [ExpirableVersion; by version];
    }
}

object! {
    ExpirableVersion {
        classification: String;
        expirationDate: Time;
        lifecycle: [LifecycleStage];
        version: String required;
    }
}

object! {
    LifecycleStage {
        classification: String required;
        startTime: Time;
    }
}

object! {
    MachineImage {
        name: String required;
        updateStrategy: String;
        versions: [MachineImageVersion; by version] required;
    }
}

object! {
    MachineImageVersion {
        architectures: [String];
        capabilityFlavors: [{[String]}];
        classification: String;
        cri: [Cri];
        expirationDate: Time;
        inPlaceUpdates: InPlaceUpdates;
        kubeletVersionConstraint: String;
        lifecycle: [LifecycleStage];
        version: String required;
    }
}

object! {
    InPlaceUpdates {
        minVersionForUpdate: String;
        supported: Boolean filled;
    }
}

object! {
    Bastion {
        machineImage: BastionMachineImage;
        machineType: BastionMachineType;
    }
}

object! {
    BastionMachineImage {
        name: String required;
        version: String;
    }
}

object! {
    BastionMachineType {
        name: String required;
    }
}
