//! `spec.kubernetes`: version and components of the control plane.

use crate::fields::object;
use crate::fields::shoot::api_server::KubeAPIServerConfig;
use crate::fields::shoot::autoscaling::{ClusterAutoscaler, VerticalPodAutoscaler};
use crate::fields::shoot::kubelet::KubeletConfig;

object! {
    Kubernetes {
        clusterAutoscaler: ClusterAutoscaler;
        etcd: Etcd;
        kubeAPIServer: KubeAPIServerConfig;
        kubeControllerManager: KubeControllerManagerConfig;
        kubeProxy: KubeProxyConfig;
        kubeScheduler: KubeSchedulerConfig;
        kubelet: KubeletConfig;
        version: String;
        verticalPodAutoscaler: VerticalPodAutoscaler;
    }
}

object! {
    ControlPlaneAutoscaling {
        minAllowed: {Quantity} required;
    }
}

object! {
    Etcd {
        events: ETCDConfig;
        main: ETCDConfig;
    }
}

object! {
    ETCDConfig {
        autoscaling: ControlPlaneAutoscaling;
    }
}

object! {
    KubeControllerManagerConfig {
        featureGates: {Boolean};
        horizontalPodAutoscaler: HorizontalPodAutoscalerConfig;
        nodeCIDRMaskSize: Integer32;
        nodeCIDRMaskSizeIPv6: Integer32;
        nodeMonitorGracePeriod: Duration;
        podEvictionTimeout: Duration;
    }
}

object! {
    HorizontalPodAutoscalerConfig {
        cpuInitializationPeriod: Duration;
        downscaleStabilization: Duration;
        initialReadinessDelay: Duration;
        syncPeriod: Duration;
        tolerance: Number;
    }
}

object! {
    KubeProxyConfig {
        enabled: Boolean;
        featureGates: {Boolean};
        mode: String;
    }
}

object! {
    KubeSchedulerConfig {
        featureGates: {Boolean};
        kubeMaxPDVols: String;
        profile: String;
    }
}
