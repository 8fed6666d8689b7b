//! Machine types, volume types and regions on offer.

use crate::fields::Constraint::{DistinctBy, Enum, Filled, Format};
use crate::fields::Format::{Amount, LabelValue};
use crate::fields::object;

object! {
    /// A capability that distinguishes machine types and images.
    CapabilityDefinition {
        /// Its name, for example `architecture`.
        name: String required;
        /// Its possible values.
        values: [String] required;
    }
}

object! {
    /// A machine type.
    MachineType {
        /// Its name.
        name: String required => [Filled, Format(LabelValue)];
        /// CPUs.
        cpu: Quantity required => [Format(Amount)];
        /// GPUs.
        gpu: Quantity required => [Format(Amount)];
        /// Memory.
        memory: Quantity required => [Format(Amount)];
        /// Architecture of the CPUs; `amd64` if it is left out.
        architecture: String => [Enum(&["", "amd64", "arm64"])];
        /// Capabilities, by name.
        capabilities: {[String]};
        /// The root disk that comes with it.
        storage: MachineTypeStorage;
        /// Whether new pools may use it; they may if it is left out.
        usable: Boolean;
        /// How machines of the type are watched over.
        machineControllerManager: CloudProfileMachineControllerManagerSettings;
    }
}

object! {
    /// The root disk that comes with a machine type.
    MachineTypeStorage {
        /// Its class.
        class: String required;
        /// Its type.
        type: String required;
        /// Its size.
        size: Quantity => [Format(Amount)];
        /// The smallest size.
        minSize: Quantity => [Format(Amount)];
    }
}

object! {
    /// How machines of a type are watched over.
    CloudProfileMachineControllerManagerSettings {
        /// How long a machine may take to come.
        machineCreationTimeout: Duration;
    }
}

object! {
    /// A volume type.
    VolumeType {
        /// Its name.
        name: String required => [Filled, Format(LabelValue)];
        /// Its class.
        class: String required => [Filled, Format(LabelValue)];
        /// The smallest size.
        minSize: Quantity => [Format(Amount)];
        /// Whether new pools may use it; they may if it is left out.
        usable: Boolean;
    }
}

object! {
    /// A region.
    Region {
        /// Its name.
        name: String required => [Filled];
        /// Its zones.
        zones: [AvailabilityZone; by name] => [DistinctBy("name")];
        /// Labels, for tools and people.
        labels: {String};
        /// Restrictions of access that Shoots there may ask for.
        accessRestrictions: [AccessRestriction];
    }
}

object! {
    /// A restriction of access.
    AccessRestriction {
        /// Its name.
        name: String required;
    }
}

object! {
    /// A zone of a region.
    AvailabilityZone {
        /// Its name.
        name: String required => [Filled];
        /// Machine types that it does not have.
        unavailableMachineTypes: [String];
        /// Volume types that it does not have.
        unavailableVolumeTypes: [String];
    }
}
