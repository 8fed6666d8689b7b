//! Our typed view of each kind: wire names, and only the fields that rules read.
//!
//! Everything else in an object is skipped while it is parsed, so an unknown or new field never costs a copy and never
//! fails. `null` means absent everywhere, as it does for Gardener's API server.

mod bounded;
mod by_name;
mod cloud_profile;
mod confirmation;
mod exposure_class;
mod few;
mod hibernation;
mod kinds;
mod kubelet;
mod label_selector;
mod machine_image;
mod meta;
mod named;
mod namespaced_cloud_profile;
mod project;
mod rbac;
mod region_config;
mod scalar;
mod seed;
mod seed_selector;
mod selector;
mod shoot;
mod shoot_kubernetes;
mod shoot_parts;
mod shoot_placement;
mod shoot_status;
mod shoot_use;
mod taint;
mod time;
mod toleration;
mod toleration_form;
mod user;
mod version;
mod webhook_configuration;
mod word;
mod worker;
mod workload;

pub use by_name::{Among, ByName};
pub use cloud_profile::{
    Bastion, BastionMachineImage, BastionMachineType, CapabilityDefinition, CloudProfile,
    CloudProfileSpec, ControlPlaneOffer, KubernetesSettings, Limits, MachineType, Region,
    architectures_of,
};
pub use confirmation::{Confirmation, DELETION_CONFIRMATION, DELETION_CONFIRMED_BY, is_confirmed};
pub use exposure_class::{ExposureClass, ExposureClassScheduling};
pub use few::Few;
pub use hibernation::{HibernationSchedule, ShootHibernation};
pub use kinds::{Form, GardenObject, Kept, Kind, Known, Name, ObjectKey};
pub use kubelet::{EvictionHard, KubeReserved, Kubelet};
pub use label_selector::LabelSelector;
pub use machine_image::{
    Capabilities, ContainerRuntime, Cri, InPlaceUpdates, MachineImage, MachineImageVersion, Opaque,
};
pub use meta::ObjectMeta;
pub use named::Named;
pub use namespaced_cloud_profile::{
    NamespacedCloudProfile, NamespacedCloudProfileKubernetes, NamespacedCloudProfileSpec,
    NamespacedCloudProfileStatus, ParentReference,
};
pub use project::{DualApproval, Member, Project, ProjectSpec, ProjectTolerations, Subject};
pub use rbac::{PolicyRule, Role, RoleBinding, RoleRef};
pub use region_config::{
    DomainSecret, RegionConfig, TargetSystem, WorkloadIdentity, WorkloadIdentitySpec,
};
pub use scalar::{DurationText, IntOrPercent};
pub use seed::{
    AccessRestriction, ObjectReference, Seed, SeedBackup, SeedDns, SeedDomain, SeedGardener,
    SeedLastOperation, SeedNetworks, SeedProvider, SeedScheduling, SeedSettings, SeedSpec,
    SeedStatus, SeedZoneSelection, ShootNetworkDefaults, is_below,
};
pub use seed_selector::{LabelSelectorRequirement, SeedSelector};
pub use selector::SelectorProblem;
pub use shoot::{
    CloudProfileReference, KubeProxy, MaintenanceAutoUpdate, MaintenanceTimeWindow, NodeLocalDns,
    Shoot, ShootKubernetes, ShootMaintenance, ShootProvider, ShootSpec, ShootSystemComponents,
};
pub use shoot_kubernetes::{
    ClusterAutoscaler, EncryptionConfig, EncryptionProvider, KubeApiServer, KubeControllerManager,
    KubeScheduler, WatchCacheSizes,
};
pub use shoot_parts::{
    ControlPlane, CredentialsRef, Dns, DnsProvider, FailureTolerance, HighAvailability, Networking,
    NodeTaint, SshAccess, WorkersSettings,
};
pub use shoot_placement::{DEFAULT_SCHEDULER, ShootNetworkingStatus};
pub use shoot_status::{
    Condition, EncryptionAtRest, InPlaceUpdatesStatus, LastError, LastOperation,
    PendingWorkerUpdates, PendingWorkersRollout, Rotation, ShootCredentials, ShootRotations,
    ShootStatus,
};
pub use shoot_use::{
    BindingKey, BindingKind, PoolUse, ProfileKey, ProfileKind, ShootName, ShootUse,
};
pub use taint::Tolerated;
pub use toleration::Toleration;
pub use toleration_form::{TolerationProblem, TolerationProblemKind, check_tolerations};
pub use user::UserInfo;
pub use version::{ExpirableVersion, Lifecycle, LifecycleStage};
pub use webhook_configuration::{Webhook, WebhookConfiguration, WebhookRule};
pub use word::Word;
pub use worker::{
    Machine, MachineControllerManager, ShootMachineImage, UpdateStrategy, Volume, Worker,
    WorkerCri, WorkerKubernetes, WorkerSystemComponents,
};
pub use workload::{Container, PodSpec, PodTemplate, PodToleration, Workload, WorkloadSpec};

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
