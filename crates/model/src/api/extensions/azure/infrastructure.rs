// SPDX-License-Identifier: Apache-2.0
//! The InfrastructureConfig of provider-azure.

use crate::api::Constraint::{AtLeast, AtMost, Enum, Filled, Format, Immutable, Since};
use crate::api::Format::Cidr;
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on Azure.
    #[derive(PartialEq)]
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Existing resource group; deprecated and not supported.
        "resourceGroup": ResourceGroup -> resource_group: Option<ResourceGroup> => [Immutable];
        /// Virtual network, subnets and NAT gateways.
        "networks": NetworkConfig -> networks: NetworkConfig;
        /// Managed identity of the machines. It cannot be changed if a worker pool is updated in place.
        "identity": IdentityConfig -> identity: Option<IdentityConfig>;
        /// Distributes the machines over availability zones. The default is false.
        "zoned": Boolean -> zoned: bool => [Immutable];
    }
}

object! {
    /// Existing resource group.
    #[derive(PartialEq)]
    ResourceGroup {
        /// Name of the resource group.
        "name": String -> name: String;
    }
}

object! {
    /// Virtual network, subnets and NAT gateways of a Shoot.
    #[derive(PartialEq)]
    NetworkConfig {
        /// New or existing virtual network.
        "vnet": VNet -> vnet: VNet;
        /// CIDR of a single subnet for nodes, for example `10.250.0.0/16`. Either `workers` or `zones` must be set.
        "workers": String -> workers: Option<String> => [Format(Cidr)];
        /// NAT gateway of the single subnet; not possible with `zones`.
        "natGateway": NatGatewayConfig -> nat_gateway: Option<NatGatewayConfig>;
        /// Service endpoints of the single subnet, for example `Microsoft.Storage`; not possible with `zones`.
        "serviceEndpoints": [String] -> service_endpoints: Vec<String>;
        /// Zones with one subnet each; only with `zoned: true`. Zones can be added, but not removed.
        "zones": [Zone] -> zones: Vec<Zone>;
    }
}

object! {
    /// New or existing virtual network. An existing one is immutable.
    #[derive(PartialEq)]
    VNet {
        /// Name of an existing virtual network; only together with `resourceGroup`.
        "name": String -> name: Option<String>;
        /// Resource group of an existing virtual network; only together with `name`.
        "resourceGroup": String -> resource_group: Option<String>;
        /// CIDR of a new virtual network, for example `10.250.0.0/16`. It can be expanded, but not removed.
        "cidr": String -> cidr: Option<String> => [Format(Cidr)];
        /// Resource ID of the DDoS protection plan of a new virtual network.
        "ddosProtectionPlanID": String -> ddos_protection_plan_id: Option<String>;
    }
}

object! {
    /// NAT gateway of a single subnet.
    #[derive(PartialEq)]
    NatGatewayConfig {
        /// Creates the NAT gateway. Other fields are only possible if it is enabled.
        "enabled": Boolean -> enabled: bool;
        /// Idle timeout of connections, in minutes.
        "idleConnectionTimeoutMinutes": Integer32 -> idle_connection_timeout_minutes: Option<i32>
            => [AtLeast(4.0), AtMost(120.0)];
        /// Number of the zone of the NAT gateway, for example 1; not possible with the SKU `StandardV2`.
        "zone": Integer32 -> zone: Option<i32>;
        /// SKU of the NAT gateway; it cannot be changed. `StandardV2` is zone-redundant. The default is `Standard`.
        "sku": String -> sku: Option<String> => [Enum(&["Standard", "StandardV2"]), Since(60)];
        /// Existing public IP addresses of the NAT gateway.
        "ipAddresses": [PublicIPReference]
            -> #[serde(deserialize_with = "crate::api::bounded::optional_list")] ip_addresses: Option<Vec<PublicIPReference>>;
    }
}

object! {
    /// Existing public IP address.
    #[derive(PartialEq)]
    PublicIPReference {
        /// Name of the public IP address.
        "name": String -> name: String;
        /// Resource group of the public IP address.
        "resourceGroup": String -> resource_group: String;
        /// Number of the zone of the public IP address; it must be that of the NAT gateway.
        "zone": Integer32 -> zone: Option<i32>;
    }
}

object! {
    /// Zone with a subnet.
    #[derive(PartialEq)]
    Zone {
        /// Number of the zone, for example 1.
        "name": Integer32 -> name: i32;
        /// CIDR of the subnet, for example `10.250.0.0/24`; immutable.
        "cidr": String required -> cidr: String => [Format(Cidr)];
        /// Service endpoints of the subnet, for example `Microsoft.Storage`.
        "serviceEndpoints": [String] -> service_endpoints: Vec<String>;
        /// NAT gateway of the subnet.
        "natGateway": ZonedNatGatewayConfig -> nat_gateway: Option<ZonedNatGatewayConfig>;
    }
}

object! {
    /// NAT gateway of the subnet of a zone.
    #[derive(PartialEq)]
    ZonedNatGatewayConfig {
        /// Creates the NAT gateway. Other fields are only possible if it is enabled.
        "enabled": Boolean -> enabled: bool;
        /// Idle timeout of connections, in minutes.
        "idleConnectionTimeoutMinutes": Integer32 -> idle_connection_timeout_minutes: Option<i32>
            => [AtLeast(4.0), AtMost(120.0)];
        /// SKU of the NAT gateway. The default is `Standard`.
        "sku": String -> sku: Option<String> => [Enum(&["Standard"]), Since(60)];
        /// Existing public IP addresses of the NAT gateway.
        "ipAddresses": [ZonedPublicIPReference]
            -> #[serde(deserialize_with = "crate::api::bounded::optional_list")] ip_addresses: Option<Vec<ZonedPublicIPReference>>;
    }
}

object! {
    /// Existing public IP address in the zone of a subnet.
    #[derive(PartialEq)]
    ZonedPublicIPReference {
        /// Name of the public IP address.
        "name": String required -> name: String => [Filled];
        /// Resource group of the public IP address.
        "resourceGroup": String required -> resource_group: String => [Filled];
    }
}

object! {
    /// Managed identity of the machines.
    #[derive(PartialEq)]
    IdentityConfig {
        /// Name of the managed identity.
        "name": String required -> name: String;
        /// Resource group of the managed identity.
        "resourceGroup": String required -> resource_group: String => [Filled];
        /// Uses the identity to pull images from an Azure Container Registry.
        "acrAccess": Boolean -> acr_access: Option<bool>;
    }
}
