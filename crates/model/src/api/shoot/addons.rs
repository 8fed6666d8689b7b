// SPDX-License-Identifier: Apache-2.0
//! `spec.addons` and `spec.systemComponents`: components that Gardener installs in the cluster.

use crate::api::Constraint::{Enum, Format};
use crate::api::Format::Cidr;
use crate::api::object;

object! {
    /// Addons managed by Gardener.
    #[derive(Copy)]
    Addons {
        /// Kubernetes dashboard addon.
        "kubernetesDashboard": KubernetesDashboard;
        /// NGINX ingress controller addon.
        "nginxIngress": NginxIngress -> nginx_ingress: NginxIngress;
    }
}

object! {
    /// Kubernetes dashboard addon.
    KubernetesDashboard {
        /// Enables the Kubernetes dashboard.
        "enabled": Boolean filled;
        /// Authentication mode of the dashboard.
        "authenticationMode": String => [Enum(&["token"])];
    }
}

object! {
    /// NGINX ingress controller addon.
    #[derive(Copy)]
    NginxIngress {
        /// Enables the NGINX ingress controller.
        "enabled": Boolean filled -> enabled: bool;
        /// Configuration of the controller, as in its ConfigMap.
        "config": {String};
        /// External traffic policy; `Local` keeps traffic on the node that receives it.
        "externalTrafficPolicy": String => [Enum(&["Cluster", "Local"])];
        /// CIDRs from which the load balancer is reachable.
        "loadBalancerSourceRanges": [String] => [Format(Cidr)];
    }
}

object! {
    /// Settings of system components in the cluster.
    SystemComponents {
        /// CoreDNS, the DNS server of the cluster.
        "coreDNS": CoreDNS;
        /// Node-local DNS cache.
        "nodeLocalDNS": NodeLocalDNS -> node_local_dns: NodeLocalDNS;
    }
}

object! {
    /// CoreDNS, the DNS server of the cluster.
    CoreDNS {
        /// Autoscaling of CoreDNS.
        "autoscaling": CoreDNSAutoscaling;
        /// Rewriting of DNS names.
        "rewriting": CoreDNSRewriting;
    }
}

object! {
    /// Autoscaling of CoreDNS.
    CoreDNSAutoscaling {
        /// Autoscaling mode: `horizontal` or `cluster-proportional`.
        "mode": String required;
    }
}

object! {
    /// Rewriting of DNS names by CoreDNS.
    CoreDNSRewriting {
        /// Suffixes of cluster-external names, which are resolved directly instead of through the search path.
        "commonSuffixes": [String];
    }
}

object! {
    /// Node-local DNS cache.
    NodeLocalDNS {
        /// Enables the DNS cache on each node; a change rolls the nodes.
        "enabled": Boolean filled -> enabled: bool;
        /// Forces TCP for queries to the DNS server of the cluster.
        "forceTCPToClusterDNS": Boolean;
        /// Forces TCP for queries to upstream DNS servers.
        "forceTCPToUpstreamDNS": Boolean;
        /// Disables forwarding to upstream DNS servers; external names are resolved by the DNS server of the cluster.
        "disableForwardToUpstreamDNS": Boolean;
    }
}
