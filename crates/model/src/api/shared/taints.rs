// SPDX-License-Identifier: Apache-2.0
//! Taints and tolerations.

use crate::api::Constraint::{Enum, Filled, Format};
use crate::api::Format::{LabelKey, LabelValue};
use crate::api::object;

object! {
    /// Toleration of a Seed taint.
    GardenToleration {
        /// Key of the taint.
        "key": String required;
        /// Value of the taint; any value if omitted.
        "value": String;
    }
}

object! {
    /// Taint of a node; pods without a matching toleration are not scheduled on it.
    NodeTaint {
        /// Key of the taint.
        "key": String required -> key: String => [Format(LabelKey)];
        /// Value of the taint.
        "value": String => [Format(LabelValue)];
        /// Effect on pods that do not tolerate the taint.
        "effect": String required => [Filled, Enum(&["NoExecute", "NoSchedule", "PreferNoSchedule"])];
        /// Time at which the taint was added; only for `NoExecute`.
        "timeAdded": Time;
    }
}

object! {
    /// Toleration of a node taint.
    PodToleration {
        /// Key of the taint; all keys if omitted.
        "key": String;
        /// Operator that compares the value.
        "operator": String => [Enum(&["Equal", "Exists", "Gt", "Lt"])];
        /// Value of the taint.
        "value": String;
        /// Effect of the taint; all effects if omitted.
        "effect": String => [Enum(&["NoExecute", "NoSchedule", "PreferNoSchedule"])];
        /// Period for which `NoExecute` is tolerated, in seconds.
        "tolerationSeconds": Integer64;
    }
}
