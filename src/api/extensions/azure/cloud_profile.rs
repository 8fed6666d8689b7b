//! The CloudProfileConfig of provider-azure.

use crate::api::Constraint::{AtLeast, Enum, Filled, NotEmpty, Since};
use crate::api::object;

object! {
    /// Machine images, machine types and regions on Azure.
    CloudProfileConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Update domains of each region; required in a CloudProfile, and forbidden in a NamespacedCloudProfile.
        "countUpdateDomains": [DomainCount];
        /// Fault domains of each region; required in a CloudProfile, and forbidden in a NamespacedCloudProfile.
        "countFaultDomains": [DomainCount];
        /// Machine images; required in a CloudProfile.
        "machineImages": [MachineImages];
        /// Machine types with properties that are specific to Azure.
        "machineTypes": [MachineType];
        /// Cloud of the regions; forbidden in a NamespacedCloudProfile.
        "cloudConfiguration": CloudConfiguration;
    }
}

object! {
    /// Cloud, for example the public one.
    CloudConfiguration {
        /// Name of the cloud, for example `AzurePublic` or `AzureChina`.
        "name": String;
    }
}

object! {
    /// Number of domains in a region.
    DomainCount {
        /// Name of the region, for example `westeurope`.
        "region": String required => [Filled];
        /// Number of domains.
        "count": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// Versions of a machine image.
    MachineImages {
        /// Name of the image in `spec.machineImages`.
        "name": String required => [Filled];
        /// Versions of the image. A version may occur once for each architecture.
        "versions": [MachineImageVersion] required => [Filled];
    }
}

object! {
    /// Version of a machine image. Without `capabilityFlavors`, exactly one URN or ID must be set.
    MachineImageVersion {
        /// Version of the image in `spec.machineImages`.
        "version": String required => [Filled];
        /// Skips the check of the marketplace agreement.
        "skipMarketplaceAgreement": Boolean => [Since(45)];
        /// Declares that the image supports accelerated networking.
        "acceleratedNetworking": Boolean;
        /// CPU architecture of the image. The default is `amd64`.
        "architecture": String => [Enum(&["amd64", "arm64"])];
        /// Images of the version by capabilities; only with `spec.machineCapabilities`.
        "capabilityFlavors": [MachineImageFlavor] => [Since(58)];
        /// URN of a marketplace image, as `publisher:offer:sku:version`.
        "urn": String => [NotEmpty];
        /// Resource ID of an image.
        "id": String => [NotEmpty];
        /// ID in a community gallery, as `/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "communityGalleryImageID": String => [NotEmpty];
        /// ID in a shared gallery, as `/SharedGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "sharedGalleryImageID": String => [NotEmpty];
    }
}

object! {
    /// Image of a version with certain capabilities. Exactly one URN or ID must be set.
    MachineImageFlavor {
        /// Skips the check of the marketplace agreement.
        "skipMarketplaceAgreement": Boolean;
        /// Capabilities of the image with their values, for example `architecture: [amd64]`.
        "capabilities": {[String]};
        /// URN of a marketplace image, as `publisher:offer:sku:version`.
        "urn": String => [NotEmpty];
        /// Resource ID of an image.
        "id": String => [NotEmpty];
        /// ID in a community gallery, as `/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "communityGalleryImageID": String => [NotEmpty];
        /// ID in a shared gallery, as `/SharedGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "sharedGalleryImageID": String => [NotEmpty];
    }
}

object! {
    /// Machine type with properties that are specific to Azure.
    MachineType {
        /// Name of the machine type in `spec.machineTypes`.
        "name": String;
        /// Declares that the machine type supports accelerated networking.
        "acceleratedNetworking": Boolean;
    }
}
