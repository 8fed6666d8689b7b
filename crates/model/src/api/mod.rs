// SPDX-License-Identifier: Apache-2.0
//! The kinds of Gardener's API that are judged or looked up: their fields, and the types that rules read.
//!
//! A field is declared once, in a file that reads like an API reference. The declaration gives its shape, presence and constraints, from which
//! strict decoding, the JSON Schema for editors and the rules about single fields are derived. If it has an arrow, it also gives the field
//! of a struct, as which objects are decoded. Objects without any arrow have no struct, and fields without an arrow are skipped when
//! an object is decoded, so that a new or large field costs nothing.
//!
//! ```text
//! object! {
//!     /// Pool of identical machines.
//!     #[derive(PartialEq)]
//!     Worker {
//!         /// Name of the pool.
//!         "name": String required -> name: String => [MaxBytes(15)];
//!         /// Availability zones of the machines.
//!         "zones": [String] -> zones: Vec<String>;
//!         "taints": [NodeTaint];
//!         "tolerations": [GardenToleration; by key];
//!         "labels": {String};
//!         "updateStrategy": String -> #[mutated] update_strategy: Option<String> => [Enum(&["AutoRollingUpdate"])];
//!     }
//! }
//! ```
//!
//! `[…]` is a list, replaced as a whole unless `by` names the field that identifies its items, or `set` declares that the items
//! identify themselves. `{…}` is a map from names. `required` fields cannot be omitted; `filled` fields are always stored, with a default if
//! omitted. `->` is followed by the field of the struct. `null` is decoded as absent, as by an API server. `#[mutated]` marks
//! fields that mutating rules change: they are serialized unless they have the default value. `#[serialized]` fields always are, and all others
//! never. `#[serde(…)]` replaces all of that. The constraint `Since(149)` is for fields that Gardener has since 1.149; fields that it has no
//! longer are in `removed.rs`.

#![expect(non_upper_case_globals, reason = "objects are named as the types that they describe")]

mod bindings;
mod bounded;
mod cloud_profile;
mod constraint;
mod custom_resources;
mod equality;
mod exposure_class;
pub mod extensions;
mod garden_policy;
mod gardener_version;
mod json_schema;
mod kinds;
pub mod kubernetes;
mod managed_seed;
mod namespaced_cloud_profile;
mod operators;
mod project;
mod quota;
mod removed;
mod scalar;
mod seed;
pub mod server_configuration;
mod shared;
mod shoot;
mod strict;
mod table;
mod time;
mod versions;

