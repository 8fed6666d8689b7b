//! `spec.settings` of a Seed.

use crate::fields::Constraint::Enum;
use crate::fields::object;
use crate::fields::shared::taints::PodToleration;

object! {
    SeedSettings {
        dependencyWatchdog: SeedSettingDependencyWatchdog;
        excessCapacityReservation: SeedSettingExcessCapacityReservation;
        loadBalancerServices: SeedSettingLoadBalancerServices;
        persistentVolumeClaimAutoscaler: SeedSettingPersistentVolumeClaimAutoscaler;
        scheduling: SeedSettingScheduling;
        topologyAwareRouting: SeedSettingTopologyAwareRouting;
        verticalPodAutoscaler: SeedSettingVerticalPodAutoscaler;
        zoneSelection: SeedSettingZoneSelection;
    }
}

object! {
    SeedSettingDependencyWatchdog {
        prober: SeedSettingDependencyWatchdogProber;
        weeder: SeedSettingDependencyWatchdogWeeder;
    }
}

object! {
    SeedSettingDependencyWatchdogProber {
        enabled: Boolean filled;
    }
}

object! {
    SeedSettingDependencyWatchdogWeeder {
        enabled: Boolean filled;
    }
}

object! {
    SeedSettingExcessCapacityReservation {
        configs: [SeedSettingExcessCapacityReservationConfig];
        enabled: Boolean;
    }
}

object! {
    SeedSettingExcessCapacityReservationConfig {
        nodeSelector: {String};
        resources: {Quantity} required;
        tolerations: [PodToleration];
    }
}

object! {
    SeedSettingLoadBalancerServices {
        annotations: {String};
        class: String;
        externalTrafficPolicy: String => [Enum(&["Cluster", "Local"])];
        proxyProtocol: LoadBalancerServicesProxyProtocol;
        zonalIngress: SeedSettingLoadBalancerServicesZonalIngress;
        zones: [SeedSettingLoadBalancerServicesZones];
    }
}

object! {
    SeedSettingLoadBalancerServicesZones {
        annotations: {String};
        externalTrafficPolicy: String => [Enum(&["Cluster", "Local"])];
        name: String required;
        proxyProtocol: LoadBalancerServicesProxyProtocol;
    }
}

object! {
    SeedSettingLoadBalancerServicesZonalIngress {
        enabled: Boolean;
    }
}

object! {
    LoadBalancerServicesProxyProtocol {
        allowed: Boolean filled;
    }
}

object! {
    SeedSettingPersistentVolumeClaimAutoscaler {
        enabled: Boolean filled;
    }
}

object! {
    SeedSettingScheduling {
        visible: Boolean filled;
    }
}

object! {
    SeedSettingTopologyAwareRouting {
        enabled: Boolean filled;
    }
}

object! {
    SeedSettingVerticalPodAutoscaler {
        enabled: Boolean filled;
        featureGates: {Boolean};
        maxAllowed: {Quantity};
    }
}

object! {
    SeedSettingZoneSelection {
        mode: String required;
    }
}
