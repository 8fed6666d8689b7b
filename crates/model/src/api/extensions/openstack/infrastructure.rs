// SPDX-License-Identifier: Apache-2.0
//! The InfrastructureConfig of provider-openstack.

use crate::api::Constraint::{AtLeast, AtMost, Filled, Immutable, Since};
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on OpenStack.
    #[derive(PartialEq)]
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Floating IP pool for load balancers. The CloudProfile must offer it in the region.
        "floatingPoolName": String required -> floating_pool_name: String => [Filled, Immutable];
        /// Name or pattern of the subnet in the floating IP pool to which the new router is attached.
        "floatingPoolSubnetName": String -> floating_pool_subnet_name: Option<String> => [Immutable];
        /// Network, router and subnets.
        "networks": Networks -> networks: Networks;
    }
}

object! {
    /// Network, router and subnets of a Shoot.
    #[derive(PartialEq)]
    Networks {
        /// Existing router; without it, a new one is created.
        "router": Router -> router: Option<Router> => [Immutable];
        /// Deprecated name of `workers`.
        "worker": String -> worker: String => [Immutable];
        /// CIDR of the subnet for nodes, for example `10.250.0.0/19`. Either `workers` or `subnetPool` must be set.
        "workers": String -> workers: String => [Immutable];
        /// Subnet pool from which the CIDR of the subnet for nodes is allocated.
        "subnetPool": SubnetPool -> subnet_pool: Option<SubnetPool> => [Immutable, Since(55)];
        /// UUID of an existing private network; without it, a new one is created.
        "id": String -> id: Option<String> => [Immutable];
        /// Share network for shared file systems.
        "shareNetwork": ShareNetwork -> share_network: Option<ShareNetwork>;
        /// IPv6 CIDRs of a dual-stack cluster.
        "ipv6": IPv6Config -> ipv6: Option<IPv6Config> => [Immutable, Since(55)];
    }
}

object! {
    /// Existing router.
    #[derive(PartialEq)]
    Router {
        /// UUID of the router.
        "id": String required -> id: String;
    }
}

object! {
    /// Subnet pool for the subnet of the nodes.
    #[derive(PartialEq)]
    SubnetPool {
        /// ID of the subnet pool.
        "id": String required -> id: String => [Filled];
        /// Prefix length of the allocated CIDR, for example 24.
        "prefixLength": Integer64 required -> prefix_length: i64 => [AtLeast(1.0), AtMost(32.0)];
    }
}

object! {
    /// Share network for shared file systems such as NFS.
    #[derive(PartialEq)]
    ShareNetwork {
        /// Creates the share network. It cannot be disabled later.
        "enabled": Boolean -> enabled: bool;
    }
}

object! {
    /// IPv6 CIDRs of a dual-stack cluster: a subnet pool or three CIDRs.
    #[derive(PartialEq)]
    IPv6Config {
        /// ID of the subnet pool from which IPv6 subnets are allocated.
        "subnetPoolID": String -> subnet_pool_id: Option<String>;
        /// IPv6 CIDR of the nodes, for example `2001:db8:1::/64`.
        "nodeCIDR": String -> node_cidr: String;
        /// IPv6 CIDR of the pods, for example `2001:db8:2::/56`.
        "podCIDR": String -> pod_cidr: String;
        /// IPv6 CIDR of the services, for example `2001:db8:3::/112`.
        "serviceCIDR": String -> service_cidr: String;
    }
}
