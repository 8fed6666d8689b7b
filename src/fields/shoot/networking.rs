//! `spec.networking`.

use crate::fields::Constraint::{Distinct, Enum, FilledWithWorkers, Format, WithWorkers};
use crate::fields::Format::{Cidr, LabelValue};
use crate::fields::object;

object! {
    /// Networks of a cluster.
    Networking {
        /// The network extension, for example `calico` or `cilium`.
        type: String => [FilledWithWorkers, WithWorkers, Format(LabelValue)];
        /// `IPv4`, `IPv6`, or both.
        ipFamilies: [String] => [Enum(&["IPv4", "IPv6"]), Distinct];
        /// Network of the nodes, as a CIDR.
        nodes: String => [WithWorkers, Format(Cidr)];
        /// Network of the pods, as a CIDR; immutable once it is set.
        pods: String => [WithWorkers, Format(Cidr)];
        /// Network of the services, as a CIDR; immutable once it is set.
        services: String => [Format(Cidr)];
        /// What the network extension reads.
        providerConfig: Any => [WithWorkers];
    }
}
