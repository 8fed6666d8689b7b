// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use super::Kind;
use crate::api::{ObjectMeta, ShootName};

/// The identity of an object. Keys are ordered by their fields.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ObjectKey {
    /// The kind.
    pub kind: Kind,
    /// The namespace; empty for cluster-scoped objects.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl ObjectKey {
    /// Returns the key of the ConfigMap in which gardener-apiserver publishes its version.
    pub fn gardener_info() -> Self {
        Self::new(Kind::ConfigMap, "gardener-system-public", "gardener-info")
    }

    /// Returns the key of an object in a namespace; the namespace is empty for cluster-scoped kinds.
    pub fn new(kind: Kind, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { kind, namespace: namespace.into(), name: name.into() }
    }

    /// Returns the key of the object of a kind that has this name.
    pub fn named<'a>(kind: Kind, name: impl Into<Name<'a>>) -> Self {
        let Name { namespace, name } = name.into();
        Self::new(kind, namespace, name)
    }

    pub(super) fn of_object(kind: Kind, metadata: &ObjectMeta) -> Self {
        let namespace = if kind.is_namespaced() { metadata.namespace.as_str() } else { "" };
        Self::new(kind, namespace, &metadata.name)
    }

    /// Returns the key of a Shoot.
    pub fn of_shoot(name: &ShootName) -> Self {
        Self::new(Kind::Shoot, &*name.namespace, &*name.name)
    }
}

/// The name of an object: the name alone, or namespace and name.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    namespace: &'a str,
    name: &'a str,
}

impl Name<'_> {
    /// Reports whether an object of this key has this name.
    pub fn is_of(self, key: &ObjectKey) -> bool {
        key.name == self.name && key.namespace == self.namespace
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(name: &'a str) -> Self {
        Self { namespace: "", name }
    }
}

impl<'a> From<&'a String> for Name<'a> {
    fn from(name: &'a String) -> Self {
        name.as_str().into()
    }
}

impl<'a> From<(&'a str, &'a str)> for Name<'a> {
    fn from((namespace, name): (&'a str, &'a str)) -> Self {
        Self { namespace, name }
    }
}

/// Formats the key for messages: Shoot `garden-dev/web`.
impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name } = self;
        let separator = if namespace.is_empty() { "" } else { "/" };
        write!(f, "{kind} `{namespace}{separator}{name}`")
    }
}
