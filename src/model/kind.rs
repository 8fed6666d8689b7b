use std::fmt;

use serde::Serialize;

use super::{CORE_GROUP, CORE_VERSION, DomainSecret, GARDEN_NAMESPACE, RegionConfig};

/// Declares every kind, a row each, with all that is known of it but its model.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident { $($column:ident: $value:expr),+ $(,)? })+) => {
        /// A kind that the gate knows: whose objects it judges, or looks up, or both. This is the one table of them; what is
        /// watched and asked for, with which rights, what webhooks are registered for and what is read from files follows from it.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
        pub enum Kind {
            $($(#[$doc])* $kind,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind),+];

            const fn row(self) -> &'static Row {
                match self {
                    $(Kind::$kind => &Row { name: stringify!($kind), $($column: $value),+ },)+
                }
            }
        }
    };
}

struct Row {
    name: &'static str,
    api: Api,
    plural: &'static str,
    is_namespaced: bool,
    judged: Judged,
    known: Known,
}

/// The API group and version that serve a kind.
type Api = (&'static str, &'static str);

const CORE: Api = (CORE_GROUP, CORE_VERSION);
const SECURITY: Api = ("security.gardener.cloud", "v1alpha1");
const KUBERNETES: Api = ("", "v1");
const APPS: Api = ("apps", "v1");
const ADMISSION: Api = ("admissionregistration.k8s.io", "v1");
const RBAC: Api = ("rbac.authorization.k8s.io", "v1");

/// In which cluster requests for objects of a kind are judged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Judged {
    /// In the garden.
    InGarden,
    /// In Shoot clusters, where they can stand in Gardener's way.
    InShoots,
    /// In none.
    Nowhere,
}

/// How a garden comes to know the objects of a kind. A garden that is read from files knows all but [`Known::Never`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Known {
    /// All are watched; one that has not been seen yet is asked for by its name.
    Watched,
    /// Each is asked for by its name, whenever a request needs it: so few do.
    Asked,
    /// Those of one namespace are listed whenever a request needs them, and only metadata is read.
    Collected,
    /// Those of the garden namespace with this label and value are listed whenever a request needs them. The others are of
    /// no interest, wherever they come from.
    Labelled(&'static str, &'static str),
    /// Only files tell.
    Files,
    /// Not at all: no rule looks them up.
    Never,
}

use Judged::{InGarden, InShoots, Nowhere};
use Known::{Asked, Collected, Files, Labelled, Never, Watched};

const REGIONS: Known = Labelled(RegionConfig::LABEL.0, RegionConfig::LABEL.1);
const DOMAINS: Known = Labelled(DomainSecret::LABEL.0, DomainSecret::LABEL.1);

