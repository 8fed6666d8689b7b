// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::Arc;

use crate::api::shared::references::CloudProfileReference;

/// The identity of a profile that Shoots reference.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ProfileKey {
    /// The kind.
    pub kind: ProfileKind,
    /// The namespace; empty for a CloudProfile.
    pub namespace: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

/// The kinds of profiles.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum ProfileKind {
    /// CloudProfile.
    Cluster,
    /// NamespacedCloudProfile.
    Namespaced,
}

/// Formats the key as `CloudProfile stratus` or `NamespacedCloudProfile garden-dev/longer`.
impl fmt::Display for ProfileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, namespace, name } = self;
        match kind {
            ProfileKind::Cluster => write!(f, "CloudProfile {name}"),
            ProfileKind::Namespaced => write!(f, "NamespacedCloudProfile {namespace}/{name}"),
        }
    }
}

impl ProfileKey {
    /// Returns the key of a CloudProfile.
    pub fn cluster(name: &str) -> Self {
        Self { kind: ProfileKind::Cluster, namespace: "".into(), name: name.into() }
    }

    /// Returns the profile of a Shoot in `namespace`; `None` without a profile of a known kind.
    pub fn effective(
        reference: Option<&CloudProfileReference>,
        old_name: &str,
        namespace: &str,
    ) -> Option<Self> {
        let (kind, name) = ProfileKind::followed(reference, old_name)?;
        Some(match kind {
            ProfileKind::Cluster => Self::cluster(name),
            ProfileKind::Namespaced => Self::namespaced(namespace, name),
        })
    }

    /// Returns the key of a NamespacedCloudProfile.
    pub fn namespaced(namespace: &str, name: &str) -> Self {
        Self { kind: ProfileKind::Namespaced, namespace: namespace.into(), name: name.into() }
    }
}

impl ProfileKind {
    /// Returns the kind and name of the profile of a Shoot; `None` without a profile of a known kind.
    ///
    /// Mirrors BuildV1beta1CloudProfileReference in `pkg/utils/gardener/cloudprofile.go`: the reference takes precedence over the old
    /// name.
    pub fn followed<'a>(
        reference: Option<&'a CloudProfileReference>,
        old_name: &'a str,
    ) -> Option<(Self, &'a str)> {
        match reference {
            Some(CloudProfileReference { kind, name }) => match kind.as_str() {
                "" | "CloudProfile" => Some((Self::Cluster, name)),
                "NamespacedCloudProfile" => Some((Self::Namespaced, name)),
                _ => None,
            },
            None if old_name.is_empty() => None,
            None => Some((Self::Cluster, old_name)),
        }
    }
}
