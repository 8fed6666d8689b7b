// SPDX-License-Identifier: Apache-2.0
//! The machine images of a CloudProfile on AWS. Source: `types_cloudprofile.go`.

use crate::api::Constraint::{Since, Until};
use crate::api::{Capabilities, object};

object! {
    /// Machine images of a CloudProfile on AWS.
    #[derive(PartialEq)]
    CloudProfileConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// AMIs of the machine images.
        "machineImages": [MachineImages] required -> machine_images: Vec<MachineImages>;
    }
}

object! {
    /// AMIs of a machine image.
    #[derive(PartialEq)]
    MachineImages {
        /// Name of the image.
        "name": String required -> name: String;
        /// AMIs of its versions.
        "versions": [MachineImageVersion] required -> versions: Vec<MachineImageVersion>;
    }
}

object! {
    /// AMIs of a version of a machine image.
    #[derive(PartialEq)]
    MachineImageVersion {
        /// Version of the image.
        "version": String required -> version: String;
        /// AMIs, by region; only without capability flavors.
        "regions": [RegionAMIMapping] -> regions: Vec<RegionAMIMapping>;
        /// AMIs, by the capabilities of machines; only in profiles with capabilities.
        "capabilityFlavors": [MachineImageFlavor] -> capability_flavors: Vec<MachineImageFlavor> => [Since(65)];
        /// AMIs, by the capabilities of machines.
        "capabilitySets": [CapabilitySet] => [Since(64), Until(64)];
    }
}

object! {
    /// AMIs for machines with certain capabilities.
    #[derive(PartialEq)]
    MachineImageFlavor {
        /// Capabilities of the machines.
        "capabilities": {[String]} required -> capabilities: Capabilities;
        /// AMIs, by region.
        "regions": [RegionAMIMapping] -> regions: Vec<RegionAMIMapping>;
    }
}

object! {
    /// AMIs for machines with certain capabilities.
    CapabilitySet {
        /// Capabilities of the machines.
        "capabilities": {[String]} required;
        /// AMIs, by region.
        "regions": [RegionAMIMapping];
    }
}

object! {
    /// AMI in a region.
    #[derive(PartialEq)]
    RegionAMIMapping {
        /// Name of the region.
        "name": String required -> name: String;
        /// ID of the AMI.
        "ami": String required -> ami: String;
        /// Architecture; `amd64` if absent. Not within capability flavors.
        "architecture": String -> architecture: Option<String>;
    }
}
