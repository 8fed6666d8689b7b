// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::effective_profile::find;
use crate::rules::shoot::seed::placement::seed_name_path;
use crate::rules::shoot::seed::scheduling::{Excluded, Reason, Scheduling, Wanted, excluded};
use crate::rules::shoot::tolerations;
use garden_gate_model::api::{DEFAULT_SCHEDULER, Shoot};

rule! {
    page: include_str!("no_seed_accepts.md"),
    id: "shoot/no-seed-accepts",
    summary: "warns about a Shoot for which the scheduler finds no seed",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile, Project, Seed, Shoot],
    findings: { NONE = "shoot/no-seed-accepts": "every seed is excluded by the scheduler" },
    check: Judge(check),
}

/// Maximum number of seeds that a message names; the others are counted.
const NAMED: usize = 5;

/// Adds no finding if objects are unknown: this is advice, and advice must not delay a request.
fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new.filter(|new| is_to_be_scheduled(new)) else {
        return;
    };
    if tolerations::are_incomplete(context) {
        return;
    }
    let (Ok(seeds), Ok(offer)) = (context.seeds(), find(context, new)) else {
        return;
    };
    let project = context.project_of_namespace(&context.request.namespace).ok().flatten();
    let used = |seed: &str| Some(*context.shoots_on_seed(seed).ok()?.start());
    let profile = offer.spec();
    let scheduling = Scheduling {
        shoot: new,
        wanted: Wanted::of(new, profile),
        profile,
        project: project.as_ref().map(|it| it.metadata.name.as_str()),
        strategy: context.config.scheduler_strategy,
        used: &used,
    };
    if let Some(excluded) = excluded(&scheduling, seeds.map(|seed| &**seed)) {
        let named = &excluded[..excluded.len().min(NAMED)];
        let message = message(named, excluded.len());
        let by_defaults = |it: &Excluded<'_>| matches!(it.reason, Reason::Defaults(_));
        let (path, help) = if named.iter().any(by_defaults) {
            (
                FieldPath::new("spec.networking"),
                "set `pods` and `services` of spec.networking to ranges that do not overlap each other or `nodes`",
            )
        } else {
            (seed_name_path(), "change what excludes the seeds, or ask an operator for a seed")
        };
        findings.invalid(&NONE, path, message).help(help);
    }
}

fn is_to_be_scheduled(shoot: &Shoot) -> bool {
    let scheduler = shoot.spec.scheduler_name.as_deref();
    shoot.seed_name().is_none()
        && shoot.metadata.deletion_timestamp.is_none()
        && scheduler.is_none_or(|name| name == DEFAULT_SCHEDULER)
        && !shoot.is_self_hosted()
}

fn message(named: &[Excluded<'_>], count: usize) -> String {
    if named.is_empty() {
        return "no seed would take this Shoot: there are none".to_owned();
    }
    let mut reasons: Vec<String> = named
        .iter()
        .map(|Excluded { seed, reason }| format!("`{}` {reason}", seed.metadata.name))
        .collect();
    if count > named.len() {
        reasons.push(format!("and {} more", count - named.len()));
    }
    format!("no seed would take this Shoot: {}", reasons.join("; "))
}
