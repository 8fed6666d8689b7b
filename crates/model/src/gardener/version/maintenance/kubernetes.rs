// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::outcome::{Action, Due, Outcome, oddities};
use super::target::{Candidate, candidates, next_minor, patch_auto};
use crate::api::ExpirableVersion;
use crate::gardener::version::{current_classification, expiry, is_expired};
use garden_gate_text::go::{Version, VersionTest};

/// Returns the effect of a run on a Kubernetes version.
///
/// `limit` is the version of the control plane, the maximum for pools.
///
/// Mirrors maintainKubernetesVersion in `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
pub(super) fn kubernetes(
    current: &str,
    versions: &[ExpirableVersion],
    is_auto: bool,
    limit: Option<&str>,
    now: Timestamp,
) -> Outcome {
    let mut outcome = Outcome::unchanged(current);
    let is_current = VersionTest::new("=", current);
    let listed = versions.iter().find(|it| is_current.passes(&it.version));
    outcome.due = due(listed, is_auto, now);
    let Some(due) = outcome.due else {
        return outcome;
    };
    let list = candidates(versions, now);
    let Ok(parsed) = Version::parse(current) else {
        if due.is_forced() {
            outcome.action = Action::NoTarget;
        }
        return outcome;
    };
    let mut target = patch_auto(&list, &parsed);
    if target.is_none() && due.is_forced() {
        target = next_minor(&list, &parsed);
    }
    match target {
        Some(target) => {
            let to = capped(target, limit);
            if to != current {
                outcome.action = Action::Updated(to);
            }
            let from = listed.map(|it| current_classification(it, now));
            let step = |it: &Candidate<'_>| it.version.same_minor(&target.version);
            outcome.oddities = oddities(target, from, &list, step);
        }
        None if due.is_forced() => outcome.action = Action::NoTarget,
        None => {}
    }
    outcome
}

fn due(listed: Option<&ExpirableVersion>, is_auto: bool, now: Timestamp) -> Option<Due> {
    match listed {
        None => Some(Due::Missing),
        Some(version) if is_expired(version, now) => Some(Due::Expired(expiry(version))),
        Some(_) => is_auto.then_some(Due::Automatic),
    }
}

fn capped(target: &Candidate<'_>, limit: Option<&str>) -> String {
    let above = |limit: &&str| Version::parse(limit).is_ok_and(|limit| target.version > limit);
    let capped = limit.filter(above);
    capped.map_or_else(|| target.version.to_string(), str::to_owned)
}
