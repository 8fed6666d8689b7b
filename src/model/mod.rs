//! Typed models of each kind: wire names, and only the fields that rules read.
//!
//! All other fields are skipped during parsing, so an unknown or new field never costs a copy and never
//! causes an error. `null` means absent everywhere, as in Gardener's API server.

mod access_restriction;
mod admission_policy;
mod binding;
mod bounded;
mod by_name;
mod confirmation;
mod controller_registration;
mod kinds;
mod label_selector;
mod managed_seed;
mod meta;
mod named;
mod profile;
mod project;
mod quota;
mod rbac;
mod resource_quota;
mod scalar;
mod seed;
mod shoot;
mod taint;
mod time;
mod toleration;
mod toleration_form;
mod user;
mod webhook_configuration;
mod workload;

pub use access_restriction::AccessRestriction;
pub use admission_policy::{AdmissionPolicy, AdmissionPolicyBinding, MatchResources};
pub use binding::{BindingProvider, CredentialsBinding, SecretBinding};
pub use by_name::ByName;
pub use confirmation::{Confirmation, DELETION_CONFIRMATION, DELETION_CONFIRMED_BY, is_confirmed};
pub use controller_registration::{
    ControllerRegistration, ControllerRegistrationSpec, ControllerResource,
};
pub use kinds::{
    Compressed, Form, GardenObject, Kind, Kinds, Name, ObjectKey, Retrieval, SnapshotObject,
    group_and_version,
};
pub use label_selector::LabelSelector;
pub use managed_seed::{
    GardenletConfiguration, ManagedSeed, ManagedSeedGardenlet, ManagedSeedShoot, ManagedSeedSpec,
    SeedTemplate, SeedTemplateProvider, SeedTemplateSpec,
};
pub use meta::{LAST_APPLIED, ObjectMeta};
pub use named::Named;
pub use profile::{
    AvailabilityZone, Bastion, BastionMachineImage, BastionMachineType, Capabilities,
    CapabilityDefinition, CloudProfile, CloudProfileSpec, ContainerRuntime, ControlPlaneOffer, Cri,
    ExpirableVersion, InPlaceUpdates, KubernetesSettings, Lifecycle, LifecycleStage, Limits,
    MachineImage, MachineImageVersion, MachineStorage, MachineType, NamespacedCloudProfile,
    NamespacedCloudProfileKubernetes, NamespacedCloudProfileSpec, NamespacedCloudProfileStatus,
    Opaque, ParentReference, Region, VolumeType, architectures_of,
};
pub use project::{DualApproval, Member, Project, ProjectSpec, ProjectTolerations, Subject};
pub use quota::{Quota, QuotaScope, QuotaSpec};
pub use rbac::{PolicyRule, Role, RoleBinding, RoleRef};
pub use resource_quota::{ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus};
pub use scalar::{DurationText, IntOrPercent};
pub use seed::{
    DefaultDomain, DomainSecret, ExposureClass, ExposureClassScheduling, LabelSelectorRequirement,
    ObjectReference, RegionConfig, Seed, SeedBackup, SeedDns, SeedDomain, SeedGardener,
    SeedLastOperation, SeedNetworks, SeedProvider, SeedScheduling, SeedSelector, SeedSettings,
    SeedSpec, SeedStatus, SeedZoneSelection, SelectorProblem, ShootNetworkDefaults, TargetSystem,
    WorkloadIdentity, WorkloadIdentitySpec, is_below,
};
pub use shoot::{
    Addon, Addons, BindingKey, BindingKind, CloudProfileReference, ClusterAutoscaler, Condition,
    ControlPlane, CredentialsRef, DEFAULT_SCHEDULER, Dns, DnsProvider, EncryptionAtRest,
    EncryptionConfig, EncryptionProvider, EvictionHard, FailureTolerance, HibernationSchedule,
    HighAvailability, InPlaceUpdatesStatus, KubeApiServer, KubeControllerManager, KubeProxy,
    KubeReserved, KubeScheduler, Kubelet, LastError, LastOperation, Machine,
    MachineControllerManager, MaintenanceAutoUpdate, MaintenanceTimeWindow, Networking,
    NodeLocalDns, NodeTaint, PendingWorkerUpdates, PendingWorkersRollout, PoolSize, PoolUse, Pools,
    ProfileKey, ProfileKind, Rotation, Shoot, ShootCredentials, ShootHibernation, ShootKubernetes,
    ShootMachineImage, ShootMaintenance, ShootName, ShootNetworkingStatus, ShootProvider,
    ShootRotations, ShootSpec, ShootStatus, ShootSystemComponents, ShootUse, SshAccess,
    UpdateStrategy, Volume, WatchCacheSizes, Worker, WorkerCri, WorkerKubernetes,
    WorkerSystemComponents, WorkersSettings,
};
pub use taint::Tolerated;
pub use toleration::Toleration;
pub use toleration_form::{TolerationProblem, TolerationProblemKind, check_tolerations};
pub use user::UserInfo;
pub use webhook_configuration::{Webhook, WebhookConfiguration, WebhookRule};
pub use workload::{Container, PodSpec, PodTemplate, PodToleration, Workload, WorkloadSpec};

use serde::{Deserialize, Deserializer};

/// The API group of most Gardener kinds that are judged.
pub const CORE_GROUP: &str = "core.gardener.cloud";
/// The only version of [`CORE_GROUP`] that is served.
pub const CORE_VERSION: &str = "v1beta1";
/// The namespace of Gardener's own objects; its Shoots and its Project tolerate protected seeds by default.
pub const GARDEN_NAMESPACE: &str = "garden";

/// Deserializes `null` as the type's default.
///
/// Go's JSON decoder does the same for lists, maps, structs and strings.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reports whether a value equals its default, so that serialization omits it.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
