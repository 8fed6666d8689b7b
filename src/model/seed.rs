use serde::Deserialize;

use super::{ObjectMeta, Toleration, null_is_default};

/// A Seed: the cluster that hosts control planes.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Seed {
    /// Name and labels.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// What the operator configured.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: SeedSpec,
}

/// The desired state of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct SeedSpec {
    /// Where the seed runs.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: SeedProvider,
    /// What a Shoot must tolerate to be placed here; a taint has the shape of a toleration.
    #[serde(default, deserialize_with = "null_is_default")]
    pub taints: Vec<Toleration>,
    /// Settings.
    pub settings: Option<SeedSettings>,
}

/// The provider of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct SeedProvider {
    /// The provider type, for example `aws`.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
    /// The region.
    #[serde(default, deserialize_with = "null_is_default")]
    pub region: String,
}

/// Settings of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct SeedSettings {
    /// Scheduling settings.
    pub scheduling: Option<SeedScheduling>,
}

/// Scheduling settings of a [`Seed`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct SeedScheduling {
    /// Whether the scheduler considers the seed; an empty `scheduling: {}` means it does not.
    #[serde(default, deserialize_with = "null_is_default")]
    pub visible: bool,
}
