//! `spec.networking`.

use crate::api::Constraint::{Distinct, Enum, FilledWithWorkers, Format, WithWorkers};
use crate::api::Format::{Cidr, LabelValue};
use crate::api::object;

object! {
    /// Networks of a cluster.
    Networking {
        /// The network extension, for example `calico` or `cilium`.
        "type": String -> kind: Option<String> => [FilledWithWorkers, WithWorkers, Format(LabelValue)];
        /// `IPv4`, `IPv6`, or both.
        "ipFamilies": [String] -> ip_families: Vec<String> => [Enum(&["IPv4", "IPv6"]), Distinct];
        /// Network of the nodes, as a CIDR.
        "nodes": String -> nodes: Option<String> => [WithWorkers, Format(Cidr)];
        /// Network of the pods, as a CIDR; immutable once it is set.
        "pods": String -> pods: Option<String> => [WithWorkers, Format(Cidr)];
        /// Network of the services, as a CIDR; immutable once it is set.
        "services": String -> services: Option<String> => [Format(Cidr)];
        /// What the network extension reads.
        "providerConfig": Any => [WithWorkers];
    }
}

impl Networking {
    /// Reports whether the Shoot has addresses of this family.
    #[must_use]
    pub fn has(&self, family: &str) -> bool {
        match self.ip_families.is_empty() {
            true => family == "IPv4",
            false => self.ip_families.iter().any(|it| it == family),
        }
    }
}
