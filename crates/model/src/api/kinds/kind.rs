// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use serde::Serialize;

use super::table::for_each_kind;
use crate::api::{
    CORE_GROUP, CORE_VERSION, DomainSecret, GARDEN_NAMESPACE, ProfileKind, RegionConfig,
};

/// A row of the table of kinds: the properties of a kind.
struct Row {
    /// The name in manifests.
    pub name: &'static str,
    pub api: Api,
    /// The lower-case resource name.
    pub plural: &'static str,
    pub is_namespaced: bool,
    pub judged: Judged,
    pub known: Retrieval,
}

/// The API group and version of a kind.
type Api = (&'static str, &'static str);

/// The cluster in which requests for objects of a kind are judged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Judged {
    /// In the garden.
    InGarden,
    /// In the garden, by `review` and editors only: API servers make all of these decisions themselves.
    InReview,
    /// In Shoot clusters, where they can block Gardener.
    InShoots,
    /// In the runtime cluster, in which gardener-operator runs the garden.
    InRuntime,
    /// In no cluster.
    Nowhere,
}

/// The way in which a garden gets the objects of a kind.
///
/// A garden that is read from files has all kinds but [`Retrieval::Never`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Retrieval {
    /// All are watched; an object that is not in the cache yet is requested by its name.
    Watched,
    /// From files, and as [`Self::Watched`] by a server whose enabled rules read the kind.
    WatchedIfRead,
    /// Each is requested by its name when a request needs it, which is rare.
    Asked,
    /// All of a namespace are listed when a request needs them, and only metadata is read.
    Collected,
    /// Those of the garden namespace with a label are listed when a request needs them; others are ignored.
    Labelled {
        /// The label and its value.
        label: (&'static str, &'static str),
        /// Whether the whole object is requested rather than the metadata.
        whole: bool,
    },
    /// From files only.
    Files,
    /// From files only, and only their number is used.
    Counted,
    /// From files only, and many gardens have none: a directory without any is not incomplete.
    Optional,
    /// Never: no rule looks them up.
    Never,
}

macro_rules! declare_kinds {
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

            const fn row(self) -> &'static Row {
                match self {
                    $(Kind::$kind => &Row { name: stringify!($kind), $($column: $value),+ },)+
                }
            }
        }
    };
}

const CORE: Api = (CORE_GROUP, CORE_VERSION);
/// The version in which Gardener stores ControllerDeployments.
const CORE_DEPLOYMENTS: Api = (CORE_GROUP, "v1");
/// Deprecated versions that Gardener serves, and in which many landscapes keep manifests.
const ALSO_READ: [(Kind, &str); 1] = [(Kind::ControllerDeployment, CORE_VERSION)];
const SECURITY: Api = ("security.gardener.cloud", "v1alpha1");
const OPERATIONS: Api = ("operations.gardener.cloud", "v1alpha1");
const OPERATOR: Api = ("operator.gardener.cloud", "v1alpha1");
const SEED_MANAGEMENT: Api = ("seedmanagement.gardener.cloud", "v1alpha1");
const KUBERNETES: Api = ("", "v1");
const APPS: Api = ("apps", "v1");
const BATCH: Api = ("batch", "v1");
const NETWORKING: Api = ("networking.k8s.io", "v1");
const SNAPSHOTS: Api = ("snapshot.storage.k8s.io", "v1");
const EXTENDED: Api = ("apiextensions.k8s.io", "v1");
const ADMISSION: Api = ("admissionregistration.k8s.io", "v1");
const RBAC: Api = ("rbac.authorization.k8s.io", "v1");

const REGIONS: Retrieval = Retrieval::Labelled { label: RegionConfig::LABEL, whole: true };
const DOMAINS: Retrieval = Retrieval::Labelled { label: DomainSecret::LABEL, whole: false };

use Judged::{InGarden, InReview, InRuntime, InShoots, Nowhere};
use Retrieval::{Asked, Collected, Counted, Files, Never, Optional, Watched, WatchedIfRead};

for_each_kind!(declare_kinds);

/// Splits an `apiVersion` into group and version; Kubernetes' core group is empty.
pub fn group_and_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

