use std::collections::HashMap;

use jiff::Timestamp;

use super::super::profiles::{image_version, kubernetes_versions};
use crate::engine::{
    Change, Check, Context, ErrorType, FieldPath, FindingKind, Findings, Offence, rule,
};
use crate::model::{CloudProfile, CloudProfileSpec};
use crate::version::{Classified, is_unavailable};

rule! {
    /// ## What it checks
    /// A version that is available stays so: its lifecycle must not be changed such that all of it lies in the future.
    ///
    /// ## Why
    /// Shoots may run the version already.
    ///
    /// ## Applies to
    /// CloudProfiles, on UPDATE.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   kubernetes:
    ///     versions:
    ///     - version: 1.31.0             # had no lifecycle before
    ///       lifecycle:
    ///       - classification: supported
    ///         startTime: "2099-01-01T00:00:00Z"
    /// ```
    ///
    /// ## How to fix
    /// Begin the lifecycle with a stage without start time, or with one in the past.
    ///
    /// ## Gardener
    /// `ValidateCloudProfileSpecUpdate` in `pkg/api/core/validation/cloudprofile.go` (422). No differences.
    pub(crate) static RULE {
        id: "cloudprofile/version-turned-unavailable",
        summary: "an available version does not become unavailable again",
        phase: Static,
        scopes: [CloudProfile [Update] [""]],
        documented: Deny,
        gardener: Deny,
        findings: [UNAVAILABLE],
        check: Check::CloudProfile(check),
    }
}

static UNAVAILABLE: FindingKind = FindingKind {
    id: "cloudprofile/version-turned-unavailable",
    summary: "a version was available and no longer is",
};

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (profile.new, profile.old) else {
        return;
    };
    let (new, old): (&CloudProfileSpec, &CloudProfileSpec) = (&new.spec, &old.spec);
    let now = context.now;
    for index in turned(&new.kubernetes.versions, || &old.kubernetes.versions, now) {
        let name = &new.kubernetes.versions[index].version;
        findings.add(offence(name, kubernetes_versions("spec").index(index)));
    }
    for (position, image) in new.machine_images.iter().enumerate() {
        let stored = || {
            let mut old = old.machine_images.iter();
            old.rfind(|old| old.name == image.name)
                .map_or(&[][..], |old| &old.versions)
        };
        for index in turned(&image.versions, stored, now) {
            let name = &image.versions[index].version;
            findings.add(offence(name, image_version("spec", position, index)));
        }
    }
}

/// The positions of versions that are unavailable now and are available as stored. Of equal stored ones, the last counts.
fn turned<'a, T: Classified + 'a>(
    new: &[T],
    old: impl FnOnce() -> &'a [T],
    now: Timestamp,
) -> Vec<usize> {
    let unavailable: Vec<usize> = (0..new.len())
        .filter(|index| is_unavailable(&new[*index], now))
        .collect();
    if unavailable.is_empty() {
        return unavailable;
    }
    let old: HashMap<&str, &T> = old().iter().map(|v| (v.version(), v)).collect();
    let available = |index: &usize| {
        let stored = old.get(new[*index].version());
        stored.is_some_and(|stored| !is_unavailable(stored, now))
    };
    unavailable.into_iter().filter(available).collect()
}

fn offence(version: &str, path: FieldPath) -> Offence {
    let message = format!(
        "version `{version}` is available and must stay so; with this lifecycle it would not be"
    );
    Offence::new(&UNAVAILABLE, ErrorType::Forbidden, path, message)
        .value(version)
        .help("let a stage have started already")
}
