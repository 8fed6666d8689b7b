// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;

use crate::api::{ObjectMeta, bounded};

/// A ManagedSeed: registers a Shoot of its namespace as a Seed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ManagedSeed {
    /// Name and namespace.
    #[serde(default)]
    pub metadata: ObjectMeta,
    /// The desired state.
    #[serde(default)]
    pub spec: ManagedSeedSpec,
}

/// The desired state of a [`ManagedSeed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ManagedSeedSpec {
    /// The Shoot.
    #[serde(default)]
    pub shoot: ManagedSeedShoot,
    /// The gardenlet that runs in the Shoot.
    #[serde(default)]
    pub gardenlet: ManagedSeedGardenlet,
}

/// The Shoot of a [`ManagedSeed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ManagedSeedShoot {
    /// Its name.
    #[serde(default)]
    pub name: String,
}

/// The gardenlet of a [`ManagedSeed`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ManagedSeedGardenlet {
    /// Its configuration.
    #[serde(default)]
    pub config: GardenletConfiguration,
}

/// The configuration of a gardenlet.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GardenletConfiguration {
    /// The Seed that the gardenlet registers.
    pub seed_config: Option<SeedTemplate>,
}

/// The template of a Seed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedTemplate {
    /// Its desired state.
    #[serde(default)]
    pub spec: SeedTemplateSpec,
}

/// The desired state of a [`SeedTemplate`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedTemplateSpec {
    /// The infrastructure.
    #[serde(default)]
    pub provider: SeedTemplateProvider,
}

/// The infrastructure of a [`SeedTemplate`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SeedTemplateProvider {
    /// The zones that control planes are spread over.
    #[serde(default, deserialize_with = "bounded::list")]
    pub zones: Vec<String>,
}

impl ManagedSeed {
    /// Returns the zones of the Seed; `None` if the configuration contains no Seed.
    pub fn zones(&self) -> Option<&[String]> {
        let template = self.spec.gardenlet.config.seed_config.as_ref()?;
        Some(&template.spec.provider.zones)
    }
}
