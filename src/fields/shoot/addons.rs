//! `spec.addons` and `spec.systemComponents`: what Gardener installs in the cluster.

use crate::fields::Constraint::Enum;
use crate::fields::object;

object! {
    Addons {
        kubernetesDashboard: KubernetesDashboard;
        nginxIngress: NginxIngress;
    }
}

object! {
    KubernetesDashboard {
        authenticationMode: String;
        enabled: Boolean filled;
    }
}

object! {
    NginxIngress {
        config: {String};
        enabled: Boolean filled;
        externalTrafficPolicy: String => [Enum(&["Cluster", "Local"])];
        loadBalancerSourceRanges: [String];
    }
}

object! {
    SystemComponents {
        coreDNS: CoreDNS;
        nodeLocalDNS: NodeLocalDNS;
    }
}

object! {
    CoreDNS {
        autoscaling: CoreDNSAutoscaling;
        rewriting: CoreDNSRewriting;
    }
}

object! {
    CoreDNSAutoscaling {
        mode: String required;
    }
}

object! {
    CoreDNSRewriting {
        commonSuffixes: [String];
    }
}

object! {
    NodeLocalDNS {
        disableForwardToUpstreamDNS: Boolean;
        enabled: Boolean filled;
        forceTCPToClusterDNS: Boolean;
        forceTCPToUpstreamDNS: Boolean;
    }
}
