// SPDX-License-Identifier: Apache-2.0
//! `spec.settings` of a Seed.

use crate::api::Constraint::{Enum, Filled, Format, Since};
use crate::api::Format::LabelKey;
use crate::api::object;
use crate::api::shared::taints::PodToleration;

object! {
    /// Features of a Seed that can be enabled or disabled.
    SeedSettings {
        /// Scheduling of new control planes on the Seed.
        "scheduling": SeedSettingScheduling -> scheduling: Option<SeedSettingScheduling>;
        /// Zone selection for control planes.
        "zoneSelection": SeedSettingZoneSelection -> zone_selection: SeedSettingZoneSelection;
        /// Capacity that is reserved for additional control planes.
        "excessCapacityReservation": SeedSettingExcessCapacityReservation;
        /// Settings of load balancer Services.
        "loadBalancerServices": SeedSettingLoadBalancerServices;
        /// Dependency watchdog, which restarts or scales down components when their dependencies fail.
        "dependencyWatchdog": SeedSettingDependencyWatchdog;
        /// Topology-aware routing, which keeps traffic within a zone.
        "topologyAwareRouting": SeedSettingTopologyAwareRouting;
        /// Settings of the vertical pod autoscaler.
        "verticalPodAutoscaler": SeedSettingVerticalPodAutoscaler;
        /// Settings of the autoscaler for persistent volume claims.
        "persistentVolumeClaimAutoscaler": SeedSettingPersistentVolumeClaimAutoscaler => [Since(145)];
    }
}

object! {
    /// Dependency watchdog, which reacts to failed dependencies of components.
    SeedSettingDependencyWatchdog {
        /// Prober, which scales components down while the API server is not reachable.
        "prober": SeedSettingDependencyWatchdogProber;
        /// Weeder, which restarts components that crash because of their dependencies.
        "weeder": SeedSettingDependencyWatchdogWeeder;
    }
}

object! {
    /// Prober, which scales components down while the API server is not reachable.
    SeedSettingDependencyWatchdogProber {
        /// Enables the prober.
        "enabled": Boolean filled;
    }
}

object! {
    /// Weeder, which restarts components that crash because of their dependencies.
    SeedSettingDependencyWatchdogWeeder {
        /// Enables the weeder.
        "enabled": Boolean filled;
    }
}

object! {
    /// Capacity that is reserved for additional control planes.
    SeedSettingExcessCapacityReservation {
        /// Enables the reservation.
        "enabled": Boolean;
        /// Reserved resources and the nodes that they are reserved on.
        "configs": [SeedSettingExcessCapacityReservationConfig];
    }
}

object! {
    /// Resources that are reserved on selected nodes.
    SeedSettingExcessCapacityReservationConfig {
        /// Amount of reserved resources, by resource name.
        "resources": {Quantity} required => [Filled];
        /// Labels of the nodes.
        "nodeSelector": {String};
        /// Tolerations of node taints.
        "tolerations": [PodToleration];
    }
}

object! {
    /// Settings of load balancer Services of a Seed.
    SeedSettingLoadBalancerServices {
        /// Annotations of the Services.
        "annotations": {String};
        /// Load balancer class of the Services.
        "class": String => [Format(LabelKey)];
        /// External traffic policy; `Local` keeps traffic on the node that receives it.
        "externalTrafficPolicy": String => [Enum(&["Cluster", "Local"])];
        /// Settings of the PROXY protocol.
        "proxyProtocol": LoadBalancerServicesProxyProtocol;
        /// Settings that differ in individual zones.
        "zones": [SeedSettingLoadBalancerServicesZones];
        /// Separate load balancers for each zone.
        "zonalIngress": SeedSettingLoadBalancerServicesZonalIngress;
    }
}

object! {
    /// Settings of load balancer Services in one zone.
    SeedSettingLoadBalancerServicesZones {
        /// Name of the zone.
        "name": String required;
        /// Annotations of the Services.
        "annotations": {String};
        /// External traffic policy; `Local` keeps traffic on the node that receives it.
        "externalTrafficPolicy": String => [Enum(&["Cluster", "Local"])];
        /// Settings of the PROXY protocol.
        "proxyProtocol": LoadBalancerServicesProxyProtocol;
    }
}

object! {
    /// Separate load balancers for each zone.
    SeedSettingLoadBalancerServicesZonalIngress {
        /// Enables load balancers for each zone.
        "enabled": Boolean;
    }
}

object! {
    /// PROXY protocol of load balancers.
    LoadBalancerServicesProxyProtocol {
        /// Allows the PROXY protocol.
        "allowed": Boolean filled;
    }
}

object! {
    /// Autoscaler for persistent volume claims.
    SeedSettingPersistentVolumeClaimAutoscaler {
        /// Enables the autoscaler.
        "enabled": Boolean filled;
    }
}

object! {
    /// Scheduling of new control planes on a Seed.
    SeedSettingScheduling {
        /// Makes the Seed visible to the scheduler.
        "visible": Boolean filled -> visible: bool;
    }
}

object! {
    /// Topology-aware routing, which keeps traffic within a zone.
    SeedSettingTopologyAwareRouting {
        /// Enables topology-aware routing.
        "enabled": Boolean filled;
    }
}

object! {
    /// Vertical pod autoscaler of a Seed.
    SeedSettingVerticalPodAutoscaler {
        /// Enables the vertical pod autoscaler that Gardener deploys.
        "enabled": Boolean filled;
        /// Feature gates by name.
        "featureGates": {Boolean};
        /// Maximum recommended resources, by resource name.
        "maxAllowed": {Quantity};
    }
}

object! {
    /// Zone selection for control planes.
    SeedSettingZoneSelection {
        /// Mode of zone selection: `Prefer` or `Enforce`.
        "mode": String required -> mode: String => [Enum(&["Prefer", "Enforce"])];
    }
}
