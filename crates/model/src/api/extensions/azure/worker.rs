// SPDX-License-Identifier: Apache-2.0
//! The WorkerConfig of provider-azure.

use std::collections::BTreeMap;

use crate::api::Constraint::{Enum, NotEmpty, Since};
use crate::api::object;
use garden_gate_text::go::Quantity;

object! {
    /// Machines of a worker pool on Azure.
    WorkerConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Resources of a node, with which the cluster autoscaler scales the pool from zero.
        "nodeTemplate": NodeTemplate -> node_template: Option<NodeTemplate>;
        /// Boot diagnostics of the machines.
        "diagnosticsProfile": DiagnosticsProfile -> diagnostics_profile: Option<DiagnosticsProfile> => [Since(45)];
        /// Settings of the OS disk.
        "volume": Volume -> volume: Option<Volume> => [Since(56)];
        /// Settings of individual data volumes.
        "dataVolumes": [DataVolume] -> data_volumes: Vec<DataVolume> => [Since(48)];
        /// Capacity reservation for the machines.
        "capacityReservation": CapacityReservation -> capacity_reservation: Option<CapacityReservation> => [Since(57)];
    }
}

object! {
    /// Resources of a node.
    NodeTemplate {
        /// Capacity by resource name, for example `cpu`, `gpu` and `memory`.
        "capacity": {Quantity} -> capacity: BTreeMap<String, Option<Quantity>>;
        /// Capacity of virtual extended resources by resource name, in whole numbers.
        "virtualCapacity": {Quantity} -> virtual_capacity: BTreeMap<String, Option<Quantity>> => [Since(53)];
    }
}

object! {
    /// Boot diagnostics of the machines.
    DiagnosticsProfile {
        /// Stores console output and screenshots.
        "enabled": Boolean;
        /// URI of the storage account, for example `https://myaccount.blob.core.windows.net/`. The default is a managed account.
        "storageURI": String -> storage_uri: Option<String> => [NotEmpty];
    }
}

object! {
    /// Settings of the OS disk.
    Volume {
        /// Host caching of the disk.
        "caching": String -> caching: Option<String> => [Enum(&["None", "ReadOnly", "ReadWrite"])];
    }
}

object! {
    /// Settings of a data volume.
    DataVolume {
        /// Name of the volume in `dataVolumes` of the worker pool.
        "name": String -> name: String;
        /// Image for the initial content of the disk.
        "imageRef": Image -> image_ref: Option<Image>;
    }
}

object! {
    /// Image on Azure.
    #[derive(PartialEq)]
    Image {
        /// URN of a marketplace image, as `publisher:offer:sku:version`.
        "urn": String -> urn: Option<String> => [NotEmpty];
        /// Resource ID of an image.
        "id": String -> id: Option<String>;
        /// ID in a community gallery, as `/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "communityGalleryImageID": String -> community_gallery_image_id: Option<String> => [NotEmpty];
        /// ID in a shared gallery, as `/SharedGalleries/<gallery>/Images/<image>/Versions/<version>`.
        "sharedGalleryImageID": String -> shared_gallery_image_id: Option<String> => [NotEmpty];
    }
}

object! {
    /// Capacity reservation for the machines.
    CapacityReservation {
        /// Resource ID of the capacity reservation group.
        "capacityReservationGroupID": String -> group_id: Option<String>;
    }
}
