//! `spec.networking`.

use crate::fields::object;

object! {
    /// Networks of a cluster.
    Networking {
        /// The network extension, for example `calico` or `cilium`.
        type: String;
        /// `IPv4`, `IPv6`, or both.
        ipFamilies: [String];
        /// Network of the nodes, as a CIDR.
        nodes: String;
        /// Network of the pods, as a CIDR; immutable once it is set.
        pods: String;
        /// Network of the services, as a CIDR; immutable once it is set.
        services: String;
        /// What the network extension reads.
        providerConfig: Any;
    }
}
