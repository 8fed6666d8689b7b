// SPDX-License-Identifier: Apache-2.0
//! The WorkerConfig of provider-openstack.

use std::collections::BTreeMap;

use crate::api::Constraint::{Filled, Since};
use crate::api::object;
use garden_gate_text::go::Quantity;

object! {
    /// Machines of a worker pool on OpenStack.
    WorkerConfig {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Resources of a node, with which the cluster autoscaler scales the pool from zero.
        "nodeTemplate": NodeTemplate -> node_template: Option<NodeTemplate>;
        /// Server group of the machines.
        "serverGroup": ServerGroup -> server_group: Option<ServerGroup>;
        /// Labels of the machines, each with a different name. They cannot be labels of the worker pool.
        "machineLabels": [MachineLabel] -> machine_labels: Vec<MachineLabel>;
        /// Names of existing security groups that are attached to the machines.
        "additionalSecurityGroups": [String] -> additional_security_groups: Vec<String> => [Since(55)];
    }
}

object! {
    /// Resources of a node.
    NodeTemplate {
        /// Capacity by resource name, for example `cpu`, `gpu` and `memory`.
        "capacity": {Quantity} -> capacity: BTreeMap<String, Option<Quantity>>;
        /// Capacity of virtual extended resources by resource name, in whole numbers.
        "virtualCapacity": {Quantity} -> virtual_capacity: BTreeMap<String, Option<Quantity>> => [Since(48)];
    }
}

object! {
    /// Server group of the machines.
    ServerGroup {
        /// Affinity policy, for example `soft-anti-affinity`. The CloudProfile must offer it; `affinity` is limited to one zone.
        "policy": String required -> policy: String;
    }
}

object! {
    /// Label of a machine.
    MachineLabel {
        /// Name of the label.
        "name": String required -> name: String => [Filled];
        /// Value of the label.
        "value": String required -> value: String => [Filled];
        /// Replaces the machines if the value changes.
        "triggerRollingOnUpdate": Boolean;
    }
}
