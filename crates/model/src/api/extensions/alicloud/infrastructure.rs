// SPDX-License-Identifier: Apache-2.0
//! The InfrastructureConfig of provider-alicloud.

use crate::api::Constraint::{Filled, Format, Since};
use crate::api::Format::Cidr;
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on Alibaba Cloud.
    #[derive(PartialEq)]
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// IPv4 and IPv6 for the cluster.
        "dualStack": DualStack -> dual_stack: Option<DualStack> => [Since(71)];
        /// VPC and zones.
        "networks": Networks -> networks: Networks;
    }
}

object! {
    /// IPv4 and IPv6 for the cluster.
    #[derive(PartialEq)]
    DualStack {
        /// Enables IPv6. It cannot be disabled later.
        "enabled": Boolean -> enabled: bool;
    }
}

object! {
    /// VPC and zones of a Shoot.
    #[derive(PartialEq)]
    Networks {
        /// New or existing VPC.
        "vpc": VPC -> vpc: VPC;
        /// Zones of the worker pools. Zones can be added at the end, but not removed.
        "zones": [Zone] required -> zones: Vec<Zone> => [Filled];
    }
}

object! {
    /// New or existing VPC: either `id` or `cidr` must be set. It is immutable.
    #[derive(PartialEq)]
    VPC {
        /// ID of an existing VPC.
        "id": String -> id: Option<String>;
        /// CIDR of a new VPC, for example `10.250.0.0/16`.
        "cidr": String -> cidr: Option<String> => [Format(Cidr)];
        /// Creates a NAT gateway in the existing VPC.
        "gardenerManagedNATGateway": Boolean -> managed_nat_gateway: Option<bool>;
        /// Creates a route table for the Shoot. In an existing VPC, it needs `gardenerManagedNATGateway: true`.
        "useCustomRouteTable": Boolean -> custom_route_table: bool => [Since(71)];
    }
}

object! {
    /// Zone of the worker pools.
    #[derive(PartialEq)]
    Zone {
        /// Name of the zone, for example `eu-central-1a`; immutable.
        "name": String -> name: String;
        /// Deprecated name of `workers`.
        "worker": String -> worker: String;
        /// CIDR of the vSwitch for nodes, for example `10.250.0.0/19`; immutable.
        "workers": String -> workers: String;
        /// IPv6 CIDR block of the zone, from 0 to 255; only with `dualStack`. The default in a new VPC is the index of the zone.
        "ipv6CidrBlock": Integer64 -> ipv6_cidr_block: Option<i64> => [Since(71)];
        /// NAT gateway of the zone.
        "natGateway": NatGatewayConfig -> nat_gateway: Option<NatGatewayConfig>;
    }
}

object! {
    /// NAT gateway of a zone.
    #[derive(PartialEq)]
    NatGatewayConfig {
        /// Allocation ID of the elastic IP address of the NAT gateway.
        "eipAllocationID": String required -> eip_allocation_id: String => [Filled];
    }
}
