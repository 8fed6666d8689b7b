// SPDX-License-Identifier: Apache-2.0
//! ControllerRegistration and ControllerInstallation: extensions of Gardener, and where they run.

use crate::api::Constraint::{Distinct, Enum, Filled};
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::ObjectReference;
use crate::api::shared::selectors::LabelSelector;
use crate::api::shared::status::Condition;

object! {
    /// Registration of an extension of Gardener: the resources that it reconciles, and how it is deployed.
    ControllerRegistration {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Desired state; immutable during deletion.
        "spec": ControllerRegistrationSpec -> spec: ControllerRegistrationSpec;
    }
}

object! {
    /// Desired state of a ControllerRegistration.
    ControllerRegistrationSpec {
        /// Kinds and types of the extension resources that the extension reconciles.
        "resources": [ControllerResource] -> resources: Vec<ControllerResource>;
        /// Deployment of the extension.
        "deployment": ControllerRegistrationDeployment -> deployment: ControllerRegistrationDeployment;
    }
}

object! {
    /// Deployment of the extension of a ControllerRegistration.
    ControllerRegistrationDeployment {
        /// When the extension is deployed: `OnDemand`, the default, `Always` or `AlwaysExceptNoShoots`.
        "policy": String => [Enum(&["Always", "AlwaysExceptNoShoots", "OnDemand"])];
        /// Label selector of the Seeds to which the extension is deployed; only for extensions that are primary for nothing.
        "seedSelector": LabelSelector;
        /// ControllerDeployment of the extension; at most one.
        "deploymentRefs": [DeploymentRef] -> deployment_refs: Vec<DeploymentRef>;
    }
}

object! {
    /// Reference to a ControllerDeployment.
    DeploymentRef {
        /// Name of the ControllerDeployment.
        "name": String required -> name: String => [Filled];
    }
}

object! {
    /// Kind and type of extension resources.
    ControllerResource {
        /// Kind of the resources, for example `Network`.
        "kind": String required -> kind: String => [Filled];
        /// Type of the resources, for example `calico`.
        "type": String required -> class: String => [Filled];
        /// Time within which a resource is reconciled; only for kind `Extension`, by default `3m`.
        "reconcileTimeout": Duration;
        /// Whether the extension is responsible for the lifecycle of the resources; immutable, by default `true`.
        "primary": Boolean -> primary: Option<bool>;
        /// When resources are reconciled, deleted and migrated; only for kind `Extension`.
        "lifecycle": ControllerResourceLifecycle;
        /// Whether Shoots without workers can use the extension; only for kind `Extension`.
        "workerlessSupported": Boolean -> workerless_supported: Option<bool>;
        /// Clusters for which the extension is enabled by default: `shoot`, `seed`; only for kind `Extension`.
        "autoEnable": [String] -> auto_enable: Vec<String> => [Distinct, Enum(&["seed", "shoot"])];
        /// Clusters that can use the extension: `shoot`, the default, `seed`; only for kind `Extension`.
        "clusterCompatibility": [String] -> cluster_compatibility: Vec<String>
            => [Distinct, Enum(&["seed", "shoot"])];
        /// Whether endpoints are updated continuously; only for kind `SelfHostedShootExposure`, by default `true`.
        "continuousEndpointUpdate": Boolean;
    }
}

object! {
    /// When resources of an extension are reconciled, deleted and migrated.
    ControllerResourceLifecycle {
        /// Reconciliation: `AfterKubeAPIServer`, the default, `BeforeKubeAPIServer` or `AfterWorker`.
        "reconcile": String => [Enum(&["AfterKubeAPIServer", "AfterWorker", "BeforeKubeAPIServer"])];
        /// Deletion: `BeforeKubeAPIServer`, the default, or `AfterKubeAPIServer`.
        "delete": String => [Enum(&["AfterKubeAPIServer", "BeforeKubeAPIServer"])];
        /// Migration: `BeforeKubeAPIServer`, the default, or `AfterKubeAPIServer`.
        "migrate": String => [Enum(&["AfterKubeAPIServer", "BeforeKubeAPIServer"])];
    }
}

object! {
    /// Extension of Gardener that is installed for a Seed or a self-hosted Shoot; created by the system.
    ControllerInstallation {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Desired state; immutable during deletion.
        "spec": ControllerInstallationSpec;
        /// Observed state; set by the system.
        "status": ControllerInstallationStatus;
    }
}

object! {
    /// Desired state of a ControllerInstallation.
    ControllerInstallationSpec {
        /// ControllerRegistration of the extension; its name is immutable.
        "registrationRef": ObjectReference required;
        /// Seed for which the extension is installed; its name is immutable.
        "seedRef": ObjectReference;
        /// Self-hosted Shoot for which the extension is installed; its name and namespace are immutable.
        "shootRef": ObjectReference;
        /// ControllerDeployment of the extension.
        "deploymentRef": ObjectReference;
        /// Resources that the deployment uses.
        "resourceRefs": [ObjectReference];
    }
}

object! {
    /// Observed state of a ControllerInstallation.
    ControllerInstallationStatus {
        /// Conditions of the installation.
        "conditions": [Condition; by type];
        /// Type-specific state of the installation.
        "providerStatus": Any;
    }
}

impl ControllerResource {
    /// Reports whether it may be used in a kind of clusters, such as `shoot`.
    ///
    /// By default an extension is for Shoots, and other kinds are for every cluster.
    pub fn is_for(&self, cluster: &str) -> bool {
        match self.cluster_compatibility.as_slice() {
            [] => self.kind != "Extension" || cluster == "shoot",
            clusters => clusters.iter().any(|it| it == cluster),
        }
    }
}