impl Kind {
    /// Returns the kinds that are judged.
    ///
    /// These are Gardener's own, and those of a Shoot cluster that can block Gardener.
    pub fn judged() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|kind| kind.is_judged())
    }

    /// Reports whether requests for the kind are judged in any cluster.
    pub fn is_judged(self) -> bool {
        self.row().judged != Judged::Nowhere
    }

    /// Returns the kind with this name in manifests, whatever its version; `None` if it is unknown.
    pub fn of_manifest(group: &str, name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.as_str() == name && kind.api().0 == group)
    }

    /// Returns the kinds that are always watched.
    pub fn watched() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|kind| kind.known() == Retrieval::Watched)
    }

    /// Returns the kinds that are watched if enabled rules read them.
    pub fn watched_if_read() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|kind| kind.known() == Retrieval::WatchedIfRead)
    }

    /// Returns the kind of a resource; `None` if it is never judged.
    pub fn of_resource(group: &str, version: &str, resource: &str) -> Option<Self> {
        Self::judged().find(|kind| kind.resource() == resource && kind.is_served(group, version))
    }

    /// Reports whether manifests of the kind may have this API group and version.
    pub fn is_served(self, group: &str, version: &str) -> bool {
        let (own, current) = self.api();
        own == group && (current == version || self.is_read_as(version))
    }

    /// Returns the API group and version.
    pub const fn api(self) -> (&'static str, &'static str) {
        self.row().api
    }

    /// Returns the `apiVersion` of manifests.
    pub fn api_version(self) -> String {
        match self.api() {
            ("", version) => version.to_owned(),
            (group, version) => format!("{group}/{version}"),
        }
    }

    /// Reports whether manifests may have this other version, which has the same fields for rules.
    pub fn is_read_as(self, version: &str) -> bool {
        ALSO_READ.contains(&(self, version))
    }

    /// Reports whether the kind is served in several versions.
    pub fn has_versions(self) -> bool {
        ALSO_READ.iter().any(|(kind, _)| *kind == self)
    }

    /// Reports whether objects of the kind contain credentials.
    ///
    /// Their contents must not leave the process. This includes annotations, in which tools store whole objects.
    pub const fn holds_credentials(self) -> bool {
        matches!(self, Self::Secret | Self::InternalSecret | Self::ShootState)
    }

    /// Returns the way in which a garden gets its objects.
    pub const fn known(self) -> Retrieval {
        self.row().known
    }

    /// Reports whether only `review` and editors judge the kind.
    pub fn is_of_review(self) -> bool {
        self.row().judged == Judged::InReview
    }

    /// Reports whether the kind is judged in Shoot clusters, not in the garden.
    pub fn is_of_shoot_cluster(self) -> bool {
        self.row().judged == Judged::InShoots
    }

    /// Reports whether `audit` judges manifests of the kind.
    pub fn is_audited(self) -> bool {
        self.row().judged == Judged::InGarden && self != Self::ShootState
    }

    /// Reports whether the kind is judged in another cluster than the garden: in Shoot clusters, or in the runtime cluster.
    pub fn is_outside_garden(self) -> bool {
        matches!(self.row().judged, Judged::InShoots | Judged::InRuntime)
    }

    /// Reports whether the kind is workload of Shoot clusters, or belongs to workload: all but webhook configurations.
    pub fn is_workload(self) -> bool {
        let is_webhook = matches!(
            self,
            Self::ValidatingWebhookConfiguration | Self::MutatingWebhookConfiguration
        );
        self.is_of_shoot_cluster() && !is_webhook
    }

    /// Returns the plural, lower-case resource name.
    pub const fn resource(self) -> &'static str {
        self.row().plural
    }

    /// Returns the name of several objects, such as `ExposureClasses`.
    pub fn name_of_several(self) -> String {
        let (name, plural) = (self.as_str(), self.resource());
        let pairs = name.bytes().zip(plural.bytes());
        let common = pairs.take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count();
        format!("{}{}", &name[..common], &plural[common..])
    }

    /// Returns the resource with its group, as in RBAC and messages.
    pub fn full_resource(self) -> String {
        match self.api() {
            ("", _) => self.resource().to_owned(),
            (group, _) => format!("{}.{group}", self.resource()),
        }
    }

    /// Returns the namespace in which its objects are looked up.
    ///
    /// Empty for all namespaces, and for cluster-scoped kinds.
    pub const fn home(self) -> &'static str {
        match self.known() {
            Retrieval::Labelled { .. } => GARDEN_NAMESPACE,
            _ => "",
        }
    }

    /// Reports whether objects of the kind are in a namespace.
    pub const fn is_namespaced(self) -> bool {
        self.row().is_namespaced
    }

    /// Returns the name of the kind in manifests.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }
}

impl From<ProfileKind> for Kind {
    fn from(kind: ProfileKind) -> Self {
        match kind {
            ProfileKind::Cluster => Self::CloudProfile,
            ProfileKind::Namespaced => Self::NamespacedCloudProfile,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::api::{GardenObject, Kind, ObjectKey, Retrieval};

    #[test]
    fn name_of_several_is_the_resource_in_the_case_of_the_kind() {
        for kind in Kind::ALL.iter().copied() {
            let several = kind.name_of_several();
            assert_eq!(several.to_lowercase(), kind.resource());
            assert_eq!(several[..3], kind.as_str()[..3]);
        }
        assert_eq!(Kind::ExposureClass.name_of_several(), "ExposureClasses");
        assert_eq!(Kind::WorkloadIdentity.name_of_several(), "WorkloadIdentities");
    }

    #[test]
    fn what_a_garden_knows_of_is_kept_under_its_name() {
        let json = r#"{"metadata": {"namespace": "ns", "name": "n"}}"#;
        for kind in Kind::ALL.iter().copied() {
            let kept = GardenObject::read(kind, json).unwrap();
            let namespace = if kind.is_namespaced() { "ns" } else { "" };
            let is_known = kind.known() != Retrieval::Never;
            let expected = is_known.then(|| ObjectKey::new(kind, namespace, "n"));
            assert_eq!(kept.map(|kept| kept.key()), expected);
        }
    }

    #[test]
    fn no_two_kinds_share_a_resource() {
        let resources: BTreeSet<_> = Kind::ALL.iter().map(|kind| kind.full_resource()).collect();
        assert_eq!(resources.len(), Kind::ALL.len());
    }
}
