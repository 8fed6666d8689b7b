use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::{Outlook, Part, Profile};
use crate::compat::Version;
use crate::model::{ExpirableVersion, MachineImage, Shoot};
use crate::version::maintenance::{Targets, turns};
use crate::version::{Classified, current_classification};

/// The versions of a profile, with their stages, and how many Shoots stand on each.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// Which profile it is, as `CloudProfile stratus`.
    pub title: String,
    /// Kubernetes, a lane for each minor version, the highest first; minor versions that are missing between others included.
    pub kubernetes: Vec<Lane>,
    /// The machine images, a lane for each, in the order of the profile.
    pub images: Vec<Lane>,
}

/// Versions that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// `1.34`, or the name of an image with its strategy.
    pub name: String,
    /// The versions, the highest first; none in a gap.
    pub rungs: Vec<Rung>,
}

/// A version on its way through its stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The version.
    pub version: String,
    /// Its stages, each from when it begins, within the time of the forecast; the first begins with that.
    pub stages: Vec<(Timestamp, String)>,
    /// How many Shoots use it now, in the control plane or a pool.
    pub shoots: usize,
    /// Since when Shoots on it would have to be updated and cannot be; `None` if they can, or need not.
    pub dead_end: Option<Timestamp>,
}

impl Ladder {
    /// The ladder of a profile, with the Shoots that follow it, within the time of their forecast.
    #[must_use]
    pub fn of(profile: &Profile, outlook: &Outlook) -> Self {
        let uses = uses(profile, outlook);
        let time = (outlook.at, outlook.until);
        let images = profile.spec.machine_images.iter();
        Self {
            title: profile.title.clone(),
            kubernetes: kubernetes(profile, &uses, time),
            images: images.map(|it| image(it, &uses, time)).collect(),
        }
    }
}

/// How many Shoots use a version: of Kubernetes, or of the image with this name.
type Uses<'a> = BTreeMap<(Option<&'a str>, &'a str), usize>;

fn uses<'a>(profile: &Profile, outlook: &'a Outlook) -> Uses<'a> {
    let mut uses = Uses::new();
    let shoots = outlook.shoots.iter();
    for shoot in shoots.filter(|it| it.forecast.profile == profile.title) {
        let used = shoot.forecast.standings.iter().map(|standing| {
            let image = match &standing.part {
                Part::Image { image, .. } => Some(image.as_str()),
                _ => None,
            };
            (image, standing.version.as_str())
        });
        let mut used: Vec<_> = used.collect();
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
        // Of numbers that somebody made up there are too many.
        let gap = (low + 1..high).take(MOST_MISSING);
        for minor in gap.filter(|_| major == same) {
            lanes.insert((major, minor), Vec::new());
        }
    }
    let lanes = lanes.into_iter().rev();
    let lanes = lanes.map(|((major, minor), mut rungs)| {
        rungs.sort_by(|(a, _), (b, _)| b.cmp(a));
        Lane {
            name: format!("{major}.{minor}"),
            rungs: rungs.into_iter().map(|(_, rung)| rung).collect(),
        }
    });
    lanes.collect()
}

/// More missing minor versions in a row than this are not shown.
const MOST_MISSING: usize = 20;

/// Since when Shoots on a version would have to be updated and cannot be.
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
    targets
        .control_plane(after)
        .has_failed()
        .then_some(*expired)
}

fn image(image: &MachineImage, uses: &Uses<'_>, time: Time) -> Lane {
    let versions = image.versions.iter();
    let rungs = versions.map(|it| {
        let parsed = Version::parse(&it.version).ok();
        (parsed, rung(it, Some(&image.name), uses, time))
    });
    let mut rungs: Vec<_> = rungs.collect();
    rungs.sort_by(|(a, _), (b, _)| b.cmp(a));
    let strategy = image.update_strategy.as_deref().unwrap_or("major");
    Lane {
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
    let turns = turns([version]).into_iter();
    let turns = turns.filter(|turn| at < *turn && *turn < until);
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
