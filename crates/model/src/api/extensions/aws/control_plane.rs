// SPDX-License-Identifier: Apache-2.0
//! The control plane of a Shoot on AWS. Source: `types_controlplane.go`.

use std::collections::BTreeMap;

use crate::api::object;

object! {
    /// Control plane of a Shoot on AWS.
    #[derive(PartialEq)]
    ControlPlaneConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// The cloud-controller-manager.
        "cloudControllerManager": CloudControllerManagerConfig -> cloud_controller_manager: CloudControllerManagerConfig;
        /// The AWS Load Balancer Controller.
        "loadBalancerController": LoadBalancerControllerConfig
            -> load_balancer_controller: Option<LoadBalancerControllerConfig>;
        /// Storage of the Shoot.
        "storage": Storage;
    }
}

object! {
    /// The cloud-controller-manager.
    #[derive(PartialEq)]
    CloudControllerManagerConfig {
        /// Feature gates, by name.
        "featureGates": {Boolean} -> feature_gates: BTreeMap<String, bool>;
        /// Creates routes between nodes with the extension's own controller; set by the extension.
        "useCustomRouteController": Boolean;
    }
}

object! {
    /// The AWS Load Balancer Controller.
    #[derive(PartialEq)]
    LoadBalancerControllerConfig {
        /// Deploys the controller.
        "enabled": Boolean required;
        /// Name of the IngressClass.
        "ingressClassName": String -> ingress_class_name: Option<String>;
    }
}

object! {
    /// Storage of the Shoot.
    Storage {
        /// Manages the default StorageClass and VolumeSnapshotClass; true if absent.
        "managedDefaultClass": Boolean;
    }
}
