use serde::Deserialize;

use crate::api::{ObjectMeta, bounded, null_is_default};

/// A ControllerRegistration: the resources that an extension of Gardener reconciles.
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
    /// The kinds and types that it reconciles.
    #[serde(default, deserialize_with = "bounded::list")]
    pub resources: Vec<ControllerResource>,
}

/// A kind and type of objects that an extension of Gardener reconciles.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerResource {
    /// The kind, such as `Network`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The type, such as `calico`.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub class: String,
    /// Whether it is the primary extension for them; the default is true.
    pub primary: Option<bool>,
    /// Whether it works in Shoots without workers.
    pub workerless_supported: Option<bool>,
    /// The clusters that it is for, such as `shoot`; empty means Shoots.
    #[serde(default, deserialize_with = "bounded::list")]
    pub cluster_compatibility: Vec<String>,
    /// The clusters that have it by default, such as `shoot`.
    #[serde(default, deserialize_with = "bounded::list")]
    pub auto_enable: Vec<String>,
}

impl ControllerResource {
    /// Reports whether it may be used in a kind of clusters, such as `shoot`.
    ///
    /// By default an extension is for Shoots, and other kinds are for every cluster.
    #[must_use]
    pub fn is_for(&self, cluster: &str) -> bool {
        match self.cluster_compatibility.as_slice() {
            [] => self.kind != "Extension" || cluster == "shoot",
            clusters => clusters.iter().any(|it| it == cluster),
        }
    }
}
