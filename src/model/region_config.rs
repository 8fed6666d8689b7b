use std::collections::BTreeMap;

use serde::Deserialize;

use super::{ObjectMeta, null_is_default};

/// A ConfigMap of the garden namespace that tells the scheduler how far regions are from each other.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct RegionConfig {
    /// Name, labels and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// By region: a YAML map from the names of other regions to distances.
    #[serde(default, deserialize_with = "null_is_default")]
    pub data: BTreeMap<String, String>,
}

impl RegionConfig {
    /// The label by which such a ConfigMap is known.
    pub const LABEL: (&'static str, &'static str) =
        ("scheduling.gardener.cloud/purpose", "region-config");

    /// Whether a ConfigMap is one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        let (label, value) = Self::LABEL;
        self.metadata
            .labels
            .get(label)
            .is_some_and(|it| it == value)
    }

    /// Whether the distances count for a CloudProfile.
    #[must_use]
    pub fn is_for(&self, cloud_profile: &str) -> bool {
        let annotations = &self.metadata.annotations;
        let names = annotations.get("scheduling.gardener.cloud/cloudprofiles");
        names.is_some_and(|names| names.split(',').any(|name| name.trim() == cloud_profile))
    }
}

/// A Secret of the garden namespace, of which only the metadata is read.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct DomainSecret {
    /// Labels and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
}

impl DomainSecret {
    /// The label by which Secrets of default domains are known.
    pub const LABEL: (&'static str, &'static str) = ("gardener.cloud/role", "default-domain");

    /// The default domain that the Secret is for; `None` if it is for something else.
    #[must_use]
    pub fn domain(&self) -> Option<&str> {
        let (label, value) = Self::LABEL;
        let is_one = self
            .metadata
            .labels
            .get(label)
            .is_some_and(|it| it == value);
        let domain = self.metadata.annotations.get("dns.gardener.cloud/domain");
        domain.filter(|_| is_one).map(String::as_str)
    }
}

/// A WorkloadIdentity: what a component of Gardener may be at an infrastructure.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct WorkloadIdentity {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The desired state.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: WorkloadIdentitySpec,
}

/// The desired state of a [`WorkloadIdentity`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadIdentitySpec {
    /// Where the identity counts.
    #[serde(default, deserialize_with = "null_is_default")]
    pub target_system: TargetSystem,
}

/// Where a [`WorkloadIdentity`] counts.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct TargetSystem {
    /// The provider type.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
}