#[rustfmt::skip]
kinds! {
    /// A managed cluster.
    Shoot { api: CORE, plural: "shoots", is_namespaced: true, judged: InGarden, known: Watched }
    /// A team's namespace and rights.
    Project { api: CORE, plural: "projects", is_namespaced: false, judged: InGarden, known: Watched }
    /// Versions, images and machine types on offer.
    CloudProfile { api: CORE, plural: "cloudprofiles", is_namespaced: false, judged: InGarden, known: Watched }
    /// A project's overlay of a CloudProfile.
    NamespacedCloudProfile { api: CORE, plural: "namespacedcloudprofiles", is_namespaced: true, judged: InGarden, known: Watched }
    /// A cluster that hosts control planes.
    Seed { api: CORE, plural: "seeds", is_namespaced: false, judged: InGarden, known: Watched }
    /// What is kept of a Shoot while its control plane moves.
    ShootState { api: CORE, plural: "shootstates", is_namespaced: true, judged: InGarden, known: Collected }
    /// Credentials that Shoots may use, as a Secret.
    SecretBinding { api: CORE, plural: "secretbindings", is_namespaced: true, judged: InGarden, known: Never }
    /// Credentials that Shoots may use.
    CredentialsBinding { api: SECURITY, plural: "credentialsbindings", is_namespaced: true, judged: InGarden, known: Never }
    /// Webhooks of a Shoot cluster that judge.
    ValidatingWebhookConfiguration { api: ADMISSION, plural: "validatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Never }
    /// Webhooks of a Shoot cluster that change objects.
    MutatingWebhookConfiguration { api: ADMISSION, plural: "mutatingwebhookconfigurations", is_namespaced: false, judged: InShoots, known: Never }
    /// Pods of a Shoot cluster, one on each node.
    DaemonSet { api: APPS, plural: "daemonsets", is_namespaced: true, judged: InShoots, known: Never }
    /// Pods of a Shoot cluster.
    Deployment { api: APPS, plural: "deployments", is_namespaced: true, judged: InShoots, known: Never }
    /// A pod of a Shoot cluster.
    Pod { api: KUBERNETES, plural: "pods", is_namespaced: true, judged: InShoots, known: Never }
    /// Where control planes of a class may be, and what their Shoots tolerate.
    ExposureClass { api: CORE, plural: "exposureclasses", is_namespaced: false, judged: Nowhere, known: Watched }
    /// Credentials without a secret, for workload that proves who it is.
    WorkloadIdentity { api: SECURITY, plural: "workloadidentities", is_namespaced: true, judged: Nowhere, known: Asked }
    /// Settings; those with distances between regions.
    ConfigMap { api: KUBERNETES, plural: "configmaps", is_namespaced: true, judged: Nowhere, known: REGIONS }
    /// Secret settings; the metadata of those for default domains.
    Secret { api: KUBERNETES, plural: "secrets", is_namespaced: true, judged: Nowhere, known: DOMAINS }
    /// Where namespaced objects are.
    Namespace { api: KUBERNETES, plural: "namespaces", is_namespaced: false, judged: Nowhere, known: Files }
    /// What may be done, anywhere.
    ClusterRole { api: RBAC, plural: "clusterroles", is_namespaced: false, judged: Nowhere, known: Files }
    /// Who may do it anywhere.
    ClusterRoleBinding { api: RBAC, plural: "clusterrolebindings", is_namespaced: false, judged: Nowhere, known: Files }
    /// What may be done in a namespace.
    Role { api: RBAC, plural: "roles", is_namespaced: true, judged: Nowhere, known: Files }
    /// Who may do it in a namespace.
    RoleBinding { api: RBAC, plural: "rolebindings", is_namespaced: true, judged: Nowhere, known: Files }
}

impl Kind {
    /// The kinds that are judged: Gardener's own, and those of a Shoot cluster that can stand in Gardener's way.
    pub fn judged() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|kind| kind.row().judged != Nowhere)
    }

    /// The kind that is judged behind a resource; `None` for anything that is never judged.
    #[must_use]
    pub fn of_resource(group: &str, version: &str, resource: &str) -> Option<Self> {
        Self::judged().find(|kind| kind.resource() == resource && kind.api() == (group, version))
    }

    /// The API group and version.
    #[must_use]
    pub const fn api(self) -> (&'static str, &'static str) {
        self.row().api
    }

    /// How a garden comes to know its objects.
    #[must_use]
    pub const fn known(self) -> Known {
        self.row().known
    }

    /// Whether it is judged in Shoot clusters, not in the garden.
    #[must_use]
    pub fn is_of_shoot_cluster(self) -> bool {
        self.row().judged == InShoots
    }

    /// The plural, lower-case resource name.
    #[must_use]
    pub const fn resource(self) -> &'static str {
        self.row().plural
    }

    /// The resource with its group, as RBAC and messages name it.
    #[must_use]
    pub fn full_resource(self) -> String {
        match self.api() {
            ("", _) => self.resource().to_owned(),
            (group, _) => format!("{}.{group}", self.resource()),
        }
    }

    /// The namespace that its objects are looked for in; empty for all, and for what is in none.
    #[must_use]
    pub const fn home(self) -> &'static str {
        match self.known() {
            Labelled(..) => GARDEN_NAMESPACE,
            _ => "",
        }
    }

    /// Whether objects of the kind are in a namespace.
    #[must_use]
    pub const fn is_namespaced(self) -> bool {
        self.row().is_namespaced
    }

    /// The kind as written in manifests.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
