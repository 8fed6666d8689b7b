// SPDX-License-Identifier: Apache-2.0
//! The ControlPlaneConfig of provider-alicloud.

use std::collections::BTreeMap;

use crate::api::object;

object! {
    /// Control plane components of a Shoot on Alibaba Cloud.
    ControlPlaneConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Settings of the cloud-controller-manager.
        "cloudControllerManager": CloudControllerManagerConfig
            -> cloud_controller_manager: CloudControllerManagerConfig;
        /// CSI driver for disks.
        "csi": CSI;
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
    /// CSI driver for disks.
    CSI {
        /// Attaches disks by the controller of the driver. The default for new Shoots is true.
        "enableADController": Boolean;
    }
}
