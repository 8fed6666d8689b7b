//! Taints and what tolerates them.

use crate::api::Constraint::{Enum, Filled, Format};
use crate::api::Format::{LabelKey, LabelValue};
use crate::api::object;

object! {
    /// A taint of Seeds that is tolerated.
    GardenToleration {
        /// Key of the taint.
        "key": String required;
        /// Value of the taint; any, if it is left out.
        "value": String;
    }
}

object! {
    /// What keeps pods off a node unless they tolerate it.
    NodeTaint {
        /// Its key.
        "key": String required -> key: String => [Format(LabelKey)];
        /// Its value.
        "value": String => [Format(LabelValue)];
        /// What happens to pods that do not tolerate it.
        "effect": String required => [Filled, Enum(&["NoExecute", "NoSchedule", "PreferNoSchedule"])];
        /// Since when; for `NoExecute` only.
        "timeAdded": Time;
    }
}

object! {
    /// A taint of nodes that pods tolerate.
    PodToleration {
        /// Key of the taint; all, if it is left out.
        "key": String;
        /// How the value is compared.
        "operator": String => [Enum(&["Equal", "Exists", "Gt", "Lt"])];
        /// Value of the taint.
        "value": String;
        /// Effect of the taint; all, if it is left out.
        "effect": String => [Enum(&["NoExecute", "NoSchedule", "PreferNoSchedule"])];
        /// How long `NoExecute` is tolerated, in seconds.
        "tolerationSeconds": Integer64;
    }
}
