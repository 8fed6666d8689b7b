//! Taints and what tolerates them.

use crate::fields::Constraint::Enum;
use crate::fields::object;

object! {
    GardenToleration {
        key: String required;
        value: String;
    }
}

object! {
    NodeTaint {
        effect: String required => [Enum(&["NoExecute", "NoSchedule", "PreferNoSchedule"])];
        key: String required;
        timeAdded: Time;
        value: String;
    }
}

object! {
    PodToleration {
        effect: String => [Enum(&["NoExecute", "NoSchedule", "PreferNoSchedule"])];
        key: String;
        operator: String => [Enum(&["Equal", "Exists", "Gt", "Lt"])];
        tolerationSeconds: Integer64;
        value: String;
    }
}
