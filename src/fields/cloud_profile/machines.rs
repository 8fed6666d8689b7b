//! Machine types, volume types and regions on offer.

use crate::fields::object;

object! {
    CapabilityDefinition {
        name: String required;
        values: [String] required;
    }
}

object! {
    MachineType {
        architecture: String;
        capabilities: {[String]};
        cpu: Quantity required;
        gpu: Quantity required;
        machineControllerManager: CloudProfileMachineControllerManagerSettings;
        memory: Quantity required;
        name: String required;
        storage: MachineTypeStorage;
        usable: Boolean;
    }
}

object! {
    MachineTypeStorage {
        class: String required;
        minSize: Quantity;
        size: Quantity;
        type: String required;
    }
}

object! {
    CloudProfileMachineControllerManagerSettings {
        machineCreationTimeout: Duration;
    }
}

object! {
    VolumeType {
        class: String required;
        minSize: Quantity;
        name: String required;
        usable: Boolean;
    }
}

object! {
    Region {
        accessRestrictions: [AccessRestriction];
        labels: {String};
        name: String required;
        zones: [AvailabilityZone; by name];
    }
}

object! {
    AccessRestriction {
        name: String required;
    }
}

object! {
    AvailabilityZone {
        name: String required;
        unavailableMachineTypes: [String];
        unavailableVolumeTypes: [String];
    }
}
