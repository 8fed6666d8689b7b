use std::fmt;

use super::Kind;
use crate::model::{ObjectMeta, ShootName};

/// Identifies an object. Keys are in the order of their fields.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ObjectKey {
    /// The kind.
    pub kind: Kind,
    /// Empty for what is in no namespace.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl ObjectKey {
    /// The ConfigMap in which gardener-apiserver publishes its version.
    #[must_use]
    pub fn gardener_info() -> Self {
        Self::new(Kind::ConfigMap, "gardener-system-public", "gardener-info")
    }

    /// The key of an object in a namespace; for kinds without namespaces, an empty one.
    #[must_use]
    pub fn new(kind: Kind, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            kind,
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// The key of the object of a kind that has this name.
    #[must_use]
    pub fn named<'a>(kind: Kind, name: impl Into<Name<'a>>) -> Self {
        let Name { namespace, name } = name.into();
        Self::new(kind, namespace, name)
    }

    pub(super) fn of_object(kind: Kind, metadata: &ObjectMeta) -> Self {
        let namespace = match kind.is_namespaced() {
            true => metadata.namespace.as_str(),
            false => "",
        };
        Self::new(kind, namespace, &metadata.name)
    }

    /// The key of a Shoot.
    #[must_use]
    pub fn of_shoot(name: &ShootName) -> Self {
        Self::new(Kind::Shoot, &*name.namespace, &*name.name)
    }
}

/// What an object is called: by its name alone, or by its namespace and its name.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    namespace: &'a str,
    name: &'a str,
}

impl Name<'_> {
    /// Whether an object of this key is called so.
    pub(crate) fn is_of(self, key: &ObjectKey) -> bool {
        key.name == self.name && key.namespace == self.namespace
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(name: &'a str) -> Self {
        Self {
            namespace: "",
            name,
        }
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

/// As messages name it: Shoot `garden-dev/web`.
impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            namespace,
            name,
        } = self;
        let separator = if namespace.is_empty() { "" } else { "/" };
        write!(f, "{kind} `{namespace}{separator}{name}`")
    }
}
