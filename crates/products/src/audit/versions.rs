// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::forecast::Profile;
use garden_gate_core::garden::{Shoots, Snapshot};
use garden_gate_model::api::ProfileKey;
use garden_gate_model::gardener::version::{Classified, current_classification, expiry};

/// A version that Shoots use, with its classification in their profile.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InUse {
    /// The profile, such as `CloudProfile stratus`.
    pub profile: String,
    /// `Kubernetes`, or the name of a machine image.
    pub what: String,
    /// The version.
    pub version: String,
    /// The classification in the profile; `null` if the profile does not list the version.
    pub stage: Option<String>,
    /// The start of the current classification; `null` if the profile does not define it.
    pub since: Option<Timestamp>,
    /// The expiration date, past or future.
    pub expires: Option<Timestamp>,
    /// The number of Shoots that use the version in any part.
    pub shoots: usize,
}

/// Returns the versions that Shoots use, by profile. Shoots in deletion are ignored.
///
/// # Errors
/// Returns the reason if not all Shoots are known.
pub fn versions_in_use(garden: &Snapshot, now: Timestamp) -> Result<Vec<InUse>, String> {
    let shoots = garden.shoots()?;
    let mut profiles: Vec<&ProfileKey> = shoots.profiles().collect();
    profiles.sort();
    let in_use = profiles.into_iter().flat_map(|key| of_profile(key, shoots, garden, now));
    Ok(in_use.collect())
}

fn of_profile(key: &ProfileKey, shoots: &Shoots, garden: &Snapshot, now: Timestamp) -> Vec<InUse> {
    let Some(users) = shoots.of_profile(key) else {
        return Vec::new();
    };
    let profile = Profile::find(key, garden);
    let spec = profile.as_ref().ok().map(|it| &it.spec);
    let in_use = |what: &str, version: &str, shoots, stands: Option<VersionLifecycle>| {
        let stands = stands.unwrap_or_default();
        InUse {
            profile: key.to_string(),
            what: what.to_owned(),
            version: version.to_owned(),
            stage: stands.stage,
            since: stands.since,
            expires: stands.expires,
            shoots,
        }
    };
    let mut kubernetes: BTreeMap<&str, usize> = BTreeMap::new();
    // A pool with an older version than the control plane adds its own version.
    for (version, shoots) in users.by_kubernetes().chain(users.by_pool_kubernetes()) {
        *kubernetes.entry(version).or_default() += shoots.len();
    }
    let of_kubernetes = kubernetes.into_iter().map(|(version, shoots)| {
        let versions = spec.map_or(&[][..], |it| &it.kubernetes.versions);
        let stands = VersionLifecycle::of(version, versions, now);
        in_use("Kubernetes", version, shoots, stands)
    });
    let images = users.by_image().map(|(image, version, shoots)| {
        let mut images = spec.into_iter().flat_map(|it| &it.machine_images);
        let listed = images.find(|it| it.name == image);
        let versions = listed.map_or(&[][..], |it| &it.versions);
        in_use(image, version, shoots.len(), VersionLifecycle::of(version, versions, now))
    });
    of_kubernetes.chain(images).collect()
}

/// The classification of a version in its profile.
#[derive(Default)]
pub(super) struct VersionLifecycle {
    pub(super) stage: Option<String>,
    pub(super) since: Option<Timestamp>,
    pub(super) expires: Option<Timestamp>,
}

impl VersionLifecycle {
    pub(super) fn of<V: Classified>(version: &str, all: &[V], now: Timestamp) -> Option<Self> {
        let listed = all.iter().find(|it| it.version() == version)?;
        Some(Self {
            stage: Some(current_classification(listed, now).to_owned()),
            since: stage_began(listed, now),
            expires: expiry(listed),
        })
    }
}

/// Returns when the current stage of a version began; `None` if the profile does not define it.
fn stage_began(version: &impl Classified, now: Timestamp) -> Option<Timestamp> {
    let started =
        version.lifecycle().iter().filter_map(|it| it.start_time).filter(|start| *start < now);
    let expired = version.expiration_date().filter(|date| *date < now);
    started.chain(expired).max()
}
