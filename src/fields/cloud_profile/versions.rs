//! Kubernetes versions and machine images on offer.

use crate::fields::object;
use crate::fields::shared::machines::Cri;

object! {
    /// Versions of Kubernetes.
    KubernetesSettings {
        /// The versions.
        versions: [ExpirableVersion; by version];
    }
}

object! {
    /// A version on offer.
    ExpirableVersion {
        /// The version.
        version: String required;
        /// `preview`, `supported` or `deprecated`; `lifecycle` takes its place.
        classification: String;
        /// From when on it cannot be used; `lifecycle` takes its place.
        expirationDate: Time;
        /// When it is worth what.
        lifecycle: [LifecycleStage];
    }
}

object! {
    /// What a version is worth from some time on.
    LifecycleStage {
        /// `unavailable`, `preview`, `supported`, `deprecated` or `expired`.
        classification: String required;
        /// From when on; since ever, if it is left out.
        startTime: Time;
    }
}

object! {
    /// A machine image.
    MachineImage {
        /// Its name.
        name: String required;
        /// Which version maintenance updates to: `patch`, `minor` or `major`.
        updateStrategy: String;
        /// Its versions.
        versions: [MachineImageVersion; by version] required;
    }
}

object! {
    /// A version of a machine image.
    MachineImageVersion {
        /// The version.
        version: String required;
        /// `preview`, `supported` or `deprecated`; `lifecycle` takes its place.
        classification: String;
        /// From when on it cannot be used; `lifecycle` takes its place.
        expirationDate: Time;
        /// When it is worth what.
        lifecycle: [LifecycleStage];
        /// Architectures that it runs on.
        architectures: [String];
        /// Combinations of capabilities that it comes in.
        capabilityFlavors: [{[String]}];
        /// Container runtimes that it has.
        cri: [Cri];
        /// Whether machines can be updated to it in place.
        inPlaceUpdates: InPlaceUpdates;
        /// Versions of the kubelet that it works with, for example `>= 1.32`.
        kubeletVersionConstraint: String;
    }
}

object! {
    /// Whether machines can be updated to a version in place.
    InPlaceUpdates {
        /// Whether they can.
        supported: Boolean filled;
        /// The oldest version that can be updated so.
        minVersionForUpdate: String;
    }
}

object! {
    /// Machines for access by SSH.
    Bastion {
        /// Their image.
        machineImage: BastionMachineImage;
        /// Their type.
        machineType: BastionMachineType;
    }
}

object! {
    /// Image of machines for access by SSH.
    BastionMachineImage {
        /// Its name.
        name: String required;
        /// Its version; the latest supported one if it is left out.
        version: String;
    }
}

object! {
    /// Type of machines for access by SSH.
    BastionMachineType {
        /// Its name.
        name: String required;
    }
}
