use serde::Deserialize;

use super::{ObjectMeta, bounded, null_is_default};

/// A ControllerRegistration: what an extension of Gardener is responsible for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ControllerRegistration {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The desired state.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: ControllerRegistrationSpec,
}

/// The desired state of a [`ControllerRegistration`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ControllerRegistrationSpec {
    /// What it is responsible for.
    #[serde(default, deserialize_with = "bounded::list")]
    pub resources: Vec<ControllerResource>,
}

/// Objects of a kind and type that an extension of Gardener takes care of.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerResource {
    /// The kind, such as `Network`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The type, such as `calico`.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub class: String,
    /// Whether it is the main one for them; true unless it says otherwise.
    pub primary: Option<bool>,
    /// Whether it works in Shoots without workers.
    pub workerless_supported: Option<bool>,
    /// Which clusters it is for, such as `shoot`; empty means Shoots.
    #[serde(default, deserialize_with = "bounded::list")]
    pub cluster_compatibility: Vec<String>,
    /// Which clusters have it unless they say otherwise, such as `shoot`.
    #[serde(default, deserialize_with = "bounded::list")]
    pub auto_enable: Vec<String>,
}

impl ControllerResource {
    /// Whether it may be used in a kind of clusters, such as `shoot`. An extension is for Shoots unless it says otherwise, all else for
    /// every cluster.
    #[must_use]
    pub fn is_for(&self, cluster: &str) -> bool {
        match self.cluster_compatibility.as_slice() {
            [] => self.kind != "Extension" || cluster == "shoot",
            clusters => clusters.iter().any(|it| it == cluster),
        }
    }
}
