//! `spec.addons` and `spec.systemComponents`: what Gardener installs in the cluster.

use crate::api::Constraint::{Enum, Format};
use crate::api::Format::Cidr;
use crate::api::object;

object! {
    /// Tools that Gardener installs.
    #[derive(Copy)]
    Addons {
        /// The Kubernetes dashboard.
        "kubernetesDashboard": KubernetesDashboard;
        /// The NGINX ingress controller.
        "nginxIngress": NginxIngress -> nginx_ingress: NginxIngress;
    }
}

object! {
    /// The Kubernetes dashboard.
    KubernetesDashboard {
        /// Whether it is installed.
        "enabled": Boolean filled;
        /// How people sign in.
        "authenticationMode": String => [Enum(&["token"])];
    }
}

object! {
    /// The NGINX ingress controller.
    #[derive(Copy)]
    NginxIngress {
        /// Whether it is installed.
        "enabled": Boolean filled -> enabled: bool;
        /// Its configuration, as in its ConfigMap.
        "config": {String};
        /// Whether traffic stays on the node that it comes to.
        "externalTrafficPolicy": String => [Enum(&["Cluster", "Local"])];
        /// Networks that may reach it.
        "loadBalancerSourceRanges": [String] => [Format(Cidr)];
    }
}

object! {
    /// How components of the system are set up.
    SystemComponents {
        /// The DNS server of the cluster.
        "coreDNS": CoreDNS;
        /// The DNS cache on each node.
        "nodeLocalDNS": NodeLocalDNS -> node_local_dns: NodeLocalDNS;
    }
}

object! {
    /// The DNS server of the cluster.
    CoreDNS {
        /// How it grows.
        "autoscaling": CoreDNSAutoscaling;
        /// Which names it completes.
        "rewriting": CoreDNSRewriting;
    }
}

object! {
    /// How the DNS server grows.
    CoreDNSAutoscaling {
        /// `horizontal` or `cluster-proportional`.
        "mode": String required;
    }
}

object! {
    /// Which names the DNS server completes.
    CoreDNSRewriting {
        /// Suffixes of names outside of the cluster, which are looked up there at once.
        "commonSuffixes": [String];
    }
}

object! {
    /// The DNS cache on each node.
    NodeLocalDNS {
        /// Whether there is one; nodes are rolled when this changes.
        "enabled": Boolean filled -> enabled: bool;
        /// Whether it asks the DNS server of the cluster by TCP.
        "forceTCPToClusterDNS": Boolean;
        /// Whether it asks DNS servers outside by TCP.
        "forceTCPToUpstreamDNS": Boolean;
        /// Whether it asks the DNS server of the cluster for names outside, too.
        "disableForwardToUpstreamDNS": Boolean;
    }
}
