//! The InfrastructureConfig of provider-azure.

use crate::api::Constraint::{AtLeast, AtMost, Enum, Filled, Format, Immutable, Since};
use crate::api::Format::Cidr;
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on Azure.
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Existing resource group; deprecated and not supported.
        "resourceGroup": ResourceGroup => [Immutable];
        /// Virtual network, subnets and NAT gateways.
        "networks": NetworkConfig;
        /// Managed identity of the machines. It cannot be changed if a worker pool is updated in place.
        "identity": IdentityConfig;
        /// Distributes the machines over availability zones. The default is false.
        "zoned": Boolean => [Immutable];
    }
}

object! {
    /// Existing resource group.
    ResourceGroup {
        /// Name of the resource group.
        "name": String;
    }
}

object! {
    /// Virtual network, subnets and NAT gateways of a Shoot.
    NetworkConfig {
        /// New or existing virtual network.
        "vnet": VNet;
        /// CIDR of a single subnet for nodes, for example `10.250.0.0/16`. Either `workers` or `zones` must be set.
        "workers": String => [Format(Cidr)];
        /// NAT gateway of the single subnet; not possible with `zones`.
        "natGateway": NatGatewayConfig;
        /// Service endpoints of the single subnet, for example `Microsoft.Storage`; not possible with `zones`.
        "serviceEndpoints": [String];
        /// Zones with one subnet each; only with `zoned: true`. Zones can be added, but not removed.
        "zones": [Zone];
    }
}

object! {
    /// New or existing virtual network. An existing one is immutable.
    VNet {
        /// Name of an existing virtual network; only together with `resourceGroup`.
        "name": String;
        /// Resource group of an existing virtual network; only together with `name`.
        "resourceGroup": String;
        /// CIDR of a new virtual network, for example `10.250.0.0/16`. It can be expanded, but not removed.
        "cidr": String => [Format(Cidr)];
        /// Resource ID of the DDoS protection plan of a new virtual network.
        "ddosProtectionPlanID": String;
    }
}

object! {
    /// NAT gateway of a single subnet.
    NatGatewayConfig {
        /// Creates the NAT gateway. Other fields are only possible if it is enabled.
        "enabled": Boolean;
        /// Idle timeout of connections, in minutes.
        "idleConnectionTimeoutMinutes": Integer32 => [AtLeast(4.0), AtMost(120.0)];
        /// Number of the zone of the NAT gateway, for example 1; not possible with the SKU `StandardV2`.
        "zone": Integer32;
        /// SKU of the NAT gateway; it cannot be changed. `StandardV2` is zone-redundant. The default is `Standard`.
        "sku": String => [Enum(&["Standard", "StandardV2"]), Since(60)];
        /// Existing public IP addresses of the NAT gateway.
        "ipAddresses": [PublicIPReference];
    }
}

object! {
    /// Existing public IP address.
    PublicIPReference {
        /// Name of the public IP address.
        "name": String;
        /// Resource group of the public IP address.
        "resourceGroup": String;
        /// Number of the zone of the public IP address; it must be that of the NAT gateway.
        "zone": Integer32;
    }
}

object! {
    /// Zone with a subnet.
    Zone {
        /// Number of the zone, for example 1.
        "name": Integer32;
        /// CIDR of the subnet, for example `10.250.0.0/24`; immutable.
        "cidr": String required => [Format(Cidr)];
        /// Service endpoints of the subnet, for example `Microsoft.Storage`.
        "serviceEndpoints": [String];
        /// NAT gateway of the subnet.
        "natGateway": ZonedNatGatewayConfig;
    }
}

object! {
    /// NAT gateway of the subnet of a zone.
    ZonedNatGatewayConfig {
        /// Creates the NAT gateway. Other fields are only possible if it is enabled.
        "enabled": Boolean;
        /// Idle timeout of connections, in minutes.
        "idleConnectionTimeoutMinutes": Integer32 => [AtLeast(4.0), AtMost(120.0)];
        /// SKU of the NAT gateway. The default is `Standard`.
        "sku": String => [Enum(&["Standard"]), Since(60)];
        /// Existing public IP addresses of the NAT gateway.
        "ipAddresses": [ZonedPublicIPReference];
    }
}

object! {
    /// Existing public IP address in the zone of a subnet.
    ZonedPublicIPReference {
        /// Name of the public IP address.
        "name": String required => [Filled];
        /// Resource group of the public IP address.
        "resourceGroup": String required => [Filled];
    }
}

object! {
    /// Managed identity of the machines.
    IdentityConfig {
        /// Name of the managed identity.
        "name": String required;
        /// Resource group of the managed identity.
        "resourceGroup": String required => [Filled];
        /// Uses the identity to pull images from an Azure Container Registry.
        "acrAccess": Boolean;
    }
}
