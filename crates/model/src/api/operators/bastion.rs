// SPDX-License-Identifier: Apache-2.0
//! Bastion: temporary SSH access to the nodes of a Shoot.

use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::status::Condition;

object! {
    /// Temporary SSH access to the nodes of a Shoot.
    BastionHost {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta required;
        /// Desired state of the bastion.
        "spec": BastionSpec required;
        /// Observed state of the bastion; set by the system.
        "status": BastionStatus filled;
    }
}

object! {
    /// Desired state of a Bastion.
    BastionSpec {
        /// Shoot in the namespace of the Bastion; its name is immutable.
        "shootRef": LocalObjectReference required;
        /// Seed of the Shoot; set by the API server.
        "seedName": String;
        /// Type of the infrastructure provider; set by the API server.
        "providerType": String;
        /// Public SSH key of the user; immutable.
        "sshPublicKey": String required;
        /// Sources from which the bastion can be reached; at least one.
        "ingress": [BastionIngressPolicy] required;
    }
}

object! {
    /// Reference to an object by name.
    LocalObjectReference {
        /// Name of the object.
        "name": String;
    }
}

object! {
    /// Source from which a Bastion can be reached.
    BastionIngressPolicy {
        /// CIDR of the source.
        "ipBlock": IPBlock required;
    }
}

object! {
    /// CIDR with exceptions.
    IPBlock {
        /// CIDR, for example `203.0.113.0/24`.
        "cidr": String required;
        /// Excluded CIDRs.
        "except": [String];
    }
}

object! {
    /// Observed state of a Bastion.
    BastionStatus {
        /// Public address of the bastion.
        "ingress": LoadBalancerIngress;
        /// Conditions of the bastion.
        "conditions": [Condition; by type];
        /// Time of the last heartbeat; extends the expiration.
        "lastHeartbeatTimestamp": Time;
        /// Time after which the bastion is deleted.
        "expirationTimestamp": Time;
        /// Generation of the object that was processed last.
        "observedGeneration": Integer64;
    }
}

object! {
    /// Address of a load balancer.
    LoadBalancerIngress {
        /// IP address.
        "ip": String;
        /// Host name.
        "hostname": String;
        /// How traffic to the IP address is delivered: `VIP` or `Proxy`.
        "ipMode": String;
        /// Ports of the load balancer.
        "ports": [PortStatus];
    }
}

object! {
    /// Port of a load balancer.
    PortStatus {
        /// Port number.
        "port": Integer32 required;
        /// Protocol: `TCP`, `UDP` or `SCTP`.
        "protocol": String required;
        /// Error of the port.
        "error": String;
    }
}
