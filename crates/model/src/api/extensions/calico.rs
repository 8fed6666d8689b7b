// SPDX-License-Identifier: Apache-2.0
//! The configuration of networking-calico. Source: `pkg/apis/calico/v1alpha1/types_network.go`.

use std::collections::BTreeMap;

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;
use garden_gate_text::go::Quantity;

const API: ConfigurationApi = ConfigurationApi {
    group: "calico.networking.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "calico",
};

/// The extension networking-calico.
pub static EXTENSION: Extension = Extension {
    name: "calico",
    component: "github.com/gardener/gardener-extension-networking-calico",
    resource: ("Network", "calico"),
    admission: Some("admission-calico"),
    webhooks: "gardener-extension-admission-calico",
    versions: [ExtensionVersion::new(1, 40), ExtensionVersion::new(1, 60)],
    configurations: &[Configuration {
        header: Header::Optional,
        ..API.configuration(&NetworkConfig, ConfigurationPlace::Network)
    }],
};

object! {
    /// Configuration of the network extension calico.
    NetworkConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Distribution of routes: `bird`, `none` or `vxlan`.
        "backend": String -> backend: Option<String>;
        /// Allocation of IP addresses.
        "ipam": IPAM -> ipam: IPAM;
        /// Tunnels and node addresses for IPv4.
        "ipv4": IPv4 -> ipv4: IPv4;
        /// Tunnels and node addresses for IPv6.
        "ipv6": IPv6 -> ipv6: IPv6;
        /// Typha, which reduces the load of the API server.
        "typha": Typha;
        /// Maximum transmission unit of pods in bytes, as a string.
        "vethMTU": String -> veth_mtu: Option<String>;
        /// Data plane in eBPF, which can replace kube-proxy.
        "ebpfDataplane": EbpfDataplane -> ebpf_dataplane: EbpfDataplane;
        /// Overlay network.
        "overlay": Overlay;
        /// Translation of the pods' addresses for the upstream DNS server.
        "snatToUpstreamDNS": SnatToUpstreamDNS;
        /// Scaling of calico's components.
        "autoScaling": AutoScaling -> auto_scaling: Option<AutoScaling>;
        /// Overlay network with VXLAN.
        "vxlan": VXLAN => [Since(45)];
        /// Mode of the IPv4 tunnel. Deprecated: use `ipv4.mode`.
        "ipip": String -> ipip: Option<String>;
        /// Detection of the nodes' IPv4 addresses. Deprecated: use `ipv4.autoDetectionMethod`.
        "ipAutodetectionMethod": String -> ip_auto_detection_method: Option<String>;
        /// Encrypts traffic between nodes with WireGuard.
        "wireguardEncryption": Boolean;
        /// Exporter of metrics of BIRD.
        "birdExporter": BirdExporter => [Since(51)];
        /// Multus, with which pods can have several networks.
        "multus": Multus => [Since(52)];
        /// Traffic to unknown addresses of Services: `Disabled`, `Drop` or `Reject`.
        "serviceLoopPrevention": String -> service_loop_prevention: Option<String> => [Since(58)];
    }
}

object! {
    /// Allocation of IP addresses.
    IPAM {
        /// Plugin: `calico-ipam` or `host-local`.
        "type": String -> kind: String;
        /// CIDR of the pods, or `usePodCIDR`.
        "cidr": String -> cidr: Option<String>;
    }
}

object! {
    /// Tunnels and node addresses for IPv4.
    IPv4 {
        /// Kind of tunnel: `ipip` or `vxlan`.
        "pool": String -> pool: Option<String>;
        /// Use of the tunnel: `Always`, `Never`, `CrossSubnet` or `Off`.
        "mode": String -> mode: Option<String>;
        /// Detection of the nodes' addresses.
        "autoDetectionMethod": String -> auto_detection_method: String;
    }
}

object! {
    /// Tunnels and node addresses for IPv6.
    IPv6 {
        /// Kind of tunnel: `ipip` or `vxlan`.
        "pool": String -> pool: Option<String>;
        /// Use of the tunnel: `Always`, `Never`, `CrossSubnet` or `Off`.
        "mode": String -> mode: Option<String>;
        /// Detection of the nodes' addresses.
        "autoDetectionMethod": String -> auto_detection_method: String;
        /// Translates the pods' addresses outside of the cluster.
        "sourceNATEnabled": Boolean => [Since(47)];
    }
}

object! {
    /// Data plane in eBPF.
    EbpfDataplane {
        /// Enables it.
        "enabled": Boolean -> enabled: bool;
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
    /// Scaling of calico's components.
    AutoScaling {
        /// Method: `cluster-proportional`, `vpa` or `static`.
        "mode": String -> mode: String;
        /// Resources of components: fixed with `static`, minimum with `vpa`.
        "resources": Resources -> resources: Resources => [Since(41)];
    }
}

object! {
    /// Resources of calico's components.
    Resources {
        /// `cpu` and `memory` of calico on each node.
        "node": {Quantity} -> node: BTreeMap<String, Option<Quantity>>;
        /// `cpu` and `memory` of typha.
        "typha": {Quantity} -> typha: BTreeMap<String, Option<Quantity>>;
    }
}

object! {
    /// Multus, with which pods can have several networks.
    Multus {
        /// Enables Multus.
        "enabled": Boolean;
        /// Installs the standard CNI plugins.
        "installCNIPlugins": Boolean;
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
    /// Typha, which reduces the load of the API server.
    Typha,
    /// Translation of the pods' addresses for the upstream DNS server.
    SnatToUpstreamDNS,
    /// Overlay network with VXLAN.
    VXLAN,
    /// Exporter of metrics of BIRD.
    BirdExporter,
}
