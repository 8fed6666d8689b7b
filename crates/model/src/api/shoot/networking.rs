// SPDX-License-Identifier: Apache-2.0
//! `spec.networking`.

use crate::api::Constraint::{Distinct, Enum, FilledWithWorkers, Format, WithWorkers};
use crate::api::Format::{Cidr, LabelValue};
use crate::api::object;

object! {
    /// Networks of a cluster.
    Networking {
        /// Type of the network extension, for example `calico` or `cilium`.
        "type": String -> kind: Option<String> => [FilledWithWorkers, WithWorkers, Format(LabelValue)];
        /// IP families: `IPv4`, `IPv6`, or both.
        "ipFamilies": [String] -> ip_families: Vec<String> => [Enum(&["IPv4", "IPv6"]), Distinct];
        /// Node network, as a CIDR.
        "nodes": String -> nodes: Option<String> => [WithWorkers, Format(Cidr)];
        /// Pod network, as a CIDR; immutable once it is set.
        "pods": String -> pods: Option<String> => [WithWorkers, Format(Cidr)];
        /// Service network, as a CIDR; immutable once it is set.
        "services": String -> services: Option<String> => [Format(Cidr)];
        /// Configuration of the network extension.
        "providerConfig": Any => [WithWorkers];
    }
}

impl Networking {
    /// Reports whether the Shoot has addresses of this family.
    pub fn has(&self, family: &str) -> bool {
        if self.ip_families.is_empty() {
            family == "IPv4"
        } else {
            self.ip_families.iter().any(|it| it == family)
        }
    }
}
