//! ExposureClass: how control planes are reached, and which Seeds can do it.

use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::selectors::SeedSelector;
use crate::fields::shared::taints::GardenToleration;

object! {
    ExposureClass {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        handler: String required;
        scheduling: ExposureClassScheduling;
    }
}

object! {
    ExposureClassScheduling {
        seedSelector: SeedSelector;
        tolerations: [GardenToleration; by key];
    }
}
