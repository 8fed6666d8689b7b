//! The WorkerConfig of provider-azure.

use crate::api::Constraint::{Enum, NotEmpty, Since};
use crate::api::object;

object! {
    /// Machines of a worker pool on Azure.
    WorkerConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Resources of a node, with which the cluster autoscaler scales the pool from zero.
        "nodeTemplate": NodeTemplate;
        /// Boot diagnostics of the machines.
        "diagnosticsProfile": DiagnosticsProfile => [Since(45)];
        /// Settings of the OS disk.
        "volume": Volume => [Since(56)];
        /// Settings of individual data volumes.
        "dataVolumes": [DataVolume] => [Since(48)];
        /// Capacity reservation for the machines.
        "capacityReservation": CapacityReservation => [Since(57)];
    }
}

object! {
    /// Resources of a node.
    NodeTemplate {
        /// Capacity by resource name, for example `cpu`, `gpu` and `memory`.
        "capacity": {Quantity};
        /// Capacity of virtual extended resources by resource name, in whole numbers.
        "virtualCapacity": {Quantity} => [Since(53)];
    }
}

object! {
    /// Boot diagnostics of the machines.
    DiagnosticsProfile {
        /// Stores console output and screenshots.
        "enabled": Boolean;
        /// URI of the storage account, for example `https://myaccount.blob.core.windows.net/`. The default is a managed account.
        "storageURI": String => [NotEmpty];
    }
}

object! {
    /// Settings of the OS disk.
    Volume {
        /// Host caching of the disk.
        "caching": String => [Enum(&["None", "ReadOnly", "ReadWrite"])];
    }
}

object! {
    /// Settings of a data volume.
    DataVolume {
        /// Name of the volume in `dataVolumes` of the worker pool.
        "name": String;
        /// Image for the initial content of the disk.
        "imageRef": Image;
    }
}

object! {
    /// Image on Azure.
    Image {
        /// URN of a marketplace image, as `publisher:offer:sku:version`.
        "urn": String => [NotEmpty];
        /// Resource ID of an image.
        "id": String;
        /// ID in a community gallery, as `/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "communityGalleryImageID": String => [NotEmpty];
        /// ID in a shared gallery, as `/SharedGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "sharedGalleryImageID": String => [NotEmpty];
    }
}

object! {
    /// Capacity reservation for the machines.
    CapacityReservation {
        /// Resource ID of the capacity reservation group.
        "capacityReservationGroupID": String;
    }
}
