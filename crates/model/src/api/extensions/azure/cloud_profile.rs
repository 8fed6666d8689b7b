// SPDX-License-Identifier: Apache-2.0
//! The CloudProfileConfig of provider-azure.

use crate::api::Constraint::{AtLeast, Enum, Filled, NotEmpty, Since};
use crate::api::{Capabilities, object};

object! {
    /// Machine images, machine types and regions on Azure.
    CloudProfileConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Update domains of each region; required in a CloudProfile, and forbidden in a NamespacedCloudProfile.
        "countUpdateDomains": [DomainCount] -> count_update_domains: Vec<DomainCount>;
        /// Fault domains of each region; required in a CloudProfile, and forbidden in a NamespacedCloudProfile.
        "countFaultDomains": [DomainCount] -> count_fault_domains: Vec<DomainCount>;
        /// Machine images; required in a CloudProfile.
        "machineImages": [MachineImages] -> machine_images: Vec<MachineImages>;
        /// Machine types with properties that are specific to Azure.
        "machineTypes": [MachineType] -> machine_types: Vec<MachineType>;
        /// Cloud of the regions; forbidden in a NamespacedCloudProfile.
        "cloudConfiguration": CloudConfiguration -> cloud_configuration: Option<CloudConfiguration>;
    }
}

object! {
    /// Cloud, for example the public one.
    CloudConfiguration {
        /// Name of the cloud, for example `AzurePublic` or `AzureChina`.
        "name": String -> name: String;
    }
}

object! {
    /// Number of domains in a region.
    DomainCount {
        /// Name of the region, for example `westeurope`.
        "region": String required -> region: String => [Filled];
        /// Number of domains.
        "count": Integer32 -> count: i32 => [AtLeast(0.0)];
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
    /// Version of a machine image. Without `capabilityFlavors`, exactly one URN or ID must be set.
    MachineImageVersion {
        /// Version of the image in `spec.machineImages`.
        "version": String required -> version: String => [Filled];
        /// Skips the check of the marketplace agreement.
        "skipMarketplaceAgreement": Boolean => [Since(45)];
        /// Declares that the image supports accelerated networking.
        "acceleratedNetworking": Boolean -> accelerated_networking: Option<bool>;
        /// CPU architecture of the image. The default is `amd64`.
        "architecture": String -> architecture: Option<String> => [Enum(&["amd64", "arm64"])];
        /// Images of the version by capabilities; only with `spec.machineCapabilities`.
        "capabilityFlavors": [MachineImageFlavor] -> capability_flavors: Vec<MachineImageFlavor> => [Since(58)];
        /// URN of a marketplace image, as `publisher:offer:sku:version`.
        "urn": String -> urn: Option<String> => [NotEmpty];
        /// Resource ID of an image.
        "id": String -> id: Option<String> => [NotEmpty];
        /// ID in a community gallery, as `/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "communityGalleryImageID": String -> community_gallery_image_id: Option<String> => [NotEmpty];
        /// ID in a shared gallery, as `/SharedGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "sharedGalleryImageID": String -> shared_gallery_image_id: Option<String> => [NotEmpty];
    }
}

object! {
    /// Image of a version with certain capabilities. Exactly one URN or ID must be set.
    MachineImageFlavor {
        /// Skips the check of the marketplace agreement.
        "skipMarketplaceAgreement": Boolean;
        /// Capabilities of the image with their values, for example `architecture: [amd64]`.
        "capabilities": {[String]} -> capabilities: Capabilities;
        /// URN of a marketplace image, as `publisher:offer:sku:version`.
        "urn": String -> urn: Option<String> => [NotEmpty];
        /// Resource ID of an image.
        "id": String -> id: Option<String> => [NotEmpty];
        /// ID in a community gallery, as `/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "communityGalleryImageID": String -> community_gallery_image_id: Option<String> => [NotEmpty];
        /// ID in a shared gallery, as `/SharedGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "sharedGalleryImageID": String -> shared_gallery_image_id: Option<String> => [NotEmpty];
    }
}

object! {
    /// Machine type with properties that are specific to Azure.
    MachineType {
        /// Name of the machine type in `spec.machineTypes`.
        "name": String -> name: String;
        /// Declares that the machine type supports accelerated networking.
        "acceleratedNetworking": Boolean;
    }
}
