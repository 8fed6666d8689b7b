// SPDX-License-Identifier: Apache-2.0
//! The CloudProfileConfig of provider-alicloud.

use crate::api::Constraint::{Filled, Since};
use crate::api::{Capabilities, object};

object! {
    /// Machine images on Alibaba Cloud.
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
        /// Versions of the image.
        "versions": [MachineImageVersion] required -> versions: Vec<MachineImageVersion> => [Filled];
    }
}

object! {
    /// Version of a machine image.
    MachineImageVersion {
        /// Version of the image in `spec.machineImages`.
        "version": String required -> version: String => [Filled];
        /// IDs of the image by region; required without `capabilityFlavors`.
        "regions": [RegionIDMapping] -> regions: Vec<RegionIDMapping>;
        /// Images of the version by capabilities, in place of `regions`; only with `spec.machineCapabilities`.
        "capabilityFlavors": [MachineImageFlavor] -> capability_flavors: Vec<MachineImageFlavor> => [Since(70)];
    }
}

object! {
    /// Image of a version with certain capabilities.
    MachineImageFlavor {
        /// IDs of the image by region.
        "regions": [RegionIDMapping] required -> regions: Vec<RegionIDMapping> => [Filled];
        /// Capabilities of the image with their values, for example `architecture: [amd64]`.
        "capabilities": {[String]} -> capabilities: Capabilities;
    }
}

object! {
    /// ID of an image in a region.
    RegionIDMapping {
        /// Name of the region, for example `eu-central-1`.
        "name": String required -> name: String => [Filled];
        /// ID of the image in the region.
        "id": String required -> id: String => [Filled];
    }
}