pub use bindings::{CredentialsBinding, CredentialsBindingProvider, SecretBinding};
pub(crate) use bounded::is_default;
pub use bounded::null_is_default;
pub use cloud_profile::machines::{
    AccessRestriction, AvailabilityZone, CapabilityDefinition, MachineType, MachineTypeStorage,
    Region, VolumeType,
};
pub use cloud_profile::versions::{
    Bastion, BastionMachineImage, BastionMachineType, Capabilities, ExpirableVersion,
    InPlaceUpdates, KubernetesSettings, Lifecycle, LifecycleStage, MachineImage,
    MachineImageVersion,
};
pub use cloud_profile::{
    CloudProfile, CloudProfileControlPlane, CloudProfileSpec, Limits, architectures_of,
};
pub use constraint::{Constraint, Format, seconds};
pub use custom_resources::{Definition, JsonType, ListType, Schema, SchemaOrBool, ValidationRule};
pub use equality::Declared;
pub use exposure_class::{ExposureClass, ExposureClassScheduling};
pub use garden_policy::{GardenPolicy, GardenPolicySpec};
pub use gardener_version::{GardenerVersion, GardenerVersionError};
pub use json_schema::{configuration_paths, described as field_description, json_schema};
pub use kinds::declared::{Described, KINDS, described, described_in};
pub use kinds::{
    Compressed, Form, GardenObject, Kind, Kinds, Name, ObjectKey, Retrieval, SnapshotObject,
    group_and_version,
};
pub use kubernetes::admission_policy::{
    AdmissionPolicy, AdmissionPolicyBinding, AdmissionPolicyBindingSpec, AdmissionPolicySpec,
    AuditAnnotation, MatchCondition, MatchResources, ParamKind, ParamRef, PolicyVariable,
    ResourceRule, Validation,
};
pub use kubernetes::config_map::ConfigMapData;
pub use kubernetes::mutating_policy::{
    MutatingPolicy, MutatingPolicyBinding, MutatingPolicySpec, Mutation, MutationExpression,
};
pub use kubernetes::policy_fields::{
    GARDEN_POLICY_FIELDS, MUTATING_POLICY_BINDING_FIELDS, MUTATING_POLICY_FIELDS,
    POLICY_BINDING_FIELDS, POLICY_FIELDS,
};
pub use kubernetes::rbac::{PolicyRule, Role, RoleBinding, RoleRef};
pub use kubernetes::resource_quota::{ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus};
pub use kubernetes::webhook_configuration::{
    Webhook, WebhookClientConfig, WebhookConfiguration, WebhookRule,
};
pub use kubernetes::workload::{
    Container, JobSpec, JobTemplate, PodSpec, PodTemplate, PodToleration, Workload, WorkloadSpec,
};
pub use managed_seed::{
    GardenletConfiguration, ManagedSeed, ManagedSeedGardenlet, ManagedSeedShoot, ManagedSeedSpec,
    SeedTemplate, SeedTemplateProvider, SeedTemplateSpec,
};
pub use namespaced_cloud_profile::{
    NamespacedCloudProfile, NamespacedCloudProfileSpec, NamespacedCloudProfileStatus,
};
pub use operators::backup::{
    BackupBucket, BackupBucketProvider, BackupBucketSpec, BackupEntry, BackupEntrySpec,
};
pub use operators::controllers::{
    ControllerRegistration, ControllerRegistrationDeployment, ControllerRegistrationSpec,
    ControllerResource, DeploymentRef,
};
pub use operators::deployments::{ControllerDeployment, HelmDeployment, OciRepository};
pub use operators::workload_identity::{TargetSystem, WorkloadIdentity, WorkloadIdentitySpec};
pub use project::{
    DualApprovalForDeletion, Project, ProjectMember, ProjectSpec, ProjectTolerations, Subject,
};
pub use quota::{Quota, QuotaScope, QuotaSpec};
pub use removed::Removed;
pub use scalar::{DurationText, IntOrPercent, KeptConfiguration, Opaque};
pub use seed::region_config::{DefaultDomain, DomainSecret, RegionConfig};
pub use seed::settings::{SeedSettingScheduling, SeedSettingZoneSelection, SeedSettings};
pub use seed::{
    Seed, SeedDNS, SeedDNSProviderConfig, SeedNetworks, SeedProvider, SeedSpec, SeedStatus,
    ShootNetworks, is_below,
};
pub use shared::by_name::ByName;
pub use shared::confirmation::{
    Confirmation, DELETION_CONFIRMATION, DELETION_CONFIRMED_BY, is_confirmed,
};
pub use shared::extensions::Backup;
pub use shared::machines::{ContainerRuntime, Cri};
pub use shared::metadata::{LAST_APPLIED, ObjectMeta};
pub use shared::named::Named;
pub use shared::references::{CloudProfileReference, CrossVersionObjectReference, ObjectReference};
pub use shared::selector_check::SelectorProblem;
pub use shared::selectors::{LabelSelector, LabelSelectorRequirement, SeedSelector};
pub use shared::status::{Condition, Gardener, LastOperation};
pub use shared::taints::NodeTaint;
pub use shared::tolerated::Tolerated;
pub use shared::toleration::Toleration;
pub use shared::toleration_form::{TolerationProblem, TolerationProblemKind, check_tolerations};
pub use shared::user::UserInfo;
pub use shoot::addons::{Addons, NginxIngress, NodeLocalDNS, SystemComponents};
pub use shoot::api_server::{
    EncryptionConfig, EncryptionProvider, KubeAPIServerConfig, WatchCacheSizes,
};
pub use shoot::autoscaling::ClusterAutoscaler;
pub use shoot::credentials::{
    EncryptionAtRest, EncryptionProviderStatus, PendingWorkersRollout, Rotation, ShootCredentials,
    ShootCredentialsRotation,
};
pub use shoot::dns::{DNSProvider, Dns};
pub use shoot::kubelet::{KubeletConfig, KubeletConfigEviction, KubeletConfigReserved};
pub use shoot::kubernetes::{
    KubeControllerManagerConfig, KubeProxyConfig, KubeSchedulerConfig, Kubernetes,
};
pub use shoot::maintenance::{
    Hibernation, HibernationSchedule, Maintenance, MaintenanceAutoUpdate, MaintenanceTimeWindow,
};
pub use shoot::networking::Networking;
pub use shoot::placement::DEFAULT_SCHEDULER;
pub use shoot::pool_use::{PoolSize, PoolUse};
pub use shoot::pools::Pools;
pub use shoot::profile_key::{ProfileKey, ProfileKind};
pub use shoot::provider::{Provider, SSHAccess, WorkersSettings};
pub use shoot::seed_base::{PrimaryProvider, SeedBase, SeedBaseSettings};
pub use shoot::status::{
    InPlaceUpdatesStatus, LastError, NetworkingStatus, PendingWorkerUpdates, ShootStatus,
};
pub use shoot::uses::{BindingKey, BindingKind, ShootName, ShootUse};
pub use shoot::workers::{
    Machine, MachineControllerManagerSettings, ShootMachineImage, UpdateStrategy, Volume, Worker,
    WorkerKubernetes, WorkerSystemComponents,
};
pub use shoot::{ControlPlane, FailureTolerance, HighAvailability, Shoot, ShootSpec};
pub use strict::{Listed, Step, StrictErrors};
pub use table::{Field, ListKind, Object, Presence, Shape};
pub use versions::Versions;

use table::object;

/// The API group of most Gardener kinds that are judged.
pub const CORE_GROUP: &str = "core.gardener.cloud";
/// The only version of [`CORE_GROUP`] that is served.
pub const CORE_VERSION: &str = "v1beta1";
/// The namespace of Gardener's own objects; its Shoots and its Project tolerate protected seeds by default.
pub const GARDEN_NAMESPACE: &str = "garden";
