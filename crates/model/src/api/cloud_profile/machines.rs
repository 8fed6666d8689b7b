// SPDX-License-Identifier: Apache-2.0
//! Available machine types, volume types and regions.

use crate::api::Constraint::{DistinctBy, Enum, Filled, Format};
use crate::api::Format::{Amount, LabelValue};
use crate::api::cloud_profile::versions::Capabilities;
use crate::api::scalar::DurationText;
use crate::api::{bounded, object};
use garden_gate_text::go::Quantity;

object! {
    /// Capability that distinguishes machine types and images.
    #[derive(PartialEq)]
    CapabilityDefinition {
        /// Name of the capability, for example `architecture`.
        "name": String required -> name: String;
        /// Possible values of the capability.
        "values": [String] required -> #[serde(deserialize_with = "bounded::short_list")] values: Vec<String>;
    }
}

object! {
    /// Machine type available to worker pools.
    #[derive(PartialEq)]
    MachineType {
        /// Name of the machine type.
        "name": String required -> name: String => [Filled, Format(LabelValue)];
        /// Number of CPUs.
        "cpu": Quantity required -> cpu: Option<Box<Quantity>> => [Format(Amount)];
        /// Number of GPUs.
        "gpu": Quantity required -> gpu: Option<Box<Quantity>> => [Format(Amount)];
        /// Amount of memory.
        "memory": Quantity required -> memory: Option<Box<Quantity>> => [Format(Amount)];
        /// CPU architecture; `amd64` if omitted.
        "architecture": String -> architecture: Option<String> => [Enum(&["", "amd64", "arm64"])];
        /// Capability values by capability name.
        "capabilities": {[String]} -> capabilities: Capabilities;
        /// Root volume that is included in the machine type.
        "storage": MachineTypeStorage -> storage: Option<Box<MachineTypeStorage>>;
        /// Allows new worker pools to use the machine type; true if omitted.
        "usable": Boolean -> usable: Option<bool>;
        /// Settings of the machine-controller-manager for machines of this type.
        "machineControllerManager": CloudProfileMachineControllerManagerSettings
            -> machine_controller_manager: Option<Box<CloudProfileMachineControllerManagerSettings>>;
    }
}

object! {
    /// Root volume that is included in a machine type.
    #[derive(PartialEq)]
    MachineTypeStorage {
        /// Class of the volume.
        "class": String required -> class: String;
        /// Type of the volume.
        "type": String required -> volume_type: String;
        /// Size of the volume.
        "size": Quantity -> storage_size: Option<Quantity> => [Format(Amount)];
        /// Minimum size of the volume.
        "minSize": Quantity -> min_size: Option<Quantity> => [Format(Amount)];
    }
}

object! {
    /// Settings of the machine-controller-manager for machines of a type.
    #[derive(PartialEq)]
    CloudProfileMachineControllerManagerSettings {
        /// Timeout for the creation of a machine.
        "machineCreationTimeout": Duration -> machine_creation_timeout: Option<DurationText>;
    }
}

object! {
    /// Volume type available to worker pools.
    #[derive(PartialEq)]
    VolumeType {
        /// Name of the volume type.
        "name": String required -> name: String => [Filled, Format(LabelValue)];
        /// Class of the volume type.
        "class": String required -> class: String => [Filled, Format(LabelValue)];
        /// Minimum size of a volume.
        "minSize": Quantity -> min_size: Option<Box<Quantity>> => [Format(Amount)];
        /// Allows new worker pools to use the volume type; true if omitted.
        "usable": Boolean -> usable: Option<bool>;
    }
}

object! {
    /// Region of the infrastructure.
    #[derive(PartialEq)]
    Region {
        /// Name of the region.
        "name": String required -> name: String => [Filled];
        /// Availability zones of the region.
        "zones": [AvailabilityZone; by name] -> zones: Vec<AvailabilityZone> => [DistinctBy("name")];
        /// Informational labels for tools and users.
        "labels": {String};
        /// Access restrictions that Shoots in the region can request.
        "accessRestrictions": [AccessRestriction] -> access_restrictions: Vec<AccessRestriction>;
    }
}

object! {
    /// Access restriction.
    #[derive(Eq, Ord, PartialEq, PartialOrd)]
    AccessRestriction {
        /// Name of the access restriction.
        "name": String required -> name: String;
    }
}

object! {
    /// Availability zone of a region.
    #[derive(PartialEq)]
    AvailabilityZone {
        /// Name of the zone.
        "name": String required -> name: String => [Filled];
        /// Machine types that are not available in the zone.
        "unavailableMachineTypes": [String] -> unavailable_machine_types: Vec<String>;
        /// Volume types that are not available in the zone.
        "unavailableVolumeTypes": [String] -> unavailable_volume_types: Vec<String>;
    }
}
