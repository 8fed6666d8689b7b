// SPDX-License-Identifier: Apache-2.0
//! The ControlPlaneConfig of provider-gcp.

use std::collections::BTreeMap;

use crate::api::Constraint::{Enum, Filled, Immutable, Since};
use crate::api::object;

object! {
    /// Control plane components of a Shoot on Google Cloud.
    ControlPlaneConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Zone of the control plane, for example `europe-west1-b`. It must be a zone of a worker pool.
        "zone": String required -> zone: String => [Filled, Immutable];
        /// Settings of the cloud-controller-manager.
        "cloudControllerManager": CloudControllerManagerConfig -> cloud_controller_manager: CloudControllerManagerConfig;
        /// Storage classes and CSI drivers.
        "storage": Storage -> storage: Storage;
    }
}

object! {
    /// Settings of the cloud-controller-manager.
    CloudControllerManagerConfig {
        /// Feature gates by name.
        "featureGates": {Boolean} -> feature_gates: BTreeMap<String, bool>;
    }
}

object! {
    /// Storage classes and CSI drivers of a Shoot.
    Storage {
        /// Marks a StorageClass of Gardener as the default. The default is true.
        "managedDefaultStorageClass": Boolean;
        /// StorageClass that is marked as the default. A class of hyperdisks must be enabled.
        "defaultStorageClass": String -> default_storage_class: Option<String> => [
            Enum(&[
                "default",
                "gce-sc-hdd",
                "gce-sc-fast",
                "gce-sc-hd-balanced",
                "gce-sc-hd-throughput",
                "gce-sc-hd-extreme",
            ]),
            Since(53),
        ];
        /// Marks the VolumeSnapshotClass of Gardener as the default. The default is true.
        "managedDefaultVolumeSnapshotClass": Boolean;
        /// CSI driver for Filestore, which provides NFS volumes.
        "csiFilestore": CSIFilestore => [Since(45)];
        /// StorageClass `gce-sc-hd-balanced`.
        "hyperDiskBalanced": HyperDiskConfig -> hyper_disk_balanced: HyperDiskConfig => [Since(53)];
        /// StorageClass `gce-sc-hd-throughput`.
        "hyperDiskThroughput": HyperDiskConfig -> hyper_disk_throughput: HyperDiskConfig => [Since(53)];
        /// StorageClass `gce-sc-hd-extreme`.
        "hyperDiskExtreme": HyperDiskConfig -> hyper_disk_extreme: HyperDiskConfig => [Since(53)];
    }
}

object! {
    /// CSI driver for Filestore.
    CSIFilestore {
        /// Enables the driver.
        "enabled": Boolean;
    }
}

object! {
    /// StorageClass of hyperdisks.
    HyperDiskConfig {
        /// Creates the StorageClass.
        "enabled": Boolean -> enabled: bool;
        /// Provisioned IOPS of a volume; required for balanced and extreme hyperdisks.
        "provisionedIopsOnCreate": Integer64 -> provisioned_iops_on_create: Option<i64>;
        /// Provisioned throughput of a volume per second, for example `140Mi`; required for balanced and throughput hyperdisks.
        "provisionedThroughputOnCreate": String -> provisioned_throughput_on_create: Option<String>;
    }
}
