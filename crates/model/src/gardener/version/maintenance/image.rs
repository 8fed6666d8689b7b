// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::images::{ResolvedPool, admits};
use super::outcome::{Action, Anomaly, Due, Outcome, oddities};
use super::target::{Candidate, Part, candidates, major_auto, minor_auto, next_higher, patch_auto};
use crate::api::{CloudProfileSpec, MachineImageVersion, Worker};
use crate::gardener::version::{current_classification, expiry, is_expired};
use garden_gate_text::go::Version;

/// Returns the effect of a run on the machine image of a pool.
///
/// Returns `None` if the profile lacks data about the pool.
///
/// `kubelet` is the version that the pool's nodes run before the run. Mirrors maintainMachineImages in
/// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
pub(super) fn image(
    pool: &Worker,
    kubelet: &str,
    spec: &CloudProfileSpec,
    is_auto: bool,
    now: Timestamp,
) -> Option<Outcome> {
    let resolved = ResolvedPool::of(spec, pool, kubelet)?;
    let current = resolved.used.version.as_str();
    let mut outcome = Outcome::unchanged(current);
    outcome.due = due(&resolved, is_auto, now);
    let Some(due) = outcome.due else {
        return Some(outcome);
    };
    let list = candidates(resolved.fitting(), now);
    let strategy = Strategy::of(resolved.image.update_strategy.as_deref());
    let parsed = Version::parse(current).ok();
    let target = parsed.and_then(|from| strategy.target(&list, &from, due.is_forced()));
    match target {
        Some(target) => {
            outcome.action = Action::Updated(target.text.to_owned());
            outcome.oddities = flags(&resolved, &list, target, strategy, now);
        }
        None if due.is_forced() => outcome.action = Action::NoTarget,
        None => {}
    }
    Some(outcome)
}

fn due(resolved: &ResolvedPool<'_>, is_auto: bool, now: Timestamp) -> Option<Due> {
    let current = &resolved.used.version;
    let same_name = resolved.image.name == resolved.used.name;
    let mut versions = resolved.image.versions.iter().filter(|_| same_name);
    let Some(listed) = versions.find(|it| it.version == *current) else {
        return Some(Due::Missing);
    };
    if let Some(misfit) = resolved.misfit(listed) {
        Some(Due::Unfit(misfit))
    } else if is_expired(listed, now) {
        Some(Due::Expired(expiry(listed)))
    } else {
        is_auto.then_some(Due::Automatic)
    }
}

/// A machine image version that the image's update strategy excludes from maintenance.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SkippedVersion {
    /// The highest such version.
    pub version: String,
    /// The strategy that would choose it.
    pub needs: &'static str,
    /// The strategy that the image has.
    pub has: &'static str,
}

/// Returns the version that a pool would get at `now` with a wider update strategy of its image.
///
/// `kubelet` is the version that its nodes run.
pub fn beyond(
    pool: &Worker,
    kubelet: &str,
    spec: &CloudProfileSpec,
    now: Timestamp,
) -> Option<SkippedVersion> {
    let resolved = ResolvedPool::of(spec, pool, kubelet)?;
    let from = Version::parse(&resolved.used.version).ok()?;
    let list = candidates(resolved.fitting(), now);
    let strategy = Strategy::of(resolved.image.update_strategy.as_deref());
    let is_in_reach =
        |it: &Candidate<'_>| strategy.is_same_step(&it.version, &from) || it.version <= from;
    let usable = |it: &&Candidate<'_>| matches!(it.classification, "supported" | "deprecated");
    let beyond = list
        .iter()
        .filter(usable)
        .filter(|it| !is_in_reach(it))
        .max_by(|a, b| a.version.cmp(&b.version))?;
    let needs = if beyond.version.major == from.major { Strategy::Minor } else { Strategy::Major };
    Some(SkippedVersion {
        version: beyond.text.to_owned(),
        needs: needs.as_str(),
        has: strategy.as_str(),
    })
}

/// The largest step that a machine image is updated by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Strategy {
    Patch,
    Minor,
    Major,
}

impl Strategy {
    /// Parses a strategy; an unknown one counts as `major`.
    fn of(text: Option<&str>) -> Self {
        match text {
            Some("patch") => Strategy::Patch,
            Some("minor") => Strategy::Minor,
            _ => Strategy::Major,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Strategy::Patch => "patch",
            Strategy::Minor => "minor",
            Strategy::Major => "major",
        }
    }

    /// Returns the version that an update chooses.
    ///
    /// Mirrors DetermineVersionForStrategy in `pkg/controllermanager/controller/shoot/maintenance/helper/helper.go`.
    fn target<'a, 'c>(
        self,
        list: &'c [Candidate<'a>],
        from: &Version,
        forced: bool,
    ) -> Option<&'c Candidate<'a>> {
        let auto = match self {
            Strategy::Patch => patch_auto(list, from),
            Strategy::Minor => minor_auto(list, from),
            Strategy::Major => major_auto(list, from),
        };
        auto.or_else(|| match self {
            Strategy::Patch if forced => next_higher(list, from, Part::Minor),
            Strategy::Minor if forced => next_higher(list, from, Part::Major),
            _ => None,
        })
    }

    /// Reports whether two versions belong to the same step.
    fn is_same_step(self, a: &Version, b: &Version) -> bool {
        match self {
            Strategy::Patch => a.same_minor(b),
            Strategy::Minor => a.major == b.major,
            Strategy::Major => true,
        }
    }
}

fn flags(
    resolved: &ResolvedPool<'_>,
    list: &[Candidate<'_>],
    target: &Candidate<'_>,
    strategy: Strategy,
    now: Timestamp,
) -> Vec<Anomaly> {
    let used = resolved.used;
    let listed = resolved.image.versions.iter().find(|it| it.version == used.version);
    let from = listed.map(|it| current_classification(it, now));
    let step = |it: &Candidate<'_>| strategy.is_same_step(&it.version, &target.version);
    let mut flags = oddities(target, from, list, step);
    let better = |it: &Candidate<'_>| it.is("supported") && it.version > target.version && step(it);
    let patch = Version::parse(&used.version).is_ok_and(|from| from.same_minor(&target.version));
    if target.is("deprecated") && patch && list.iter().any(better) {
        flags.push(Anomaly::DeprecatedPatchFirst);
    }
    if resolved.image.name != used.name {
        flags.push(Anomaly::NameDiffersInCase);
    }
    flags
}

/// Flags an image that does not admit the Kubernetes version after the run.
///
/// Such an image was chosen for the version before the run.
pub(super) fn flag_old_kubernetes(
    outcome: &mut Outcome,
    pool: &Worker,
    spec: &CloudProfileSpec,
    kubelet: &str,
) {
    let (true, Some(used)) = (outcome.is_updated(), &pool.machine.image) else {
        return;
    };
    let Ok(kubelet) = Version::parse(kubelet) else {
        return;
    };
    let images = spec.machine_images.iter().filter(|it| it.name == used.name);
    let chosen = |it: &&MachineImageVersion| it.version == outcome.after();
    let version = images.flat_map(|it| &it.versions).find(chosen);
    if version.is_some_and(|version| !admits(version, &kubelet)) {
        outcome.oddities.push(Anomaly::ChosenForOldKubernetes);
    }
}
