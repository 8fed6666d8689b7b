// SPDX-License-Identifier: Apache-2.0
mod retirement;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::{Part, Profile, ShootForecast};

use garden_gate_model::api::{ExpirableVersion, MachineImage, Shoot};
use garden_gate_model::gardener::version::maintenance::{Targets, turns};
use garden_gate_model::gardener::version::{Classified, current_classification};
use garden_gate_text::go::Version;
pub use retirement::{Retirement, Retirements};

/// The versions of a profile with their lifecycle stages, and the number of Shoots per version.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The title of the profile, such as `CloudProfile stratus`.
    pub title: String,
    /// Kubernetes versions, one lane per minor version, highest first.
    /// Includes missing minor versions in between.
    pub kubernetes: Vec<Lane>,
    /// Machine images, one lane each, in the order of the profile.
    pub images: Vec<Lane>,
}

/// A group of versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// The name of the machine image; `None` for Kubernetes.
    pub image: Option<String>,
    /// The minor version such as `1.34`, or the image name with its strategy.
    pub name: String,
    /// The versions, highest first; empty for a gap.
    pub rungs: Vec<Rung>,
}

/// A version with its lifecycle stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The version.
    pub version: String,
    /// The stages with their start times during the forecast.
    /// The first one starts with the forecast.
    pub stages: Vec<(Timestamp, String)>,
    /// The number of Shoots that currently use it, in the control plane or a pool.
    pub shoots: usize,
    /// The time from which Shoots require an update that is impossible; `None` if there is no such time.
    pub dead_end: Option<Timestamp>,
}

impl Ladder {
    /// Returns the versions of a profile and their users among the Shoots, for the period of the forecast.
    pub fn of<'a>(
        profile: &Profile,
        time: (Timestamp, Timestamp),
        shoots: impl Iterator<Item = &'a ShootForecast>,
    ) -> Self {
        let uses = uses(profile, shoots);
        let images = profile.spec.machine_images.iter();
        Self {
            title: profile.title.clone(),
            kubernetes: kubernetes(profile, &uses, time),
            images: images.map(|it| image(it, &uses, time)).collect(),
        }
    }
}

/// The number of Shoots per version, of Kubernetes or of the image with this name.
type Uses<'a> = BTreeMap<(Option<&'a str>, &'a str), usize>;

fn uses<'a>(profile: &Profile, shoots: impl Iterator<Item = &'a ShootForecast>) -> Uses<'a> {
    let mut uses = Uses::new();
    for shoot in shoots.filter(|it| it.forecast.profile == profile.title) {
        let mut used: Vec<_> = shoot
            .forecast
            .standings
            .iter()
            .map(|standing| {
                let image = match &standing.part {
                    Part::Image { image, .. } => Some(image.as_str()),
                    _ => None,
                };
                (image, standing.version.as_str())
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        for version in used {
            *uses.entry(version).or_default() += 1;
        }
    }
    uses
}

type Time = (Timestamp, Timestamp);

fn kubernetes(profile: &Profile, uses: &Uses<'_>, time: Time) -> Vec<Lane> {
    let mut lanes: BTreeMap<(u64, u64), Vec<(Version, Rung)>> = BTreeMap::new();
    for version in &profile.spec.kubernetes.versions {
        let Ok(parsed) = Version::parse(&version.version) else {
            continue;
        };
        let mut rung = rung(version, None, uses, time);
        rung.dead_end = dead_end(profile, version, &rung.stages);
        let lane = lanes.entry((parsed.major, parsed.minor)).or_default();
        lane.push((parsed, rung));
    }
    let minors: Vec<(u64, u64)> = lanes.keys().copied().collect();
    for pair in minors.windows(2) {
        let [(major, low), (same, high)] = *pair else {
            continue;
        };
        // Arbitrary version numbers may cause huge gaps.
        let gap = (low + 1..high).take(MOST_MISSING);
        for minor in gap.filter(|_| major == same) {
            lanes.insert((major, minor), Vec::new());
        }
    }
    lanes
        .into_iter()
        .rev()
        .map(|((major, minor), mut rungs)| {
            rungs.sort_by(|(a, _), (b, _)| b.cmp(a));
            Lane {
                image: None,
                name: format!("{major}.{minor}"),
                rungs: rungs.into_iter().map(|(_, rung)| rung).collect(),
            }
        })
        .collect()
}

/// Maximum number of consecutive missing minor versions that are shown.
const MOST_MISSING: usize = 20;

/// Returns the time from which Shoots on a version require an update that is impossible.
fn dead_end(
    profile: &Profile,
    version: &ExpirableVersion,
    stages: &[(Timestamp, String)],
) -> Option<Timestamp> {
    let (expired, _) = stages.iter().find(|(_, stage)| stage == "expired")?;
    let after = expired.checked_add(SignedDuration::from_nanos(1)).ok()?;
    let mut shoot = Shoot::default();
    shoot.spec.kubernetes.version.clone_from(&version.version);
    let targets = Targets::of(&shoot, &profile.spec);
    targets.control_plane(after).has_failed().then_some(*expired)
}

fn image(image: &MachineImage, uses: &Uses<'_>, time: Time) -> Lane {
    let versions = image.versions.iter();
    let mut rungs: Vec<_> = versions
        .map(|it| {
            let parsed = Version::parse(&it.version).ok();
            (parsed, rung(it, Some(&image.name), uses, time))
        })
        .collect();
    rungs.sort_by(|(a, _), (b, _)| b.cmp(a));
    let strategy = image.update_strategy.as_deref().unwrap_or("major");
    Lane {
        image: Some(image.name.clone()),
        name: format!("{} (strategy {strategy})", image.name),
        rungs: rungs.into_iter().map(|(_, rung)| rung).collect(),
    }
}

fn rung(
    version: &impl Classified,
    image: Option<&str>,
    uses: &Uses<'_>,
    (at, until): Time,
) -> Rung {
    let text = version.version();
    let turns = turns([version]).into_iter().filter(|turn| at < *turn && *turn < until);
    let stages = std::iter::once(at).chain(turns).map(|from| {
        let after = from.checked_add(SignedDuration::from_nanos(1));
        let stage = current_classification(version, after.unwrap_or(from));
        (from, stage.to_owned())
    });
    Rung {
        version: text.to_owned(),
        stages: stages.collect(),
        shoots: uses.get(&(image, text)).copied().unwrap_or_default(),
        dead_end: None,
    }
}
