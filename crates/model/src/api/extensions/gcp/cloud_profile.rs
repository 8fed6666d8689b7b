// SPDX-License-Identifier: Apache-2.0
//! The CloudProfileConfig of provider-gcp.

use crate::api::Constraint::{Enum, Filled, Since};
use crate::api::{Capabilities, object};

object! {
    /// Machine images on Google Cloud.
    CloudProfileConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Machine images; required in a CloudProfile.
        "machineImages": [MachineImages] -> machine_images: Vec<MachineImages>;
    }
}

object! {
    /// Versions of a machine image.
    MachineImages {
        /// Name of the image in `spec.machineImages`.
        "name": String required -> name: String => [Filled];
        /// Versions of the image. A version may occur once for each architecture.
        "versions": [MachineImageVersion] required -> versions: Vec<MachineImageVersion> => [Filled];
    }
}

object! {
    /// Version of a machine image.
    MachineImageVersion {
        /// Version of the image in `spec.machineImages`.
        "version": String required -> version: String => [Filled];
        /// Path of the image, for example `projects/my-project/global/images/my-image`. Required without `capabilityFlavors`.
        "image": String -> image: String;
        /// CPU architecture of the image. The default is `amd64`.
        "architecture": String -> architecture: Option<String> => [Enum(&["amd64", "arm64"])];
        /// Images of the version by capabilities; only with `spec.machineCapabilities`.
        "capabilityFlavors": [MachineImageFlavor] -> capability_flavors: Vec<MachineImageFlavor> => [Since(50)];
    }
}

object! {
    /// Image of a version with certain capabilities.
    MachineImageFlavor {
        /// Capabilities of the image with their values, for example `architecture: [amd64]`.
        "capabilities": {[String]} -> capabilities: Capabilities;
        /// Path of the image, for example `projects/my-project/global/images/my-image`.
        "image": String required -> image: String => [Filled];
    }
}
