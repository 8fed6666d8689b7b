// SPDX-License-Identifier: Apache-2.0
//! Gardenlet: the gardenlet of a cluster that is no Shoot.

use crate::api::Constraint::{AtLeast, Enum};
use crate::api::object;
use crate::api::operators::bastion::LocalObjectReference;
use crate::api::operators::deployments::OCIRepository;
use crate::api::operators::gardenlet_configuration::GardenletConfiguration;
use crate::api::operators::pods::{ContainerResources, EnvVar, PodVolume, VolumeMount};
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::status::Condition;
use crate::api::shared::taints::PodToleration;

object! {
    /// Gardenlet of a cluster that is registered as a Seed and is no Shoot.
    Gardenlet {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Desired state of the gardenlet.
        "spec": GardenletSpec filled;
        /// Observed state of the gardenlet; set by the gardenlet itself.
        "status": GardenletStatus;
    }
}

object! {
    /// Desired state of a Gardenlet.
    GardenletSpec {
        /// Parameters of the deployment.
        "deployment": GardenletSelfDeployment required;
        /// Configuration of the gardenlet; unknown fields in it are dropped.
        "config": GardenletConfiguration;
        /// Secret with a kubeconfig of the cluster, for the first deployment.
        "kubeconfigSecretRef": LocalObjectReference;
    }
}

/// Declares the fields of a deployment of a gardenlet, followed by others.
macro_rules! deployment {
    ($(#[doc = $about:literal])* $object:ident { $($others:tt)* }) => {
        object! {
            $(#[doc = $about])*
            $object {
                /// Number of replicas, by default 2.
                "replicaCount": Integer32 => [AtLeast(0.0)];
                /// Number of kept ReplicaSets, by default 2.
                "revisionHistoryLimit": Integer32 => [AtLeast(0.0)];
                /// ServiceAccount of the pods.
                "serviceAccountName": String;
                /// Container image.
                "image": GardenletImage;
                /// Resources of the container.
                "resources": ContainerResources;
                /// Labels of the pods.
                "podLabels": {String};
                /// Annotations of the pods.
                "podAnnotations": {String};
                /// Additional volumes of the pods.
                "additionalVolumes": [PodVolume];
                /// Additional volume mounts of the container.
                "additionalVolumeMounts": [VolumeMount];
                /// Environment variables of the container.
                "env": [EnvVar];
                /// Tolerations of the pods.
                "tolerations": [PodToleration];
                /// Whether the container has liveness and readiness probes, by default `true`.
                "enableHealthProbes": Boolean;
                $($others)*
            }
        }
    };
}

deployment! {
    /// Parameters of the deployment of a gardenlet.
    GardenletDeployment {}
}

deployment! {
    /// Parameters of the deployment of a gardenlet that deploys itself.
    GardenletSelfDeployment {
        /// Helm chart of the gardenlet.
        "helm": GardenletHelm required;
        /// Image vector overwrite for the components that the gardenlet deploys.
        "imageVectorOverwrite": String;
        /// Component image vector overwrite for the components that the gardenlet deploys.
        "componentImageVectorOverwrite": String;
    }
}

object! {
    /// Container image of a gardenlet: `ref`, or `repository` and `tag`.
    GardenletImage {
        /// Repository of the image.
        "repository": String;
        /// Tag of the image.
        "tag": String;
        /// Pull policy: `IfNotPresent`, the default, `Always` or `Never`.
        "pullPolicy": String => [Enum(&["Always", "IfNotPresent", "Never"])];
        /// Reference of the image; excludes `repository` and `tag`.
        "ref": String;
    }
}

object! {
    /// Helm chart of a gardenlet.
    GardenletHelm {
        /// Repository of the chart.
        "ociRepository": OCIRepository required;
    }
}

object! {
    /// Observed state of a Gardenlet.
    GardenletStatus {
        /// Conditions of the gardenlet.
        "conditions": [Condition; by type];
        /// Generation of the object that was processed last.
        "observedGeneration": Integer64 => [AtLeast(0.0)];
    }
}
