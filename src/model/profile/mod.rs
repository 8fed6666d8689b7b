//! Available versions, images and types: CloudProfiles and NamespacedCloudProfiles.

mod cloud_profile;
mod machine_image;
mod namespaced_cloud_profile;
mod version;

pub use cloud_profile::{
    AvailabilityZone, Bastion, BastionMachineImage, BastionMachineType, CapabilityDefinition,
    CloudProfile, CloudProfileSpec, ControlPlaneOffer, KubernetesSettings, Limits, MachineStorage,
    MachineType, Region, VolumeType, architectures_of,
};
pub use machine_image::{
    Capabilities, ContainerRuntime, Cri, InPlaceUpdates, MachineImage, MachineImageVersion, Opaque,
};
pub use namespaced_cloud_profile::{
    NamespacedCloudProfile, NamespacedCloudProfileKubernetes, NamespacedCloudProfileSpec,
    NamespacedCloudProfileStatus, ParentReference,
};
pub use version::{ExpirableVersion, Lifecycle, LifecycleStage};
