// SPDX-License-Identifier: Apache-2.0
//! ExposureClass: exposure strategy for control plane endpoints.

use crate::api::Constraint::{Format, Immutable};
use crate::api::Format::DnsLabel;
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::SeedSelector;
use crate::api::shared::taints::GardenToleration;
use crate::api::shared::toleration::Toleration;

object! {
    /// Exposure strategy for control plane endpoints, and the Seeds that support it.
    #[derive(PartialEq)]
    ExposureClass {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Name of the handler that exposes control planes; immutable.
        "handler": String required => [Format(DnsLabel), Immutable];
        /// Seeds that support the ExposureClass; immutable.
        "scheduling": ExposureClassScheduling -> scheduling: Option<ExposureClassScheduling> => [Immutable];
    }
}

object! {
    /// Seeds that support an ExposureClass.
    #[derive(PartialEq)]
    ExposureClassScheduling {
        /// Selector of the Seeds that support the ExposureClass.
        "seedSelector": SeedSelector -> seed_selector: Option<SeedSelector>;
        /// Tolerations of Seed taints.
        "tolerations": [GardenToleration; by key] -> tolerations: Vec<Toleration>;
    }
}
