//! Machine types, volume types and regions on offer.

use crate::api::Constraint::{DistinctBy, Enum, Filled, Format};
use crate::api::Format::{Amount, LabelValue};
use crate::api::cloud_profile::versions::Capabilities;
use crate::api::{bounded, object};
use crate::compat::Quantity;

object! {
    /// A capability that distinguishes machine types and images.
    #[derive(PartialEq)]
    CapabilityDefinition {
        /// Its name, for example `architecture`.
        "name": String required -> name: String;
        /// Its possible values.
        "values": [String] required -> #[serde(deserialize_with = "bounded::short_list")] values: Vec<String>;
    }
}

object! {
    /// A machine type.
    #[derive(PartialEq)]
    MachineType {
        /// Its name.
        "name": String required -> name: String => [Filled, Format(LabelValue)];
        /// CPUs.
        "cpu": Quantity required -> cpu: Option<Box<Quantity>> => [Format(Amount)];
        /// GPUs.
        "gpu": Quantity required -> gpu: Option<Box<Quantity>> => [Format(Amount)];
        /// Memory.
        "memory": Quantity required -> memory: Option<Box<Quantity>> => [Format(Amount)];
        /// Architecture of the CPUs; `amd64` if it is left out.
        "architecture": String -> architecture: Option<String> => [Enum(&["", "amd64", "arm64"])];
        /// Capabilities, by name.
        "capabilities": {[String]} -> capabilities: Capabilities;
        /// The root disk that comes with it.
        "storage": MachineTypeStorage -> storage: Option<Box<MachineTypeStorage>>;
        /// Whether new pools may use it; they may if it is left out.
        "usable": Boolean -> usable: Option<bool>;
        /// How machines of the type are watched over.
        "machineControllerManager": CloudProfileMachineControllerManagerSettings;
    }
}

object! {
    /// The root disk that comes with a machine type.
    #[derive(PartialEq)]
    MachineTypeStorage {
        /// Its class.
        "class": String required -> class: String;
        /// Its type.
        "type": String required -> volume_type: String;
        /// Its size.
        "size": Quantity -> storage_size: Option<Quantity> => [Format(Amount)];
        /// The smallest size.
        "minSize": Quantity -> min_size: Option<Quantity> => [Format(Amount)];
    }
}

object! {
    /// How machines of a type are watched over.
    CloudProfileMachineControllerManagerSettings {
        /// How long a machine may take to come.
        "machineCreationTimeout": Duration;
    }
}

object! {
    /// A volume type.
    #[derive(PartialEq)]
    VolumeType {
        /// Its name.
        "name": String required -> name: String => [Filled, Format(LabelValue)];
        /// Its class.
        "class": String required -> class: String => [Filled, Format(LabelValue)];
        /// The smallest size.
        "minSize": Quantity -> min_size: Option<Box<Quantity>> => [Format(Amount)];
        /// Whether new pools may use it; they may if it is left out.
        "usable": Boolean -> usable: Option<bool>;
    }
}

object! {
    /// A region.
    #[derive(PartialEq)]
    Region {
        /// Its name.
        "name": String required -> name: String => [Filled];
        /// Its zones.
        "zones": [AvailabilityZone; by name] -> zones: Vec<AvailabilityZone> => [DistinctBy("name")];
        /// Labels, for tools and people.
        "labels": {String};
        /// Restrictions of access that Shoots there may ask for.
        "accessRestrictions": [AccessRestriction] -> access_restrictions: Vec<AccessRestriction>;
    }
}

object! {
    /// A restriction of access.
    #[derive(Eq, Ord, PartialEq, PartialOrd)]
    AccessRestriction {
        /// Its name.
        "name": String required -> name: String;
    }
}

object! {
    /// A zone of a region.
    #[derive(PartialEq)]
    AvailabilityZone {
        /// Its name.
        "name": String required -> name: String => [Filled];
        /// Machine types that it does not have.
        "unavailableMachineTypes": [String] -> unavailable_machine_types: Vec<String>;
        /// Volume types that it does not have.
        "unavailableVolumeTypes": [String] -> unavailable_volume_types: Vec<String>;
    }
}
