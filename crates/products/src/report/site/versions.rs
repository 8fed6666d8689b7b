// SPDX-License-Identifier: Apache-2.0
//! The versions of each profile: stages, users, and what their retirement would do.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::landscape::Landscape;
use crate::forecast::{Ladder, Lane, Rung, ShootForecast};

/// The versions of all profiles.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteVersions")]
pub(super) struct Document {
    /// The start of the forecast.
    at: Timestamp,
    /// The end of the forecast.
    until: Timestamp,
    /// The profiles.
    profiles: Vec<ProfileVersions>,
}

/// The versions of a profile.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteProfile")]
struct ProfileVersions {
    /// The profile, such as `CloudProfile stratus`.
    profile: String,
    /// The number of its Shoots with a forecast.
    shoots: usize,
    /// The reason why its versions are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
    /// Minor versions of Kubernetes, highest first, and machine images.
    lanes: Vec<LaneFields>,
}

/// A minor version of Kubernetes, or a machine image.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteLane")]
struct LaneFields {
    /// `Kubernetes`, or the name of the machine image.
    part: String,
    /// The minor version, or the machine image with its update strategy.
    name: String,
    /// True for a minor version between others of which the profile has no version.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    gap: bool,
    /// The versions, highest first.
    versions: Vec<VersionFields>,
}

/// A version of a profile.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SiteVersion")]
struct VersionFields {
    /// The version.
    version: String,
    /// The number of Shoots that use it.
    shoots: usize,
    /// The stages during the forecast; the first one starts with it.
    stages: Vec<StageFields>,
    /// The time from which its Shoots require an update that is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    dead_end: Option<Timestamp>,
    /// What would happen if it expired now; absent without Shoots.
    #[serde(skip_serializing_if = "Option::is_none")]
    retirement: Option<RetirementFields>,
}

/// A lifecycle stage of a version.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteStage")]
struct StageFields {
    /// The start.
    from: Timestamp,
    /// The stage.
    stage: String,
}

/// What would happen if a version expired now.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
#[schemars(rename = "SiteRetirement")]
struct RetirementFields {
    /// Shoots that maintenance would update.
    forced: usize,
    /// The versions after these updates.
    to: BTreeSet<String>,
    /// Shoots for which no update would be possible.
    stranded: usize,
}

/// The consequences by profile, machine image and version.
type Consequences<'a> = BTreeMap<(&'a str, Option<&'a str>, &'a str), RetirementFields>;

pub(super) fn document(landscape: &Landscape) -> Document {
    let retirements = retirements(landscape);
    let mut users: BTreeMap<&str, Vec<&ShootForecast>> = BTreeMap::new();
    for shoot in landscape.shoots.iter().filter_map(|it| it.forecast.as_ref().ok()) {
        users.entry(&shoot.forecast.profile).or_default().push(shoot);
    }
    let profiles = landscape.profiles.iter().map(|(key, profile)| {
        let title = key.to_string();
        let shoots = users.get(&*title).map_or(&[][..], Vec::as_slice);
        let (unknown, lanes) = match &**profile {
            Err(why) => (Some(why.clone()), Vec::new()),
            Ok(profile) => {
                let ladder =
                    Ladder::of(profile, (landscape.at, landscape.until), shoots.iter().copied());
                (None, lanes(ladder, &retirements))
            }
        };
        ProfileVersions { shoots: shoots.len(), profile: title, unknown, lanes }
    });
    Document { at: landscape.at, until: landscape.until, profiles: profiles.collect() }
}

fn retirements(landscape: &Landscape) -> Consequences<'_> {
    let mut retirements = Consequences::new();
    for shoot in &landscape.shoots {
        let Ok(forecast) = &shoot.forecast else { continue };
        // A Shoot counts once, however many of its pools use the version; stranded ones first.
        let mut of_shoot: BTreeMap<(Option<&str>, &str), Option<&str>> = BTreeMap::new();
        for it in &shoot.retirements {
            let target =
                of_shoot.entry((it.image.as_deref(), &it.version)).or_insert(it.target.as_deref());
            *target = target.and(it.target.as_deref());
        }
        for ((image, version), target) in of_shoot {
            let key = (forecast.forecast.profile.as_str(), image, version);
            let fields = retirements.entry(key).or_default();
            match target {
                Some(target) => {
                    fields.forced += 1;
                    fields.to.insert(target.to_owned());
                }
                None => fields.stranded += 1,
            }
        }
    }
    retirements
}

fn lanes(ladder: Ladder, retirements: &Consequences<'_>) -> Vec<LaneFields> {
    let Ladder { title, kubernetes, images } = ladder;
    let of_kubernetes = kubernetes.into_iter().map(|lane| (None, lane));
    let of_images = images.into_iter().map(|lane| (lane.image.clone(), lane));
    let lanes = of_kubernetes.chain(of_images).map(|(image, lane)| {
        let Lane { name, rungs, .. } = lane;
        let version = |rung: Rung| {
            let retirement = retirements.get(&(&*title, image.as_deref(), &*rung.version));
            VersionFields {
                retirement: retirement.cloned(),
                version: rung.version,
                shoots: rung.shoots,
                stages: rung
                    .stages
                    .into_iter()
                    .map(|(from, stage)| StageFields { from, stage })
                    .collect(),
                dead_end: rung.dead_end,
            }
        };
        LaneFields {
            gap: rungs.is_empty(),
            versions: rungs.into_iter().map(version).collect(),
            part: image.unwrap_or_else(|| "Kubernetes".to_owned()),
            name,
        }
    });
    lanes.collect()
}
