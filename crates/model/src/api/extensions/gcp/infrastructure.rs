// SPDX-License-Identifier: Apache-2.0
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
        "networks": NetworkConfig -> networks: NetworkConfig;
    }
}

object! {
    /// VPC network, subnets and NAT of a Shoot.
    NetworkConfig {
        /// Existing VPC network; without it, a new one is created. It cannot be removed later.
        "vpc": VPC -> vpc: Option<VPC>;
        /// Settings of Cloud NAT.
        "cloudNAT": CloudNAT -> cloud_nat: Option<CloudNAT>;
        /// CIDR of a subnet for internal load balancers, for example `10.251.0.0/16`.
        "internal": String -> internal: Option<String> => [Format(Cidr)];
        /// Deprecated name of `workers`.
        "worker": String -> worker: String;
        /// CIDR of the subnet for nodes, for example `10.250.0.0/19`. It must be inside `spec.networking.nodes` and can only be expanded.
        "workers": String -> workers: String;
        /// Flow logs of the subnet for nodes; at least one field must be set.
        "flowLogs": FlowLogs -> flow_logs: Option<FlowLogs>;
        /// Maximum transmission unit of the new VPC network, in bytes, for example 1500. The default of Google Cloud is 1460.
        "mtu": Integer32 -> mtu: Option<i32> => [AtLeast(1300.0), AtMost(8896.0), Immutable, Since(52)];
    }
}

object! {
    /// Existing VPC network; immutable.
    VPC {
        /// Name of the VPC network.
        "name": String required -> name: String;
        /// Existing Cloud Router in the VPC network.
        "cloudRouter": CloudRouter required -> cloud_router: Option<CloudRouter>;
    }
}

object! {
    /// Existing Cloud Router.
    #[derive(PartialEq)]
    CloudRouter {
        /// Name of the Cloud Router.
        "name": String required -> name: String;
    }
}

object! {
    /// Settings of Cloud NAT.
    CloudNAT {
        /// Endpoint-independent mapping; not possible with dynamic port allocation.
        "endpointIndependentMapping": EndpointIndependentMapping
            -> endpoint_independent_mapping: EndpointIndependentMapping;
        /// Minimum number of ports of a machine; with dynamic port allocation, a power of two. The default is 2048.
        "minPortsPerVM": Integer32 -> min_ports_per_vm: Option<i32>;
        /// Maximum number of ports of a machine, a power of two; only with dynamic port allocation. The default is 65536.
        "maxPortsPerVM": Integer32 -> max_ports_per_vm: Option<i32>;
        /// Enables dynamic port allocation.
        "enableDynamicPortAllocation": Boolean -> enable_dynamic_port_allocation: bool;
        /// Reserved external IP addresses of the NAT gateway.
        "natIPNames": [NatIPName]
            -> #[serde(deserialize_with = "crate::api::bounded::optional_list")] nat_ip_names: Option<Vec<NatIPName>> => [NotEmpty];
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
        "enabled": Boolean -> enabled: bool;
    }
}

object! {
    /// Reserved external IP address.
    NatIPName {
        /// Name of the address.
        "name": String required -> name: String;
    }
}

object! {
    /// Flow logs of the subnet for nodes.
    FlowLogs {
        /// Interval for the aggregation of flows.
        "aggregationInterval": String -> aggregation_interval: Option<String> => [Enum(&[
            "INTERVAL_5_SEC",
            "INTERVAL_30_SEC",
            "INTERVAL_1_MIN",
            "INTERVAL_5_MIN",
            "INTERVAL_10_MIN",
            "INTERVAL_15_MIN",
        ])];
        /// Share of the logs that are reported, from 0.0 to 1.0.
        "flowSampling": Number -> flow_sampling: Option<f32> => [AtLeast(0.0), AtMost(1.0)];
        /// Metadata that is added to the logs.
        "metadata": String -> metadata: Option<String> => [Enum(&["CUSTOM_METADATA", "EXCLUDE_ALL_METADATA", "INCLUDE_ALL_METADATA"])];
    }
}
