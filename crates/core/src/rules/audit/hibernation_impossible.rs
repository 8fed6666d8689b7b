// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::lists::short;
use crate::rules::shoot::hibernation::hibernation_constraint::HIBERNATION_POSSIBLE;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("hibernation_impossible.md"),
    id: "audit/hibernation-impossible",
    summary: "warns about a hibernation schedule of a Shoot that cannot be hibernated",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Shoot [Update]],
    findings: {
        IMPOSSIBLE = "audit/hibernation-impossible": "a hibernation schedule has no effect because the Shoot cannot be hibernated",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, write: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = write.new;
    let constraint = shoot
        .status
        .constraint(HIBERNATION_POSSIBLE)
        .filter(|constraint| constraint.status != "True");
    let hibernation = shoot.spec.hibernation.as_ref();
    let (Some(constraint), Some(hibernation)) = (constraint, hibernation) else {
        return;
    };
    let mut schedules = hibernation.schedules.iter();
    if shoot.wants_hibernation() || !schedules.any(|it| it.start.is_some()) {
        return;
    }
    let since = constraint
        .last_transition_time
        .map_or(String::new(), |since| format!(" since `{since:.0}`"));
    let message = format!(
        "the schedule does not put the cluster to sleep: constraint `{HIBERNATION_POSSIBLE}` is `{}`{since}: {}",
        constraint.status,
        short(&constraint.message)
    );
    let path = FieldPath::new("spec.hibernation.schedules");
    findings.forbid(&IMPOSSIBLE, path, message).help("correct what the constraint names");
}
