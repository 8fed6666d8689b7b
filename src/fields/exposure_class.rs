//! ExposureClass: how control planes are reached, and which Seeds can do it.

use crate::fields::Constraint::{Format, Immutable};
use crate::fields::Format::DnsLabel;
use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::selectors::SeedSelector;
use crate::fields::shared::taints::GardenToleration;

object! {
    /// How control planes are reached, and which Seeds can do it.
    ExposureClass {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// Name of the way by which they are reached; immutable.
        handler: String required => [Format(DnsLabel), Immutable];
        /// Which Seeds can do it; immutable.
        scheduling: ExposureClassScheduling => [Immutable];
    }
}

object! {
    /// Which Seeds can do it.
    ExposureClassScheduling {
        /// Seeds that can.
        seedSelector: SeedSelector;
        /// Taints of Seeds that are tolerated.
        tolerations: [GardenToleration; by key];
    }
}
