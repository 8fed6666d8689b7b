//! ExposureClass: how control planes are reached, and which Seeds can do it.

use crate::api::Constraint::{Format, Immutable};
use crate::api::Format::DnsLabel;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::SeedSelector;
use crate::api::shared::taints::GardenToleration;
use crate::api::shared::toleration::Toleration;
use crate::api::{null_is_default, object};

object! {
    /// How control planes are reached, and which Seeds can do it.
    #[derive(PartialEq)]
    ExposureClass {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Name of the way by which they are reached; immutable.
        "handler": String required => [Format(DnsLabel), Immutable];
        /// Which Seeds can do it; immutable.
        "scheduling": ExposureClassScheduling -> scheduling: Option<ExposureClassScheduling> => [Immutable];
    }
}

object! {
    /// Which Seeds can do it.
    #[derive(PartialEq)]
    ExposureClassScheduling {
        /// Seeds that can.
        "seedSelector": SeedSelector -> seed_selector: Option<SeedSelector>;
        /// Taints of Seeds that are tolerated.
        "tolerations": [GardenToleration; by key] -> #[serde(deserialize_with = "null_is_default")] tolerations: Vec<Toleration>;
    }
}
