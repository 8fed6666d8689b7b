// SPDX-License-Identifier: Apache-2.0
//! The ControlPlaneConfig of provider-openstack.

use std::collections::BTreeMap;

use crate::api::Constraint::Filled;
use crate::api::extensions::openstack::cloud_profile::LoadBalancerClass;
use crate::api::object;

object! {
    /// Control plane components of a Shoot on OpenStack.
    ControlPlaneConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Settings of the cloud-controller-manager.
        "cloudControllerManager": CloudControllerManagerConfig
            -> cloud_controller_manager: CloudControllerManagerConfig;
        /// Load balancer classes of the Shoot. The CloudProfile must offer them in the floating IP pool.
        "loadBalancerClasses": [LoadBalancerClass] -> load_balancer_classes: Vec<LoadBalancerClass>;
        /// Load balancer provider, for example `amphora`. The CloudProfile must offer it in the region.
        "loadBalancerProvider": String required -> load_balancer_provider: String => [Filled];
        /// Deprecated zone of the control plane.
        "zone": String -> zone: Option<String>;
        /// CSI drivers.
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
    /// CSI drivers of a Shoot.
    Storage {
        /// CSI driver for Manila, which provides NFS volumes.
        "csiManila": CSIManila -> csi_manila: CSIManila;
    }
}

object! {
    /// CSI driver for Manila.
    CSIManila {
        /// Enables the driver; only with `networks.shareNetwork.enabled` in the InfrastructureConfig.
        "enabled": Boolean -> enabled: bool;
    }
}
