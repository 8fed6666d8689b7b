use std::fmt;

use crate::model::Kind;

/// Identifies an object.
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
    /// The key of an object in a namespace; for kinds without namespaces, an empty one.
    #[must_use]
    pub fn new(kind: Kind, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            kind,
            namespace: namespace.into(),
            name: name.into(),
        }
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
