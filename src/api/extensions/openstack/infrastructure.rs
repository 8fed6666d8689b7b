//! The InfrastructureConfig of provider-openstack.

use crate::api::Constraint::{AtLeast, AtMost, Filled, Immutable, Since};
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on OpenStack.
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Floating IP pool for load balancers. The CloudProfile must offer it in the region.
        "floatingPoolName": String required => [Filled, Immutable];
        /// Name or pattern of the subnet in the floating IP pool to which the new router is attached.
        "floatingPoolSubnetName": String => [Immutable];
        /// Network, router and subnets.
        "networks": Networks;
    }
}

object! {
    /// Network, router and subnets of a Shoot.
    Networks {
        /// Existing router; without it, a new one is created.
        "router": Router => [Immutable];
        /// Deprecated name of `workers`.
        "worker": String => [Immutable];
        /// CIDR of the subnet for nodes, for example `10.250.0.0/19`. Either `workers` or `subnetPool` must be set.
        "workers": String => [Immutable];
        /// Subnet pool from which the CIDR of the subnet for nodes is allocated.
        "subnetPool": SubnetPool => [Immutable, Since(55)];
        /// UUID of an existing private network; without it, a new one is created.
        "id": String => [Immutable];
        /// Share network for shared file systems.
        "shareNetwork": ShareNetwork;
        /// IPv6 CIDRs of a dual-stack cluster.
        "ipv6": IPv6Config => [Immutable, Since(55)];
    }
}

object! {
    /// Existing router.
    Router {
        /// UUID of the router.
        "id": String required;
    }
}

object! {
    /// Subnet pool for the subnet of the nodes.
    SubnetPool {
        /// ID of the subnet pool.
        "id": String required => [Filled];
        /// Prefix length of the allocated CIDR, for example 24.
        "prefixLength": Integer64 required => [AtLeast(1.0), AtMost(32.0)];
    }
}

object! {
    /// Share network for shared file systems such as NFS.
    ShareNetwork {
        /// Creates the share network. It cannot be disabled later.
        "enabled": Boolean;
    }
}

object! {
    /// IPv6 CIDRs of a dual-stack cluster: a subnet pool or three CIDRs.
    IPv6Config {
        /// ID of the subnet pool from which IPv6 subnets are allocated.
        "subnetPoolID": String;
        /// IPv6 CIDR of the nodes, for example `2001:db8:1::/64`.
        "nodeCIDR": String;
        /// IPv6 CIDR of the pods, for example `2001:db8:2::/56`.
        "podCIDR": String;
        /// IPv6 CIDR of the services, for example `2001:db8:3::/112`.
        "serviceCIDR": String;
    }
}
