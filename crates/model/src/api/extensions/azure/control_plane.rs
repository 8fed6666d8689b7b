// SPDX-License-Identifier: Apache-2.0
//! The ControlPlaneConfig of provider-azure.

use std::collections::BTreeMap;

use crate::api::object;

object! {
    /// Control plane components of a Shoot on Azure.
    ControlPlaneConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Settings of the cloud-controller-manager.
        "cloudControllerManager": CloudControllerManagerConfig -> cloud_controller_manager: CloudControllerManagerConfig;
        /// Default classes for volumes and snapshots.
        "storage": Storage;
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
    /// Default classes for volumes and snapshots.
    Storage {
        /// Marks the StorageClass of Gardener as the default. The default is true.
        "managedDefaultStorageClass": Boolean;
        /// Marks the VolumeSnapshotClass of Gardener as the default. The default is true.
        "managedDefaultVolumeSnapshotClass": Boolean;
    }
}
