//! `spec.settings` of a Seed.

use crate::api::Constraint::{Enum, Filled, Format};
use crate::api::Format::LabelKey;
use crate::api::object;
use crate::api::shared::taints::PodToleration;

object! {
    /// What a Seed switches on or off.
    SeedSettings {
        /// Whether new control planes come here.
        "scheduling": SeedSettingScheduling -> scheduling: Option<SeedSettingScheduling>;
        /// How zones of control planes are chosen.
        "zoneSelection": SeedSettingZoneSelection -> zone_selection: SeedSettingZoneSelection;
        /// Room that is kept for control planes to come.
        "excessCapacityReservation": SeedSettingExcessCapacityReservation;
        /// Load balancers.
        "loadBalancerServices": SeedSettingLoadBalancerServices;
        /// Restarts or scales down components without their dependencies.
        "dependencyWatchdog": SeedSettingDependencyWatchdog;
        /// Whether traffic stays in its zone.
        "topologyAwareRouting": SeedSettingTopologyAwareRouting;
        /// The vertical pod autoscaler.
        "verticalPodAutoscaler": SeedSettingVerticalPodAutoscaler;
        /// The autoscaler of volumes.
        "persistentVolumeClaimAutoscaler": SeedSettingPersistentVolumeClaimAutoscaler;
    }
}

object! {
    /// What happens when something that a component needs is gone.
    SeedSettingDependencyWatchdog {
        /// Scales components down while the API server cannot be reached.
        "prober": SeedSettingDependencyWatchdogProber;
        /// Restarts components that crash because of their dependencies.
        "weeder": SeedSettingDependencyWatchdogWeeder;
    }
}

object! {
    /// Scales components down while the API server cannot be reached.
    SeedSettingDependencyWatchdogProber {
        /// Whether it runs.
        "enabled": Boolean filled;
    }
}

object! {
    /// Restarts components that crash because of their dependencies.
    SeedSettingDependencyWatchdogWeeder {
        /// Whether it runs.
        "enabled": Boolean filled;
    }
}

object! {
    /// Room that is kept for control planes to come.
    SeedSettingExcessCapacityReservation {
        /// Whether room is kept.
        "enabled": Boolean;
        /// How much, on which nodes.
        "configs": [SeedSettingExcessCapacityReservationConfig];
    }
}

object! {
    /// Room that is kept.
    SeedSettingExcessCapacityReservationConfig {
        /// How much, by name.
        "resources": {Quantity} required => [Filled];
        /// Labels of the nodes.
        "nodeSelector": {String};
        /// Taints of nodes that are tolerated.
        "tolerations": [PodToleration];
    }
}

object! {
    /// Load balancers of a Seed.
    SeedSettingLoadBalancerServices {
        /// Annotations of their services.
        "annotations": {String};
        /// Class of load balancers.
        "class": String => [Format(LabelKey)];
        /// Whether traffic stays on the node that it comes to.
        "externalTrafficPolicy": String => [Enum(&["Cluster", "Local"])];
        /// The proxy protocol.
        "proxyProtocol": LoadBalancerServicesProxyProtocol;
        /// Settings that differ in some zones.
        "zones": [SeedSettingLoadBalancerServicesZones];
        /// Whether each zone has one.
        "zonalIngress": SeedSettingLoadBalancerServicesZonalIngress;
    }
}

object! {
    /// Load balancers of one zone.
    SeedSettingLoadBalancerServicesZones {
        /// The zone.
        "name": String required;
        /// Annotations of their services.
        "annotations": {String};
        /// Whether traffic stays on the node that it comes to.
        "externalTrafficPolicy": String => [Enum(&["Cluster", "Local"])];
        /// The proxy protocol.
        "proxyProtocol": LoadBalancerServicesProxyProtocol;
    }
}

object! {
    /// Load balancers for each zone.
    SeedSettingLoadBalancerServicesZonalIngress {
        /// Whether there are any.
        "enabled": Boolean;
    }
}

object! {
    /// The proxy protocol of load balancers.
    LoadBalancerServicesProxyProtocol {
        /// Whether it is understood.
        "allowed": Boolean filled;
    }
}

object! {
    /// The autoscaler of volumes.
    SeedSettingPersistentVolumeClaimAutoscaler {
        /// Whether it runs.
        "enabled": Boolean filled;
    }
}

object! {
    /// Whether new control planes come to a Seed.
    SeedSettingScheduling {
        /// Whether the scheduler sees it.
        "visible": Boolean filled -> visible: bool;
    }
}

object! {
    /// Whether traffic stays in its zone.
    SeedSettingTopologyAwareRouting {
        /// Whether it does.
        "enabled": Boolean filled;
    }
}

object! {
    /// The vertical pod autoscaler of a Seed.
    SeedSettingVerticalPodAutoscaler {
        /// Whether Gardener runs one.
        "enabled": Boolean filled;
        /// Feature gates, by name.
        "featureGates": {Boolean};
        /// Most resources that it recommends, by name.
        "maxAllowed": {Quantity};
    }
}

object! {
    /// How zones of control planes are chosen.
    SeedSettingZoneSelection {
        /// By what.
        "mode": String required -> mode: String => [Enum(&["Prefer", "Enforce"])];
    }
}
