use std::fmt;

use super::Kind;
use crate::model::GARDEN_NAMESPACE;

/// A row of the table of kinds: what is the same for all objects of a kind.
pub(super) struct Row {
    /// As written in manifests.
    pub name: &'static str,
    pub api: Api,
    /// The lower-case resource name.
    pub plural: &'static str,
    pub is_namespaced: bool,
    pub judged: Judged,
    pub known: Known,
}

/// The API group and version that serve a kind.
pub(super) type Api = (&'static str, &'static str);

/// In which cluster requests for objects of a kind are judged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Judged {
    /// In the garden.
    InGarden,
    /// In Shoot clusters, where they can stand in Gardener's way.
    InShoots,
    /// In none.
    Nowhere,
}

/// How a garden comes to know the objects of a kind. One that is read from files knows all but [`Known::Never`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Known {
    /// All are watched; one that has not been seen yet is asked for by its name.
    Watched,
    /// Each is asked for by its name whenever a request needs it, as so few do.
    Asked,
    /// All of a namespace are listed whenever a request needs them, and only metadata is read.
    Collected,
    /// Those of the garden namespace that have a label are listed whenever a request needs them. Others are of no interest.
    Labelled {
        /// The label and its value.
        label: (&'static str, &'static str),
        /// Whether more than the metadata is asked for.
        whole: bool,
    },
    /// Only files tell.
    Files,
    /// Only files tell, and only how many there are is of interest.
    Counted,
    /// Only files tell, and many gardens have none: a directory without any is not incomplete.
    Optional,
    /// Not at all: no rule looks them up.
    Never,
}

/// The group and the version that an `apiVersion` names; Kubernetes' own group has no name.
#[must_use]
pub fn group_and_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

impl Kind {
    /// The kinds that are judged: Gardener's own, and those of a Shoot cluster that can stand in Gardener's way.
    pub fn judged() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|kind| kind.is_judged())
    }

    /// Whether requests about it are judged, wherever.
    #[must_use]
    pub fn is_judged(self) -> bool {
        self.row().judged != Judged::Nowhere
    }

    /// The kind that manifests call `name`, whatever its version; `None` if the gate does not know it.
    #[must_use]
    pub fn of_manifest(group: &str, name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.as_str() == name && kind.api().0 == group)
    }

    /// The kinds that are watched.
    pub fn watched() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|kind| kind.known() == Known::Watched)
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

    /// The `apiVersion` of manifests.
    #[must_use]
    pub fn api_version(self) -> String {
        match self.api() {
            ("", version) => version.to_owned(),
            (group, version) => format!("{group}/{version}"),
        }
    }

    /// How a garden comes to know its objects.
    #[must_use]
    pub const fn known(self) -> Known {
        self.row().known
    }

    /// Whether it is judged in Shoot clusters, not in the garden.
    #[must_use]
    pub fn is_of_shoot_cluster(self) -> bool {
        self.row().judged == Judged::InShoots
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
            Known::Labelled { .. } => GARDEN_NAMESPACE,
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::model::{GardenObject, Kind, Known, ObjectKey};

    #[test]
    fn what_a_garden_knows_of_is_kept_under_its_name() {
        let json = r#"{"metadata": {"namespace": "ns", "name": "n"}}"#;
        for kind in Kind::ALL.iter().copied() {
            let kept = GardenObject::read(kind, json).unwrap();
            let namespace = if kind.is_namespaced() { "ns" } else { "" };
            let is_known = kind.known() != Known::Never;
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
