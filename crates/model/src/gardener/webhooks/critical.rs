// SPDX-License-Identifier: Apache-2.0
//! Resources that a cluster requires to work.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// A resource that a cluster requires to work, in one API version.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Critical {
    pub(super) group: &'static str,
    pub(super) version: &'static str,
    pub(super) resource: &'static str,
    pub(super) subresource: &'static str,
    pub(super) is_cluster_scoped: bool,
    pub(super) namespace: Labels,
    pub(super) object: Labels,
}

impl Critical {
    /// Returns group, version, plural name and subresource.
    pub(super) fn path(&self) -> (&'static str, &'static str, &'static str, &'static str) {
        (self.group, self.version, self.resource, self.subresource)
    }
}

/// The labels that a selector must exclude to exclude a resource.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Labels {
    /// No selector can exclude the resource.
    Any,
    /// The empty label set of an unlabelled object.
    Without,
    /// The labels of namespace kube-system.
    KubeSystem,
    /// The labels of namespace default.
    Default,
    /// The labels of Gardener's pods.
    SystemPods,
}

type LabelMap = BTreeMap<String, String>;

static WITHOUT: LazyLock<LabelMap> = LazyLock::new(LabelMap::new);
static KUBE_SYSTEM: LazyLock<LabelMap> = LazyLock::new(|| {
    labels(&[
        ("gardener.cloud/purpose", "kube-system"),
        ("kubernetes.io/metadata.name", "kube-system"),
        ("shoot.gardener.cloud/no-cleanup", "true"),
    ])
});
static DEFAULT: LazyLock<LabelMap> =
    LazyLock::new(|| labels(&[("kubernetes.io/metadata.name", "default")]));
static SYSTEM_PODS: LazyLock<LabelMap> = LazyLock::new(|| {
    labels(&[("origin", "gardener"), ("shoot.gardener.cloud/no-cleanup", "true")])
});

fn labels(pairs: &[(&str, &str)]) -> LabelMap {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

impl Labels {
    pub(super) const ALL: [Labels; 5] =
        [Labels::Any, Labels::Without, Labels::KubeSystem, Labels::Default, Labels::SystemPods];

    /// Returns the labels; `None` if selectors are irrelevant.
    pub(super) fn map(self) -> Option<&'static LabelMap> {
        match self {
            Labels::Any => None,
            Labels::Without => Some(&WITHOUT),
            Labels::KubeSystem => Some(&KUBE_SYSTEM),
            Labels::Default => Some(&DEFAULT),
            Labels::SystemPods => Some(&SYSTEM_PODS),
        }
    }
}

/// Resources with the same API versions and labels.
struct Family {
    apis: &'static [(&'static str, &'static [&'static str])],
    resources: &'static [(&'static str, &'static [&'static str])],
    is_cluster_scoped: bool,
    namespaces: &'static [Labels],
    object: Labels,
}

const ANY: &[Labels] = &[Labels::Any];
const IN_KUBE_SYSTEM: &[Labels] = &[Labels::KubeSystem];

const fn namespaced(
    apis: &'static [(&'static str, &'static [&'static str])],
    resources: &'static [(&'static str, &'static [&'static str])],
) -> Family {
    Family {
        apis,
        resources,
        is_cluster_scoped: false,
        namespaces: IN_KUBE_SYSTEM,
        object: Labels::Any,
    }
}

const fn cluster_scoped(
    apis: &'static [(&'static str, &'static [&'static str])],
    resources: &'static [(&'static str, &'static [&'static str])],
) -> Family {
    Family { is_cluster_scoped: true, namespaces: ANY, ..namespaced(apis, resources) }
}

const CORE: &[(&str, &[&str])] = &[("", &["v1"])];
const COORDINATION: &[(&str, &[&str])] = &[("coordination.k8s.io", &["v1", "v1beta1"])];
const RBAC: &[(&str, &[&str])] = &[("rbac.authorization.k8s.io", &["v1", "v1alpha1", "v1beta1"])];

/// Leases for leader election in kube-system, which fails even if they are only slow.
static LEASES: Family =
    Family { object: Labels::Without, ..namespaced(COORDINATION, &[("leases", &[])]) };

