//! Our typed view of each Gardener kind: wire names, and only the fields that rules read.
//!
//! Everything else in an object is skipped while it is parsed, so an unknown or new field never costs a copy and never
//! fails. `null` means absent everywhere, as it does for Gardener's API server.

mod cloud_profile;
mod exposure_class;
mod kubelet;
mod machine_image;
mod meta;
mod named;
mod namespaced_cloud_profile;
mod project;
mod rbac;
mod scalar;
mod seed;
mod seed_selector;
mod shoot;
mod shoot_status;
mod shoot_use;
mod toleration;
mod toleration_form;
mod user;
mod version;
mod worker;

pub use cloud_profile::{
    Bastion, BastionMachineImage, BastionMachineType, CapabilityDefinition, CloudProfile,
    CloudProfileSpec, KubernetesSettings, Limits, MachineType,
};
pub use exposure_class::{ExposureClass, ExposureClassScheduling};
pub use kubelet::{EvictionHard, KubeReserved, Kubelet};
pub use machine_image::{
    Capabilities, ContainerRuntime, Cri, InPlaceUpdates, MachineImage, MachineImageVersion,
};
pub use meta::ObjectMeta;
pub use named::Named;
pub use namespaced_cloud_profile::{
    NamespacedCloudProfile, NamespacedCloudProfileKubernetes, NamespacedCloudProfileSpec,
    NamespacedCloudProfileStatus, ParentReference,
};
pub use project::{Member, Project, ProjectSpec, ProjectTolerations, Subject};
pub use rbac::{PolicyRule, Role, RoleBinding, RoleRef};
pub use scalar::{DurationText, IntOrPercent};
pub use seed::{Seed, SeedProvider, SeedScheduling, SeedSettings, SeedSpec};
pub use seed_selector::{LabelSelectorRequirement, SeedSelector};
pub use shoot::{
    CloudProfileReference, ClusterAutoscaler, DnsProvider, KubeApiServer, KubeControllerManager,
    KubeProxy, KubeScheduler, MaintenanceAutoUpdate, MaintenanceTimeWindow, NodeLocalDns, Shoot,
    ShootDns, ShootHibernation, ShootKubernetes, ShootMaintenance, ShootProvider, ShootSpec,
    ShootSystemComponents, WatchCacheSizes,
};
pub use shoot_status::{
    InPlaceUpdatesStatus, NodeRotation, PendingWorkerUpdates, PendingWorkersRollout,
    ShootCredentials, ShootRotations, ShootStatus,
};
pub use shoot_use::{PoolUse, ProfileKey, ProfileKind, ShootName, ShootUse};
pub use toleration::Toleration;
pub use toleration_form::{TolerationProblem, TolerationProblemKind, check_tolerations};
pub use user::UserInfo;
pub use version::{ExpirableVersion, Lifecycle, LifecycleStage};
pub use worker::{
    Machine, MachineControllerManager, ShootMachineImage, UpdateStrategy, Volume, Worker,
    WorkerCri, WorkerKubernetes, WorkerSystemComponents,
};

use serde::{Deserialize, Deserializer};

/// The API group that serves every Gardener kind we judge.
pub const CORE_GROUP: &str = "core.gardener.cloud";
/// The only version of [`CORE_GROUP`] that is served.
pub const CORE_VERSION: &str = "v1beta1";
/// The namespace of Gardener's own objects; its Shoots and its Project tolerate protected seeds by default.
pub const GARDEN_NAMESPACE: &str = "garden";

/// Reads `null` as the type's default, as Go's JSON decoder does for lists, maps, structs and strings.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Whether a value equals its default, so that it is left out when written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
