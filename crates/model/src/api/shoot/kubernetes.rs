// SPDX-License-Identifier: Apache-2.0
//! `spec.kubernetes`: Kubernetes version and configuration of its components.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::Constraint::{Enum, Format, LastsAtLeast, Positive, RemovedFrom, WithWorkers};
use crate::api::Format::PositiveInteger;
use crate::api::shoot::api_server::KubeAPIServerConfig;
use crate::api::shoot::autoscaling::{
    ClusterAutoscaler, ControlPlaneAutoscaling, VerticalPodAutoscaler,
};
use crate::api::shoot::kubelet::KubeletConfig;
use crate::api::{bounded, is_default, object};

object! {
    /// Kubernetes version and configuration of Kubernetes components.
    #[derive(Serialize)]
    Kubernetes {
        /// Kubernetes version; a prefix such as `1.34` is completed to the latest supported version.
        "version": String -> #[serde(deserialize_with = "bounded::short_text", skip_serializing_if = "is_default")] version: String;
        /// Configuration of the Kubernetes API server.
        "kubeAPIServer": KubeAPIServerConfig -> kube_api_server: Option<KubeAPIServerConfig>;
        /// Configuration of the Kubernetes controller manager.
        "kubeControllerManager": KubeControllerManagerConfig -> kube_controller_manager: Option<KubeControllerManagerConfig>;
        /// Configuration of the Kubernetes scheduler.
        "kubeScheduler": KubeSchedulerConfig -> kube_scheduler: Option<KubeSchedulerConfig>;
        /// Configuration of kube-proxy on the nodes.
        "kubeProxy": KubeProxyConfig -> kube_proxy: Option<KubeProxyConfig>;
        /// Configuration of the kubelet on all nodes, unless their pool overrides it.
        "kubelet": KubeletConfig -> kubelet: Option<Box<KubeletConfig>>;
        /// Configuration of the cluster autoscaler.
        "clusterAutoscaler": ClusterAutoscaler -> cluster_autoscaler: Option<ClusterAutoscaler>;
        /// Configuration of the vertical pod autoscaler.
        "verticalPodAutoscaler": VerticalPodAutoscaler;
        /// Configuration of the control plane's etcd.
        "etcd": Etcd;
    }
}

object! {
    /// Configuration of the control plane's etcd.
    Etcd {
        /// Main etcd, for all objects except events.
        "main": ETCDConfig;
        /// Events etcd.
        "events": ETCDConfig;
    }
}

object! {
    /// Configuration of an etcd of the control plane.
    ETCDConfig {
        /// Minimum resources of the etcd.
        "autoscaling": ControlPlaneAutoscaling;
    }
}

object! {
    /// Configuration of the Kubernetes controller manager.
    KubeControllerManagerConfig {
        /// Feature gates by name.
        "featureGates": {Boolean};
        /// Configuration of the horizontal pod autoscaler.
        "horizontalPodAutoscaler": HorizontalPodAutoscalerConfig => [WithWorkers];
        /// Mask size of the pod network of a node, in bits; immutable.
        "nodeCIDRMaskSize": Integer32 -> node_cidr_mask_size: Option<i32> => [WithWorkers];
        /// Mask size of the IPv6 pod network of a node, in bits; immutable.
        "nodeCIDRMaskSizeIPv6": Integer32 -> node_cidr_mask_size_ipv6: Option<i32> => [WithWorkers];
        /// Period after which an unresponsive node is marked as unhealthy.
        "nodeMonitorGracePeriod": Duration => [WithWorkers, Positive];
        /// Has no effect anymore.
        "podEvictionTimeout": Duration -> pod_eviction_timeout: Option<Box<RawValue>>
            => [WithWorkers, Positive, RemovedFrom(33, "use `defaultNotReadyTolerationSeconds` and `defaultUnreachableTolerationSeconds` of `kubeAPIServer`")];
    }
}

object! {
    /// Configuration of the horizontal pod autoscaler.
    HorizontalPodAutoscalerConfig {
        /// Period after the start of a pod in which its CPU usage can be ignored.
        "cpuInitializationPeriod": Duration => [LastsAtLeast(1.0)];
        /// Period for which usage must be low before a workload is scaled down.
        "downscaleStabilization": Duration => [LastsAtLeast(1.0)];
        /// Period after the start of a pod in which changes of its readiness are ignored.
        "initialReadinessDelay": Duration => [Positive];
        /// Interval between evaluations of workloads.
        "syncPeriod": Duration => [LastsAtLeast(1.0)];
        /// Minimum change of usage that leads to scaling, as a fraction.
        "tolerance": Number => [Positive];
    }
}

object! {
    /// Configuration of kube-proxy on the nodes.
    #[derive(PartialEq)]
    KubeProxyConfig {
        /// Enables kube-proxy.
        "enabled": Boolean -> enabled: Option<bool>;
        /// Proxy mode: `IPTables`, `IPVS` or `NFTables`.
        "mode": String -> mode: Option<String> => [Enum(&["IPTables", "IPVS", "NFTables"])];
        /// Feature gates by name.
        "featureGates": {Boolean};
    }
}

object! {
    /// Configuration of the Kubernetes scheduler.
    KubeSchedulerConfig {
        /// Scheduling profile: `balanced` or `bin-packing`.
        "profile": String => [Enum(&["balanced", "bin-packing"])];
        /// Maximum number of volumes that are attached to a node.
        "kubeMaxPDVols": String -> kube_max_pd_vols: Option<String>
            => [Format(PositiveInteger), RemovedFrom(35, "remove it; CSI drivers set the limit")];
        /// Feature gates by name.
        "featureGates": {Boolean};
    }
}