static FAMILIES: [Family; 14] = [
    Family { object: Labels::SystemPods, ..namespaced(CORE, &[("pods", &["status"])]) },
    namespaced(CORE, &[("configmaps", &[]), ("secrets", &[]), ("serviceaccounts", &[])]),
    // All components find the API server by the Service `kubernetes` in namespace default.
    Family {
        namespaces: &[Labels::KubeSystem, Labels::Default],
        ..namespaced(CORE, &[("endpoints", &[]), ("services", &["status"])])
    },
    cluster_scoped(CORE, &[("nodes", &["status"])]),
    Family {
        is_cluster_scoped: true,
        object: Labels::KubeSystem,
        ..namespaced(CORE, &[("namespaces", &["status"])])
    },
    namespaced(
        &[("apps", &["v1", "v1beta1", "v1beta2"]), ("extensions", &["v1beta1"])],
        &[
            ("controllerrevisions", &[]),
            ("daemonsets", &["status"]),
            ("deployments", &["scale"]),
            ("replicasets", &["status", "scale"]),
        ],
    ),
    namespaced(
        &[("extensions", &["v1beta1"]), ("networking.k8s.io", &["v1", "v1beta1"])],
        &[("networkpolicies", &[])],
    ),
    Family { namespaces: ANY, ..namespaced(COORDINATION, &[("leases", &[])]) },
    cluster_scoped(RBAC, &[("clusterroles", &[]), ("clusterrolebindings", &[])]),
    namespaced(RBAC, &[("roles", &[]), ("rolebindings", &[])]),
    cluster_scoped(
        &[("apiextensions.k8s.io", &["v1", "v1beta1"])],
        &[("customresourcedefinitions", &["status"])],
    ),
    cluster_scoped(
        &[("apiregistration.k8s.io", &["v1", "v1beta1"])],
        &[("apiservices", &["status"])],
    ),
    cluster_scoped(
        &[("certificates.k8s.io", &["v1"])],
        &[("certificatesigningrequests", &["status", "approval"])],
    ),
    cluster_scoped(&[("scheduling.k8s.io", &["v1", "v1beta1"])], &[("priorityclasses", &[])]),
];

/// Returns all critical resources in all API versions.
pub(super) fn all() -> impl Iterator<Item = Critical> {
    FAMILIES.iter().flat_map(Family::members)
}

/// Returns the leases that must not be slow.
pub(super) fn leases() -> impl Iterator<Item = Critical> {
    LEASES.members()
}

impl Family {
    fn members(&'static self) -> impl Iterator<Item = Critical> {
        let apis = self
            .apis
            .iter()
            .flat_map(|(group, versions)| versions.iter().map(move |version| (*group, *version)));
        let resources = move || {
            self.resources.iter().flat_map(|(resource, subresources)| {
                let main = std::iter::once("");
                main.chain(subresources.iter().copied())
                    .map(move |subresource| (*resource, subresource))
            })
        };
        apis.flat_map(move |api| {
            resources().flat_map(move |resource| {
                self.namespaces.iter().map(move |namespace| self.member(api, resource, *namespace))
            })
        })
    }

    fn member(
        &self,
        (group, version): (&'static str, &'static str),
        (resource, subresource): (&'static str, &'static str),
        namespace: Labels,
    ) -> Critical {
        Critical {
            group,
            version,
            resource,
            subresource,
            is_cluster_scoped: self.is_cluster_scoped,
            namespace,
            object: self.object,
        }
    }
}

impl Critical {
    /// Reports whether no selector of a webhook can exclude the resource.
    pub fn is_beyond_selectors(&self) -> bool {
        self.namespace == Labels::Any && self.object == Labels::Any
    }
}

/// Formats the resource for users: `pods/status in namespace kube-system`.
impl fmt::Display for Critical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.resource)?;
        if !self.subresource.is_empty() {
            write!(f, "/{}", self.subresource)?;
        }
        if !self.group.is_empty() {
            write!(f, ".{}", self.group)?;
        }
        match self.namespace {
            _ if self.resource == "namespaces" => f.write_str(" (kube-system)"),
            Labels::KubeSystem => f.write_str(" in namespace kube-system"),
            Labels::Default => f.write_str(" in namespace default"),
            _ => Ok(()),
        }
    }
}
