use std::sync::Arc;

use serde::Serialize;

use super::{Api, Compressed, Form, Judged, Kept, Known, ObjectKey, Row};
use crate::model::{
    AdmissionPolicy, AdmissionPolicyBinding, CORE_GROUP, CORE_VERSION, CloudProfile,
    ControllerRegistration, CredentialsBinding, DomainSecret, ExposureClass, ManagedSeed, Named,
    NamespacedCloudProfile, Project, Quota, RegionConfig, ResourceQuota, Role, RoleBinding,
    SecretBinding, Seed, ShootUse, WebhookConfiguration, WorkloadIdentity,
};

/// Declares every kind, a row each, with all that is known of it. After its name comes what is kept of its objects, if any
/// are: in parentheses a model that is kept of no other kind, so that rules can look it up by its type; in brackets another.
macro_rules! kinds {
    ($(
        $(#[$doc:meta])*
        $kind:ident $(($model:ident))? $([$shared:ident])? { $($column:ident: $value:expr),+ $(,)? }
    )+) => {
        /// A kind that the gate knows: whose objects it judges, or looks up, or both.
        ///
        /// This is the one table of them. What is watched and asked for, with which rights, what webhooks are registered for
        /// and what is read from files follows from it.
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

        /// What is kept of an object of the garden, as its source hands it over.
        #[derive(Clone, Debug)]
        pub enum GardenObject {
            /// What a Shoot uses: there are too many of them to keep more.
            Shoot(Box<ShootUse>),
            /// An object that does not have the shape of its kind, and what is wrong with it.
            Unreadable(ObjectKey, String),
            /// A large object, compressed; it can be read.
            Compressed(Arc<Compressed>),
            $(
                $(#[doc = concat!("A ", stringify!($kind), ", defaulted.")] $kind(Arc<$model>),)?
                $(#[doc = concat!("A ", stringify!($kind), ".")] $kind(Arc<$shared>),)?
            )+
        }

        impl GardenObject {
            /// Reads an object, as it is stored; `None` if no object of the kind is ever kept.
            ///
            /// # Errors
            /// When it does not have the shape of its kind.
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

            /// What identifies the object.
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
            impl Kept for $model {
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

const REGIONS: Known = Known::Labelled {
    label: RegionConfig::LABEL,
    whole: true,
};
const DOMAINS: Known = Known::Labelled {
    label: DomainSecret::LABEL,
    whole: false,
};

use Judged::{InGarden, InShoots, Nowhere};
use Known::{Asked, Collected, Counted, Files, Never, Optional, Watched};

#[rustfmt::skip]
kinds! {
    /// A managed cluster.
    Shoot { api: CORE, plural: "shoots", is_namespaced: true, judged: InGarden, known: Watched }
    /// A team's namespace and rights.
    Project(Project) { api: CORE, plural: "projects", is_namespaced: false, judged: InGarden, known: Watched }
    /// Versions, images and machine types on offer.
    CloudProfile(CloudProfile) { api: CORE, plural: "cloudprofiles", is_namespaced: false, judged: InGarden, known: Watched }
    /// A project's overlay of a CloudProfile.
    NamespacedCloudProfile(NamespacedCloudProfile) { api: CORE, plural: "namespacedcloudprofiles", is_namespaced: true, judged: InGarden, known: Watched }
    /// A cluster that hosts control planes.
    Seed(Seed) { api: CORE, plural: "seeds", is_namespaced: false, judged: InGarden, known: Watched }
    /// What is kept of a Shoot while its control plane moves.
    ShootState[Named] { api: CORE, plural: "shootstates", is_namespaced: true, judged: InGarden, known: Collected }
    /// Credentials that Shoots may use, as a Secret.
    SecretBinding(SecretBinding) { api: CORE, plural: "secretbindings", is_namespaced: true, judged: InGarden, known: Files }
    /// Credentials that Shoots may use.
    CredentialsBinding(CredentialsBinding) { api: SECURITY, plural: "credentialsbindings", is_namespaced: true, judged: InGarden, known: Files }
    /// Webhooks of a Shoot cluster that judge.
    ValidatingWebhookConfiguration[WebhookConfiguration] { api: ADMISSION, plural: "validatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Optional }
    /// Webhooks of a Shoot cluster that change objects.
    MutatingWebhookConfiguration[WebhookConfiguration] { api: ADMISSION, plural: "mutatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Optional }
    /// Pods of a Shoot cluster, one on each node.
    DaemonSet { api: APPS, plural: "daemonsets", is_namespaced: true, judged: InShoots, known: Never }
    /// Pods of a Shoot cluster.
    Deployment { api: APPS, plural: "deployments", is_namespaced: true, judged: InShoots, known: Never }
    /// A pod of a Shoot cluster.
    Pod { api: KUBERNETES, plural: "pods", is_namespaced: true, judged: InShoots, known: Never }
    /// Where control planes of a class may be, and what their Shoots tolerate.
    ExposureClass(ExposureClass) { api: CORE, plural: "exposureclasses", is_namespaced: false, judged: InGarden, known: Watched }
    /// What the Shoots of a binding may use together.
    Quota(Quota) { api: CORE, plural: "quotas", is_namespaced: true, judged: InGarden, known: Files }
    /// Credentials that only Gardener's operators can read.
    InternalSecret[Named] { api: CORE, plural: "internalsecrets", is_namespaced: true, judged: Nowhere, known: Files }
    /// Credentials without a secret, for workload that proves who it is.
    WorkloadIdentity(WorkloadIdentity) { api: SECURITY, plural: "workloadidentities", is_namespaced: true, judged: Nowhere, known: Asked }
    /// What an extension of Gardener is responsible for.
    ControllerRegistration(ControllerRegistration) { api: CORE, plural: "controllerregistrations", is_namespaced: false, judged: Nowhere, known: Files }
    /// A Shoot that is made a Seed.
    ManagedSeed(ManagedSeed) { api: SEED_MANAGEMENT, plural: "managedseeds", is_namespaced: true, judged: Nowhere, known: Files }
    /// Settings; those with distances between regions.
    ConfigMap(RegionConfig) { api: KUBERNETES, plural: "configmaps", is_namespaced: true, judged: Nowhere, known: REGIONS }
    /// Secret settings; the metadata of those for default domains.
    Secret(DomainSecret) { api: KUBERNETES, plural: "secrets", is_namespaced: true, judged: Nowhere, known: DOMAINS }
    /// Where namespaced objects are; no rule asks for it yet.
    Namespace[Named] { api: KUBERNETES, plural: "namespaces", is_namespaced: false, judged: Nowhere, known: Counted }
    /// A limit on the objects of a namespace, by their number.
    ResourceQuota(ResourceQuota) { api: KUBERNETES, plural: "resourcequotas", is_namespaced: true, judged: Nowhere, known: Optional }
    /// A policy that an API server evaluates.
    ValidatingAdmissionPolicy(AdmissionPolicy) { api: ADMISSION, plural: "validatingadmissionpolicies", is_namespaced: false, judged: Nowhere, known: Optional }
    /// What a policy is bound to.
    ValidatingAdmissionPolicyBinding(AdmissionPolicyBinding) { api: ADMISSION, plural: "validatingadmissionpolicybindings", is_namespaced: false, judged: Nowhere, known: Optional }
    /// What may be done, anywhere.
    ClusterRole[Role] { api: RBAC, plural: "clusterroles", is_namespaced: false, judged: Nowhere, known: Files }
    /// Who may do it anywhere.
    ClusterRoleBinding[RoleBinding] { api: RBAC, plural: "clusterrolebindings", is_namespaced: false, judged: Nowhere, known: Files }
    /// What may be done in a namespace.
    Role[Role] { api: RBAC, plural: "roles", is_namespaced: true, judged: Nowhere, known: Files }
    /// Who may do it in a namespace.
    RoleBinding[RoleBinding] { api: RBAC, plural: "rolebindings", is_namespaced: true, judged: Nowhere, known: Files }
}
