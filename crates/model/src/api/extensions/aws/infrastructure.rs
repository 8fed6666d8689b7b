// SPDX-License-Identifier: Apache-2.0
//! The networks of a Shoot on AWS. Source: `types_infrastructure.go`.

use crate::api::Constraint::Since;
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on AWS.
    #[derive(PartialEq)]
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Lets nodes pull images from registries of ECR; they can if absent.
        "enableECRAccess": Boolean -> enable_ecr_access: Option<bool>;
        /// IPv4 and IPv6.
        "dualStack": DualStack -> dual_stack: Option<DualStack>;
        /// VPC and subnets.
        "networks": Networks required -> networks: Networks;
        /// Tags of AWS resources that the extension ignores.
        "ignoreTags": IgnoreTags -> ignore_tags: Option<IgnoreTags>;
        /// Creates a VPC of dedicated tenancy.
        "enableDedicatedTenancyForVPC": Boolean -> dedicated_tenancy: Option<bool> => [Since(63)];
        /// File system of EFS for PersistentVolumes.
        "elasticFileSystem": ElasticFileSystemConfig -> elastic_file_system: Option<ElasticFileSystemConfig>
            => [Since(63)];
        /// Deploys a DaemonSet that sets the MTU of network interfaces; false in new Shoots if absent.
        "enableMTUCustomizer": Boolean -> enable_mtu_customizer: Option<bool> => [Since(69)];
    }
}

object! {
    /// IPv4 and IPv6.
    #[derive(PartialEq)]
    DualStack {
        /// Enables both; cannot be disabled later.
        "enabled": Boolean required -> enabled: bool;
    }
}

object! {
    /// File system of EFS for PersistentVolumes.
    #[derive(PartialEq)]
    ElasticFileSystemConfig {
        /// Enables EFS.
        "enabled": Boolean required -> enabled: bool;
        /// ID of an existing file system, for example `fs-0123456789abcdef0`.
        "id": String -> id: Option<String>;
    }
}

object! {
    /// VPC and subnets.
    #[derive(PartialEq)]
    Networks {
        /// The VPC.
        "vpc": VPC required -> vpc: VPC;
        /// Subnets in each zone. Zones can be added, not removed.
        "zones": [Zone] required -> zones: Vec<Zone>;
        /// ID of an existing security group of the nodes, for example `sg-0123456789abcdef0`.
        "nodesSecurityGroupID": String -> nodes_security_group_id: Option<String> => [Since(73)];
    }
}

object! {
    /// The VPC: an existing one by its ID, or a new one by its CIDR.
    #[derive(PartialEq)]
    VPC {
        /// ID of an existing VPC, for example `vpc-0123456789abcdef0`.
        "id": String -> id: Option<String>;
        /// CIDR of a new VPC.
        "cidr": String -> cidr: Option<String>;
        /// Services of AWS that get a gateway endpoint, for example `s3`.
        "gatewayEndpoints": [String] -> gateway_endpoints: Vec<String>;
        /// Pool of IPv6 addresses.
        "ipv6IpamPool": IPAMPool -> ipv6_ipam_pool: Option<IPAMPool> => [Since(67)];
    }
}

object! {
    /// Pool of IPv6 addresses in an IP Address Manager.
    #[derive(PartialEq)]
    IPAMPool {
        /// ID of the pool.
        "id": String required -> id: Option<String> => [Since(67)];
        /// CIDR of the VPC within the pool, of 56 bits.
        "cidrBlock": String -> cidr_block: Option<String> => [Since(70)];
    }
}

object! {
    /// Subnets in a zone: new ones by their CIDRs, or existing ones by their IDs.
    #[derive(PartialEq)]
    Zone {
        /// Name of the zone, for example `eu-west-1a`.
        "name": String required -> name: String;
        /// CIDR of the subnet of internal load balancers.
        "internal": String -> internal: Option<String>;
        /// CIDR of the subnet of public load balancers and the NAT gateway.
        "public": String -> public: Option<String>;
        /// CIDR of the subnet of the nodes.
        "workers": String -> workers: Option<String>;
        /// ID of an existing Elastic IP of the NAT gateway, for example `eipalloc-0123456789abcdef0`.
        "elasticIPAllocationID": String -> elastic_ip_allocation_id: Option<String>;
        /// ID of an existing subnet of the nodes, for example `subnet-0123456789abcdef0`.
        "workersSubnetID": String -> workers_subnet_id: Option<String> => [Since(73)];
        /// ID of an existing subnet of public load balancers.
        "publicSubnetID": String -> public_subnet_id: Option<String> => [Since(73)];
        /// ID of an existing subnet of internal load balancers.
        "internalSubnetID": String -> internal_subnet_id: Option<String> => [Since(73)];
    }
}

object! {
    /// Tags of AWS resources that the extension ignores.
    #[derive(PartialEq)]
    IgnoreTags {
        /// Keys of tags.
        "keys": [String] -> keys: Vec<String>;
        /// Prefixes of keys of tags.
        "keyPrefixes": [String] -> key_prefixes: Vec<String>;
    }
}
