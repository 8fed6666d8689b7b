// SPDX-License-Identifier: Apache-2.0
//! The configuration of networking-cilium. Source: `pkg/apis/cilium/v1alpha1/types_network.go`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "cilium.networking.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "cilium",
};

/// The extension networking-cilium.
pub static EXTENSION: Extension = Extension {
    name: "cilium",
    component: "github.com/gardener/gardener-extension-networking-cilium",
    resource: ("Network", "cilium"),
    admission: Some("admission-cilium"),
    webhooks: "gardener-extension-admission-cilium",
    versions: [ExtensionVersion::new(1, 36), ExtensionVersion::new(1, 49)],
    configurations: &[Configuration {
        header: Header::Optional,
        ..API.configuration(&NetworkConfig, ConfigurationPlace::Network)
    }],
};

object! {
    /// Configuration of the network extension cilium.
    NetworkConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Enables debug logs.
        "debug": Boolean;
        /// Address of the API server, if cilium replaces kube-proxy.
        "kubeproxy": KubeProxy -> kube_proxy: KubeProxy;
        /// Hubble, which observes connections.
        "hubble": Hubble;
        /// Encapsulation of traffic between nodes: `vxlan`, `geneve` or `disabled`.
        "tunnel": String -> tunnel: Option<String>;
        /// Store of identities; only `kubernetes`.
        "store": String -> store: Option<String>;
        /// IPv4.
        "ipv4": IPv4 => [Since(38)];
        /// IPv6.
        "ipv6": IPv6;
        /// Load balancing of sockets in the host's network only.
        "bpfSocketLBHostnsOnly": BPFSocketLBHostnsOnly;
        /// The CNI plugin.
        "cni": CNI;
        /// Egress gateways.
        "egressGateway": EgressGateway;
        /// Maximum transmission unit in bytes.
        "mtu": Integer64 -> mtu: Option<i64>;
        /// Network interfaces, by name.
        "devices": [String] -> devices: Vec<Option<String>>;
        /// Network interface for direct routing, by name.
        "directRoutingDevice": String -> direct_routing_device: Option<String> => [Since(35)];
        /// Load balancing: `snat`, `dsr` or `hybrid`.
        "loadBalancingMode": String -> load_balancing_mode: Option<String>;
        /// Announcement of Services in the local network.
        "l2Announcements": L2Announcements => [Since(47)];
        /// Uses native routes for IPv4.
        "ipv4NativeRoutingCIDREnabled": Boolean;
        /// Uses native routes for IPv6.
        "ipv6NativeRoutingCIDREnabled": Boolean => [Since(38)];
        /// Overlay network.
        "overlay": Overlay;
        /// Translation of the pods' addresses for the upstream DNS server.
        "snatToUpstreamDNS": SnatToUpstreamDNS;
        /// Translation of the pods' addresses outside of the cluster.
        "snatOutOfCluster": SnatOutOfCluster;
        /// Masquerades IPv4.
        "enableIpv4Masquerade": Boolean => [Since(42)];
        /// Masquerades IPv6.
        "enableIpv6Masquerade": Boolean => [Since(42)];
        /// Masquerades in eBPF.
        "enableBPFMasquerade": Boolean => [Since(42)];
        /// BGP control plane.
        "bgpControlPlane": BGPControlPlane => [Since(35)];
        /// Logs violations of network policies, and allows them.
        "policyAuditMode": Boolean => [Since(44)];
        /// Encryption of traffic between nodes.
        "encryption": Encryption -> encryption: Encryption => [Since(46)];
    }
}

object! {
    /// Address of the API server, if cilium replaces kube-proxy.
    KubeProxy {
        /// IP address or DNS name.
        "k8sServiceHost": String -> service_host: Option<String>;
        /// Port.
        "k8sServicePort": Integer32 -> service_port: Option<i32>;
    }
}

object! {
    /// Encryption of traffic between nodes.
    Encryption {
        /// Enables encryption.
        "enabled": Boolean -> enabled: bool;
        /// Method: `wireguard`.
        "mode": String -> mode: String;
        /// Encrypts traffic of nodes, not only of pods.
        "nodeToNodeEnabled": Boolean;
        /// Drops unencrypted traffic; only with the mode `wireguard`.
        "strictMode": Boolean -> strict_mode: bool;
    }
}

object! {
    /// Announcement of Services in the local network.
    L2Announcements {
        /// Enables announcements.
        "enabled": Boolean;
        /// Duration of a lease.
        "leaseDuration": Duration;
        /// Time to renew a lease.
        "leaseRenewDeadline": Duration;
        /// Time between attempts to renew a lease.
        "leaseRetryPeriod": Duration;
    }
}

object! {
    /// Overlay network.
    Overlay {
        /// Enables the overlay network.
        "enabled": Boolean;
        /// Creates routes between nodes without overlay network.
        "createPodRoutes": Boolean;
    }
}

object! {
    /// The CNI plugin.
    CNI {
        /// Removes other CNI configurations.
        "exclusive": Boolean;
    }
}

/// Declares objects with the only field `enabled`.
macro_rules! switches {
    ($($(#[doc = $about:literal])* $name:ident),+ $(,)?) => {$(
        object! {
            $(#[doc = $about])*
            $name {
                /// Enables it.
                "enabled": Boolean;
            }
        }
    )+};
}
switches! {
    /// Hubble, which observes connections.
    Hubble,
    /// IPv4.
    IPv4,
    /// IPv6.
    IPv6,
    /// Load balancing of sockets in the host's network only.
    BPFSocketLBHostnsOnly,
    /// Egress gateways.
    EgressGateway,
    /// Translation of the pods' addresses for the upstream DNS server.
    SnatToUpstreamDNS,
    /// Translation of the pods' addresses outside of the cluster.
    SnatOutOfCluster,
    /// BGP control plane.
    BGPControlPlane,
}
