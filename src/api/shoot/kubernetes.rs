//! `spec.kubernetes`: version and components of the control plane.

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
    /// Version and components of the control plane.
    #[derive(Serialize)]
    Kubernetes {
        /// Version of Kubernetes; a prefix such as `1.34` becomes the latest supported version.
        "version": String -> #[serde(deserialize_with = "bounded::short_text", skip_serializing_if = "is_default")] version: String;
        /// The API server.
        "kubeAPIServer": KubeAPIServerConfig -> kube_api_server: Option<KubeAPIServerConfig>;
        /// The controller manager.
        "kubeControllerManager": KubeControllerManagerConfig -> kube_controller_manager: Option<KubeControllerManagerConfig>;
        /// The scheduler.
        "kubeScheduler": KubeSchedulerConfig -> kube_scheduler: Option<KubeSchedulerConfig>;
        /// kube-proxy on the nodes.
        "kubeProxy": KubeProxyConfig -> kube_proxy: Option<KubeProxyConfig>;
        /// The kubelet on all nodes whose pool says nothing else.
        "kubelet": KubeletConfig -> kubelet: Option<Box<KubeletConfig>>;
        /// The cluster autoscaler.
        "clusterAutoscaler": ClusterAutoscaler -> cluster_autoscaler: Option<ClusterAutoscaler>;
        /// The vertical pod autoscaler.
        "verticalPodAutoscaler": VerticalPodAutoscaler;
        /// The databases of the control plane.
        "etcd": Etcd;
    }
}

object! {
    /// The databases of the control plane.
    Etcd {
        /// The database of all objects but events.
        "main": ETCDConfig;
        /// The database of events.
        "events": ETCDConfig;
    }
}

object! {
    /// A database of the control plane.
    ETCDConfig {
        /// How much it gets at least.
        "autoscaling": ControlPlaneAutoscaling;
    }
}

object! {
    /// The controller manager.
    KubeControllerManagerConfig {
        /// Feature gates, by name.
        "featureGates": {Boolean};
        /// The horizontal pod autoscaler.
        "horizontalPodAutoscaler": HorizontalPodAutoscalerConfig => [WithWorkers];
        /// Size of a node's pod network, in bits of its mask; immutable.
        "nodeCIDRMaskSize": Integer32 -> node_cidr_mask_size: Option<i32> => [WithWorkers];
        /// Size of a node's IPv6 pod network, in bits of its mask; immutable.
        "nodeCIDRMaskSizeIPv6": Integer32 -> node_cidr_mask_size_ipv6: Option<i32> => [WithWorkers];
        /// How long a node may be silent before it counts as unhealthy.
        "nodeMonitorGracePeriod": Duration => [WithWorkers, Positive];
        /// No longer has an effect.
        "podEvictionTimeout": Duration -> pod_eviction_timeout: Option<Box<RawValue>>
            => [WithWorkers, Positive, RemovedFrom(33, "use `defaultNotReadyTolerationSeconds` and `defaultUnreachableTolerationSeconds` of `kubeAPIServer`")];
    }
}

object! {
    /// The horizontal pod autoscaler.
    HorizontalPodAutoscalerConfig {
        /// How long after its start a pod's CPU usage may be ignored.
        "cpuInitializationPeriod": Duration => [LastsAtLeast(1.0)];
        /// How long usage has to be low before it scales down.
        "downscaleStabilization": Duration => [LastsAtLeast(1.0)];
        /// How long after its start a pod may become unready and ready without notice.
        "initialReadinessDelay": Duration => [Positive];
        /// How often it looks.
        "syncPeriod": Duration => [LastsAtLeast(1.0)];
        /// Smallest change of usage that it acts on, as a fraction.
        "tolerance": Number => [Positive];
    }
}

object! {
    /// kube-proxy on the nodes.
    #[derive(PartialEq)]
    KubeProxyConfig {
        /// Whether it runs.
        "enabled": Boolean -> enabled: Option<bool>;
        /// `IPTables`, `IPVS` or `NFTables`.
        "mode": String -> mode: Option<String> => [Enum(&["IPTables", "IPVS", "NFTables"])];
        /// Feature gates, by name.
        "featureGates": {Boolean};
    }
}

object! {
    /// The scheduler.
    KubeSchedulerConfig {
        /// `balanced` or `bin-packing`.
        "profile": String => [Enum(&["balanced", "bin-packing"])];
        /// Most volumes that are attached to a node.
        "kubeMaxPDVols": String -> kube_max_pd_vols: Option<String>
            => [Format(PositiveInteger), RemovedFrom(35, "remove it; CSI drivers set the limit")];
        /// Feature gates, by name.
        "featureGates": {Boolean};
    }
}
