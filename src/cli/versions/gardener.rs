// SPDX-License-Identifier: Apache-2.0
//! The version of Gardener by which a command judges.

use std::collections::BTreeMap;

use crate::garden::directory::LoadedGarden;
use crate::review::notes::note;
use garden_gate_core::config::Config;
use garden_gate_core::garden::{ObjectKey, PublishedVersion, Snapshot};
use garden_gate_model::api::GardenerVersion;
use garden_gate_products::report::JudgedGarden;

/// Parses the value of `--gardener-version`.
///
/// # Errors
/// Returns the error with an example.
pub(crate) fn gardener_version(text: &str) -> Result<GardenerVersion, String> {
    let newest = GardenerVersion::NEWEST;
    GardenerVersion::parse(text).map_err(|why| format!("{why}; write it like {newest}"))
}

/// The version that a garden publishes.
pub(crate) struct VersionLookup {
    version: Result<Option<PublishedVersion>, String>,
    /// The location of the ConfigMap, for messages.
    place: String,
}

impl VersionLookup {
    /// Returns the version without any garden.
    pub(crate) fn nowhere() -> Self {
        Self { version: Ok(None), place: String::new() }
    }

    /// Returns the version in a garden directory.
    pub(crate) fn in_directory(loaded: &LoadedGarden) -> Self {
        Self {
            version: loaded.snapshot.published_version(),
            place: loaded.place_of_gardener_info(),
        }
    }

    /// Returns the version in a garden cluster; `unknown` has the reasons for objects that could not be read.
    pub(crate) fn in_cluster(snapshot: &Snapshot, unknown: &BTreeMap<ObjectKey, String>) -> Self {
        let key = ObjectKey::gardener_info();
        let version = match unknown.get(&key) {
            Some(why) => Err(why.clone()),
            None => snapshot.published_version(),
        };
        Self { version, place: key.to_string() }
    }

    /// Sets the version in a configuration like [`Self::apply`], without a warning.
    pub(crate) fn apply_quietly(&self, config: &mut Config) {
        let published = self.version.as_ref().ok().and_then(Option::as_ref);
        config.set_garden_version(published.map(|it| it.version));
    }

    /// Sets the version in a configuration, unless the configuration has one.
    ///
    /// Prints a warning if the version is needed and not valid.
    pub(crate) fn apply(self, config: &mut Config) -> JudgedGarden {
        let published = self.version.unwrap_or_else(|why| {
            if let Some(warning) = config.invalid_garden_version(&self.place, &why) {
                note(format_args!("warning: {warning}"));
            }
            None
        });
        config.set_garden_version(published.as_ref().map(|it| it.version));
        JudgedGarden {
            directory: String::new(),
            judged: config.judged_as(),
            published,
            ..JudgedGarden::default()
        }
    }
}
