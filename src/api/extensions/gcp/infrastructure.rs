//! The InfrastructureConfig of provider-gcp.

use crate::api::Constraint::{AtLeast, AtMost, Enum, Format, Immutable, NotEmpty, Since};
use crate::api::Format::Cidr;
use crate::api::object;

object! {
    /// Infrastructure of a Shoot on Google Cloud.
    InfrastructureConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// VPC network, subnets and NAT.
        "networks": NetworkConfig;
    }
}

object! {
    /// VPC network, subnets and NAT of a Shoot.
    NetworkConfig {
        /// Existing VPC network; without it, a new one is created. It cannot be removed later.
        "vpc": VPC;
        /// Settings of Cloud NAT.
        "cloudNAT": CloudNAT;
        /// CIDR of a subnet for internal load balancers, for example `10.251.0.0/16`.
        "internal": String => [Format(Cidr)];
        /// Deprecated name of `workers`.
        "worker": String;
        /// CIDR of the subnet for nodes, for example `10.250.0.0/19`. It must be inside `spec.networking.nodes` and can only be expanded.
        "workers": String;
        /// Flow logs of the subnet for nodes; at least one field must be set.
        "flowLogs": FlowLogs;
        /// Maximum transmission unit of the new VPC network, in bytes, for example 1500. The default of Google Cloud is 1460.
        "mtu": Integer32 => [AtLeast(1300.0), AtMost(8896.0), Immutable, Since(52)];
    }
}

object! {
    /// Existing VPC network; immutable.
    VPC {
        /// Name of the VPC network.
        "name": String required;
        /// Existing Cloud Router in the VPC network.
        "cloudRouter": CloudRouter required;
    }
}

object! {
    /// Existing Cloud Router.
    CloudRouter {
        /// Name of the Cloud Router.
        "name": String required;
    }
}

object! {
    /// Settings of Cloud NAT.
    CloudNAT {
        /// Endpoint-independent mapping; not possible with dynamic port allocation.
        "endpointIndependentMapping": EndpointIndependentMapping;
        /// Minimum number of ports of a machine; with dynamic port allocation, a power of two. The default is 2048.
        "minPortsPerVM": Integer32;
        /// Maximum number of ports of a machine, a power of two; only with dynamic port allocation. The default is 65536.
        "maxPortsPerVM": Integer32;
        /// Enables dynamic port allocation.
        "enableDynamicPortAllocation": Boolean;
        /// Reserved external IP addresses of the NAT gateway.
        "natIPNames": [NatIPName] => [NotEmpty];
        /// Idle timeout of ICMP connections, in seconds. The default is 30.
        "icmpIdleTimeoutSec": Integer32;
        /// Idle timeout of established TCP connections, in seconds. The default is 1200.
        "tcpEstablishedIdleTimeoutSec": Integer32;
        /// Timeout of TCP connections in state `TIME_WAIT`, in seconds. The default is 120.
        "tcpTimeWaitTimeoutSec": Integer32;
        /// Idle timeout of transitory TCP connections, in seconds. The default is 30.
        "tcpTransitoryIdleTimeoutSec": Integer32;
        /// Idle timeout of UDP connections, in seconds. The default is 30.
        "udpIdleTimeoutSec": Integer32;
    }
}

object! {
    /// Endpoint-independent mapping of Cloud NAT.
    EndpointIndependentMapping {
        /// Enables endpoint-independent mapping.
        "enabled": Boolean;
    }
}

object! {
    /// Reserved external IP address.
    NatIPName {
        /// Name of the address.
        "name": String required;
    }
}

object! {
    /// Flow logs of the subnet for nodes.
    FlowLogs {
        /// Interval for the aggregation of flows.
        "aggregationInterval": String => [Enum(&[
            "INTERVAL_5_SEC",
            "INTERVAL_30_SEC",
            "INTERVAL_1_MIN",
            "INTERVAL_5_MIN",
            "INTERVAL_10_MIN",
            "INTERVAL_15_MIN",
        ])];
        /// Share of the logs that are reported, from 0.0 to 1.0.
        "flowSampling": Number => [AtLeast(0.0), AtMost(1.0)];
        /// Metadata that is added to the logs.
        "metadata": String => [Enum(&["CUSTOM_METADATA", "EXCLUDE_ALL_METADATA", "INCLUDE_ALL_METADATA"])];
    }
}
