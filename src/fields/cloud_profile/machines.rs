//! Machine types, volume types and regions on offer.

use crate::fields::object;

object! {
    /// A capability that tells machine types and images apart.
    CapabilityDefinition {
        /// Its name, for example `architecture`.
        name: String required;
        /// The values that there are.
        values: [String] required;
    }
}

object! {
    /// A machine type.
    MachineType {
        /// Its name.
        name: String required;
        /// CPUs.
        cpu: Quantity required;
        /// GPUs.
        gpu: Quantity required;
        /// Memory.
        memory: Quantity required;
        /// Architecture of the CPUs; `amd64` if it is left out.
        architecture: String;
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
        size: Quantity;
        /// The smallest size.
        minSize: Quantity;
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
        name: String required;
        /// Its class.
        class: String required;
        /// The smallest size.
        minSize: Quantity;
        /// Whether new pools may use it; they may if it is left out.
        usable: Boolean;
    }
}

object! {
    /// A region.
    Region {
        /// Its name.
        name: String required;
        /// Its zones.
        zones: [AvailabilityZone; by name];
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
        name: String required;
        /// Machine types that it does not have.
        unavailableMachineTypes: [String];
        /// Volume types that it does not have.
        unavailableVolumeTypes: [String];
    }
}
