use std::sync::Arc;

use serde::Serialize;

use super::{Api, Compressed, Form, Judged, ObjectKey, Retrieval, Row, SnapshotObject};
use crate::model::{
    AdmissionPolicy, AdmissionPolicyBinding, CORE_GROUP, CORE_VERSION, CloudProfile,
    ControllerRegistration, CredentialsBinding, DomainSecret, ExposureClass, ManagedSeed, Named,
    NamespacedCloudProfile, Project, Quota, RegionConfig, ResourceQuota, Role, RoleBinding,
    SecretBinding, Seed, ShootUse, WebhookConfiguration, WorkloadIdentity,
};

/// Declares every kind with its properties, one per row.
///
/// The model of its objects, if any, follows the name: in parentheses a model that only this kind has, so that rules can look it up by its
/// type; in brackets a shared one.
macro_rules! kinds {
    ($(
        $(#[$doc:meta])*
        $kind:ident $(($model:ident))? $([$shared:ident])? { $($column:ident: $value:expr),+ $(,)? }
    )+) => {
        /// A known kind: its objects are judged, or looked up, or both.
        ///
        /// This is the only table of kinds. It determines which kinds are watched and requested, the required permissions, the registered
        /// webhooks, and the files that are read.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
        pub enum Kind {
            $($(#[$doc])* $kind,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind),+];

            pub(super) const fn row(self) -> &'static Row {
                match self {
                    $(Kind::$kind => &Row { name: stringify!($kind), $($column: $value),+ },)+
                }
            }
        }

        /// The model of an object of the garden, as its source returns it.
        #[derive(Clone, Debug)]
        pub enum GardenObject {
            /// The parts of a Shoot that rules look up: there are too many Shoots to keep more.
            Shoot(Box<ShootUse>),
            /// An object that cannot be decoded, with the error.
            Unreadable(ObjectKey, String),
            /// A large object, compressed; it can be decoded.
            Compressed(Arc<Compressed>),
            $(
                $(#[doc = concat!("A ", stringify!($kind), ", defaulted.")] $kind(Arc<$model>),)?
                $(#[doc = concat!("A ", stringify!($kind), ".")] $kind(Arc<$shared>),)?
            )+
        }

        impl GardenObject {
            /// Decodes a stored object; returns `None` if objects of the kind are not kept.
            ///
            /// # Errors
            /// Returns the error if the object does not match the schema of its kind.
            pub fn read<F: Form + ?Sized>(kind: Kind, form: &F) -> Result<Option<Self>, F::Error> {
                Ok(Some(match kind {
                    Kind::Shoot => Self::Shoot(form.decode()?),
                    $(
                        $(Kind::$kind => Self::$kind(Arc::new(form.decode::<$model>()?)),)?
                        $(Kind::$kind => Self::$kind(Arc::new(form.decode::<$shared>()?)),)?
                    )+
                    _ => return Ok(None),
                }))
            }

            /// Returns the key of the object.
            #[must_use]
            pub fn key(&self) -> ObjectKey {
                let (kind, metadata) = match self {
                    Self::Shoot(shoot) => return ObjectKey::of_shoot(&shoot.name),
                    Self::Unreadable(key, _) => return key.clone(),
                    Self::Compressed(object) => return object.key().clone(),
                    $(
                        $(Self::$kind(object) => { let _: &$model = object; (Kind::$kind, &object.metadata) })?
                        $(Self::$kind(object) => { let _: &$shared = object; (Kind::$kind, &object.metadata) })?
                    )+
                };
                ObjectKey::of_object(kind, metadata)
            }
        }

        $($(
            impl SnapshotObject for $model {
                const KIND: Kind = Kind::$kind;

                fn of(object: &GardenObject) -> Option<&Arc<Self>> {
                    match object {
                        GardenObject::$kind(object) => Some(object),
                        _ => None,
                    }
                }
            }

            impl From<$model> for GardenObject {
                fn from(object: $model) -> Self {
                    Self::$kind(Arc::new(object))
                }
            }
        )?)+
    };
}

const CORE: Api = (CORE_GROUP, CORE_VERSION);
const SECURITY: Api = ("security.gardener.cloud", "v1alpha1");
const SEED_MANAGEMENT: Api = ("seedmanagement.gardener.cloud", "v1alpha1");
const KUBERNETES: Api = ("", "v1");
const APPS: Api = ("apps", "v1");
const ADMISSION: Api = ("admissionregistration.k8s.io", "v1");
const RBAC: Api = ("rbac.authorization.k8s.io", "v1");

const REGIONS: Retrieval = Retrieval::Labelled {
    label: RegionConfig::LABEL,
    whole: true,
};
const DOMAINS: Retrieval = Retrieval::Labelled {
    label: DomainSecret::LABEL,
    whole: false,
};

use Judged::{InGarden, InShoots, Nowhere};
use Retrieval::{Asked, Collected, Counted, Files, Never, Optional, Watched};

#[rustfmt::skip]
kinds! {
    /// A managed cluster.
    Shoot { api: CORE, plural: "shoots", is_namespaced: true, judged: InGarden, known: Watched }
    /// A team's namespace and permissions.
    Project(Project) { api: CORE, plural: "projects", is_namespaced: false, judged: InGarden, known: Watched }
    /// The available versions, images and machine types.
    CloudProfile(CloudProfile) { api: CORE, plural: "cloudprofiles", is_namespaced: false, judged: InGarden, known: Watched }
    /// A project's overlay of a CloudProfile.
    NamespacedCloudProfile(NamespacedCloudProfile) { api: CORE, plural: "namespacedcloudprofiles", is_namespaced: true, judged: InGarden, known: Watched }
    /// A cluster that hosts control planes.
    Seed(Seed) { api: CORE, plural: "seeds", is_namespaced: false, judged: InGarden, known: Watched }
    /// The state of a Shoot during a migration of its control plane.
    ShootState[Named] { api: CORE, plural: "shootstates", is_namespaced: true, judged: InGarden, known: Collected }
    /// Credentials that Shoots may use, as a Secret.
    SecretBinding(SecretBinding) { api: CORE, plural: "secretbindings", is_namespaced: true, judged: InGarden, known: Files }
    /// Credentials that Shoots may use.
    CredentialsBinding(CredentialsBinding) { api: SECURITY, plural: "credentialsbindings", is_namespaced: true, judged: InGarden, known: Files }
    /// Validating webhooks of a Shoot cluster.
    ValidatingWebhookConfiguration[WebhookConfiguration] { api: ADMISSION, plural: "validatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Optional }
    /// Mutating webhooks of a Shoot cluster.
    MutatingWebhookConfiguration[WebhookConfiguration] { api: ADMISSION, plural: "mutatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Optional }
    /// Pods of a Shoot cluster, one on each node.
    DaemonSet { api: APPS, plural: "daemonsets", is_namespaced: true, judged: InShoots, known: Never }
    /// Pods of a Shoot cluster.
    Deployment { api: APPS, plural: "deployments", is_namespaced: true, judged: InShoots, known: Never }
    /// A pod of a Shoot cluster.
    Pod { api: KUBERNETES, plural: "pods", is_namespaced: true, judged: InShoots, known: Never }
    /// Seeds and tolerations for control planes of a class.
    ExposureClass(ExposureClass) { api: CORE, plural: "exposureclasses", is_namespaced: false, judged: InGarden, known: Watched }
    /// Limits for the Shoots of a binding.
    Quota(Quota) { api: CORE, plural: "quotas", is_namespaced: true, judged: InGarden, known: Files }
    /// Credentials that only Gardener's operators can read.
    InternalSecret[Named] { api: CORE, plural: "internalsecrets", is_namespaced: true, judged: Nowhere, known: Files }
    /// Credentials without a secret, for workload with an identity.
    WorkloadIdentity(WorkloadIdentity) { api: SECURITY, plural: "workloadidentities", is_namespaced: true, judged: Nowhere, known: Asked }
    /// The resources that an extension of Gardener reconciles.
    ControllerRegistration(ControllerRegistration) { api: CORE, plural: "controllerregistrations", is_namespaced: false, judged: Nowhere, known: Files }
    /// A Shoot that is registered as a Seed.
    ManagedSeed(ManagedSeed) { api: SEED_MANAGEMENT, plural: "managedseeds", is_namespaced: true, judged: Nowhere, known: Files }
    /// Settings; those with distances between regions.
    ConfigMap(RegionConfig) { api: KUBERNETES, plural: "configmaps", is_namespaced: true, judged: Nowhere, known: REGIONS }
    /// Secret settings; the metadata of those for default domains.
    Secret(DomainSecret) { api: KUBERNETES, plural: "secrets", is_namespaced: true, judged: Nowhere, known: DOMAINS }
    /// Namespaces of objects; no rule looks them up yet.
    Namespace[Named] { api: KUBERNETES, plural: "namespaces", is_namespaced: false, judged: Nowhere, known: Counted }
    /// A limit on the objects of a namespace, by their number.
    ResourceQuota(ResourceQuota) { api: KUBERNETES, plural: "resourcequotas", is_namespaced: true, judged: Nowhere, known: Optional }
    /// A policy that an API server evaluates.
    ValidatingAdmissionPolicy(AdmissionPolicy) { api: ADMISSION, plural: "validatingadmissionpolicies", is_namespaced: false, judged: Nowhere, known: Optional }
    /// The binding of a policy.
    ValidatingAdmissionPolicyBinding(AdmissionPolicyBinding) { api: ADMISSION, plural: "validatingadmissionpolicybindings", is_namespaced: false, judged: Nowhere, known: Optional }
    /// Permissions in all namespaces.
    ClusterRole[Role] { api: RBAC, plural: "clusterroles", is_namespaced: false, judged: Nowhere, known: Files }
    /// The users with these permissions in all namespaces.
    ClusterRoleBinding[RoleBinding] { api: RBAC, plural: "clusterrolebindings", is_namespaced: false, judged: Nowhere, known: Files }
    /// Permissions in a namespace.
    Role[Role] { api: RBAC, plural: "roles", is_namespaced: true, judged: Nowhere, known: Files }
    /// The users with these permissions in a namespace.
    RoleBinding[RoleBinding] { api: RBAC, plural: "rolebindings", is_namespaced: true, judged: Nowhere, known: Files }
}
